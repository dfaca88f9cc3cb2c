"""The one engine of the gen/kill analyses.

An analysis declares a `Problem`: which way values travel, over which executions it meets, what
generates a fact and what ends it. The engine answers two questions about it:

- `carries`: does what *one* step generates get as far as a point?
- `holds`: does the fact hold at a point, whichever step generated it?

"Behind" and "ahead" are meant in the direction of the problem: backward, a later step generates
what is looked for at an earlier one. A step that both ends and generates a fact leaves it
generated: forward, because it defines after it kills; backward, because it uses before it does
either.

**Total order** (`_line`). There is one execution, so every meet is over one path. The problem is
separable: each fact moves by itself, and only the steps that touch it transfer anything.

**Partial order** (here). Nobody can list the executions, but whether *some* or *every* one of them
lets a value pass follows from reachability alone:

- SOME, from s to t: s need not come after t, and no ending step k is forced between (s < k < t).
  Enough, because whatever need not come after s can then be done before s or after t.
- EVERY, from s to t: s comes before t, and each ending step k is forced out (k < s or t < k).
  Needed, because otherwise s, k, t is the order of some execution.
- SOME, whoever generates it: the same for any generating step.
- EVERY, whoever generates it: something generates it before t, and each ending step k that may
  come before t is made good: a generating step is forced between (k < s < t).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from thence.dataflow import _line
from thence.dataflow._flow import START, Flow, Role
from thence.kernel.graph import members

ENDS = frozenset({Role.KILL, Role.DEFINE})  # "kill or redefinition"


class Direction(Enum):
    """Which way values travel; the sign of their steps."""

    FORWARD = 1
    BACKWARD = -1


class Meet(Enum):
    """What joins executions that differ: the union of their values, or the intersection."""

    SOME = "some"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Problem:
    """A gen/kill problem over the facts of a procedure.

    Attributes:
        direction: FORWARD asks what reaches a step, BACKWARD what lies ahead of it.
        meet: over which executions.
        gen: what a step does that generates the fact; forward, the start generates too.
        kill: what a step does that ends it.
    """

    direction: Direction
    meet: Meet
    gen: Role
    kill: frozenset[Role]

    @property
    def is_forward(self) -> bool:
        """Whether values travel the way executions do."""
        return self.direction is Direction.FORWARD


def carries(problem: Problem, flow: Flow, fact: str, source: int, point: int) -> bool:
    """Whether what a step generates gets to another.

    Args:
        problem: what is asked.
        flow: of the procedure.
        fact: the fact.
        source: the generating step, or START; where it generates nothing, nothing gets on.
        point: before this step (forward) or after it (backward).
    """
    if source == point or not _generates(problem, flow, fact, source):
        return False
    if flow.is_total:
        at = _at(problem, flow, source), _at(problem, flow, point)
        return _solution(problem, flow, fact).carries(*at)
    return _lets_pass(problem, flow, source, point) and not _obstacles(
        problem, flow, fact, source, point
    )


def obstacle(problem: Problem, flow: Flow, fact: str, source: int, point: int) -> int | None:
    """The ending step that keeps a value from a point; None where only the order does.

    Of several the nearest to the point. Arguments as of `carries`.
    """
    if flow.is_total:
        stop = _solution(problem, flow, fact).last_stop(_at(problem, flow, point))
        if stop is None or stop <= _at(problem, flow, source):
            return None
        return _step(problem, flow, stop)
    stops = flow.in_order(members(_obstacles(problem, flow, fact, source, point)))
    return stops[-1 if problem.is_forward else 0] if stops else None


def holds(problem: Problem, flow: Flow, fact: str, point: int, without: int | None = None) -> bool:
    """Whether the fact holds at a point, whichever step generated it.

    Args:
        problem: what is asked.
        flow: of the procedure.
        fact: the fact.
        point: before this step (forward) or after it (backward).
        without: a step that is left out, its place in the order kept; for EVERY only.
    """
    if flow.is_total:
        absent = None if without is None else _at(problem, flow, without)
        return _solution(problem, flow, fact).holds(_at(problem, flow, point), absent)
    if problem.meet is Meet.EVERY:
        return failure(problem, flow, fact, point, without) is None
    return supplier(problem, flow, fact, point) is not None


def supplier(problem: Problem, flow: Flow, fact: str, point: int) -> int | None:
    """The step nearest to a point, in the canonical execution, whose value gets to it.

    Returns:
        The step, START, or None where no single step's value gets there.
    """
    if flow.is_total:
        at = _solution(problem, flow, fact).nearest(_at(problem, flow, point))
        return None if at is None else _step(problem, flow, at)
    sources = flow.who(problem.gen, fact)
    near_first = [*reversed(sources), START] if problem.is_forward else sources
    return next((each for each in near_first if carries(problem, flow, fact, each, point)), None)


def suppliers(problem: Problem, flow: Flow, fact: str, point: int) -> list[int]:
    """Every step whose value gets to a point, and START where what holds there does."""
    if flow.is_total:
        alive = _solution(problem, flow, fact).alive(_at(problem, flow, point))
        return [_step(problem, flow, at) for at in alive]
    sources = [START, *flow.who(problem.gen, fact)]
    return [each for each in sources if carries(problem, flow, fact, each, point)]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a fact does not hold in every execution.

    Attributes:
        step: what ends it in some execution with nothing after that generates it again, one that
            always comes before where there is one; None where in some execution nothing
            generates it at all.
    """

    step: int | None


