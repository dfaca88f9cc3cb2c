"""The fixpoint of a gen/kill problem for one fact along a line of steps.

Steps are numbers that grow in the direction in which values travel. What ends a fact ends all that
was generated of it, so the values that are alive are always a run of the generating steps: two
ends say which, and the transfer function moves them. On a line a sweep in travelling order is the
fixpoint. Time and space are linear in the steps that touch the fact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

BEGIN = -(1 << 60)  # before every step: what holds from the start was generated here


@dataclass(frozen=True, slots=True)
class Solution:
    """What is alive before each step that touches the fact, and after the last.

    Attributes:
        touched: the steps that generate or end the fact, ascending.
        sources: those that generate it, BEGIN among them where it holds at the start.
        first: for each of ``touched`` and for the end, the first of ``sources`` that is alive.
        end: the first that is not, because it comes later.
        stop: the step that ended what came before ``first``; None where none did.
    """

    touched: list[int]
    sources: list[int]
    first: list[int]
    end: list[int]
    stop: list[int | None]

    def carries(self, source: int, point: int) -> bool:
        """Whether what a step generates is alive when a later one is come to."""
        place = bisect_left(self.sources, source)
        first, end = self._run(point, None)
        return first <= place < end

    def holds(self, point: int, without: int | None = None) -> bool:
        """Whether anything is alive at a step, with another left out."""
        first, end = self._run(point, without)
        if without is not None and first < end:
            place = bisect_left(self.sources, without)
            if place < len(self.sources) and self.sources[place] == without:
                return end - first > (first <= place < end)
        return first < end

    def alive(self, point: int) -> list[int]:
        """All that is alive at a step, as it was generated."""
        first, end = self._run(point, None)
        return self.sources[first:end]

    def nearest(self, point: int) -> int | None:
        """What was generated last of what is alive at a step."""
        first, end = self._run(point, None)
        return self.sources[end - 1] if first < end else None

    def last_stop(self, point: int, without: int | None = None) -> int | None:
        """The step that last ended the fact before another."""
        at = bisect_left(self.touched, point)
        if without is not None and self.stop[at] == without:
            at = bisect_left(self.touched, without)
        return self.stop[at]

    def _run(self, point: int, without: int | None) -> tuple[int, int]:
        """The ends of what is alive; what a step that is left out would end goes on past it."""
        at = bisect_left(self.touched, point)
        first, end = self.first[at], self.end[at]
        if without is not None and self.stop[at] == without:
            first = self.first[bisect_left(self.touched, without)]
        return first, end


def solve(gen: Iterable[int], kill: Iterable[int], *, at_start: bool) -> Solution:
    """The fixpoint of value := gen | (value - kill) along the steps that touch a fact."""
    generates, ends = set(gen), set(kill)
    touched = sorted(generates | ends)
    solution = Solution(touched, [BEGIN] if at_start else [], [], [], [])
    first, stop = 0, None
    for step in touched:
        _note(solution, first, stop)
        if step in ends:
            first, stop = len(solution.sources), step
        if step in generates:
            solution.sources.append(step)
    _note(solution, first, stop)
    return solution


def _note(solution: Solution, first: int, stop: int | None) -> None:
    solution.first.append(first)
    solution.end.append(len(solution.sources))
    solution.stop.append(stop)
