"""Very busy expressions: a fact is used after a step in every execution."""

from __future__ import annotations

from thence.dataflow import sentences
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import BUSY
from thence.dataflow.questions import DataflowAnalysis, Witness
from thence.dataflow.sentences import Scope
from thence.dataflow.solver import gen_kill, solve


def _busy(flow: Flow, scope: Scope, i: int, fact: str) -> tuple[Witness, str]:
    users = flow.steps_with(Role.USE, fact)
    later = [user for user in users if flow.precedes(i, user)]
    enders = [k for role in (Role.KILL, Role.DEFINE) for k in flow.steps_with(role, fact)]
    if flow.choices:
        later = flow.in_order(flow.choices.covering([i], reversed(later)))
    else:
        later = later[:1]
    outside = sentences.kept_outside(flow, enders, (i,), later, users)
    if len(later) > 1:
        return {"steps": later, "fact": fact}, (
            f"S{sentences.steps(later)[1:]}, whichever is carried out, comes after step {i + 1} "
            f"and uses '{fact}', and no step can kill or redefine it before it is used{outside}."
        )
    user = later[0]
    if flow.is_total:
        return {"step": user, "does": "uses", "fact": fact}, (
            f"Step {user + 1} uses '{fact}' after step {i + 1} before any step kills or redefines "
            f"it{outside}."
        )
    return {"step": user, "does": "uses", "fact": fact, "order": flow.chain(i, user)}, (
        f"Step {user + 1} always comes after step {i + 1} and uses '{fact}', and no step can kill "
        f"or redefine it before it is used{outside}."
    )


def _not(flow: Flow, scope: Scope, i: int, fact: str) -> tuple[Witness, str]:
    found = solve(BUSY, flow, fact).failure(i)
    if found is None:
        raise AssertionError("a fact that is not very busy has a failure")
    users = scope.having(fact, Role.USE)
    if found.step is None:
        if scope.is_total:
            return {"fact": fact}, f"No step after step {i + 1} uses '{fact}'."
        execution = flow.latest_execution(i)
        if not users & ~(scope.flow.ancestors[i] | 1 << i):
            why = f"No step uses '{fact}' after step {i + 1}."
            return {"fact": fact, "execution": execution}, why
        kept = [i, *flow.steps_with(Role.USE, fact)]
        return {"fact": fact, "execution": execution}, (
            f"No step that uses '{fact}' has to come after step {i + 1} "
            f"(none does {sentences.in_order(scope, execution, kept)})."
        )
    execution = flow.closest_execution(i, found.step)
    ended = sentences.ended(flow, found.step, fact, again=flow.does(i, Role.DEFINE, fact))
    sure = scope.is_clear(i, found.step, users)
    verb = sentences.can(scope, "comes", "come", sure=sure)
    shown = sentences.such_as(scope, execution, i, found.step, sure=sure)
    return {
        "step": found.step,
        "does": flow.roles_in_words(found.step, fact),
        "fact": fact,
        "execution": execution,
    }, (
        f"Step {found.step + 1} {ended} and {verb} after step {i + 1} "
        f"before any step uses it{shown}."
    )


ANALYSIS = DataflowAnalysis(
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
