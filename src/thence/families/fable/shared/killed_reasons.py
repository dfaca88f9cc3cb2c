"""Finer reasons why a fact is not available: where the steps that can kill it are listed."""

from __future__ import annotations

from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.dataflow.questions import FlowQuestion, instance, pair
from thence.dataflow.reasons import Reason
from thence.dataflow.strategies import first_option
from thence.dataflow.worlds import ends

LISTED_ELSEWHERE = (
    Reason("killed_later", "a step listed before step i can come after it and kill the fact"),
    Reason("killed_earlier", "a step listed after step j can come before it and kill the fact"),
)
"""The reasons where no step that can kill the fact is listed between steps i and j."""


def killed(flow: Flow, asked: FlowQuestion) -> str:
    """Return the name of the reason for a fact that a step can kill between steps i and j."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    killers = [
        k
        for k in ends(flow, fact, Role.KILL)
        if k not in {i, j} and not flow.precedes(k, i) and not flow.precedes(j, k)
        and flow.is_possible(k, j)
    ]  # fmt: skip
    between = [k for k in killers if flow.position[i] < flow.position[k] < flow.position[j]]
    if between:
        first, _ = first_option(flow, "", asked)
        shown = not all(map(first.is_left_out, between))
        return "killed_between" if shown else "killed_by_option"
    later = any(flow.position[k] < flow.position[i] for k in killers)
    return "killed_later" if later else "killed_earlier"
