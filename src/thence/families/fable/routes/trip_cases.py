"""Trips as questions are asked about them: flow, words of the sheet, and what a look shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from thence.core.procedure import Pair
from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.domains.routes.trips.sheet import Trip
from thence.families.fable.routes import times, words
from thence.families.fable.routes.surface import thing, waits
from thence.families.fable.shared.candidate_turns import Kind
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.needed_parts import NeededParts

_TOLD = 2  # more changes of a fact than these are seen as these

type Asked = dict[str, Any]


class TripCase:
    """A trip as a case, with its flow and the words of its sheet.

    Args:
        trip: the trip.
        source: JSON values that tell where it is from.
    """

    def __init__(self, trip: Trip, source: Mapping[str, Any]) -> None:
        self.trip = trip
        self.flow = Flow(trip.procedure)
        self.case = Case(trip.procedure, source)

    @cached_property
    def timed(self) -> Case:
        """The case with the times of the steps."""
        return Case(self.trip.timed(), self.case.source)

    @cached_property
    def clock(self) -> Flow:
        """The flow of the same steps with their times."""
        return Flow(self.timed.procedure)

    @cached_property
    def reading(self) -> list[str]:
        """The sentences that tell how the sheet is to be read."""
        return words.reading(self.trip)

    @cached_property
    def rules(self) -> list[str]:
        """The sentences that tell what the kinds of steps need and do."""
        return words.told(self.trip)

    @cached_property
    def parts(self) -> NeededParts:
        """The parts of the analysis that questions about the trip need."""
        return NeededParts(self.flow, self.trip.cleans)

    @cached_property
    def touched(self) -> list[set[str]]:
        """For each step the facts that it needs, makes true or ends."""
        return [{*step.uses, *step.defines, *step.kills} for step in self.flow.steps]

    @cached_property
    def _optional(self) -> set[object]:
        """The steps that depend on an option, and the facts that they touch."""
        return {
            each for k, step in enumerate(self.flow.steps) if step.when
            for each in (k, *step.uses, *step.defines, *step.kills)
        }  # fmt: skip

    def may_depend(self, asked: Asked) -> bool:
        """Return whether an answer may depend on options: a step or the fact does."""
        return not self._optional.isdisjoint((asked["i"], asked.get("j"), asked.get("fact")))

    @cached_property
    def things(self) -> list[str]:
        """For each step the thing that it names, if any."""
        return [thing(step.text) for step in self.flow.steps]

    @cached_property
    def _waits(self) -> list[Pair]:
        return waits(step.text for step in self.flow.steps)

    def waits_of_both(self, i: int, j: int) -> tuple[bool, bool]:
        """Return whether two steps look as if waits tied them.

        The first: from the earlier step on, its vehicle is waited for. The second: up to the later
        step, its vehicle waits. Both between the two, whoever the other one is each time.
        """
        (low, high), whose = sorted((i, j)), times.vehicles(self.flow)
        between = [(a, b) for a, b in self._waits if low <= a and b <= high]
        return (
            any(whose[a] == whose[low] for a, _ in between),
            any(whose[b] == whose[high] for _, b in between),
        )

    def chain(self, i: int, j: int) -> object:
        """Return whether a chain of waits seems to lead from the earlier step to the later one.

        A wait of the one's vehicle for the other's, or the parts of a chain through the dispatcher
        with how far after the earlier step the last go-ahead is numbered, or nothing.
        """
        (low, high), whose = sorted((i, j)), times.vehicles(self.flow)
        into = [(b, a) for a, b in self._waits if whose[b] == whose[high] and b <= high]
        if any(whose[a] == whose[low] and a >= low for _, a in into):
            return "wait"
        ahead = [(b, a) for b, a in into if whose[a] not in (whose[low], whose[high])]
        asks = any(
            whose[a] == whose[low] and a >= low and whose[b] not in (whose[low], whose[high])
            for a, b in self._waits
        )
        after = max(ahead)[1] - low if asks and ahead else 0
        return min(after.bit_length(), 4) if after > 0 else ""

    def waits_at_once(self, i: int, j: int) -> bool:
        """Return whether the later step's vehicle waits shortly before it for the earlier one."""
        (low, high), whose = sorted((i, j)), times.vehicles(self.flow)
        return any(
            whose[a] == whose[low] and whose[b] == whose[high]
            for a, b in self._waits
            if low <= a <= low + 1 and b < high <= b + 2
        )

    def is_mended(self, fact: str, i: int, j: int) -> bool:
        """Return whether a step that needs a fact itself can make it anew before step j."""
        both = self.flow.mask(Role.USE, fact) & self.flow.mask(Role.DEFINE, fact)
        return bool(both & ~(self.flow.descendants[j] | 1 << i | 1 << j))

    def is_plainly_over(self, i: int, fact: str, *, ended: bool = True) -> bool:
        """Return whether i's vehicle surely remakes or ends a fact next, and no other needs it."""
        steps, whose = self.flow.steps, times.vehicles(self.flow)
        own = (
            k for k in range(i + 1, len(steps)) if whose[k] == whose[i] and fact in self.touched[k]
        )
        following = next(own, None)
        if following is None or steps[following].when or fact in steps[following].uses:
            return False
        if fact in steps[following].kills and not ended:
            return False
        return all(whose[k] == whose[i] for k, each in enumerate(steps) if fact in each.uses)

    def is_ended_between(self, i: int, j: int, fact: str) -> bool:
        """Return whether j depends on no option, and a step listed between i and j ends a fact."""
        steps = self.flow.steps
        return not steps[j].when and any(fact in each.kills for each in steps[i + 1 : j])

    def ends(self, asked: Asked) -> tuple[bool, bool, bool]:
        """Return what is listed that ends a fact, whether or not the order makes it count.

        Whether a step between does, whether one of another vehicle after j, and whether anyone
        waits for j's vehicle from step j on.
        """
        i, j, fact = asked["i"], asked["j"], asked["fact"]
        whose = times.vehicles(self.flow)
        ending = [k for k, each in enumerate(self.flow.steps) if fact in each.kills]
        return (
            any(i < k < j for k in ending),
            any(k > j and whose[k] != whose[j] for k in ending),
            any(a >= j and whose[a] == whose[j] for a, _ in self._waits),
        )

    def acts(self, step: int) -> bool:
        """Return whether a step needs or changes anything."""
        found = self.flow.steps[step]
        return bool(found.uses or found.defines or found.kills)

    def glance(self, asked: Asked) -> Kind:
        """Return what a glance at the listed steps shows of the fact that is asked about.

        With step j, whether it is listed later, whether a step between surely ends or makes the
        fact anew, and how many steps of i's vehicle there do so; without, what the next step with
        the fact does, what the next of i's vehicle does, and whether another vehicle needs it.
        """
        i, j, fact, steps = asked["i"], asked.get("j"), asked["fact"], self.flow.steps
        whose = times.vehicles(self.flow)
        if j is None:
            later = [k for k in range(i + 1, len(steps)) if fact in self.touched[k]]
            same = [k for k in later if whose[k] == whose[i]]
            needed = (k for k, each in enumerate(steps) if fact in each.uses)
            elsewhere = any(whose[k] != whose[i] for k in needed)
            return self._does(later[:1], fact), self._does(same[:1], fact), elsewhere
        changed = [
            k
            for k in range(min(i, j) + 1, max(i, j))
            if fact in (*steps[k].kills, *steps[k].defines)
        ]
        own = sum(whose[k] == whose[i] for k in changed)
        return i < j, any(not steps[k].when for k in changed), min(own, _TOLD)

    def _does(self, places: Sequence[int], fact: str) -> Kind:
        """Return what some steps do to a fact, and whether surely."""
        steps = (self.flow.steps[k] for k in places)
        return tuple((fact in each.uses, fact in each.kills, not each.when) for each in steps)

    def rarely(self, i: int, j: int) -> bool:
        """Return whether a pair is one of the few of a common kind that are asked about."""
        return (7 * i + 3 * j) % 8 == 0
