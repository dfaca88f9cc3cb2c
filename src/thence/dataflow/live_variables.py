"""Live variables: a fact is still needed by a later step."""

from __future__ import annotations

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Witness
from thence.dataflow._engine import gen_kill, solution
from thence.dataflow._flow import Flow, Role
from thence.dataflow._problems import LIVE


def _live(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    user = solution(LIVE, flow, fact).nearest(i)
    if user is None:
        raise AssertionError("a live fact has a use")
    execution = flow.tight(i, user)
    verb = words.can(flow, "uses", "use")
    return {"step": user, "does": "uses", "fact": fact, "execution": execution}, (
        f"Step {user + 1} {verb} '{fact}' after step {i + 1} before any step between kills or "
        f"redefines it{words.such_as(flow, execution)}."
    )


def _dead(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    later = [user for user in flow.who(Role.USE, fact) if user != i and not flow.precedes(user, i)]
    if not later:
        verb = words.can(flow, "uses", "use")
        return {"fact": fact}, f"No step after step {i + 1} {verb} '{fact}'."
    stop = solution(LIVE, flow, fact).obstacle(later[0], i)
    if stop is None:
        raise AssertionError("a dead fact with a later use has an obstacle")
    ended = words.ended(flow, stop, fact, again=flow.does(i, Role.DEFINE, fact))
    return {"step": stop, "does": flow.doings(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {words.always(flow)}{ended} after step {i + 1} and "
        f"before step {later[0] + 1}, the next that uses it."
    )


ANALYSIS = Analysis(
    rank=4,
    name="live_variables",
    title="live variables",
    reasoning="state",
    definition=(
        "A fact is live after a step if the steps can be carried out in some permitted order in "
        "which the fact is used after that step before any step kills or redefines it."
    ),
    **gen_kill(LIVE, yes=_live, no=_dead),
)
