"""The selection of procedures and pairs of steps, by source, corpus and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from thence.core.digest import digest
from thence.core.seeds import random_of
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


class SourceKey(NamedTuple):
    """The values that identify the procedures of a source.

    Attributes:
        source: its name, or the file or folder of one's own procedures.
        flow_graphs: the folder of the corpus.
        titles: the file of titles that divides the corpus; empty for a draw.
        part: the part of the source that is asked about.
        content: the hash of one's own files; empty for all other sources.
        unreviewed: ``yes`` if procedures that nobody has reviewed may be among one's own.
        excluded: the procedures that are not asked about.
    """

    source: str
    flow_graphs: str
    titles: str
    part: str
    content: str
    unreviewed: str
    excluded: Excluded


def pairs_of(size: int | None) -> int | None:
    """Return how many pairs of each class so many questions are about: two a pair, by thirds."""
    return None if size is None else ((size + 2) // 3 + 1) // 2


def source_name(source: str) -> str:
    """Return the name of a source in samples, which does not depend on a file's location."""
    return own_procedures.FILE if own_procedures.is_own(source) else source


def source_key(values: Mapping[str, Any]) -> SourceKey:
    """Return the values that identify a source, of those of the task's parameters."""
    source = values["source"]
    content = ""
    if own_procedures.is_own(source) and Path(source).exists():
        from thence.procedures.own_files import contents

        content = digest(contents(source))
    return SourceKey(
        source,
        values["flow_graphs"],
        values["titles"],
        values["part"],
        content,
        values["unreviewed"],
        values.get(EXCLUDED, frozenset()),
    )


@lru_cache(maxsize=8)
def choice_of(key: SourceKey, seed: int, most: int | None) -> SourceChoice:
    """Return the procedures of a source.

    Args:
        key: identifies the source.
        seed: the user's seed.
        most: number of pairs wanted per class; None for the paper's.
    """
    source = key.source
    if source == CORPUS:
        return _recipes(key, seed)
    if own_procedures.is_own(source):
        found = own_procedures.of_files(source, unreviewed=key.unreviewed == "yes")
        left = [each for each in found.subjects if not each.is_among(key.excluded)]
        if not left:
            raise ParameterError("source", source, "its procedure is excluded; name another")
        return replace(found, subjects=left)
    room = _room(most)
    wanted = max(room, min(sources.ROOM * PAIRS, _SPREAD * room))
    return sources.drawn(source, seed, key.part, wanted, key.excluded)


def _recipes(key: SourceKey, seed: int) -> SourceChoice:
    """Return the recipes of a part: by the map of titles, else by a draw of 57 recipes."""
    recipes = sources.corpus(key.flow_graphs, key.titles)
    test = list(recipes.listed)
    if not key.titles:
        places = range(len(test))
        rng = random_of("catbench", CORPUS, seed)
        for place in rng.sample(places, min(PROCEDURES, len(places))):
            test[place] = True
    chosen = recipes.choice(
        [
            each == (key.part == TEST) and not subject.is_among(key.excluded)
            for each, subject in zip(test, recipes.all, strict=True)
        ]
    )
    other = " that is not excluded" if key.excluded else ""
    if not chosen.subjects:
        raise ParameterError(
            "part",
            key.part,
            f"no recipe of {key.flow_graphs} is in it{other}; {key.titles or 'the draw'} has "
            f"{sum(test)} of {len(test)}",
        )
    return chosen


@lru_cache(maxsize=8)
def balance_of(key: SourceKey, seed: int, most: int | None) -> Balance:
    """Return the balanced pairs of a source."""
    choice = choice_of(key, seed, most)
    name = source_name(key.source)
    rng = random_of("catbench/order", "pairs", seed, name, key.part)
    room = _room(most) if key.source in sources.DOMAINS else None
    return balanced(choice.subjects, rng, _most(key, most), room)


def _room(most: int | None) -> int:
    """Return the number of pairs of each class to choose among, of our own domains."""
    return sources.ROOM * max(most or PAIRS, _LEAST)


def counts_of(key: SourceKey, seed: int, most: int | None) -> PairCounts:
    """Return how many pairs a set of a source has, of how many; ``most`` as for `choice_of`."""
    return counted(choice_of(key, seed, most).subjects, _most(key, most))


def _most(key: SourceKey, most: int | None) -> int | None:
    """Return the maximal number of pairs per class: of our own domains as many as in the paper."""
    return PAIRS if key.source in sources.DOMAINS and most is None else most
