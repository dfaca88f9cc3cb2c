"""Reaching definitions: what step i made is what step j meets."""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Question, Verdict, Witness, instance, pair
from thence.dataflow._engine import ENDS, Direction, Meet, Problem, carries, obstacle, suppliers
from thence.dataflow._flow import START, Flow, Role

PROBLEM = Problem(Direction.FORWARD, Meet.SOME, gen=Role.DEFINE, kill=ENDS)


def _decide(flow: Flow, asked: Question) -> Verdict:
    (i, j), (_, fact) = pair(asked), instance(asked)
    answer = carries(PROBLEM, flow, fact, i, j)
    return Verdict(answer, lambda: _reached(flow, i, j, fact) if answer else _not(flow, i, j, fact))


def _reached(flow: Flow, i: int, j: int, fact: str) -> tuple[Witness, str]:
    execution = flow.tight(i, j)
    verb = words.can(flow, "reaches", "reach")
    return {"execution": execution, "fact": fact}, (
        f"Step {i + 1} defines '{fact}', which {verb} step {j + 1} with no step between that kills "
        f"or redefines it{words.such_as(flow, execution)}."
    )


def _not(flow: Flow, i: int, j: int, fact: str) -> tuple[Witness, str]:
    if not flow.does(i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {i + 1} does not define '{fact}'."
    if i == j:
        return {"fact": fact}, f"Step {i + 1} defines '{fact}' only after it has begun."
    if flow.precedes(j, i):
        order = flow.chain(j, i)
        return {"order": order}, f"Step {j + 1} {words.always(flow)}comes before step {i + 1}."
    stop = obstacle(PROBLEM, flow, fact, i, j)
    if stop is None:
        raise AssertionError("a definition that does not reach a later step has an obstacle")
    return {"step": stop, "does": flow.doings(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {words.always(flow)}comes between step {i + 1} and step {j + 1}, and it "
        f"{words.ended(flow, stop, fact)}."
    )


def _solve(flow: Flow) -> Iterator[Question]:
    for fact, users in flow.touching[Role.USE].items():
        for j in users:
            for i in suppliers(PROBLEM, flow, fact, j):
                if i != START:
                    yield Question(i=i, j=j, fact=fact)


ANALYSIS = Analysis(
    rank=1,
    name="reaching_definitions",
    title="reaching definitions",
    reasoning="state",
    definition=(
        "A fact that a step defines reaches a later step if the steps can be carried out in some "
        "permitted order in which no step between the two kills or redefines the fact."
    ),
    asks=("i", "j", "fact"),
    rule=_decide,
    solve=_solve,
)
