"""Finer reasons for answers about plans in queues, and the depth of one of them.

In queues some reasons of `dataflow.reasons` would hold for nearly all questions with an answer.
These are told apart by how the listed order has to change, by what is missing, or by the waits that
join two steps. `FINER` is the closed list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from thence.dataflow import Flow
from thence.dataflow.analyses.intervals import between
from thence.dataflow.analyses.taint import contaminated
from thence.dataflow.depth import depth
from thence.dataflow.flow import Role
from thence.dataflow.problems import AVAILABLE
from thence.dataflow.questions import FlowQuestion, instance, pair, present
from thence.dataflow.reasons import Reason, reason
from thence.dataflow.solver import solve
from thence.dataflow.worlds import chain_length, steps_ending, steps_having
from thence.families.fable.shared.divided_reasons import LISTED_ELSEWHERE, killed

_MOVED = (
    Reason("ender_before", "all that ends the fact before its listed use can come before step i"),
    Reason("ender_after", "a step listed before the use ends the fact after step i, but need not"),
)

FINER: Mapping[tuple[str, str], Sequence[Reason]] = {
    ("reaching_definitions", "other_order"): (
        Reason("listed_after", "step j is listed before step i, but can come later"),
        *_MOVED,
    ),
    ("live_variables", "other_order"): (
        Reason("one_later", "just one step that needs the fact, listed before i, can come later"),
        Reason("several_later", "several such steps, all listed before i, can come later"),
        *_MOVED,
    ),
    ("live_variables", "never_used"): (
        Reason("before_in_queue", "all that needs the fact comes before step i in its queue"),
        Reason("before_by_waits", "a step that needs it comes before step i because of waits"),
        Reason("never_used", "no other step needs the fact"),
    ),
    ("taint", "listed"): (
        Reason("past_checked", "the listed order shows it, and the checked step is tainted, too"),
        Reason("checked_aside", "the listed order shows it, and the checked step is never tainted"),
    ),
    ("available_expressions", "killer_outside"): (
        Reason("killer_before", "a step kills the fact, but always before step i"),
        Reason("killer_after", "a step kills the fact, but always after step j"),
        Reason("killers_around", "steps kill the fact, some before step i and some after step j"),
    ),
    ("available_expressions", "killed"): (
        Reason("killed_between", "a step listed between the two kills the fact"),
        *LISTED_ELSEWHERE,
    ),
    ("very_busy_expressions", "ended_first"): (
        Reason("ended_earlier", "a step listed after step i can end the fact before its use"),
        Reason("ended_later", "a step listed before step i can come after it and end the fact"),
    ),
    ("type_state", "already_missing"): (
        Reason("not_kept", "what step i makes for step j need not last until then"),
        Reason("made_late", "what else step j needs can be made after it"),
        Reason("ended_anyway", "what else step j needs can be ended before it"),
    ),
    ("intervals", "both"): (
        Reason(
            "further_after", "the step before it is the one that it waits for, the other is off"
        ),
        Reason("further_before", "the step after it waits for it, the other bound is further off"),
        Reason("both_further", "neither bound is listed next to it"),
    ),
    ("concurrency", "chain"): (
        Reason("one_wait", "a chain with one wait joins the steps"),
        Reason("several_waits", "every chain between the queues has two waits or more"),
    ),
}
"""The reasons into which a reason of an analysis is divided where steps stand in queues."""

_WITHOUT_QUEUES = ("intervals", "taint")

type Question = Mapping[str, Any]


def finer_reason(flow: Flow, analysis: str, asked: FlowQuestion, question: Question) -> str:
    """Return the name of the reason for an answer, the finer one where there are queues.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: the question as the analysis takes it.
        question: the question with its ``queues`` and ``waits``.
    """
    name = reason(flow, analysis, asked).name
    if (analysis, name) in FINER and (question.get("queues") or analysis in _WITHOUT_QUEUES):
        return _RULES[analysis, name](flow, asked, question)
    return name


def links(flow: Flow, analysis: str, asked: FlowQuestion, question: Question) -> int:
    """Return the depth of a question.

    In queues a fact is also not live because every step that needs it comes first: the links are
    then those of the order by which it does.
    """
    found = depth(flow, analysis, asked)
    if analysis != "live_variables" or found > 1 or not question.get("queues"):
        return found
    i, fact = instance(asked)
    users = [user for user in steps_having(flow, fact, Role.USE) if user != i]
    before = [chain_length(flow, user, i) for user in users]
    return max((far for far in before if far), default=1) if all(before) else found


def _is_after(flow: Flow, i: int, steps: Sequence[int]) -> list[int]:
    """Return which of some steps are listed after another."""
    return [k for k in steps if flow.position[k] > flow.position[i]]


def _moved(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    i, fact = instance(asked)
    users = steps_having(flow, fact, Role.USE) if asked.j is None else [asked.j]
    later = _is_after(flow, i, users)
    if later:
        use = min(later, key=flow.position.__getitem__)
        enders = _is_after(flow, i, steps_ending(flow, fact))
        sooner = (k for k in enders if flow.position[k] < flow.position[use])
        return "ender_after" if any(flow.precedes(i, k) for k in sooner) else "ender_before"
    if asked.j is not None:
        return "listed_after"
    free = sum(user != i and not flow.precedes(user, i) for user in users)
    return "several_later" if free > 1 else "one_later"


def _unused(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    i, fact = instance(asked)
    users = {*steps_having(flow, fact, Role.USE)} - {i}
    if not users:
        return "never_used"
    own = next(queue for queue in shown["queues"] if i in queue)
    return "before_in_queue" if users.issubset(own) else "before_by_waits"


def _listed(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    tainted = contaminated(flow, asked.i, asked.fact, asked.sanitizers)
    return "checked_aside" if asked.sanitizers.isdisjoint(tainted) else "past_checked"


def _outside(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    i, j = pair(asked)
    _, fact = instance(asked)
    killers = [k for k in steps_having(flow, fact, Role.KILL) if k not in {i, j}]
    before = [flow.precedes(k, i) for k in killers]
    if all(before):
        return "killer_before"
    return "killers_around" if any(before) else "killer_after"


def _ended(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    i, fact = instance(asked)
    users = [k for k in steps_having(flow, fact, Role.USE) if k != i and flow.precedes(i, k)]
    enders = [
        k
        for k in steps_ending(flow, fact)
        if k != i and not flow.does(k, Role.USE, fact) and not flow.precedes(k, i)
        and not any(flow.precedes(user, k) for user in users)
    ]  # fmt: skip
    return "ended_earlier" if _is_after(flow, i, enders) else "ended_later"


def _missing(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    i, j = pair(asked)
    for fact in flow.steps[j].uses:
        failure = solve(AVAILABLE, flow, fact).failure(j)
        if failure is not None and flow.does(i, Role.DEFINE, fact):
            return "not_kept"
        if failure is not None:
            return "made_late" if failure.step is None else "ended_anyway"
    raise AssertionError("step j misses nothing")


def _bounds(flow: Flow, asked: FlowQuestion, shown: Question) -> str:
    k = present(asked.i)
    after, before = (present(bound) for bound in between(flow, k))
    if flow.position[k] - flow.position[after] == 1:
        return "further_after"
    return "further_before" if flow.position[before] - flow.position[k] == 1 else "both_further"


def _chained(flow: Flow, asked: FlowQuestion, question: Question) -> str:
    i, j = pair(asked)
    first, last = (i, j) if flow.precedes(i, j) else (j, i)
    own, there = (next(q for q in question["queues"] if k in q) for k in (first, last))
    waits = question["waits"]
    one = any(a in own and b in there and first <= a and b <= last for a, b in waits)
    return "one_wait" if one else "several_waits"


_RULES: Mapping[tuple[str, str], Callable[[Flow, FlowQuestion, Question], str]] = {
    ("reaching_definitions", "other_order"): _moved,
    ("live_variables", "other_order"): _moved,
    ("live_variables", "never_used"): _unused,
    ("taint", "listed"): _listed,
    ("available_expressions", "killer_outside"): _outside,
    ("available_expressions", "killed"): lambda flow, asked, _: killed(flow, asked),
    ("very_busy_expressions", "ended_first"): _ended,
    ("type_state", "already_missing"): _missing,
    ("intervals", "both"): _bounds,
    ("concurrency", "chain"): _chained,
}
