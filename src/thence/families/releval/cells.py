"""What the paper's figures count: the replies to a task, what each is worth, the printed figures.

Consistency counts by its F1, as in the paper: of each sample, then averaged. Comparison and plan
generation count by their accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thence.core.frame import Part, joined
from thence.core.statistics import Estimate, estimates
from thence.families.releval.groups import COMPARISON, CONSISTENCY, PLANS, name
from thence.families.releval.paper_figures import SOURCE, Cell, all_of, published

if TYPE_CHECKING:
    from thence.core.frame import Numbers

PLAN, CONSISTENT, COMPARE = (
    f"releval/{each}" for each in ("plan_generation", "consistency", "comparison")
)
_PAPER = {
    PLAN: {name(group) for group in PLANS},
    CONSISTENT: {name(group) for group in CONSISTENCY},
    COMPARE: {name(group) for group in COMPARISON},
}
DIMENSIONS = ("group", "framing", "notation")
OPTIONS = DIMENSIONS[1:]
_PLAIN = ("symbolic", "mixed")

type Models = Mapping[str, Part]
"""The responses to one task that count, of the last turn, by model."""


def of(found: Sequence[Any], task: str) -> dict[str, Part]:
    """The responses to a task that count, of the last turn, by model; runs of one together."""
    held: dict[str, list[Part]] = {}
    for each in found:
        part = each.tallied().final(task, DIMENSIONS)
        if len(part):
            held.setdefault(each.model or "replies", []).append(part)
    return {model: joined(parts) for model, parts in held.items()}


def worth(rows: Part) -> Numbers:
    """What each score counts for in the paper's figures."""
    return rows.value("f1") if rows.tasks == [CONSISTENT] else rows.correct()


def mean(rows: Part, value: Callable[[Part], Numbers] = worth) -> Estimate:
    """The mean of what the rows are worth, with its cluster bootstrap interval."""
    return estimates({"mean": value(rows)}, rows.clusters)["mean"]


def metric_of(metric: str) -> Callable[[Part], Numbers]:
    """Takes a metric of some rows."""
    return lambda rows: rows.value(metric)


def asked_in(rows: Part) -> list[tuple[str, str]]:
    """Framing and notation of some rows, in the order in which they come."""
    import numpy as np

    codes = np.column_stack([rows.groups[name] for name in OPTIONS])
    kinds, first = np.unique(codes, axis=0, return_index=True)
    framings, notations = (rows.names[name] for name in OPTIONS)
    return [
        (framings[kinds[place][0]] or _PLAIN[0], notations[kinds[place][1]] or _PLAIN[1])
        for place in np.argsort(first)
    ]


def put(rows: Part, framing: str, notation: str) -> Part:
    """The rows in a framing and notation."""
    chosen = [rows.coded(n, [k]) == 0 for n, k in zip(OPTIONS, (framing, notation), strict=True)]
    return rows.where(chosen[0] & chosen[1])


def printed(cell: Cell, model: str, rows: Part) -> str | None:
    """The paper's figure of a cell, if all of our samples are of its groups."""
    if (rows.coded("group", sorted(_PAPER[rows.tasks[0]])) < 0).any():
        return None
    value = published(cell, model)
    return None if value is None else f"{value / 100:.3f}"


def note(*cells: Cell) -> str:
    """All that the paper prints of some cells."""
    told = [
        f"{cell.framing if cell.notation == 'mixed' else cell.notation} {cell.metric}: {every}"
        for cell in cells
        if (every := all_of(cell))
    ]
    return f"Published in {SOURCE}, %: {'; '.join(told)}." if told else ""


def difference(
    before: Numbers, after: Numbers, clusters: Numbers
) -> tuple[Estimate, Estimate, Estimate]:
    """Both means, and the mean difference with the interval of a paired bootstrap over graphs."""
    columns = {"before": before, "after": after, "change": after - before}
    made = estimates(columns, clusters, counts=("change",))
    return made["before"], made["after"], made["change"]