def failure(
    problem: Problem, flow: Flow, fact: str, point: int, without: int | None = None
) -> Failure | None:
    """Why a fact does not hold in EVERY execution; None where it does. Arguments as of `holds`."""
    if flow.is_total:
        if holds(problem, flow, fact, point, without):
            return None
        absent = None if without is None else _at(problem, flow, without)
        stop = _solution(problem, flow, fact).last_stop(_at(problem, flow, point), absent)
        return Failure(None if stop is None else _step(problem, flow, stop))
    left = ~(1 << point)
    if without is not None:
        left &= ~(1 << without)
    behind, beyond = _sides(problem, flow, point)
    sources = flow.mask(problem.gen, fact) & left
    if not sources & behind and not _generates(problem, flow, fact, START):
        return Failure(None)
    stops = _stops(problem, flow, fact) & ~sources & left & ~beyond
    ahead = flow.after if problem.is_forward else flow.before
    sure, possible = stops & behind, stops & ~behind
    for stop in (*flow.in_order(members(sure)), *flow.in_order(members(possible))):
        if not sources & ahead[stop] & behind:
            return Failure(stop)
    return None


def _generates(problem: Problem, flow: Flow, fact: str, source: int) -> bool:
    if source == START:
        return problem.is_forward and fact in flow.start
    return flow.does(source, problem.gen, fact)


# Total orders: steps are numbered along the line in the direction of travel ---------------------


def _solution(problem: Problem, flow: Flow, fact: str) -> _line.Solution:
    """The fixpoint for one fact, computed once."""
    key = (problem, fact)
    if key not in flow.memo:
        flow.memo[key] = _line.solve(
            gen=[_at(problem, flow, step) for step in flow.who(problem.gen, fact)],
            kill=[
                _at(problem, flow, step) for role in problem.kill for step in flow.who(role, fact)
            ],
            at_start=_generates(problem, flow, fact, START),
        )
    held: _line.Solution = flow.memo[key]
    return held


def _at(problem: Problem, flow: Flow, step: int) -> int:
    return _line.BEGIN if step == START else problem.direction.value * flow.place[step]


def _step(problem: Problem, flow: Flow, at: int) -> int:
    return START if at == _line.BEGIN else flow.canonical[problem.direction.value * at]


# Partial orders: sets of steps are bitsets ------------------------------------------------------


def _sides(problem: Problem, flow: Flow, step: int) -> tuple[int, int]:
    """What lies behind a step and what lies ahead of it, in the direction of the problem."""
    if step == START:
        return 0, flow.everything
    sides = flow.before[step], flow.after[step]
    return sides if problem.is_forward else sides[::-1]


def _lets_pass(problem: Problem, flow: Flow, source: int, point: int) -> bool:
    """Whether the order brings source before point: in some execution, or in every."""
    behind, ahead = _sides(problem, flow, source)
    if problem.meet is Meet.EVERY:
        return bool(ahead >> point & 1)
    return source != point and not behind >> point & 1


def _obstacles(problem: Problem, flow: Flow, fact: str, source: int, point: int) -> int:
    """The ending steps between source and point: forced there, or not forced out."""
    behind_source, ahead_of_source = _sides(problem, flow, source)
    behind_point, ahead_of_point = _sides(problem, flow, point)
    stops = _stops(problem, flow, fact) & ~(1 << point)
    if source != START:
        stops &= ~(1 << source)
    if problem.meet is Meet.SOME:
        return stops & ahead_of_source & behind_point
    return stops & ~(behind_source | ahead_of_point)


def _stops(problem: Problem, flow: Flow, fact: str) -> int:
    bits = 0
    for role in problem.kill:
        bits |= flow.mask(role, fact)
    return bits
