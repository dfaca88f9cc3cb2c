"""What the paper's figures count: the replies to a task, what each is worth, the printed figures.

Consistency counts by its F1, as in the paper: of each sample, then averaged. Comparison and plan
generation count by their accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, joined
from thence.core.statistics import Estimate, Numbers, estimates
from thence.families.releval.groups import COMPARISON, CONSISTENCY, PLANS, name
from thence.families.releval.paper_figures import SOURCE, Cell, all_of, published

PLAN, CONSISTENT, COMPARE = (
    f"releval/{each}" for each in ("plan_generation", "consistency", "comparison")
)
_PAPER = {
    PLAN: {name(group) for group in PLANS},
    CONSISTENT: {name(group) for group in CONSISTENCY},
    COMPARE: {name(group) for group in COMPARISON},
}
OPTIONS = ("framing", "notation")

type Models = Mapping[str, ScoreFrame]
"""The responses to one task that count, of the last turn, by model."""


def of(found: Sequence[Results], task: str) -> dict[str, ScoreFrame]:
    """The responses to a task that count, of the last turn, by model; runs of one together."""
    held: dict[str, list[ScoreFrame]] = {}
    for each in found:
        if rows := each.final([task]):
            held.setdefault(each.model or "replies", []).append(rows)
    return {model: joined(frames) for model, frames in held.items()}


def worth(rows: ScoreFrame) -> Numbers:
    """What each score counts for in the paper's figures."""
    return rows.metric("f1") if rows.tasks == [CONSISTENT] else rows.correct()


def mean(rows: ScoreFrame, value: Callable[[ScoreFrame], Numbers] = worth) -> Estimate:
    """The mean of what the rows are worth, with its cluster bootstrap interval."""
    return estimates({"mean": value(rows)}, rows.clusters())["mean"]


def metric_of(metric: str) -> Callable[[ScoreFrame], Numbers]:
    """Takes a metric of some rows."""
    return lambda rows: rows.metric(metric)


def asked_in(rows: ScoreFrame) -> list[tuple[str, str]]:
    """Framing and notation of some rows, in the order in which they come."""
    return rows.data.select(OPTIONS).unique(maintain_order=True).rows()


def put_in(framing: str, notation: str) -> pl.Expr:
    """The rows in a framing and notation."""
    return (pl.col("framing") == framing) & (pl.col("notation") == notation)


def printed(cell: Cell, model: str, rows: ScoreFrame) -> str | None:
    """The paper's figure of a cell, if all of our samples are of its groups."""
    if (rows.places("group", sorted(_PAPER[rows.tasks[0]])) < 0).any():
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
