"""Plans whose steps stand in queues that run side by side, with some waits between them.

What conflicts need not wait there: in one permitted order a step ends what another makes, in the
next it does not. The same steps in other queues give other answers, so that the steps alone do not
tell the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from random import Random
from typing import NamedTuple

from thence.core.graph import Graph
from thence.core.procedure import Pair
from thence.families.fable.shared.domain import Case

HEEDED = (0.2, 0.5, 0.8, 1.0)
"""Shares of the conflicts between queues that steps heed by waiting."""

_MORE = 2  # most waits that no conflict asks for
_FAR = 5  # most steps between two that wait for no reason of their own
_LONG = 10  # steps of a plan that may have three queues
_STAYS = 0.45  # how often the next step stands in the same queue
_LEAST = 2  # steps of a queue
_OPEN = 5  # fewest pairs of steps that may come in either order: of six orders or more
FEWEST = 2 * _LEAST
"""Steps of a plan that can stand in queues."""

type Queues = list[list[int]]


class Standing(NamedTuple):
    """Steps in queues.

    Attributes:
        queues: for each queue its steps, the queue with the first step first.
        graph: the order of the queues and the waits.
    """

    queues: Queues
    graph: Graph


def standing(
    count: int, conflicts: Sequence[Pair], rng: Random, three: float, heeded: float
) -> Standing | None:
    """Return some steps in queues, or None where there are too few, or hardly any other order.

    Args:
        count: number of steps, which may come in the order in which they are listed.
        conflicts: pairs of steps that conflict.
        rng: all chance.
        three: how often many steps stand in three queues.
        heeded: share of the conflicts between queues that steps heed by waiting.
    """
    number = 3 if count >= _LONG and rng.random() < three else 2
    if count < number * _LEAST:
        return None
    queues = _queues(count, number, rng)
    within = [pair for queue in queues for pair in pairwise(queue)]
    graph = Graph(count, [*within, *_waits(conflicts, queues, rng, heeded)])
    open_pairs = count * (count - 1) // 2 - sum(each.bit_count() for each in graph.descendants)
    return Standing(queues, graph) if open_pairs >= _OPEN else None


def in_queues(case: Case, held: Standing) -> Case:
    """Return a plan whose steps stand in queues."""
    order = held.graph.transitive_reduction()
    waits = {*order} - {pair for queue in held.queues for pair in pairwise(queue)}
    source = {
        **case.source,
        "queues": held.queues,
        "waits": [list(pair) for pair in sorted(waits, key=itemgetter(1, 0))],
    }
    return Case(replace(case.procedure, order=tuple(sorted(order))), source)


def _queues(steps: int, count: int, rng: Random) -> Queues:
    """Return for each queue its steps, the queue with the first step first."""
    while True:
        place, found = 0, [[0], *([] for _ in range(count - 1))]
        for step in range(1, steps):
            if rng.random() >= _STAYS:
                place = rng.choice([each for each in range(count) if each != place])
            found[place].append(step)
        if min(map(len, found)) >= _LEAST:
            return sorted(found)


def _waits(conflicts: Sequence[Pair], queues: Queues, rng: Random, heeded: float) -> Iterator[Pair]:
    """Yield pairs of steps of different queues of which the second waits for the first."""
    where = {step: number for number, queue in enumerate(queues) for step in queue}
    for i, j in conflicts:
        if where[i] != where[j] and rng.random() < heeded:
            yield i, j
    for _ in range(rng.randint(0, _MORE)):
        i = rng.randrange(len(where) - 1)
        j = rng.randint(i + 1, min(i + _FAR, len(where) - 1))
        if where[i] != where[j]:
            yield i, j
