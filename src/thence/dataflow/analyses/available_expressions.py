"""Available expressions: the definition of step i holds at step j in every execution."""

from __future__ import annotations

from thence.dataflow import sentences
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import AVAILABLE
from thence.dataflow.questions import DataflowAnalysis, Witness
from thence.dataflow.sentences import Scope
from thence.dataflow.solver import gen_kill, solve


def _kept(flow: Flow, scope: Scope, i: int, j: int, fact: str) -> tuple[Witness, str]:
    killers = flow.steps_with(Role.KILL, fact)
    between = "" if not killers else " between" if flow.is_total else " that can come between"
    return {"order": flow.chain(i, j), "fact": fact}, (
        f"Step {i + 1} defines '{fact}', step {j + 1} {sentences.always(flow)}comes later, and "
        f"no step{between} kills '{fact}'{sentences.kept_outside(flow, killers, (i, j), (j,))}."
    )


def _not(flow: Flow, scope: Scope, i: int, j: int, fact: str) -> tuple[Witness, str]:
    if flow.is_left_out(i):
        execution = flow.earliest_execution(j)
        return {"execution": execution}, f"Step {i + 1} is left out, but step {j + 1} is not."
    if not flow.does(i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {i + 1} does not define '{fact}'."
    if i == j:
        return {"fact": fact}, f"Step {i + 1} defines '{fact}' only after it has begun."
    if not flow.precedes(i, j):
        execution = flow.earliest_execution(j, i)
        sure = flow.precedes(j, i)
        verb = sentences.can(scope, "comes", "come", sure=sure)
        shown = sentences.such_as(scope, execution, i, j, sure=sure)
        return {"execution": execution}, f"Step {j + 1} {verb} before step {i + 1}{shown}."
    stops = solve(AVAILABLE, flow, fact).killers(i, j)
    if not stops:
        raise AssertionError("a definition that is not available later has an obstacle")
    stop = stops[0]
    execution = flow.earliest_execution(i, stop, j)
    sure = flow.precedes(i, stop) and flow.precedes(stop, j)
    verb = sentences.can(scope, "comes", "come", sure=sure)
    return {
        "step": stop,
        "does": flow.roles_in_words(stop, fact),
        "fact": fact,
        "execution": execution,
    }, (
        f"Step {stop + 1} kills '{fact}' and {verb} between step {i + 1} and step {j + 1}"
        f"{sentences.such_as(scope, execution, i, stop, j, sure=sure)}."
    )


ANALYSIS = DataflowAnalysis(
    rank=3,
    name="available_expressions",
    title="available expressions",
    reasoning="state",
    definition=(
        "A fact that a step defines is available to a later step if, in whatever permitted order "
        "the steps are carried out, the first step comes before the second and no step between "
        "the two kills the fact."
    ),
    **gen_kill(AVAILABLE, yes=_kept, no=_not),
)
