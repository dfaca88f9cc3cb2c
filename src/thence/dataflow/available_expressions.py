"""Available expressions: what step i made can be used again in step j."""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Question, Verdict, Witness, instance, pair
from thence.dataflow._engine import Direction, Meet, Problem, carries, obstacle, suppliers
from thence.dataflow._flow import START, Flow, Role

PROBLEM = Problem(Direction.FORWARD, Meet.EVERY, gen=Role.DEFINE, kill=frozenset({Role.KILL}))


def _decide(flow: Flow, asked: Question) -> Verdict:
    (i, j), (_, fact) = pair(asked), instance(asked)
    answer = carries(PROBLEM, flow, fact, i, j)
    return Verdict(answer, lambda: _kept(flow, i, j, fact) if answer else _not(flow, i, j, fact))


def _kept(flow: Flow, i: int, j: int, fact: str) -> tuple[Witness, str]:
    return {"order": flow.chain(i, j), "fact": fact}, (
        f"Step {i + 1} defines '{fact}', step {j + 1} {words.always(flow)}comes later, and no step "
        f"{'between' if flow.is_total else 'that can come between'} kills '{fact}'."
    )


def _not(flow: Flow, i: int, j: int, fact: str) -> tuple[Witness, str]:
    if not flow.does(i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {i + 1} does not define '{fact}'."
    if i == j:
        return {"fact": fact}, f"Step {i + 1} defines '{fact}' only after it has begun."
    if not flow.precedes(i, j):
        execution = flow.execution(j, i)
        verb = words.can(flow, "comes", "come")
        return {"execution": execution}, (
            f"Step {j + 1} {verb} before step {i + 1}{words.such_as(flow, execution)}."
        )
    stop = obstacle(PROBLEM, flow, fact, i, j)
    if stop is None:
        raise AssertionError("a definition that is not available later has an obstacle")
    execution = flow.execution(i, stop, j)
    verb = words.can(flow, "comes", "come")
    return {"step": stop, "does": flow.doings(stop, fact), "fact": fact, "execution": execution}, (
        f"Step {stop + 1} kills '{fact}' and {verb} between step {i + 1} and step {j + 1}"
        f"{words.such_as(flow, execution)}."
    )


def _solve(flow: Flow) -> Iterator[Question]:
    for fact, users in flow.touching[Role.USE].items():
        for j in users:
            for i in suppliers(PROBLEM, flow, fact, j):
                if i != START:
                    yield Question(i=i, j=j, fact=fact)


ANALYSIS = Analysis(
    rank=3,
    name="available_expressions",
    title="available expressions",
    reasoning="state",
    definition=(
        "A fact that a step defines is available to a later step if, in whatever permitted order "
        "the steps are carried out, the first step comes before the second and no step between "
        "the two kills the fact."
    ),
    asks=("i", "j", "fact"),
    rule=_decide,
    solve=_solve,
)
