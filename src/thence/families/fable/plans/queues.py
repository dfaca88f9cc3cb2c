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

from thence.core.procedure import Pair
from thence.families.fable.shared.divided_steps import split
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.quick_answers import Order

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
        later: for each step those that come after it in its queue, or wait for it.
        order: the order that this makes.
    """

    queues: Queues
    later: Sequence[list[int]]
    order: Order

    @property
    def waits(self) -> list[Pair]:
        """Pairs of steps of different queues of which the second waits for the first, as told."""
        inside = {pair for queue in self.queues for pair in pairwise(queue)}
        return sorted(set(_reduced(self)) - inside, key=itemgetter(1, 0))

    def with_wait(self, first: int, then: int) -> Standing | None:
        """Return the same queues, in which a step also waits for one that is listed before it.

        None where hardly any other order would be left.
        """
        later = [[*others, then] if step == first else others
                 for step, others in enumerate(self.later)]  # fmt: skip
        return _in_order(self.queues, later)


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
    queues = split(count, number, _STAYS, _LEAST, rng)
    later: list[list[int]] = [[] for _ in range(count)]
    for queue in queues:
        for i, j in pairwise(queue):
            later[i].append(j)
    for i, j in _waits(conflicts, queues, rng, heeded):
        later[i].append(j)
    return _in_order(queues, later)


def _in_order(queues: Queues, later: Sequence[list[int]]) -> Standing | None:
    """Return steps in queues with their order, or None where there is hardly any other."""
    count, order = len(later), _closed(later)
    open_pairs = count * (count - 1) // 2 - sum(map(int.bit_count, order.after))
    return Standing(queues, later, order) if open_pairs >= _OPEN else None


def _closed(later: Sequence[Sequence[int]]) -> Order:
    """Return the order in which each step comes before some that are listed after it."""
    after, before = [0] * len(later), [0] * len(later)
    for step in reversed(range(len(later))):
        for other in later[step]:
            after[step] |= after[other] | 1 << other
    for step, others in enumerate(later):
        for other in others:
            before[other] |= before[step] | 1 << step
    return Order(after, before)


def _reduced(held: Standing) -> Iterator[Pair]:
    """Yield the pairs of steps of the transitive reduction of the order, in ascending order."""
    for step, others in enumerate(held.later):
        covered = 0
        for other in sorted(others):
            if not covered >> other & 1:
                yield step, other
                covered |= held.order.after[other] | 1 << other


def in_queues(case: Case, held: Standing) -> Case:
    """Return a plan whose steps stand in queues."""
    order = tuple(_reduced(held))
    source = {
        **case.source,
        "queues": held.queues,
        "waits": list(map(list, held.waits)),
    }
    return Case(replace(case.procedure, order=order), source)


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
