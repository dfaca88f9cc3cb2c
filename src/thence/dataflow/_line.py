"""Gen/kill problems on a total order: one execution, so that every meet is over one path.

The problem is separable: each fact moves by itself, and a step moves no facts but those that it
touches. So one sweep in the direction of travel, value := gen | (value - kill) from step to step,
is the fixpoint: `sweep` gives all of it, in time linear in the procedure and what it yields.

What ends a fact ends all that was generated of it. So what is alive at a point is what was
generated since the last step that ended the fact: `Line` looks up where both are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from thence.dataflow._flow import START, Flow, Role
from thence.dataflow._problems import Problem
from thence.dataflow._solution import Failure, Solution

_BEGIN = -(1 << 60)  # before every place: what holds from the start was generated there


def sweep(problem: Problem, flow: Flow, role: Role) -> Iterator[tuple[int, str, list[int]]]:
    """Each step, each fact that it has a role in, and the sources that are alive at the step.

    Args:
        problem: what is asked.
        flow: of a procedure whose order is total.
        role: which facts of a step are looked at.

    Yields:
        Step, fact and sources, in the direction of travel; the list is good until the next one.
    """
    alive: dict[str, list[int]] = {}
    if problem.is_forward:
        alive = {fact: [START] for fact in flow.start}
    none: list[int] = []
    looked_at, gen = flow.told(role), flow.told(problem.gen)
    kill = [flow.told(each) for each in problem.kill]
    for step in flow.canonical[:: problem.direction.value]:
        for fact in looked_at[step]:
            yield step, fact, alive.get(fact, none)
        for ended in kill:
            for fact in ended[step]:
                alive.pop(fact, None)
        for fact in gen[step]:
            if fact in alive:
                alive[fact].append(step)
            else:
                alive[fact] = [step]


class Line(Solution):
    """The sources of a fact and the steps that end it, numbered in the direction of travel."""

    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        self._sign, self._place, self._canonical = (
            problem.direction.value,
            flow.place,
            flow.canonical,
        )
        self._names = flow.who(problem.gen, fact)[:: self._sign]  # the sources, as steps
        stops = [step for role in problem.kill for step in flow.who(role, fact)]
        if problem.is_forward and fact in flow.start:
            self._names.insert(0, START)
        self._sources = list(map(self._at, self._names))  # the same, as places
        self._stops = sorted(map(self._at, stops))

    def _at(self, step: int) -> int:
        return _BEGIN if step == START else self._sign * self._place[step]

    def _run(self, place: int, without: int | None = None) -> tuple[int, int, int | None]:
        """Which sources are alive at a place, from which number to before which; the last stop.

        What a place that is left out would end goes on past it.
        """
        before = bisect_left(self._stops, place) - 1
        while before >= 0 and self._stops[before] == without:
            before -= 1
        stop = self._stops[before] if before >= 0 else None
        first = 0 if stop is None else bisect_left(self._sources, stop)
        return first, bisect_left(self._sources, place), stop

    def carries(self, source: int, point: int) -> bool:
        """See `Solution.carries`."""
        place = self._at(source)
        number = bisect_left(self._sources, place)
        if number == len(self._sources) or self._sources[number] != place:
            return False
        first, end, _ = self._run(self._at(point))
        return first <= number < end

    def alive(self, point: int) -> list[int]:
        """See `Solution.alive`."""
        first, end, _ = self._run(self._at(point))
        return self._names[first:end]

    def holds(self, point: int) -> bool:
        """See `Solution.holds`."""
        first, end, _ = self._run(self._at(point))
        return first < end

    def obstacle(self, source: int, point: int) -> int | None:
        """See `Solution.obstacle`."""
        _, _, stop = self._run(self._at(point))
        return None if stop is None or stop <= self._at(source) else self._step(stop)

    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """See `Solution.failure`."""
        absent = None if without is None else self._at(without)
        first, end, stop = self._run(self._at(point), absent)
        if end - first > 1 or (first < end and self._sources[first] != absent):
            return None
        return Failure(None if stop is None else self._step(stop))

    def vital(self, point: int) -> list[int]:
        """See `Solution.vital`."""
        first, end, stop = self._run(self._at(point))
        if end - first != 1 or self._names[first] == START:
            return []
        if stop == self._sources[first]:  # without it, what it ends would still be alive
            earlier, _, _ = self._run(stop)
            if earlier < first:
                return []
        return [self._names[first]]

    def _step(self, place: int) -> int:
        return self._canonical[self._sign * place]
