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

from thence.core.graph import Graph
from thence.core.procedure import Pair
from thence.families.fable.shared.domain import Case

_KEPT = (0.2, 0.5, 0.8, 1.0)  # of the conflicts between queues that a step heeds by waiting
_MORE = 2  # most waits that no conflict asks for
_FAR = 5  # most steps between two that wait for no reason of their own
_LONG = 10  # steps of a plan that may have three queues
_STAYS = 0.45  # how often the next step stands in the same queue
_LEAST = 2  # steps of a queue
FEWEST = 2 * _LEAST
"""Steps of a plan that can stand in queues."""

type Queues = list[list[int]]


def queued(case: Case, rng: Random, three: float) -> Case | None:
    """Return the steps of a plan in queues, or None where there are too few for two.

    Args:
        case: the plan, in an order that is kept.
        rng: all chance.
        three: how often a long plan stands in three queues.
    """
    steps = case.procedure.steps
    count = 3 if len(steps) >= _LONG and rng.random() < three else 2
    if len(steps) < count * _LEAST:
        return None
    queues = _queues(len(steps), count, rng)
    within = [pair for queue in queues for pair in pairwise(queue)]
    graph = Graph(len(steps), [*within, *_waits(case.procedure.order, queues, rng)])
    order = graph.transitive_reduction()
    waits = set(order) - set(within)
    source = {
        **case.source,
        "queues": queues,
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


def _waits(conflicts: Sequence[Pair], queues: Queues, rng: Random) -> Iterator[Pair]:
    """Yield pairs of steps of different queues of which the second waits for the first."""
    where = {step: number for number, queue in enumerate(queues) for step in queue}
    kept = rng.choice(_KEPT)
    for i, j in conflicts:
        if where[i] != where[j] and rng.random() < kept:
            yield i, j
    for _ in range(rng.randint(0, _MORE)):
        i = rng.randrange(len(where) - 1)
        j = rng.randint(i + 1, min(i + _FAR, len(where) - 1))
        if where[i] != where[j]:
            yield i, j
