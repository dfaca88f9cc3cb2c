"""Sentences on where a step has its facts from, and why nothing gets there from another step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.analyses.taint import links, spread
from thence.dataflow.flow import Role
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import cut
from thence.dataflow.strategies import kills_ignored, suppliers_ignored
from thence.dataflow.worlds import worlds


def elsewhere(flow: Flow, asked: Mapping[str, Any]) -> str:
    """Return from where step j has what step i makes true for it."""
    i, j = asked["i"], asked["j"]
    fact = next(fact for fact in flow.steps[j].uses if flow.does(i, Role.DEFINE, fact))
    makers = [
        k
        for k in flow.steps_with(Role.DEFINE, fact)
        if k not in {i, j} and not flow.precedes(j, k) and flow.is_possible(k, j)
    ]
    sure = [k for k in makers if flow.precedes(k, j)]
    last = flow.in_order(sure or makers)[-2:]
    named = [f"step {k + 1}" for k in last] + ["the start"] * (fact in flow.start)
    return f"which holds from {', '.join(named[:-1])}{' or ' * (len(named) > 1)}{named[-1]}"


def unreached(flow: Flow, asked: FlowQuestion) -> str:
    """Return why nothing unsafe gets from a step to another: what cuts the shortest way."""
    i, j = asked.i, asked.j
    if i is None or j is None:
        raise TypeError("a question without its steps")
    if flow.precedes(j, i):
        return f"Step {j + 1} always comes before step {i + 1}."
    for leave_out in (suppliers_ignored, kills_ignored):
        view, question = leave_out(flow, "taint", asked)
        for world in worlds(view):
            trail = spread(world, i, None, question.sanitizers)
            if j in trail:
                return _cut_at(
                    flow, [(e.source, e.fact, e.target) for e in links(trail, question, j)]
                )
    why, _ = cut(flow, asked)
    if why == "excluded":
        return f"No options let what is unsafe get all the way from step {i + 1} to step {j + 1}."
    if why == "too_early":
        return (
            f"What step {i + 1} makes true could get to step {j + 1} only through steps that "
            "come too early for it."
        )
    return f"No steps pass on to step {j + 1} what step {i + 1} makes true."


def _cut_at(flow: Flow, way: Sequence[tuple[int, str, int]]) -> str:
    """Return which step comes in between on a way, and what it does there."""
    for a, told, b in way:
        fact = told.partition("\n")[0]
        ends = flow.mask(Role.KILL, fact) | flow.mask(Role.DEFINE, fact)
        for k in members(ends & flow.descendants[a] & flow.ancestors[b]):
            does = "kills" if flow.does(k, Role.KILL, fact) else "redefines"
            return (
                f"Between step {a + 1} and step {b + 1}, step {k + 1} {does} '{fact}', and nothing "
                "unsafe gets there another way."
            )
    raise AssertionError("a way that nothing cuts")
