"""Live variables: a later step can use the fact before it is killed or redefined."""

from __future__ import annotations

from collections.abc import Sequence

from thence.dataflow import sentences
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import LIVE
from thence.dataflow.questions import DataflowAnalysis, Witness
from thence.dataflow.solver import gen_kill, solve


def _live(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    user = solve(LIVE, flow, fact).nearest(i)
    if user is None:
        raise AssertionError("a live fact has a use")
    execution = flow.closest_execution(i, user)
    return {"step": user, "does": "uses", "fact": fact, "execution": execution}, (
        f"Step {user + 1} {sentences.can(flow, 'uses', 'use')} '{fact}' after step {i + 1}, with "
        "no step between that kills or redefines it"
        f"{sentences.such_as(flow, execution, i, user)}."
    )


def _dead(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    later = [
        user
        for user in flow.steps_with(Role.USE, fact)
        if user != i and not flow.precedes(user, i) and flow.is_possible(i, user)
    ]
    if not later:
        before = [
            user
            for user in flow.steps_with(Role.USE, fact)
            if flow.precedes(user, i) and flow.is_possible(user, i)
        ]
        why = f"No step uses '{fact}' after step {i + 1}"
        if before:
            use, come = ("uses", "comes") if len(before) == 1 else ("use", "come")
            why += f": {sentences.steps(before, 'and')}, which {use} it, "
            why += f"{sentences.always(flow)}{come} before"
        return {"fact": fact}, f"{why}."
    stops = solve(LIVE, flow, fact).killers(later[0], i)
    if not stops:
        raise AssertionError("a dead fact with a later use has an obstacle")
    depends = "" if flow.taken([i], 1 << later[0]) is None else " if it is carried out"
    others = _other_stops(flow, i, fact, stops, later[1:])
    if len(stops) > 1:
        return {"steps": stops, "fact": fact}, (
            f"S{sentences.steps(stops)[1:]}, whichever is carried out, comes after step {i + 1} "
            f"and before step {later[0] + 1}, the next that uses '{fact}'{depends}, and kills or "
            f"redefines it{others}."
        )
    stop = stops[0]
    ended = sentences.ended(flow, stop, fact, again=flow.does(i, Role.DEFINE, fact))
    always, tied = sentences.always(flow), ""
    if not _is_sure(flow, i, stop):
        always, tied = "", f"; where step {later[0] + 1} is carried out, so is step {stop + 1}"
    return {"step": stop, "does": flow.roles_in_words(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {always}{ended} after step {i + 1} and before step {later[0] + 1}, the "
        f"next that uses it{depends}{tied}{others}."
    )


def _other_stops(flow: Flow, i: int, fact: str, told: Sequence[int], users: Sequence[int]) -> str:
    """Return what ends a fact before its other uses, where what is told need not do so."""
    again, known, parts = flow.does(i, Role.DEFINE, fact), set(told), []
    for user in users:
        if any(_is_sure(flow, i, stop) and flow.precedes(stop, user) for stop in known):
            continue
        stops = solve(LIVE, flow, fact).killers(user, i)
        if not known.issuperset(stops):
            does = (
                f" {sentences.ended(flow, stops[0], fact, again=again)}"
                if len(stops) == 1
                else ", whichever is carried out, kills or redefines it"
            )
            parts.append(f"; before step {user + 1}, {sentences.steps(stops)}{does}")
            known.update(stops)
    return "".join(parts)


def _is_sure(flow: Flow, i: int, step: int) -> bool:
    """Return whether a step is carried out wherever step i is."""
    return flow.taken([i], 1 << step) is None


ANALYSIS = DataflowAnalysis(
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
