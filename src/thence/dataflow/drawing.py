"""Drawings of both graphs of a procedure, for Graphviz and Mermaid.

A drawing of step dependencies leaves out edges that longer paths imply, unless a step needs a fact
of the other: those edges are solid and carry the facts, the others are dashed and name the
conflict. In a drawing of entity flow an arrow from a dot is a creation, and one from "start" brings
a fact that holds before the first step. The options on which a step depends stand behind its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thence.core.graph import Graph
from thence.dataflow.flow import START
from thence.dataflow.graphs import EntityFlowGraph, Label, StepDependencyGraph
from thence.dataflow.sentences import depends

_MOST_FACTS = 3  # named on one edge


class _Edge(NamedTuple):
    source: str
    target: str
    label: str
    is_solid: bool


class _Drawing(NamedTuple):
    """A drawing in either language: nodes by name, dots and edges."""

    name: str
    title: str
    nodes: dict[str, str]
    dots: list[str]
    edges: list[_Edge]


def to_dot(*graphs: StepDependencyGraph | EntityFlowGraph) -> str:
    """Return graphs in Graphviz's language; several become clusters of one drawing."""
    lines = ["digraph procedure {", "  rankdir=TB;", "  node [shape=box, style=rounded];"]
    for drawing in map(_drawing, graphs):
        lines.append(f"  subgraph cluster_{drawing.name} {{")
        lines.append(f"    label={_dot(drawing.title)};")
        lines += [f"    {name} [label={_dot(text)}];" for name, text in drawing.nodes.items()]
        lines += [f'    {name} [shape=point, label=""];' for name in drawing.dots]
        for edge in drawing.edges:
            style = "" if edge.is_solid else ", style=dashed"
            lines.append(f"    {edge.source} -> {edge.target} [label={_dot(edge.label)}{style}];")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(*graphs: StepDependencyGraph | EntityFlowGraph) -> str:
    """Return graphs in Mermaid's language; several become subgraphs of one drawing."""
    lines = ["flowchart TD"]
    for drawing in map(_drawing, graphs):
        lines.append(f"  subgraph {drawing.name}[{_mermaid(drawing.title)}]")
        lines += [f"    {name}[{_mermaid(text)}]" for name, text in drawing.nodes.items()]
        lines += [f"    {name}(( ))" for name in drawing.dots]
        for edge in drawing.edges:
            arrow = "-->" if edge.is_solid else "-.->"
            lines.append(f"    {edge.source} {arrow}|{_mermaid(edge.label)}| {edge.target}")
        lines.append("  end")
    return "\n".join(lines) + "\n"


def _drawing(graph: StepDependencyGraph | EntityFlowGraph) -> _Drawing:
    return _steps(graph) if isinstance(graph, StepDependencyGraph) else _entities(graph)


def _steps(graph: StepDependencyGraph) -> _Drawing:
    pairs = [(edge.source, edge.target) for edge in graph.edges]
    needed = set(Graph(len(graph.steps), pairs).transitive_reduction())
    edges = []
    for edge in graph.edges:
        if edge.needs:
            label = _few(edge.needs)
        elif (edge.source, edge.target) in needed:
            clash = edge.because[0]
            label = f"{clash.first.value}, then {clash.second.value} {clash.fact}"
        else:
            continue
        edges.append(_Edge(f"s{edge.source + 1}", f"s{edge.target + 1}", label, bool(edge.needs)))
    return _Drawing("steps", f"Step dependencies: {graph.goal}", _nodes("s", graph), [], edges)


def _entities(graph: EntityFlowGraph) -> _Drawing:
    nodes, edges = _nodes("e", graph), []
    dots: list[str] = []
    if any(edge.source == START for edge in graph.edges):
        nodes = {"e0": "start", **nodes}
    for edge in graph.edges:
        source = f"e{edge.source + 1}"
        if edge.label is Label.CREATION:
            source = f"c{len(dots) + 1}"
            dots.append(source)
        label = f"{edge.fact} ({edge.label.value})"
        edges.append(_Edge(source, f"e{edge.target + 1}", label, is_solid=True))
    return _Drawing("entities", f"Entity flow: {graph.goal}", nodes, dots, edges)


def _nodes(letter: str, graph: StepDependencyGraph | EntityFlowGraph) -> dict[str, str]:
    named = {f"{letter}{place}": f"{place}. {text}" for place, text in enumerate(graph.steps, 1)}
    for name, when in zip(named, graph.whens, strict=False):
        named[name] += depends(when)
    return named


def _few(facts: Sequence[str]) -> str:
    shown = ", ".join(facts[:_MOST_FACTS])
    more = len(facts) - _MOST_FACTS
    return f"{shown} and {more} more" if more > 0 else shown


def _dot(text: str) -> str:
    """Return a quoted string of Graphviz, line breaks as spaces."""
    plain = " ".join(text.replace("\0", " ").split())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mermaid(text: str) -> str:
    """Return a quoted string of Mermaid, its special characters and those of HTML as codes."""
    plain = " ".join(text.replace("\0", " ").split())
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return '"' + "".join(codes.get(letter, letter) for letter in plain) + '"'
