"""Reaching definitions: the definition of step i can reach step j."""

from __future__ import annotations

from thence.dataflow import sentences
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import REACHING
from thence.dataflow.questions import DataflowAnalysis, Witness
from thence.dataflow.sentences import Scope
from thence.dataflow.solver import gen_kill, solve


def _reached(flow: Flow, scope: Scope, i: int, j: int, fact: str) -> tuple[Witness, str]:
    execution = flow.closest_execution(i, j)
    sure = scope.is_clear(i, j, scope.having(fact, Role.KILL, Role.DEFINE))
    verb = sentences.can(scope, "reaches", "reach", sure=sure)
    return {"execution": execution, "fact": fact}, (
        f"Step {i + 1} defines '{fact}', which {verb} step {j + 1} with no step between that kills "
        f"or redefines it{sentences.such_as(scope, execution, i, j, sure=sure)}."
    )


def _not(flow: Flow, scope: Scope, i: int, j: int, fact: str) -> tuple[Witness, str]:
    if not flow.does(i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {i + 1} does not define '{fact}'."
    if i == j:
        return {"fact": fact}, f"Step {i + 1} defines '{fact}' only after it has begun."
    if flow.precedes(j, i):
        order = flow.chain(j, i)
        return {"order": order}, f"Step {j + 1} {sentences.always(flow)}comes before step {i + 1}."
    if apart := sentences.never_both(flow, i, j):
        return apart
    stops = solve(REACHING, flow, fact).killers(i, j)
    if not stops:
        raise AssertionError("a definition that does not reach a later step has an obstacle")
    if len(stops) > 1:
        return {"steps": stops, "fact": fact}, (
            f"S{sentences.steps(stops)[1:]}, whichever is carried out, comes between step {i + 1}, "
            f"which defines '{fact}', and step {j + 1}, and kills or redefines it."
        )
    stop = stops[0]
    always, tied = sentences.always(flow), ""
    if flow.taken([i], 1 << stop) is not None:  # it is not carried out wherever step i is
        both = flow.taken([j], 1 << stop) is not None
        done = "both are" if both else f"step {j + 1} is"
        always, tied = "", f"; where {done} carried out, so is step {stop + 1}"
    return {"step": stop, "does": flow.roles_in_words(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {always}comes between step {i + 1} and step {j + 1}, and it "
        f"{sentences.ended(flow, stop, fact)}{tied}."
    )


ANALYSIS = DataflowAnalysis(
    rank=1,
    name="reaching_definitions",
    title="reaching definitions",
    reasoning="state",
    definition=(
        "A fact that a step defines reaches a later step if the steps can be carried out in some "
        "permitted order in which no step between the two kills or redefines the fact."
    ),
    **gen_kill(REACHING, yes=_reached, no=_not),
)
