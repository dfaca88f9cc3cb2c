"""Solver of the gen/kill problems, and the analyses that are no more than such a problem.

On a total order the solution is the fixpoint along one path (`total_order`), on a partial order it
follows from reachability (`partial_order`), with choices from their options too (`choice_order`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypedDict

from thence.dataflow.choice_order import ChoiceSolution
from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.partial_order import PartialOrderSolution
from thence.dataflow.problems import Problem
from thence.dataflow.questions import (
    FlowQuestion,
    Verdict,
    instance,
    pair,
)
from thence.dataflow.sentences import Reasons, under_options
from thence.dataflow.solution import Solution
from thence.dataflow.total_order import TotalOrderSolution, sweep


def solve(problem: Problem, flow: Flow, fact: str) -> Solution:
    """Return the solution for a fact; it is computed once."""
    solved: dict[str, Solution] = flow.cache.setdefault(problem, {})
    if fact not in solved:
        solver: type[Solution] = TotalOrderSolution if flow.is_total else PartialOrderSolution
        solved[fact] = (ChoiceSolution if flow.choices else solver)(problem, flow, fact)
    return solved[fact]


class GenKill(TypedDict):
    """The fields of a `DataflowAnalysis` that follow from its problem."""

    asks: tuple[str, ...]
    rule: Callable[[Flow, FlowQuestion], Verdict]
    solve: Callable[[Flow], Iterator[FlowQuestion]]


def gen_kill(problem: Problem, *, yes: Reasons[...], no: Reasons[...]) -> GenKill:
    """Return the fields of an analysis that asks a problem.

    A forward problem is asked whether the definition of step i reaches step j, a backward one
    whether the fact holds after step i.

    Args:
        problem: the problem.
        yes: makes witness and sentence where the answer is True, of steps i and j (forward only)
            and the fact.
        no: makes them where it is False, likewise.
    """

    def forward(flow: Flow, asked: FlowQuestion) -> Verdict:
        (i, j), (_, fact) = pair(asked), instance(asked)
        solution = solve(problem, flow, fact)
        answer = solution.reaches(i, j)
        tell = yes if answer else no
        return Verdict(
            answer,
            lambda: under_options(
                flow,
                solution.deciding(j, i),
                lambda left, scope: tell(left, scope, i, j, fact),
                lambda left: solve(problem, left, fact).reaches(i, j) is answer,
                (i, j),
            ),
        )

    def backward(flow: Flow, asked: FlowQuestion) -> Verdict:
        i, fact = instance(asked)
        solution = solve(problem, flow, fact)
        answer = solution.holds(i)
        tell = yes if answer else no
        return Verdict(
            answer,
            lambda: under_options(
                flow,
                solution.deciding(i),
                lambda left, scope: tell(left, scope, i, fact),
                lambda left: solve(problem, left, fact).holds(i) is answer,
                (i,),
            ),
        )

    if problem.is_forward:
        return GenKill(
            asks=("i", "j", "fact"), rule=forward, solve=lambda flow: _reached_uses(problem, flow)
        )
    return GenKill(
        asks=("i", "fact"), rule=backward, solve=lambda flow: _holding_definitions(problem, flow)
    )


def arrivals(problem: Problem, flow: Flow) -> Iterator[tuple[int, str, list[int]]]:
    """Yield each step, each fact that it uses, and the sources that reach it (forward problems).

    A list of sources may change when the next one is asked for.
    """
    if flow.is_total:
        yield from sweep(problem, flow, Role.USE)
        return
    for fact, users in flow.steps_by_fact[Role.USE].items():
        reaching = solve(problem, flow, fact).reaching
        for j in users:
            yield j, fact, reaching(j)


def _reached_uses(problem: Problem, flow: Flow) -> Iterator[FlowQuestion]:
    """Yield every use that the definition of a step reaches."""
    for j, fact, sources in arrivals(problem, flow):
        for i in sources:
            if i != START:
                yield FlowQuestion(i, j, fact)


def _holding_definitions(problem: Problem, flow: Flow) -> Iterator[FlowQuestion]:
    """Yield every definition of a fact that holds after it."""
    if flow.is_total:
        for i, fact, sources in sweep(problem, flow, Role.DEFINE):
            if sources:
                yield FlowQuestion(i, None, fact)
        return
    for fact, definers in flow.steps_by_fact[Role.DEFINE].items():
        holds = solve(problem, flow, fact).holds
        for i in definers:
            if holds(i):
                yield FlowQuestion(i, None, fact)
