"""Classical data-flow analyses over procedures.

    >>> from thence.dataflow import ANALYSES, Flow
    >>> flow = Flow(procedure)
    >>> ANALYSES["live_variables"].decide(flow, i=0, fact="batter").why
    "Step 2 uses 'batter' after step 1, with no step between that kills or redefines it."

Steps are counted from 0 everywhere but in sentences, which count from 1.
"""

from thence.dataflow.analyses import ANALYSES, analysis
from thence.dataflow.choices import Choices, Options, TooManyOptions
from thence.dataflow.drawing import to_dot, to_mermaid
from thence.dataflow.flow import START, CyclicOrder, Flow, Role
from thence.dataflow.graphs import (
    Conflict,
    EntityEdge,
    EntityFlowGraph,
    Label,
    StepDependencyGraph,
    StepEdge,
    conflict_order,
    conflicts,
    entity_flow_graph,
    excludes,
    step_dependency_graph,
)
from thence.dataflow.questions import DataflowAnalysis, FlowQuestion, Reasoning, Verdict

__all__ = [
    "ANALYSES",
    "START",
    "Choices",
    "Conflict",
    "CyclicOrder",
    "DataflowAnalysis",
    "EntityEdge",
    "EntityFlowGraph",
    "Flow",
    "FlowQuestion",
    "Label",
    "Options",
    "Reasoning",
    "Role",
    "StepDependencyGraph",
    "StepEdge",
    "TooManyOptions",
    "Verdict",
    "analysis",
    "conflict_order",
    "conflicts",
    "entity_flow_graph",
    "excludes",
    "step_dependency_graph",
    "to_dot",
    "to_mermaid",
]
