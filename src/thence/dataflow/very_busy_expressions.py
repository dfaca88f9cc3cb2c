"""Very busy expressions: a fact is used on every path that leads on."""

from __future__ import annotations

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Witness
from thence.dataflow._engine import gen_kill, solution
from thence.dataflow._flow import Flow, Role
from thence.dataflow._problems import BUSY


def _busy(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    users = flow.who(Role.USE, fact)
    user = next(user for user in users if flow.precedes(i, user))
    if flow.is_total:
        return {"step": user, "does": "uses", "fact": fact}, (
            f"Step {user + 1} uses '{fact}' after step {i + 1} before any step kills or redefines "
            f"it."
        )
    return {"step": user, "does": "uses", "fact": fact, "order": flow.chain(i, user)}, (
        f"Step {user + 1} always comes after step {i + 1} and uses '{fact}', and no step can kill "
        f"or redefine it before it is used."
    )


def _not(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    found = solution(BUSY, flow, fact).failure(i)
    if found is None:
        raise AssertionError("a fact that is not very busy has a failure")
    if found.step is None:
        if flow.is_total:
            return {"fact": fact}, f"No step after step {i + 1} uses '{fact}'."
        execution = flow.late(i)
        return {"fact": fact, "execution": execution}, (
            f"No step that uses '{fact}' has to come after step {i + 1} "
            f"(none does in the order {words.listed(execution)})."
        )
    execution = flow.tight(i, found.step)
    ended = words.ended(flow, found.step, fact, again=flow.does(i, Role.DEFINE, fact))
    verb = words.can(flow, "comes", "come")
    return {
        "step": found.step,
        "does": flow.doings(found.step, fact),
        "fact": fact,
        "execution": execution,
    }, (
        f"Step {found.step + 1} {ended} and {verb} after step {i + 1} "
        f"before any step uses it{words.such_as(flow, execution)}."
    )


ANALYSIS = Analysis(
    rank=2,
    name="very_busy_expressions",
    title="very busy expressions",
    reasoning="causal",
    definition=(
        "A fact is very busy after a step if, in whatever permitted order the steps are carried "
        "out, it is used after that step before any step kills or redefines it."
    ),
    **gen_kill(BUSY, yes=_busy, no=_not),
)
