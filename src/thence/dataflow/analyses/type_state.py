"""Type-state: step j still finds every fact that it uses when step i is left out.

The other steps are carried out in every permitted order; the order that went through step i still
holds for them. Each fact that step j uses must be available there, from any source: defined by a
step, or holding at the start, with no kill since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thence.core.graph import members
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.problems import AVAILABLE
from thence.dataflow.questions import DataflowAnalysis, FlowQuestion, Verdict, Witness, pair
from thence.dataflow.sentences import Scope, steps, under_options
from thence.dataflow.solver import solve
from thence.errors import UsageError


def _decide(flow: Flow, asked: FlowQuestion) -> Verdict:
    i, j = pair(asked)
    if i == j:
        raise UsageError(
            f"type_state: step {j} cannot be valid when it is left out; give two steps"
        )
    for fact in flow.steps[j].uses:
        failed = solve(AVAILABLE, flow, fact).failure(j, without=i)
        if failed is not None:
            return _invalid(flow, i, j, fact, failed.options)
    return Verdict(answer=True, reasons=lambda: _valid(flow, i, j))


def _invalid(flow: Flow, i: int, j: int, fact: str, options: Options | None) -> Verdict:
    return Verdict(
        answer=False,
        reasons=lambda: under_options(
            flow,
            options,
            lambda left, scope: _broken(left, scope, i, j, fact),
            lambda left: solve(AVAILABLE, left, fact).failure(j, without=i) is not None,
            (i, j),
        ),
    )


def _valid(flow: Flow, i: int, j: int) -> tuple[Witness, str]:
    uses = list(dict.fromkeys(flow.steps[j].uses))
    if not uses:
        return {"step": j}, f"Step {j + 1} uses nothing, so it is valid without step {i + 1}."
    shared = [fact for fact in uses if flow.does(i, Role.DEFINE, fact)]
    if shared and not flow.precedes(j, i) and flow.is_possible(i, j):
        more = "" if len(uses) == 1 else "all that it uses, including "
        return {"step": j, "facts": uses}, (
            f"Without step {i + 1}, step {j + 1} still finds {more}'{shared[0]}', which is there "
            "from elsewhere."
        )
    ended = [fact for fact in uses if flow.does(i, Role.KILL, fact)]
    if ended and not flow.precedes(j, i) and flow.is_possible(i, j):
        return {"step": j, "facts": uses}, (
            f"Nothing that step {j + 1} uses comes from step {i + 1}, which kills '{ended[0]}', so "
            f"that step {j + 1} finds all of it without step {i + 1}."
        )
    return {"step": j, "facts": uses}, (
        f"Nothing that step {j + 1} uses depends on step {i + 1}, so it still finds all of it."
    )


def _broken(flow: Flow, scope: Scope, i: int, j: int, fact: str) -> tuple[Witness, str]:
    found = solve(AVAILABLE, flow, fact).failure(j, without=i)
    if found is None:
        raise AssertionError("a fact that is lost has a failure")
    witness: Witness = {"fact": fact}
    order = scope.flow
    others = order.in_order(
        each
        for each in members(scope.having(fact, Role.DEFINE))
        if each not in {i, j} and not order.precedes(j, each)
    )
    if found.step is not None:
        witness |= {"step": found.step, "does": flow.roles_in_words(found.step, fact)}
        ends = flow.precedes(found.step, j)
        again = [each for each in others if not order.precedes(each, found.step)]
        why = f"step {found.step + 1} {'kills' if ends else 'can kill'} it before then, and "
        other = "nothing else" if flow.does(i, Role.DEFINE, fact) else "nothing"
        why += _not_surely(again) if again else f"{other} defines it again"
        sure = ends and not again
    elif others:
        too = " too" if flow.does(i, Role.DEFINE, fact) else ""
        defines = "defines" if len(others) == 1 else "define"
        why = f"{steps(others, 'and')} {defines} it{too}, but need not come before"
        sure = False
    else:
        why = "nothing else defines it before"
        sure = True
    besides = ""
    if not solve(AVAILABLE, flow, fact).holds(j):
        lacks = "lacks" if flow.is_total and not flow.choices else "can lack"
        besides = f"; step {j + 1} {lacks} it with step {i + 1}, too"
    return witness, (
        f"Without step {i + 1}, step {j + 1} {'lacks' if sure else 'can lack'} '{fact}': "
        f"{why}{besides}."
    )


def _not_surely(makers: Sequence[int]) -> str:
    """Return that some steps define a fact, but not always between two others."""
    define = "defines" if len(makers) == 1 else "define"
    return f"{steps(makers, 'and')} {define} it, but need not come in between"


def _solve(flow: Flow) -> Iterator[FlowQuestion]:
    """Yield the pairs of a step i and a step j that is valid, but not without it."""
    invalid: set[int] = set()
    vital: dict[int, set[int]] = {}
    for fact, users in flow.steps_by_fact[Role.USE].items():
        found = solve(AVAILABLE, flow, fact)
        for j in users:
            if not found.holds(j):
                invalid.add(j)
            else:
                vital.setdefault(j, set()).update(found.essential(j))
    for j in range(len(flow)):
        if j not in invalid:
            for i in flow.in_order(vital.get(j, ())):
                yield FlowQuestion(i, j)


ANALYSIS = DataflowAnalysis(
    rank=6,
    name="type_state",
    title="type-state",
    reasoning="state",
    definition=(
        "A step is still valid without another if, when all steps but that other are carried out "
        "in whatever permitted order, the step still finds every fact that it uses."
    ),
    asks=("i", "j"),
    rule=_decide,
    solve=_solve,
)
