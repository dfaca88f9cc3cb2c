"""Classical data-flow analyses over procedures.

    >>> from thence.dataflow import ANALYSES, Flow
    >>> flow = Flow(procedure)
    >>> ANALYSES["live_variables"].decide(flow, i=0, fact="batter").why
    "Step 2 uses 'batter' after step 1 before any step between kills or redefines it."

An analysis is the constant ``ANALYSIS`` of a module of this package, and each module whose name has
no underscore in front is one. Steps are counted from 0
everywhere but in sentences, which count from 1.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from thence.core.registry import nearest
from thence.dataflow._analysis import Analysis, Question, Reasoning, Verdict
from thence.dataflow._drawing import to_dot, to_mermaid
from thence.dataflow._flow import START, CyclicOrder, Flow
from thence.dataflow._graphs import (
    Conflict,
    EntityEdge,
    EntityFlowGraph,
    Label,
    StepDependencyGraph,
    StepEdge,
    conflict_order,
    conflicts,
    entity_flow_graph,
    step_dependency_graph,
)
from thence.errors import UsageError

__all__ = [
    "ANALYSES",
    "START",
    "Analysis",
    "Conflict",
    "CyclicOrder",
    "EntityEdge",
    "EntityFlowGraph",
    "Flow",
    "Label",
    "Question",
    "Reasoning",
    "StepDependencyGraph",
    "StepEdge",
    "Verdict",
    "analysis",
    "conflict_order",
    "conflicts",
    "entity_flow_graph",
    "step_dependency_graph",
    "to_dot",
    "to_mermaid",
]


def _found() -> dict[str, Analysis]:
    names = [
        info.name
        for info in pkgutil.iter_modules(__path__)
        if not info.ispkg and not info.name.startswith("_")
    ]
    held: list[Analysis] = [import_module(f"{__name__}.{name}").ANALYSIS for name in names]
    return {each.name: each for each in sorted(held, key=lambda each: each.rank)}


ANALYSES: Mapping[str, Analysis] = _found()


def analysis(name: str) -> Analysis:
    """The analysis of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in ANALYSES:
        known = ", ".join(ANALYSES)
        raise UsageError(
            f"unknown analysis '{name}'{nearest(name, list(ANALYSES))} (known: {known})"
        )
    return ANALYSES[name]
