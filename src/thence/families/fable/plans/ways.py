"""A plan as it is listed and stands in queues: its cases, orders and waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from operator import or_

from thence.core.graph import bitset, members
from thence.core.procedure import Pair, Procedure
from thence.dataflow import Flow
from thence.families.fable.plans.queues import Standing
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.quick_answers import ENDS, Order, QuickAnswers


class View:
    """A case with the index for its analyses."""

    def __init__(self, case: Case, flow: Flow | None = None) -> None:
        self.case = case
        self.flow = flow or Flow(case.procedure)

    @cached_property
    def order(self) -> Order:
        """The order of the steps as bitsets."""
        return Order.of(self.flow)

    @cached_property
    def quick(self) -> QuickAnswers:
        """The answers to questions about it."""
        return QuickAnswers(self.flow)

    @cached_property
    def in_part(self) -> Sequence[QuickAnswers]:
        """The answers if only one of the two roles in which a step ends a fact did."""
        return [QuickAnswers(self.flow, [role]) for role in ENDS]


class ListedPlan:
    """One way in which the steps of a plan are listed and stand in queues; shown when first asked.

    Attributes:
        listing: the steps as they are listed.
        place: for each step its place there.
        held: the queues, in which each step goes by its place.
        order: the order of the steps, by which each goes by itself.
    """

    def __init__(self, listing: Sequence[int], held: Standing) -> None:
        self.listing, self.held = listing, held
        self.place = [0] * len(listing)
        for number, step in enumerate(listing):
            self.place[step] = number
        self.order = Order(*map(self._by_step, held.order))
        self.view: View | None = None

    def flow(self, procedure: Procedure, like: Flow | None) -> Flow:
        """Return the flow of the steps in this way, like one of the same steps if there is one."""
        found = like.with_order(procedure.order) if like else Flow(procedure)
        found.graph.descendants, found.graph.ancestors = map(tuple, self.held.order)
        found.reduced = found.graph
        return found

    @cached_property
    def waits(self) -> Sequence[Pair]:
        """The waits between its queues, as told."""
        return self.held.waits

    @cached_property
    def queue_of(self) -> Sequence[int]:
        """For each step the steps of its queue, as a bitset."""
        found = [0] * len(self.listing)
        for queue in self.held.queues:
            steps = self._bits(queue)
            for place in queue:
                found[self.listing[place]] = steps
        return found

    @cached_property
    def _listed_before(self) -> Sequence[int]:
        """For each place the steps that are listed before it, as a bitset."""
        return [*accumulate((1 << step for step in self.listing), or_, initial=0)]

    def _bits(self, places: Iterable[int]) -> int:
        return bitset(self.listing[each] for each in places)

    def between(self, i: int, j: int) -> int:
        """Return the steps that are listed after step i and before step j, as a bitset."""
        start, stop = self.place[i] + 1, self.place[j]
        return self._listed_before[stop] & ~self._listed_before[start] if start < stop else 0

    def waits_between(self, i: int, j: int) -> tuple[int, int, int]:
        """Return how many waits are told from one step to another, by their places in the list.

        First all of which both steps stand between the two, or are these; of them those for a step
        of the queue of the earlier one; and those that hold up a step of the queue of the later.
        """
        first, last = sorted((self.place[i], self.place[j]))
        inside = [(a, b) for a, b in self.waits if first <= a and b <= last]
        one, other = (self.queue_of[self.listing[place]] for place in (first, last))
        return (
            len(inside),
            sum(one >> self.listing[a] & 1 for a, _ in inside),
            sum(other >> self.listing[b] & 1 for _, b in inside),
        )

    def may_be_ordered(self, i: int, j: int) -> bool:
        """Return whether a wait leads out of the queue of the earlier step, and one into the other.

        Without both, no chain of the order leads from the one to the other.
        """
        first, last = sorted((self.place[i], self.place[j]))
        out, into = self._nearest_waits
        return out[first] <= last and into[last] >= first

    @cached_property
    def _nearest_waits(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place the first step that waits for it, or for one behind it in its queue.

        And the last step that it, or one before it in its queue, waits for. Where there is none,
        these are the number of steps, and -1.
        """
        count = len(self.listing)
        out, into = [count] * count, [-1] * count
        for a, b in self.waits:
            out[a], into[b] = min(out[a], b), max(into[b], a)
        for queue in self.held.queues:
            for later, earlier in pairwise(reversed(queue)):
                out[earlier] = min(out[earlier], out[later])
            for earlier, later in pairwise(queue):
                into[later] = max(into[later], into[earlier])
        return out, into

    def _by_step(self, rows: Sequence[int]) -> Sequence[int]:
        if all(step == place for place, step in enumerate(self.listing)):
            return rows
        found = [0] * len(rows)
        for step, bits in zip(self.listing, rows, strict=True):
            found[step] = sum(1 << self.listing[other] for other in members(bits))
        return found
