"""Gen/kill problems on a total order: one execution, so that may and must agree.

The problems are separable: the value of each fact depends on no other fact. One sweep with the
transfer function gen | (value - kill) from step to step is therefore the fixpoint; `sweep` yields
it in time linear in the procedure and the result.

A kill removes every earlier value of a fact. The sources that reach a point are therefore those
since the last kill before it; `TotalOrderSolution` finds both by bisection.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.problems import Problem
from thence.dataflow.solution import Failure, Solution

_BEGIN = -(1 << 60)  # position of START, before every step


def sweep(problem: Problem, flow: Flow, role: Role) -> Iterator[tuple[int, str, list[int]]]:
    """Yield each step, each fact that it has a role in, and the sources that reach the step.

    Args:
        problem: the problem.
        flow: of a procedure whose order is total.
        role: selects the facts of a step.

    Yields:
        Step, fact and sources, in the direction of the problem; the list may change when the next
        one is asked for.
    """
    values: dict[str, list[int]] = {}
    if problem.is_forward:
        values = {fact: [START] for fact in flow.start}
    none: list[int] = []
    looked_at, gen = flow.facts_by_step(role), flow.facts_by_step(problem.gen)
    kill = [flow.facts_by_step(each) for each in problem.kill]
    for step in flow.canonical[:: problem.direction.value]:
        for fact in looked_at[step]:
            yield step, fact, values.get(fact, none)
        for killed in kill:
            for fact in killed[step]:
                values.pop(fact, None)
        for fact in gen[step]:
            if fact in values:
                values[fact].append(step)
            else:
                values[fact] = [step]


class TotalOrderSolution(Solution):
    """Solution from the positions of sources and kills, counted in the problem's direction."""

    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        self._sign, self._position, self._canonical = (
            problem.direction.value,
            flow.position,
            flow.canonical,
        )
        self._steps = flow.steps_with(problem.gen, fact)[:: self._sign]  # the sources, as steps
        kills = [step for role in problem.kill for step in flow.steps_with(role, fact)]
        if problem.is_forward and fact in flow.start:
            self._steps.insert(0, START)
        self._sources = list(map(self._at, self._steps))  # the same, as positions
        self._kills = sorted(map(self._at, kills))

    def _at(self, step: int) -> int:
        return _BEGIN if step == START else self._sign * self._position[step]

    def _reaching_range(
        self, position: int, without: int | None = None
    ) -> tuple[int, int, int | None]:
        """Return the range of the sources that reach a position, and the last kill before it.

        Args:
            position: of a point.
            without: the position of a step that is left out and kills nothing.
        """
        before = bisect_left(self._kills, position) - 1
        while before >= 0 and self._kills[before] == without:
            before -= 1
        kill = self._kills[before] if before >= 0 else None
        first = 0 if kill is None else bisect_left(self._sources, kill)
        return first, bisect_left(self._sources, position), kill

    def reaches(self, source: int, point: int) -> bool:
        """See `Solution.reaches`."""
        position = self._at(source)
        number = bisect_left(self._sources, position)
        if number == len(self._sources) or self._sources[number] != position:
            return False
        first, end, _ = self._reaching_range(self._at(point))
        return first <= number < end

    def reaching(self, point: int) -> list[int]:
        """See `Solution.reaching`."""
        first, end, _ = self._reaching_range(self._at(point))
        return self._steps[first:end]

    def holds(self, point: int) -> bool:
        """See `Solution.holds`."""
        first, end, _ = self._reaching_range(self._at(point))
        return first < end

    def killers(self, source: int, point: int) -> list[int]:
        """See `Solution.killers`."""
        after = bisect_right(self._kills, self._at(source))
        before = bisect_left(self._kills, self._at(point))
        on_way = self._kills[after:before]
        return [self._step(on_way[0 if self._sign > 0 else -1])] if on_way else []

    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """See `Solution.failure`."""
        absent = None if without is None else self._at(without)
        first, end, kill = self._reaching_range(self._at(point), absent)
        if end - first > 1 or (first < end and self._sources[first] != absent):
            return None
        return Failure(None if kill is None else self._step(kill))

    def essential(self, point: int) -> list[int]:
        """See `Solution.essential`."""
        first, end, kill = self._reaching_range(self._at(point))
        if end - first != 1 or self._steps[first] == START:
            return []
        if kill == self._sources[first]:  # without it, an earlier source may reach the point
            earlier, _, _ = self._reaching_range(kill)
            if earlier < first:
                return []
        return [self._steps[first]]

    def _step(self, position: int) -> int:
        return self._canonical[self._sign * position]
