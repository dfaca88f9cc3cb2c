"""Step-dependency graph and entity-flow graph of a procedure, and the order that conflicts make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise, permutations, product
from typing import Any, NamedTuple

from thence.core.graph import Graph, members
from thence.core.procedure import Choice, Pair, Procedure, Step, Taken, never_both
from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.problems import REACHING
from thence.dataflow.solver import arrivals


class Conflict(NamedTuple):
    """Two roles of two steps towards a fact that fix their order."""

    fact: str
    first: Role
    second: Role


def conflicts(a: Step, b: Step) -> list[Conflict]:
    """Return every conflict of two steps: a fact towards which they play different roles.

    That is, one kills what the other uses or defines, or one defines what the other uses.
    """
    of_a, of_b = _facts(a), _facts(b)
    return [
        Conflict(fact, first, second)
        for first, second in _DIFFERENT
        for fact in _common(of_a[first], of_b[second])
    ]


_DIFFERENT = tuple(permutations(Role, 2))


def _facts(step: Step) -> dict[Role, tuple[str, ...]]:
    return {Role.USE: step.uses, Role.KILL: step.kills, Role.DEFINE: step.defines}


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> list[str]:
    return [fact for fact in dict.fromkeys(a) if fact in b] if a and b else []


def excludes(a: Step, b: Step) -> bool:
    """Return whether two steps depend on different options of one choice."""
    return never_both(a.when, b.when)


def conflict_order(steps: Sequence[Step]) -> tuple[Pair, ...]:
    """Return the order of a plan: i before j wherever steps i < j conflict, transitively reduced.

    On each fact the steps form runs that play one and the same role; only neighbouring runs need
    to be joined, as any other conflict then follows. Steps that depend on different options of one
    choice are never both carried out and need no order; where steps depend on options, therefore,
    each pair is looked at.

    Returns:
        The pairs of the transitive reduction, ascending.
    """
    edges: dict[Pair, None] = {}
    if any(step.when for step in steps):
        return _order_of_options(steps)
    for runs in _runs(steps).values():
        for (_, earlier), (_, later) in pairwise(runs):
            edges.update(dict.fromkeys((i, j) for i in earlier for j in later))
    return tuple(sorted(Graph(len(steps), edges).transitive_reduction()))


def _order_of_options(steps: Sequence[Step]) -> tuple[Pair, ...]:
    named: dict[str, dict[str, None]] = {}
    for step in steps:
        for choice, option in step.when:
            named.setdefault(choice, {})[option] = None
    choices = tuple(Choice(name, tuple(options)) for name, options in named.items())
    flow = Flow(Procedure("", tuple(steps), choices=choices))
    after, kept = [0] * len(steps), []
    for i in reversed(range(len(steps))):
        for j in members((flow.conflicting(i) & flow.alongside(i)) >> i + 1 << i + 1):
            if not after[i] >> j & 1:
                kept.append((i, j))
                after[i] |= after[j] | 1 << j
    return tuple(sorted(kept))


def _runs(steps: Sequence[Step]) -> dict[str, list[tuple[Role | None, list[int]]]]:
    """Return fact -> maximal runs of steps with one role; several roles make a run alone."""
    runs: dict[str, list[tuple[Role | None, list[int]]]] = {}
    for place, step in enumerate(steps):
        roles: dict[str, Role | None] = {}
        for role, facts in _facts(step).items():
            for fact in dict.fromkeys(facts):
                roles[fact] = None if fact in roles else role
        for fact, only in roles.items():
            held = runs.setdefault(fact, [])
            if only is not None and held and held[-1][0] is only:
                held[-1][1].append(place)
            else:
                held.append((only, [place]))
    return runs


class Label(Enum):
    """Fate of an entity at the target of an edge."""

    CREATION = "creation"
    MODIFICATION = "modification"
    CONSUMPTION = "consumption"


class EntityEdge(NamedTuple):
    """Flow of a fact from the step that defines it to a step that uses it.

    Attributes:
        source: the step, or START.
        fact: the fact.
        target: the step. Of a creation it is the source itself.
        label: MODIFICATION where the target uses the fact and defines it anew, CONSUMPTION where
            it uses it otherwise, CREATION where it defines it without using it.
    """

    source: int
    fact: str
    target: int
    label: Label


@cached
def entity_edges(flow: Flow) -> list[EntityEdge]:
    """Return every edge along which a fact reaches a use in some execution, from START too."""
    return list(_entity_edges(flow))


def _entity_edges(flow: Flow) -> Iterator[EntityEdge]:
    defines = flow.facts_by_step(Role.DEFINE)
    for j, fact, sources in arrivals(REACHING, flow):
        label = Label.MODIFICATION if fact in defines[j] else Label.CONSUMPTION
        for i in sources:
            yield EntityEdge(i, fact, j, label)


@dataclass(frozen=True, slots=True)
class EntityFlowGraph:
    """Graph of the entities that go from step to step.

    Attributes:
        goal: of the procedure.
        steps: their texts.
        edges: by target, then source, then fact.
        whens: for each step the options on which it depends; nothing where there are no choices.
    """

    goal: str
    steps: tuple[str, ...]
    edges: tuple[EntityEdge, ...]
    whens: tuple[tuple[Taken, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the graph ready for JSON; steps from 0, ``from`` null for the start."""
        edges = [
            {
                "from": None if edge.source == START else edge.source,
                "fact": edge.fact,
                "to": edge.target,
                "label": edge.label.value,
            }
            for edge in self.edges
        ]
        return _row(self, edges)


