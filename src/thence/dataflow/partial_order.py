"""Gen/kill problems on a partial order, decided from its transitive closure.

The executions are too many to list, but whether a value passes in *some* (may) or in *every* (must)
execution follows from reachability. With s a source, t the point and k a killing step:

- may, from s to t: s need not come after t, and no k must come between them (s < k < t). This is
  enough, because every step that need not come after s can be done before s or after t.
- must, from s to t: s comes before t, and each k must come outside (k < s or t < k). This is
  needed, because otherwise s, k, t is the order of some execution.
- may, from any source: the same for one of the sources.
- must, from any source: some source comes before t, and for each k that may come before t some
  source must come between (k < s < t).

Sets of steps are bitsets. Of the kills only the last before t are looked at: they exclude every
source that an earlier one excludes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thence.core.graph import members
from thence.dataflow.flow import START, Flow
from thence.dataflow.problems import Meet, Problem
from thence.dataflow.solution import Failure, Solution


class PartialOrderSolution(Solution):
    """Solution from the bitsets of sources and kills, and the order in the problem's direction."""

    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        # a flow keeps its solutions: one that held the flow would be a cycle
        self._sort_key, self._is_forward = flow.sort_key, problem.is_forward
        self._is_may = problem.meet is Meet.MAY
        sides = (flow.ancestors, flow.descendants)
        self._behind, self._ahead = sides if problem.is_forward else sides[::-1]
        self._from_start = problem.is_forward and fact in flow.start
        self._sources = flow.mask(problem.gen, fact)
        self._kills = 0
        for role in problem.kill:
            self._kills |= flow.mask(role, fact)

    def reaches(self, source: int, point: int) -> bool:
        """See `Solution.reaches`."""
        if source == START:
            return self._from_start and not self._killers(source, point)
        if source == point or not self._sources >> source & 1:
            return False
        if self._is_may:
            passes = not self._behind[source] >> point & 1
        else:
            passes = bool(self._ahead[source] >> point & 1)
        return passes and not self._killers(source, point)

    def _in_order(self, steps: Iterable[int]) -> list[int]:
        return sorted(steps, key=self._sort_key)

    def _killers(self, source: int, point: int) -> int:
        """Return the kills between source and point: must be there (may), or may be (must)."""
        kills = self._kills & ~(1 << point)
        behind, ahead = 0, -1
        if source != START:
            kills &= ~(1 << source)
            behind, ahead = self._behind[source], self._ahead[source]
        if self._is_may:
            return kills & ahead & self._behind[point]
        return kills & ~(behind | self._ahead[point])

    def _last(self, kills: int) -> Iterator[int]:
        """Yield the steps of a set that no other step of it follows."""
        while kills:
            lowest = kills & -kills
            step = (kills if self._is_forward else lowest).bit_length() - 1
            while later := kills & self._ahead[step]:
                lowest = later & -later
                step = (later if self._is_forward else lowest).bit_length() - 1
            yield step
            kills &= ~(self._behind[step] | 1 << step)

    def _reaching(self, point: int) -> tuple[int, bool]:
        """Return the sources that reach a point, and whether the start is one."""
        if self._is_may:
            reaching = self._sources & ~self._ahead[point] & ~(1 << point)
            kills = self._kills & self._behind[point]
            for kill in self._last(kills):
                reaching &= ~self._behind[kill]
        else:
            reaching = self._sources & self._behind[point]
            kills = self._kills & ~self._ahead[point] & ~(1 << point)
            for kill in self._last(kills):
                if not reaching:
                    break
                reaching &= self._ahead[kill] | 1 << kill
        return reaching, self._from_start and not kills

    def reaching(self, point: int) -> list[int]:
        """See `Solution.reaching`."""
        steps, start = self._reaching(point)
        found = self._in_order(members(steps))
        if not self._is_forward:
            found.reverse()
        return [START, *found] if start else found

    def holds(self, point: int) -> bool:
        """See `Solution.holds`."""
        if self._is_may:
            return self._reaching(point) != (0, False)
        return all(self._source_sets(point))

    def killers(self, source: int, point: int) -> list[int]:
        """See `Solution.killers`."""
        return self._on_way(source, point)[:1]

    def _on_way(self, source: int, point: int) -> list[int]:
        """Return the kills between source and point, the one to name first in the explanation."""
        kills = self._in_order(members(self._killers(source, point)))
        return kills if self._is_may or not self._is_forward else kills[::-1]

    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """See `Solution.failure`."""
        left = ~(1 << point) if without is None else ~(1 << point | 1 << without)
        behind, sources = self._behind[point], self._sources & left
        if not sources & behind and not self._from_start:
            return Failure(None)
        kills = self._kills & ~self._sources & left & ~self._ahead[point]
        for chosen in (kills & behind, kills & ~behind):  # first the kills that must come before
            for kill in self._in_order(members(chosen)):
                if not sources & self._ahead[kill] & behind:
                    return Failure(kill)
        return None

    def essential(self, point: int) -> list[int]:
        """See `Solution.essential`."""
        found = 0
        for sources in self._source_sets(point):
            if not sources:
                return []
            if not sources & (sources - 1):
                found |= sources
        return self._in_order(members(found))

    def _source_sets(self, point: int) -> Iterator[int]:
        """Yield sets of sources; the fact holds in every execution if none of them is empty."""
        behind = self._sources & self._behind[point]
        if not self._from_start:
            yield behind
        kills = self._kills & ~self._sources & ~self._ahead[point] & ~(1 << point)
        for kill in self._last(kills):
            yield behind & self._ahead[kill]
