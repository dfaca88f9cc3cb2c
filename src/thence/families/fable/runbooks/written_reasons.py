"""Finer reasons for answers about written procedures, where one reason would hold for most.

What ends a fact, and what else makes it, are told apart by where they are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.dataflow.questions import FlowQuestion, pair
from thence.dataflow.reasons import Reason, reason
from thence.families.fable.shared.killed_reasons import LISTED_ELSEWHERE, killed

FINER: Mapping[tuple[str, str], Sequence[Reason]] = {
    ("available_expressions", "killed"): (
        Reason("killed_between", "a step listed between kills the fact under the first options"),
        Reason("killed_by_option", "steps listed between kill it, but only under other options"),
        *LISTED_ELSEWHERE,
    ),
    ("concurrency", "conflict"): (
        Reason("conflict_alone", "either can come first, but the one changes what the other needs"),
        Reason("conflict_in_order", "the one changes what the other needs, and they keep an order"),
    ),
    ("type_state", "another_maker"): (
        Reason("made_again", "another step listed between the two defines what step j needs"),
        Reason("made_elsewhere", "only steps listed elsewhere define it otherwise"),
    ),
}
"""The reasons into which a reason of an analysis is divided."""


def finer_reason(flow: Flow, analysis: str, asked: FlowQuestion) -> str:
    """Return the name of the reason for an answer, the finer one where there is one.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: the question.
    """
    name = reason(flow, analysis, asked).name
    rule = _RULES.get((analysis, name))
    return rule(flow, asked) if rule else name


def _made(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    facts = {*flow.steps[i].defines} & {*flow.steps[j].uses}
    makers = {k for fact in facts for k in flow.steps_with(Role.DEFINE, fact)}
    return "made_again" if any(i < k < j for k in makers) else "made_elsewhere"


def _met(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    is_kept = flow.precedes(i, j) or flow.precedes(j, i)
    return "conflict_in_order" if is_kept else "conflict_alone"


_RULES: Mapping[tuple[str, str], Callable[[Flow, FlowQuestion], str]] = {
    ("available_expressions", "killed"): killed,
    ("concurrency", "conflict"): _met,
    ("type_state", "another_maker"): _made,
}