def entity_flow_graph(flow: Flow) -> EntityFlowGraph:
    """Return the graph of all creations, modifications and consumptions."""
    created = [
        EntityEdge(i, fact, i, Label.CREATION)
        for i, step in enumerate(flow.steps)
        if flow.is_possible(i)
        for fact in dict.fromkeys(step.defines)
        if fact not in step.uses
    ]
    edges = sorted(
        (*created, *entity_edges(flow)), key=lambda edge: (edge.target, edge.source, edge.fact)
    )
    return EntityFlowGraph(flow.procedure.goal, _texts(flow), tuple(edges), _whens(flow))


class StepEdge(NamedTuple):
    """Dependency of step ``target`` on step ``source``, which comes first.

    Attributes:
        source: a step.
        target: a later one.
        because: the conflicts that tie them, by fact.
        needs: the facts of the source that reach a use in the target.
    """

    source: int
    target: int
    because: tuple[Conflict, ...]
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepDependencyGraph:
    """Graph of the dependencies between steps.

    Attributes:
        goal: of the procedure.
        steps: their texts.
        edges: ascending.
        whens: for each step the options on which it depends; nothing where there are no choices.
    """

    goal: str
    steps: tuple[str, ...]
    edges: tuple[StepEdge, ...]
    whens: tuple[tuple[Taken, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the graph ready for JSON; steps from 0."""
        edges = [
            {
                "from": edge.source,
                "to": edge.target,
                "needs": list(edge.needs),
                "because": [
                    {"fact": each.fact, "from_does": each.first.value, "to_does": each.second.value}
                    for each in edge.because
                ],
            }
            for edge in self.edges
        ]
        return _row(self, edges)


def step_dependency_graph(flow: Flow) -> StepDependencyGraph:
    """Return the graph with an edge i -> j wherever i comes first and the two steps conflict.

    Steps that no execution carries out together have no edge.
    """
    ties: dict[Pair, list[Conflict]] = {}
    for fact in flow.facts:
        for first, second in permutations(Role, 2):
            for a, b in product(flow.steps_with(first, fact), flow.steps_with(second, fact)):
                if a != b and flow.precedes(a, b) and flow.is_possible(a, b):
                    ties.setdefault((a, b), []).append(Conflict(fact, first, second))
    needs: dict[Pair, list[str]] = {}
    for edge in entity_edges(flow):
        needs.setdefault((edge.source, edge.target), []).append(edge.fact)
    edges = (
        StepEdge(a, b, tuple(ties[a, b]), tuple(needs.get((a, b), ()))) for a, b in sorted(ties)
    )
    return StepDependencyGraph(flow.procedure.goal, _texts(flow), tuple(edges), _whens(flow))


def _texts(flow: Flow) -> tuple[str, ...]:
    return tuple(step.text for step in flow.steps)


def _whens(flow: Flow) -> tuple[tuple[Taken, ...], ...]:
    return tuple(step.when for step in flow.steps) if flow.choices else ()


def _row(
    graph: EntityFlowGraph | StepDependencyGraph, edges: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return a graph ready for JSON; the options of steps only where there are choices."""
    row: dict[str, Any] = {"goal": graph.goal, "steps": list(graph.steps), "edges": edges}
    if graph.whens:
        row["when"] = [[list(taken) for taken in when] for when in graph.whens]
    return row
