"""Available expressions: what step i made can be used again in step j."""

from __future__ import annotations

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Witness
from thence.dataflow._engine import gen_kill, solution
from thence.dataflow._flow import Flow, Role
from thence.dataflow._problems import AVAILABLE


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
    stop = solution(AVAILABLE, flow, fact).obstacle(i, j)
    if stop is None:
        raise AssertionError("a definition that is not available later has an obstacle")
    execution = flow.execution(i, stop, j)
    verb = words.can(flow, "comes", "come")
    return {"step": stop, "does": flow.doings(stop, fact), "fact": fact, "execution": execution}, (
        f"Step {stop + 1} kills '{fact}' and {verb} between step {i + 1} and step {j + 1}"
        f"{words.such_as(flow, execution)}."
    )


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
    **gen_kill(AVAILABLE, yes=_kept, no=_not),
)
