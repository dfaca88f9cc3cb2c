"""Very busy expressions: a fact is used on every path that leads on."""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import _words as words
from thence.dataflow._analysis import Analysis, Question, Verdict, Witness, instance
from thence.dataflow._engine import ENDS, Direction, Meet, Problem, failure, holds
from thence.dataflow._flow import Flow, Role

PROBLEM = Problem(Direction.BACKWARD, Meet.EVERY, gen=Role.USE, kill=ENDS)


def _decide(flow: Flow, asked: Question) -> Verdict:
    i, fact = instance(asked)
    answer = holds(PROBLEM, flow, fact, i)
    return Verdict(answer, lambda: _busy(flow, i, fact) if answer else _not(flow, i, fact))


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
    found = failure(PROBLEM, flow, fact, i)
    if found is None:
        raise AssertionError("a fact that is not very busy has a failure")
    if found.step is None:
        execution = flow.late(i)
        if flow.is_total:
            return {"fact": fact}, f"No step after step {i + 1} uses '{fact}'."
        return {"fact": fact, "execution": execution}, (
            f"No step that uses '{fact}' has to come after step {i + 1}"
            f"{words.such_as(flow, execution)}."
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


def _solve(flow: Flow) -> Iterator[Question]:
    for fact, definers in flow.touching[Role.DEFINE].items():
        for i in definers:
            if holds(PROBLEM, flow, fact, i):
                yield Question(i=i, fact=fact)


ANALYSIS = Analysis(
    rank=2,
    name="very_busy_expressions",
    title="very busy expressions",
    reasoning="causal",
    definition=(
        "A fact is very busy after a step if, in whatever permitted order the steps are carried "
        "out, it is used after that step before any step kills or redefines it."
    ),
    asks=("i", "fact"),
    rule=_decide,
    solve=_solve,
)
