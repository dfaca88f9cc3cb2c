"""Which procedures and pairs of steps are asked about, given source, corpus and seed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import digest
from thence.errors import ParameterError
from thence.families.catbench import sources
from thence.families.catbench.questions import (
    Balance,
    balanced,
)
from thence.families.catbench.sources import Choice

if TYPE_CHECKING:
    pass


PAIRS, PROCEDURES = 710, 57  # of each class, and the procedures they come from, in the paper


CORPUS = "corpus"


TEST, HELD_OUT = "test", "held_out"


type Key = tuple[str, str, str, str, str]
"""Source, corpus, titles, part, and the hash of the source where it is a file."""


def source_name(source: str) -> str:
    """What samples call a source: where a file lies makes no difference to them."""
    return sources.FILE if sources.is_file(source) else source


def source_key(values: Mapping[str, Any]) -> Key:
    """Return the values that name the procedures, and the hash of a file: files change."""
    source = values["source"]
    path = Path(source)
    known = sources.is_file(source) and path.is_file()
    content = digest(path.read_bytes().hex()) if known else ""
    return source, values["flow_graphs"], values["titles"], values["part"], content


@lru_cache(maxsize=8)
def choice_of(key: Key, seed: int, most: int | None) -> Choice:
    """The procedures that some settings name.

    Args:
        key: source, corpus, titles, part.
        seed: the user's.
        most: pairs of each class that are wanted; None for the paper's.
    """
    source, flow_graphs, titles, part, _ = key
    if source == CORPUS:
        return _recipes(flow_graphs, titles, part, seed)
    if sources.is_file(source):
        return sources.of_file(source)
    # Those of the paper's set serve every smaller one too, which so is a part of it.
    wanted = max(PAIRS, most or PAIRS)
    return sources.drawn(source, seed, part, -(-wanted * PROCEDURES // PAIRS), wanted)


def _recipes(flow_graphs: str, titles: str, part: str, seed: int) -> Choice:
    """Those that the map of titles lists, or the others; without a map, 57 drawn by the seed."""
    recipes = sources.corpus(flow_graphs, titles)
    test = list(recipes.listed)
    if not titles:
        places = range(len(test))
        rng = Random(int(digest("catbench", CORPUS, seed), 16))
        for place in rng.sample(places, min(PROCEDURES, len(places))):
            test[place] = True
    chosen = recipes.choice([each == (part == TEST) for each in test])
    if not chosen.subjects:
        raise ParameterError(
            "part",
            part,
            f"no recipe of {flow_graphs} is in it; {titles or 'the draw'} has {sum(test)} of "
            f"{len(test)}",
        )
    return chosen


@lru_cache(maxsize=8)
def balance_of(key: Key, seed: int, most: int | None) -> Balance:
    """The pairs that some settings name, in an order by chance."""
    choice = choice_of(key, seed, most)
    if key[0] in sources.DOMAINS and most is None:
        most = PAIRS
    rng = Random(int(digest("catbench/order", "pairs", seed, source_name(key[0]), key[3]), 16))
    return balanced(choice.subjects, rng, most)
