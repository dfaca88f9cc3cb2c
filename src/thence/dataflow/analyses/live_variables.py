"""Live variables: a later step can use the fact before it is killed or redefined."""

from __future__ import annotations

from collections.abc import Sequence

from thence.core.graph import bitset
from thence.dataflow import sentences
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import LIVE
from thence.dataflow.questions import DataflowAnalysis, Witness
from thence.dataflow.sentences import Scope
from thence.dataflow.solver import gen_kill, solve


def _live(flow: Flow, scope: Scope, i: int, fact: str) -> tuple[Witness, str]:
    user = solve(LIVE, flow, fact).nearest(i)
    if user is None:
        raise AssertionError("a live fact has a use")
    execution = flow.closest_execution(i, user)
    sure = scope.is_clear(i, user, scope.having(fact, Role.KILL, Role.DEFINE))
    verb = sentences.can(scope, "uses", "use", sure=sure)
    return {"step": user, "does": "uses", "fact": fact, "execution": execution}, (
        f"Step {user + 1} {verb} '{fact}' after step {i + 1}, with no step between that kills or "
        f"redefines it{sentences.such_as(scope, execution, i, user, sure=sure)}."
    )


def _dead(flow: Flow, scope: Scope, i: int, fact: str) -> tuple[Witness, str]:
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
        apart = [
            user
            for user in flow.steps_with(Role.USE, fact)
            if user != i and not flow.is_possible(user, i)
        ]
        parts = []
        if before:
            use, come = ("uses", "comes") if len(before) == 1 else ("use", "come")
            parts.append(
                f"{sentences.steps(before, 'and')}, which {use} it, {sentences.always(flow)}"
                f"{come} before"
            )
        if apart:
            use, are = ("uses", "is") if len(apart) == 1 else ("use", "are")
            parts.append(
                f"{sentences.steps(apart, 'and')}, which {use} it, {are} never carried out "
                f"together with step {i + 1}"
            )
        why = f"No step uses '{fact}' after step {i + 1}{': ' * bool(parts)}{'; '.join(parts)}"
        return {"fact": fact}, f"{why}."
    stops = solve(LIVE, flow, fact).killers(later[0], i)
    if not stops:
        raise AssertionError("a dead fact with a later use has an obstacle")
    users = _next(flow, i, later, stops)
    others = _other_stops(flow, i, fact, stops, later[1:])
    if len(stops) > 1:
        return {"steps": stops, "fact": fact}, (
            f"S{sentences.steps(stops)[1:]}, whichever is carried out, comes after step {i + 1} "
            f"and before {_used(flow, i, later, users, f"'{fact}'")}, and kills or redefines it"
            f"{others}."
        )
    stop = stops[0]
    ended = sentences.ended(flow, stop, fact, again=flow.does(i, Role.DEFINE, fact))
    always, tied = sentences.always(flow), ""
    if not _is_sure(flow, i, stop):
        done = f"{sentences.steps(users)} is carried out"
        always, tied = "", f"; where {done}, so is step {stop + 1}"
    return {"step": stop, "does": flow.roles_in_words(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {always}{ended} after step {i + 1} and before "
        f"{_used(flow, i, later, users, 'it')}{tied}{others}."
    )


def _next(flow: Flow, i: int, later: Sequence[int], stops: Sequence[int]) -> list[int]:
    """Return the first later users of a fact, or one where the stops do not precede them all."""
    first = [user for user in later if not any(flow.precedes(each, user) for each in later)]
    is_cut = all(
        all(flow.precedes(stop, user) for stop in stops)
        and flow.taken([i, user], bitset(stops)) is None
        for user in first
    )
    return first if is_cut else [later[0]]


def _used(flow: Flow, i: int, later: Sequence[int], users: Sequence[int], fact: str) -> str:
    """Return users of a fact in words, and whether all others always come after them."""
    verb, they, are = ("uses", "it", "is") if len(users) == 1 else ("use", "they", "are")
    is_next = all(
        each in users or any(flow.precedes(user, each) for user in users) for each in later
    )
    done = all(_is_sure(flow, i, user) for user in users)
    depends = "" if done else f" if {they} {are} carried out"
    which = f"the next that {verb}" if is_next else f"which {verb}"
    return f"{sentences.steps(users, 'and')}, {which} {fact}{depends}"


def _other_stops(flow: Flow, i: int, fact: str, told: Sequence[int], users: Sequence[int]) -> str:
    """Return further endings to name, for uses that the steps named already do not cut off."""
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
