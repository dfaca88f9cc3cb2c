"""The order in which candidates are looked at: some of each kind, and about each procedure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from random import Random
from typing import Any

type Kind = tuple[Any, ...]


def in_turns[T](
    candidates: Iterable[tuple[Hashable, Kind, T]], rng: Random
) -> Iterator[tuple[T, Kind]]:
    """Yield candidates with their kinds, one of each kind in turn, until there are none.

    Those of a kind come from one procedure after another.

    Args:
        candidates: for each its procedure and its kind.
        rng: all chance.
    """
    held: defaultdict[Kind, defaultdict[Hashable, list[T]]] = defaultdict(lambda: defaultdict(list))
    for procedure, kind, each in candidates:
        held[kind][procedure].append(each)
    waiting = {kind: _alternating(list(groups.values()), rng) for kind, groups in held.items()}
    while waiting:
        for kind in list(waiting):
            found = next(waiting[kind], None)
            if found is None:
                del waiting[kind]
            else:
                yield found[0], kind


def _alternating[T](groups: list[list[T]], rng: Random) -> Iterator[tuple[T]]:
    """Yield one of each group in turn, in random order."""
    rng.shuffle(groups)
    for group in groups:
        rng.shuffle(group)
    while groups:
        groups = [group for group in groups if group]
        for group in groups:
            yield (group.pop(),)
