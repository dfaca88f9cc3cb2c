"""Intervals: the bounds of a step in the order, and sums of durations and amounts.

The latest necessary predecessor of step k is, of the steps that come before it in every execution,
the one that comes last in the canonical execution (which keeps to the text wherever the order
allows it); the earliest dependent successor is, of those that come after it in every execution, the
one that comes first there. Both are joined to step k directly by the order. Where the text is one
of the permitted orders, as in plans, they are simply the largest i < k and the smallest j > k that
the order ties to step k. With choices only steps count that some execution carries out along with
step k; the canonical order is that of all steps.

Sums of durations and amounts are the least and the greatest over all executions. Choices that share
no step are summed apart; of those that steps tie together every combination is tried, a bounded
number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thence.core.graph import bitset, members
from thence.dataflow.flow import Flow
from thence.dataflow.questions import (
    DataflowAnalysis,
    FlowQuestion,
    StepBounds,
    Verdict,
    Witness,
    present,
)
from thence.errors import UsageError

Bounds = tuple[float, float]


def _decide(flow: Flow, asked: FlowQuestion) -> Verdict:
    k = present(asked.i)
    after, before = between(flow, k)
    return Verdict((after, before), lambda: _reasons(flow, k, after, before))


def between(flow: Flow, k: int) -> StepBounds:
    """Return the latest step that must come before step k and the earliest that must come after."""
    if flow.is_total:
        at = flow.position[k]
        return (
            flow.canonical[at - 1] if at else None,
            flow.canonical[at + 1] if at + 1 < len(flow) else None,
        )
    place = flow.position.__getitem__
    if flow.choices:
        along = flow.alongside(k)
        return (
            max(members(flow.ancestors[k] & along), key=place, default=None),
            min(members(flow.descendants[k] & along), key=place, default=None),
        )
    return (
        max(flow.graph.predecessors[k], key=place, default=None),
        min(flow.graph.successors[k], key=place, default=None),
    )


def _reasons(flow: Flow, k: int, after: int | None, before: int | None) -> tuple[Witness, str]:
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
    others = [each for each in (after, before) if each is not None]
    if any(flow.taken([k], 1 << each) is not None for each in others):
        bounds[-1] += ", where it is carried out" if len(others) == 1 else ", where carried out"
    return witness, f"Step {k + 1} must happen {', and '.join(bounds)}."


def elapsed(flow: Flow, i: int, j: int) -> Bounds | None:
    """Return least and most seconds from the end of step i to the end of step j, done one by one.

    That is the sum over the steps after i, up to j included, in all executions that carry out both.

    Returns:
        The bounds; None where one of these steps has no duration.

    Raises:
        UsageError: step j does not come after step i in every execution that carries out both.
        TooManyOptions: the steps depend on too many choices together.
    """
    if not flow.precedes(i, j) or not flow.is_possible(i, j):
        raise UsageError(
            f"intervals: the steps after {i} up to {j} are not fixed; give two steps of which "
            "the first always comes first"
        )
    along = flow.alongside(i) & flow.alongside(j)
    forced = [*members(flow.descendants[i] & flow.ancestors[j] & along), j]
    free = along & ~(flow.ancestors[i] | flow.descendants[j] | bitset([i, *forced]))
    seconds = [step.seconds for step in flow.steps]
    rows = [(k, seconds[k]) for k in forced]
    rows += [(k, None if (held := seconds[k]) is None else (0.0, held[1])) for k in members(free)]
    known = [(k, held) for k, held in rows if held is not None]
    return _sum(flow, known, (i, j)) if len(known) == len(rows) else None


def summed(ranges: list[Bounds | None]) -> Bounds | None:
    """Return the exact bounds of a sum of ranges; None where one of them is not known."""
    known = [each for each in ranges if each is not None]
    if len(known) < len(ranges):
        return None
    return sum(low for low, _ in known), sum(high for _, high in known)


def amounts(flow: Flow, of: str, steps: list[int]) -> dict[str, Bounds]:
    """Return for each unit the least and greatest sum of the quantities of a thing.

    Args:
        flow: of the procedure.
        of: the thing.
        steps: the steps whose quantities are summed, in all executions; one that an execution
            leaves out adds nothing to it.
    """
    found: dict[str, list[tuple[int, Bounds]]] = {}
    for step in steps:
        for each in flow.steps[step].quantities:
            if each.of == of:
                found.setdefault(each.unit, []).append((step, (each.low, each.high)))
    return {unit: _sum(flow, rows) for unit, rows in found.items()}


def _sum(flow: Flow, rows: list[tuple[int, Bounds]], given: Iterable[int] = ()) -> Bounds:
    """Return the bounds of a sum of what steps add where they are carried out.

    Args:
        flow: of the procedure.
        rows: steps, and the bounds of what each adds.
        given: steps that every execution that counts carries out.
    """
    parts = [([{}], rows)] if flow.choices is None else flow.choices.apart(rows, given)
    low = high = 0.0
    for combinations, tied in parts:
        added = [
            [bounds for step, bounds in tied if options.items() >= set(flow.steps[step].when)]
            for options in combinations
        ]
        low += min(sum(least for least, _ in each) for each in added)
        high += max(sum(most for _, most in each) for each in added)
    return low, high


def _solve(flow: Flow) -> Iterator[FlowQuestion]:
    for k in range(len(flow)):
        after, before = between(flow, k)
        yield FlowQuestion(after, before)


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
