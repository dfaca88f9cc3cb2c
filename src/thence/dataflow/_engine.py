"""The one engine of the gen/kill analyses: a problem and a fact go in, a solution comes out.

There are two solvers, which share no more than the questions that they answer (`_solution`): on a
total order the fixpoint along a line (`_line`), on a partial order reachability (`_reach`).

An analysis that asks no more than its problem says so by `gen_kill`, and adds words, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypedDict

from thence.dataflow._analysis import (
    Question,
    Verdict,
    Witness,
    instance,
    pair,
)
from thence.dataflow._flow import START, Flow, Role
from thence.dataflow._line import Line, sweep
from thence.dataflow._problems import Problem
from thence.dataflow._reach import Reach
from thence.dataflow._solution import Solution

Reasons = Callable[..., tuple[Witness, str]]  # of (flow, i, fact), forward of (flow, i, j, fact)


def solution(problem: Problem, flow: Flow, fact: str) -> Solution:
    """The solution for a fact, found once."""
    held: dict[str, Solution] | None = flow.memo.get(problem)
    if held is None:
        held = flow.memo[problem] = {}
    found = held.get(fact)
    if found is None:
        solver = Line if flow.is_total else Reach
        found = held[fact] = solver(problem, flow, fact)
    return found


class GenKill(TypedDict):
    """What a problem determines of an `Analysis`."""

    asks: tuple[str, ...]
    rule: Callable[[Flow, Question], Verdict]
    solve: Callable[[Flow], Iterator[Question]]


def gen_kill(problem: Problem, *, yes: Reasons, no: Reasons) -> GenKill:
    """How an analysis asks a problem.

    A forward problem is asked whether what step i defines gets to step j, a backward one whether
    the fact holds after step i.

    Args:
        problem: what is asked.
        yes: witness and sentence where the answer is True.
        no: witness and sentence where it is False.
    """

    def along(flow: Flow, asked: Question) -> Verdict:
        (i, j), (_, fact) = pair(asked), instance(asked)
        answer = solution(problem, flow, fact).carries(i, j)
        return Verdict(answer, lambda: (yes if answer else no)(flow, i, j, fact))

    def ahead(flow: Flow, asked: Question) -> Verdict:
        i, fact = instance(asked)
        answer = solution(problem, flow, fact).holds(i)
        return Verdict(answer, lambda: (yes if answer else no)(flow, i, fact))

    if problem.is_forward:
        return GenKill(asks=("i", "j", "fact"), rule=along, solve=lambda flow: _met(problem, flow))
    return GenKill(asks=("i", "fact"), rule=ahead, solve=lambda flow: _awaited(problem, flow))


def arrivals(problem: Problem, flow: Flow) -> Iterator[tuple[int, str, list[int]]]:
    """Of a forward problem each step, each fact that it uses, and the sources that are alive there.

    A list of sources is good until the next one.
    """
    if flow.is_total:
        yield from sweep(problem, flow, Role.USE)
        return
    for fact, users in flow.touching[Role.USE].items():
        alive = solution(problem, flow, fact).alive
        for j in users:
            yield j, fact, alive(j)


def _met(problem: Problem, flow: Flow) -> Iterator[Question]:
    """Every use of what a step defined."""
    for j, fact, alive in arrivals(problem, flow):
        for i in alive:
            if i != START:
                yield Question(i, j, fact)


def _awaited(problem: Problem, flow: Flow) -> Iterator[Question]:
    """Every step that defines a fact which holds after it."""
    if flow.is_total:
        for i, fact, alive in sweep(problem, flow, Role.DEFINE):
            if alive:
                yield Question(i, None, fact)
        return
    for fact, definers in flow.touching[Role.DEFINE].items():
        holds = solution(problem, flow, fact).holds
        for i in definers:
            if holds(i):
                yield Question(i, None, fact)
