"""Live variables: a fact is still needed by a later step."""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Question, Verdict, Witness, instance
from thence.dataflow._engine import ENDS, Direction, Meet, Problem, holds, obstacle, supplier
from thence.dataflow._flow import Flow, Role

PROBLEM = Problem(Direction.BACKWARD, Meet.SOME, gen=Role.USE, kill=ENDS)


def _decide(flow: Flow, asked: Question) -> Verdict:
    i, fact = instance(asked)
    answer = holds(PROBLEM, flow, fact, i)
    return Verdict(answer, lambda: _live(flow, i, fact) if answer else _dead(flow, i, fact))


def _live(flow: Flow, i: int, fact: str) -> tuple[Witness, str]:
    user = supplier(PROBLEM, flow, fact, i)
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
    stop = obstacle(PROBLEM, flow, fact, later[0], i)
    if stop is None:
        raise AssertionError("a dead fact with a later use has an obstacle")
    ended = words.ended(flow, stop, fact, again=flow.does(i, Role.DEFINE, fact))
    return {"step": stop, "does": flow.doings(stop, fact), "fact": fact}, (
        f"Step {stop + 1} {words.always(flow)}{ended} after step {i + 1} and "
        f"before step {later[0] + 1}, the next that uses it."
    )


def _solve(flow: Flow) -> Iterator[Question]:
    for fact, definers in flow.touching[Role.DEFINE].items():
        for i in definers:
            if holds(PROBLEM, flow, fact, i):
                yield Question(i=i, fact=fact)


ANALYSIS = Analysis(
    rank=4,
    name="live_variables",
    title="live variables",
    reasoning="state",
    definition=(
        "A fact is live after a step if the steps can be carried out in some permitted order in "
        "which the fact is used after that step before any step kills or redefines it."
    ),
    asks=("i", "fact"),
    rule=_decide,
    solve=_solve,
)
