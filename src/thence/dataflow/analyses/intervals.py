"""Intervals: the bounds of a step in the order, and sums of durations and amounts.

The latest necessary predecessor of step k is, of the steps that come before it in every execution,
the one that comes last in the canonical execution (which keeps to the text wherever the order
allows it); the earliest dependent successor is, of those that come after it in every execution, the
one that comes first there. Both are joined to step k directly by the order. Where the text is one
of the permitted orders, as in plans, they are simply the largest i < k and the smallest j > k that
the order ties to step k.
"""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow.flow import Flow
from thence.dataflow.questions import DataflowAnalysis, Question, Verdict, Witness
from thence.errors import UsageError

Bounds = tuple[float, float]


def _decide(flow: Flow, asked: Question) -> Verdict:
    k = asked.i
    if k is None:
        raise TypeError("the question was not checked")
    after, before = between(flow, k)
    return Verdict((after, before), lambda: _reasons(k, after, before))


def between(flow: Flow, k: int) -> tuple[int | None, int | None]:
    """Return the latest step that must come before step k and the earliest that must come after."""
    if flow.is_total:
        at = flow.position[k]
        return (
            flow.canonical[at - 1] if at else None,
            flow.canonical[at + 1] if at + 1 < len(flow) else None,
        )
    place = flow.position.__getitem__
    return (
        max(flow.graph.predecessors[k], key=place, default=None),
        min(flow.graph.successors[k], key=place, default=None),
    )


def _reasons(k: int, after: int | None, before: int | None) -> tuple[Witness, str]:
    witness: Witness = {"after": after, "before": before}
    if after is None and before is None:
        return (
            witness,
            f"Step {k + 1} can happen at any time: it waits for no step, nor any for it.",
        )
    bounds = []
    if after is not None:
        bounds.append(f"after step {after + 1}, the last that it must wait for")
    if before is not None:
        bounds.append(f"before step {before + 1}, the first that must wait for it")
    return witness, f"Step {k + 1} must happen {', and '.join(bounds)}."


def elapsed(flow: Flow, i: int, j: int) -> Bounds | None:
    """Return least and most seconds from the end of step i to the end of step j, done one by one.

    That is the sum over the steps after i, up to j included.

    Returns:
        The bounds; None where one of these steps has no duration.

    Raises:
        UsageError: the order is not total, or step j does not come after step i.
    """
    if not flow.is_total or not flow.precedes(i, j):
        raise UsageError(
            f"intervals: the steps after {i} up to {j} are not fixed; give two steps of a "
            "procedure whose order is total, the earlier first"
        )
    chosen = flow.canonical[flow.position[i] + 1 : flow.position[j] + 1]
    return summed([flow.steps[step].seconds for step in chosen])


def summed(ranges: list[Bounds | None]) -> Bounds | None:
    """Return the exact bounds of a sum of ranges; None where one of them is not known."""
    known = [each for each in ranges if each is not None]
    if len(known) < len(ranges):
        return None
    return sum(low for low, _ in known), sum(high for _, high in known)


def amounts(flow: Flow, of: str, steps: list[int]) -> dict[str, Bounds]:
    """Return for each unit the least and greatest sum of the quantities of a thing."""
    found: dict[str, Bounds] = {}
    for step in steps:
        for each in flow.steps[step].quantities:
            if each.of == of:
                low, high = found.get(each.unit, (0.0, 0.0))
                found[each.unit] = (low + each.low, high + each.high)
    return found


def _solve(flow: Flow) -> Iterator[Question]:
    for k in range(len(flow)):
        after, before = between(flow, k)
        yield Question(after, before)


ANALYSIS = DataflowAnalysis(
    rank=5,
    name="intervals",
    title="interval analysis",
    reasoning="temporal",
    definition=(
        "The interval of a step is bounded by the latest step that must come before it and the "
        "earliest step that must come after it."
    ),
    asks=("i",),
    rule=_decide,
    solve=_solve,
)
