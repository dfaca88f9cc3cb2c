"""Concurrency: two steps in no order that do not conflict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from thence.core.graph import members
from thence.dataflow import sentences
from thence.dataflow.flow import Flow
from thence.dataflow.graphs import conflicts
from thence.dataflow.questions import DataflowAnalysis, FlowQuestion, Verdict, Witness, pair, pairs
from thence.dataflow.sentences import Scope, under_options


def _decide(flow: Flow, asked: FlowQuestion) -> Verdict:
    i, j = pair(asked)
    answer = may_coincide(flow, i, j)
    if not answer:
        return Verdict(answer, lambda: _apart(flow, i, j))
    return Verdict(
        answer,
        lambda: under_options(
            flow,
            flow.taken([i, j]),
            lambda left, scope: _together(left, scope, i, j),
            lambda left: may_coincide(left, i, j),
            (i, j),
        ),
    )


def may_coincide(flow: Flow, i: int, j: int) -> bool:
    """Return whether two steps are unordered, can both be carried out and do not conflict."""
    unordered = i != j and not flow.precedes(i, j) and not flow.precedes(j, i)
    return unordered and flow.is_possible(i, j) and not conflicts(flow.steps[i], flow.steps[j])


def _together(flow: Flow, scope: Scope, i: int, j: int) -> tuple[Witness, str]:
    execution = flow.closest_execution(i, j)
    shown = sentences.in_order(scope, execution, (i, j))
    return {"execution": execution}, (
        f"No order is required between step {i + 1} and step {j + 1}, and neither kills what the "
        "other uses or defines, nor defines what the other uses. "
        f"The two stand side by side, and can change places, {shown}."
    )


def _apart(flow: Flow, i: int, j: int) -> tuple[Witness, str]:
    if i == j:
        return {"step": i}, f"Step {i + 1} is one step."
    if never := sentences.never_both(flow, i, j):
        return never
    a, b = (i, j) if flow.precedes(i, j) else (j, i)
    if flow.precedes(a, b):
        order = flow.chain(a, b)
        return {"order": order}, (
            f"Step {a + 1} must come before step {b + 1}{sentences.by_way_of(order[1:-1])}."
            f"{sentences.kept_apart(flow, order)}"
        )
    found = conflicts(flow.steps[i], flow.steps[j])[0]
    return {"fact": found.fact, "does": [found.first.value, found.second.value]}, (
        f"Step {i + 1} {found.first.value} '{found.fact}', which step {j + 1} {found.second.value}."
    )


def companions(flow: Flow) -> Iterator[tuple[int, int]]:
    """Yield each step that has parallel steps, and their bitset."""
    if flow.is_total:
        return
    for i in range(len(flow)):
        apart = flow.ancestors[i] | flow.descendants[i] | flow.conflicting(i) | 1 << i
        if free := flow.alongside(i) & ~apart:
            yield i, free


def _solve(flow: Flow) -> Iterator[FlowQuestion]:
    return chain.from_iterable(
        pairs(i, members(free >> i + 1 << i + 1)) for i, free in companions(flow)
    )


ANALYSIS = DataflowAnalysis(
    rank=8,
    name="concurrency",
    title="concurrency analysis",
    reasoning="temporal",
    definition=(
        "Two steps may be done at the same time if neither has to come before the other and "
        "neither kills what the other uses or defines, nor defines what the other uses."
    ),
    asks=("i", "j"),
    rule=_decide,
    solve=_solve,
)
