"""A gen/kill problem for one fact on a partial order, decided from who comes before whom.

Nobody can list the executions, but whether *some* or *every* one of them lets a value pass follows
from reachability alone. With s a source, t the point and k an ending step:

- SOME, from s to t: s need not come after t, and no k is forced between them (s < k < t). Enough,
  because whatever need not come after s can then be done before s or after t.
- EVERY, from s to t: s comes before t, and each k is forced out (k < s or t < k). Needed, because
  otherwise s, k, t is the order of some execution.
- SOME, whoever generates it: the same for any source.
- EVERY, whoever generates it: some source comes before t, and each k that may come before t is made
  good: a source is forced between (k < s < t).

Sets of steps are bitsets. Of the ending steps only those count that no other one follows before t:
what the others forbid, these forbid too.
"""

from __future__ import annotations

from collections.abc import Iterator

from thence.core.graph import members
from thence.dataflow._flow import START, Flow
from thence.dataflow._problems import Meet, Problem
from thence.dataflow._solution import Failure, Solution


class Reach(Solution):
    """Masks of the sources and the ending steps, and the order in the problem's direction."""

    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        self._flow, self._is_forward = flow, problem.is_forward
        self._is_some = problem.meet is Meet.SOME
        sides = (flow.before, flow.after)
        self._behind, self._ahead = sides if problem.is_forward else sides[::-1]
        self._from_start = problem.is_forward and fact in flow.start
        self._sources = flow.mask(problem.gen, fact)
        self._stops = 0
        for role in problem.kill:
            self._stops |= flow.mask(role, fact)

    def carries(self, source: int, point: int) -> bool:
        """See `Solution.carries`."""
        if source == START:
            return self._from_start and not self._obstacles(source, point)
        if source == point or not self._sources >> source & 1:
            return False
        if self._is_some:
            passes = not self._behind[source] >> point & 1
        else:
            passes = bool(self._ahead[source] >> point & 1)
        return passes and not self._obstacles(source, point)

    def _obstacles(self, source: int, point: int) -> int:
        """The ending steps between source and point: forced there, or not forced out."""
        stops = self._stops & ~(1 << point)
        behind, ahead = 0, -1
        if source != START:
            stops &= ~(1 << source)
            behind, ahead = self._behind[source], self._ahead[source]
        if self._is_some:
            return stops & ahead & self._behind[point]
        return stops & ~(behind | self._ahead[point])

    def _last(self, stops: int) -> Iterator[int]:
        """Those of some steps that no other of them follows."""
        while stops:
            lowest = stops & -stops
            step = (stops if self._is_forward else lowest).bit_length() - 1
            while later := stops & self._ahead[step]:
                lowest = later & -later
                step = (later if self._is_forward else lowest).bit_length() - 1
            yield step
            stops &= ~(self._behind[step] | 1 << step)

    def _alive(self, point: int) -> tuple[int, bool]:
        """The steps whose values get to a point, and whether what holds at the start does."""
        if self._is_some:
            alive = self._sources & ~self._ahead[point] & ~(1 << point)
            stops = self._stops & self._behind[point]
            for stop in self._last(stops):
                alive &= ~self._behind[stop]
        else:
            alive = self._sources & self._behind[point]
            stops = self._stops & ~self._ahead[point] & ~(1 << point)
            for stop in self._last(stops):
                if not alive:
                    break
                alive &= self._ahead[stop] | 1 << stop
        return alive, self._from_start and not stops

    def alive(self, point: int) -> list[int]:
        """See `Solution.alive`."""
        steps, start = self._alive(point)
        found = self._flow.in_order(members(steps))
        if not self._is_forward:
            found.reverse()
        return [START, *found] if start else found

    def holds(self, point: int) -> bool:
        """See `Solution.holds`."""
        if self._is_some:
            return self._alive(point) != (0, False)
        return all(self._rescuers(point))

    def obstacle(self, source: int, point: int) -> int | None:
        """See `Solution.obstacle`."""
        stops = self._flow.in_order(members(self._obstacles(source, point)))
        return stops[-1 if self._is_forward else 0] if stops else None

    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """See `Solution.failure`."""
        left = ~(1 << point) if without is None else ~(1 << point | 1 << without)
        behind, sources = self._behind[point], self._sources & left
        if not sources & behind and not self._from_start:
            return Failure(None)
        stops = self._stops & ~self._sources & left & ~self._ahead[point]
        for chosen in (stops & behind, stops & ~behind):  # what is sure to come before, and may
            for stop in self._flow.in_order(members(chosen)):
                if not sources & self._ahead[stop] & behind:
                    return Failure(stop)
        return None

    def vital(self, point: int) -> list[int]:
        """See `Solution.vital`."""
        found = 0
        for rescuers in self._rescuers(point):
            if not rescuers:
                return []
            if not rescuers & (rescuers - 1):
                found |= rescuers
        return self._flow.in_order(members(found))

    def _rescuers(self, point: int) -> Iterator[int]:
        """Sets of sources of which each has to have a member, for the fact to hold in EVERY one."""
        behind = self._sources & self._behind[point]
        if not self._from_start:
            yield behind
        stops = self._stops & ~self._sources & ~self._ahead[point] & ~(1 << point)
        for stop in self._last(stops):
            yield behind & self._ahead[stop]
