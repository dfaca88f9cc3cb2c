"""The selection of procedures and pairs of steps, by source, corpus and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from thence.core.digest import digest
from thence.errors import ParameterError
from thence.families.catbench import own_procedures, sources
from thence.families.catbench.questions import Balance, PairCounts, balanced, counted
from thence.families.catbench.sources import Excluded, SourceChoice

PAIRS, PROCEDURES = 710, 57  # of each class, and the procedures they come from, in the paper

CORPUS = "corpus"

_LEAST = 30  # pairs of each class that the procedures of the smallest set are to serve for
_SPREAD = 3  # times as many pairs as are looked at: a small set is about more procedures so

TEST, HELD_OUT = "test", "held_out"

EXCLUDED = "excluded"  # names of procedures that are not asked about


type Key = tuple[str, str, str, str, str, str, Excluded]
"""Source, corpus, titles, part, the hash of files, whether unreviewed ones may be among them, and
excluded procedures."""


def pairs_of(size: int | None) -> int | None:
    """Return how many pairs of each class so many questions are about: two a pair, by thirds."""
    return None if size is None else ((size + 2) // 3 + 1) // 2


def source_name(source: str) -> str:
    """Return the name of a source in samples, which does not depend on a file's location."""
    return own_procedures.FILE if own_procedures.is_own(source) else source


def source_key(values: Mapping[str, Any]) -> Key:
    """Return the values that identify a source: source, corpus, titles and part."""
    source = values["source"]
    content = ""
    if own_procedures.is_own(source) and Path(source).exists():
        from thence.procedures.own_files import contents

        content = digest(contents(source))
    excluded = values.get(EXCLUDED, frozenset())
    unreviewed = values["unreviewed"]
    place = source, values["flow_graphs"], values["titles"], values["part"]
    return (*place, content, unreviewed, excluded)


@lru_cache(maxsize=8)
def choice_of(key: Key, seed: int, most: int | None) -> SourceChoice:
    """Return the procedures of a source.

    Args:
        key: source, corpus, titles, part.
        seed: the user's seed.
        most: number of pairs wanted per class; None for the paper's.
    """
    source, flow_graphs, titles, part, _, unreviewed, excluded = key
    if source == CORPUS:
        return _recipes(flow_graphs, titles, part, seed, excluded)
    if own_procedures.is_own(source):
        found = own_procedures.of_files(source, unreviewed=unreviewed == "yes")
        left = [each for each in found.subjects if not each.is_among(excluded)]
        if not left:
            raise ParameterError("source", source, "its procedure is excluded; name another")
        return replace(found, subjects=left)
    room = _room(most)
    wanted = max(room, min(sources.ROOM * PAIRS, _SPREAD * room))
    return sources.drawn(source, seed, part, wanted, excluded)


def _recipes(
    flow_graphs: str, titles: str, part: str, seed: int, excluded: Excluded
) -> SourceChoice:
    """Return the recipes of a part: by the map of titles, else by a draw of 57 recipes."""
    recipes = sources.corpus(flow_graphs, titles)
    test = list(recipes.listed)
    if not titles:
        places = range(len(test))
        rng = Random(int(digest("catbench", CORPUS, seed), 16))
        for place in rng.sample(places, min(PROCEDURES, len(places))):
            test[place] = True
    chosen = recipes.choice(
        [
            each == (part == TEST) and not subject.is_among(excluded)
            for each, subject in zip(test, recipes.all, strict=True)
        ]
    )
    other = " that is not excluded" if excluded else ""
    if not chosen.subjects:
        raise ParameterError(
            "part",
            part,
            f"no recipe of {flow_graphs} is in it{other}; {titles or 'the draw'} has {sum(test)} "
            f"of {len(test)}",
        )
    return chosen


@lru_cache(maxsize=8)
def balance_of(key: Key, seed: int, most: int | None) -> Balance:
    """Return the balanced pairs of a source."""
    choice = choice_of(key, seed, most)
    rng = Random(int(digest("catbench/order", "pairs", seed, source_name(key[0]), key[3]), 16))
    room = _room(most) if key[0] in sources.DOMAINS else None
    return balanced(choice.subjects, rng, _most(key, most), room)


def _room(most: int | None) -> int:
    """Return the number of pairs of each class to choose among, of our own domains."""
    return sources.ROOM * max(most or PAIRS, _LEAST)


def counts_of(key: Key, seed: int, most: int | None) -> PairCounts:
    """Return how many pairs a set of a source has, of how many; ``most`` as for `choice_of`."""
    return counted(choice_of(key, seed, most).subjects, _most(key, most))


def _most(key: Key, most: int | None) -> int | None:
    """Return the maximal number of pairs per class: of our own domains as many as in the paper."""
    return PAIRS if key[0] in sources.DOMAINS and most is None else most
