"""Gen/kill problems on a partial order with choices, decided from its closure and the options.

The conditions are those of `partial_order`, about the steps that are carried out; each becomes a
question to `Choices.taken`. With s a source, t the point and k a killing step:

- may, from s to t: s need not come after t, and under some options s and t are carried out and no k
  between them (s < k < t) is.
- must, from s to t: s comes before t; under no options is t carried out and s not, and under none
  are s, t and a k that may come between them.
- may, from any source: the same for one of the sources.
- must, from any source: under no options is t carried out and none of the sources before it, and
  under none t and a k that may come before it, and none of the sources between (k < s < t).

A may question takes one call a source, a must question one call a kill and one more. A call is
polynomial where the steps to be left out depend on one open choice each; see `choices`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from thence.core.graph import members
from thence.dataflow.choices import Choices, Options
from thence.dataflow.flow import START, Flow
from thence.dataflow.partial_order import PartialOrderSolution
from thence.dataflow.problems import Problem
from thence.dataflow.solution import Failure


class ChoiceSolution(PartialOrderSolution):
    """Solution for a procedure with choices."""

    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        super().__init__(problem, flow, fact)
        if flow.choices is None:
            raise TypeError("a procedure without choices")
        self._choices: Choices = flow.choices

    @cached_property
    def _idle(self) -> int:
        """The bitset of the steps with a role towards the fact that can all be left out."""
        return self._choices.idle(self._sources | self._kills)

    def _can(self, carried_out: list[int], left_out: int = 0) -> bool:
        """Return whether there are options for it; steps that can be left out anyway are not asked.

        Args:
            carried_out: the point, and steps with a role towards the fact.
            left_out: the bitset of steps with a role towards the fact.
        """
        if not self._choices.is_few:
            tied = 0
            for step in carried_out:
                tied |= self._choices.tied(step)
            left_out &= tied | ~self._idle
        return self._choices.fits(carried_out, left_out)

    def _is_source(self, source: int, point: int) -> bool:
        if source == START:
            return self._from_start
        return source != point and bool(self._sources >> source & 1)

    def reaches(self, source: int, point: int) -> bool:
        """See `Solution.reaches`."""
        if not self._is_source(source, point):
            return False
        if not self._is_may:
            return self._stopped(source, point) is None
        if source == START:
            return self._can([point], self._killers(source, point))
        passes = not self._behind[source] >> point & 1
        return passes and self._can([source, point], self._killers(source, point))

    def deciding(self, point: int, source: int | None = None) -> Options | None:
        """See `Solution.deciding`."""
        if source is not None:
            if not self._is_source(source, point):
                return None
            return self._passed(source, point) if self._is_may else self._stopped(source, point)
        if self._is_may:
            ways = (self._passed(each, point) for each in reversed(self._candidates(point)))
            return next((found for found in ways if found is not None), None)
        failed = self.failure(point)
        return failed.options if failed else None

    def _candidates(self, point: int) -> list[int]:
        """Return the sources that options may let reach a point, in the problem's direction."""
        steps = self._sources & ~self._ahead[point] & ~(1 << point) & ~self._choices.excluded(point)
        found = self._in_order(members(steps))
        if not self._is_forward:
            found.reverse()
        return [START, *found] if self._from_start else found

    def _passed(self, source: int, point: int) -> Options | None:
        """Return options under which the value of a source can reach a point."""
        if source == START:
            return self._choices.taken([point], self._killers(source, point))
        if self._behind[source] >> point & 1:
            return None
        return self._choices.taken([source, point], self._killers(source, point))

    def _stopped(self, source: int, point: int) -> Options | None:
        """Return options under which the value of a source can be missing at a point."""
        fixed = [point]
        if source != START:
            absent = self._choices.taken([point], 1 << source)
            if absent is not None:
                return absent
            if not self._ahead[source] >> point & 1:
                return self._choices.taken([source, point])
            fixed = [source, point]
        kills = self._killers(source, point)
        for step in fixed:
            kills &= ~self._choices.excluded(step)
        first = next(iter(self._in_order(members(kills))), None)
        return None if first is None else self._choices.taken([*fixed, first])

    def reaching(self, point: int) -> list[int]:
        """See `Solution.reaching`."""
        return [each for each in self._candidates(point) if self.reaches(each, point)]

    def holds(self, point: int) -> bool:
        """See `Solution.holds`."""
        if self._is_may:
            return any(self.reaches(each, point) for each in self._candidates(point))
        return self.failure(point) is None

    def killers(self, source: int, point: int) -> list[int]:
        """See `Solution.killers`."""
        kills = self._on_way(source, point)[::-1]
        fixed = [point] if source == START else [source, point]
        if self._choices.taken(fixed) is None:
            return []
        return self._in_order(self._choices.covering(fixed, kills))

    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """See `Solution.failure`."""
        return next(self._failures(point, without), None)

    def _failures(self, point: int, without: int | None) -> Iterator[Failure]:
        left = ~(1 << point) if without is None else ~(1 << point | 1 << without)
        sources = self._sources & left & self._behind[point]
        if not self._from_start and self._can([point], sources):
            yield Failure(None, self._choices.taken([point], sources))
        kills = self._kills & ~self._sources & left & ~self._ahead[point]
        kills &= ~self._choices.excluded(point)
        behind = self._behind[point]
        for chosen in (kills & behind, kills & ~behind):  # first the kills that must come before
            for kill in self._in_order(members(chosen)):
                between = sources & self._ahead[kill]
                if self._can([point, kill], between):
                    yield Failure(kill, self._choices.taken([point, kill], between))

    def essential(self, point: int) -> list[int]:
        """See `Solution.essential`."""
        if self.failure(point) is not None:
            return []
        sources = self._in_order(members(self._sources & self._behind[point]))
        return [each for each in sources if self.failure(point, each) is not None]
