"""Sentences on where a step has its facts from, and why nothing gets there from another step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.analyses.taint import links, spread
from thence.dataflow.flow import Role
from thence.dataflow.graphs import EntityEdge
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.strategies import View, kills_ignored, order_ignored, suppliers_ignored
from thence.dataflow.worlds import way, worlds

_NOT_REACHED, _MADE_SAFE = "Neither what step", "Every way from step"
_SOMEWHERE = "which is there from elsewhere"


def with_sources(why: str, flow: Flow, asked: Mapping[str, Any], bad: str = "unsafe") -> str:
    """Return an explanation that names from where a step has a fact, or what cuts a way.

    Where step j always comes before step i, that is all it says of taint.

    Args:
        why: the explanation of an analysis.
        flow: of the procedure.
        asked: the question, with ``i`` and ``j`` and, of taint, ``sanitizers``.
        bad: the word for what is unsafe.
    """
    if why.startswith((_NOT_REACHED, _MADE_SAFE)):
        i, j = asked["i"], asked["j"]
        if flow.precedes(j, i):
            return f"Step {j + 1} always comes before step {i + 1}."
        if why.startswith(_MADE_SAFE):
            return why
        return _unreached(flow, FlowQuestion(i, j, None, frozenset(asked["sanitizers"])), bad)
    if why.endswith(f"{_SOMEWHERE}."):
        return why.replace(_SOMEWHERE, _elsewhere(flow, asked))
    return why


def _elsewhere(flow: Flow, asked: Mapping[str, Any]) -> str:
    """Return from where step j has what step i makes true for it."""
    i, j = asked["i"], asked["j"]
    fact = next(fact for fact in flow.steps[j].uses if flow.does(i, Role.DEFINE, fact))
    enders = [
        m for m in flow.steps_with(Role.KILL, fact) if m not in {i, j} and not flow.steps[m].when
    ]
    makers = [
        k
        for k in flow.steps_with(Role.DEFINE, fact)
        if k not in {i, j}
        and not flow.precedes(j, k)
        and flow.is_possible(k, j)
        and not any(flow.precedes(k, m) and flow.precedes(m, j) for m in enders)
    ]
    sure = [k for k in makers if flow.precedes(k, j)]
    last = flow.in_order(sure or makers)[-2:]
    named = [f"step {k + 1}" for k in last] + ["the start"] * (fact in flow.start)
    return f"which holds from {', '.join(named[:-1])}{' or ' * (len(named) > 1)}{named[-1]}"


def _unreached(flow: Flow, asked: FlowQuestion, bad: str) -> str:
    """Return why nothing unsafe gets from a step to another: what cuts the shortest way."""
    i, j = asked.i, asked.j
    if i is None or j is None:
        raise TypeError("a question without its steps")
    why = _cut(flow, asked, i, j, bad)
    if {str(i + 1), str(j + 1)}.isdisjoint(re.findall(r"[Ss]tep (\d+)", why)):
        why = f"Nothing {bad} gets from step {i + 1} to step {j + 1}: {why[0].lower()}{why[1:]}"
    return why


def _cut(flow: Flow, asked: FlowQuestion, i: int, j: int, bad: str) -> str:
    """Return what cuts a way to step j that would be if no step ended a fact or came too early."""
    ended = chain.from_iterable(
        _ways(leave_out, flow, asked, i, j) for leave_out in (suppliers_ignored, kills_ignored)
    )
    why = _first_cut(flow, ended, bad)
    if why is None and way(flow, asked, j) is None:
        why = _first_cut(flow, _ways(order_ignored, flow, asked, i, j), bad)
        if why is None and way(*order_ignored(flow, "taint", asked), j) is None:
            return f"No steps pass anything on from step {i + 1} to step {j + 1}."
    if why:
        return why
    return f"No options let what is {bad} get all the way from step {i + 1} to step {j + 1}."


def _ways(
    leave_out: Callable[[Flow, str, FlowQuestion], View],
    flow: Flow,
    asked: FlowQuestion,
    i: int,
    j: int,
) -> Iterator[Sequence[EntityEdge]]:
    """Yield a way from step i to step j for each options that have one, with a part left out."""
    view, question = leave_out(flow, "taint", asked)
    for world in worlds(view):
        trail = spread(world, i, None, question.sanitizers)
        if j in trail:
            yield links(trail, question, j)


def _first_cut(flow: Flow, ways: Iterable[Sequence[EntityEdge]], bad: str) -> str | None:
    """Return what cuts the first of some ways that is cut; "" for nothing, None without ways."""
    found = None
    for each in ways:
        found = _cut_at(flow, each, bad)
        if found:
            break
    return found


def _cut_at(flow: Flow, edges: Sequence[EntityEdge], bad: str) -> str:
    """Return what ends a fact on a way, or which step comes too early for it; "" for nothing."""
    carried_out = {step for edge in edges for step in (edge.source, edge.target)}
    for a, told, b, _ in edges:
        fact = told.partition("\n")[0]
        ends = flow.mask(Role.KILL, fact) | flow.mask(Role.DEFINE, fact)
        for k in members(ends & flow.descendants[a] & flow.ancestors[b]):
            if flow.is_possible(k, *carried_out):
                does = "kills" if flow.does(k, Role.KILL, fact) else "redefines"
                return (
                    f"Between step {a + 1} and step {b + 1}, step {k + 1} {does} '{fact}', and "
                    f"nothing {bad} gets there another way."
                )
    for a, told, b, _ in edges:
        if flow.precedes(b, a):
            fact = told.partition("\n")[0]
            return (
                f"Step {b + 1}, which uses '{fact}', always comes before step {a + 1}, which "
                f"defines it, and nothing {bad} gets there another way."
            )
    return ""
