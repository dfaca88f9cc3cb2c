"""Responses by task and model for the paper's figures, main metrics and printed figures.

The main metric of consistency is F1, as in the paper: computed per sample, then averaged. The main
metric of comparison and plan generation is accuracy. Figures are of first answers; those of a
second turn stand in Figure 3 alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import polars as pl

from thence.core.results import Results
from thence.core.score_frame import COUNTS, ScoreFrame, joined, of_turn
from thence.core.statistics import Estimate, Numbers, estimates
from thence.families.releval.groups import COMPARISON, CONSISTENCY, PLANS, name
from thence.families.releval.paper_figures import SOURCE, PrintedCell, all_of, published

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
"""Counted first-turn responses to one task, by model."""

_DIRECT, _SECOND = "direct", "are_you_sure"


def frames_by_model(found: Sequence[Results], task: str) -> dict[str, ScoreFrame]:
    """Return the counted first-turn responses to a task by model; runs asked alike are joined.

    A model that was asked by several protocols has an entry for each, named after it.
    """
    held: dict[tuple[str, str], list[ScoreFrame]] = {}
    for each in found:
        frame = each.frames.get(task)
        rows = frame and frame.where(of_turn(0) & COUNTS)
        if rows:
            held.setdefault((each.model or "replies", asked_by(each)), []).append(rows)
    often = Counter(model for model, _ in held)
    return {
        f"{model} ({protocol})" if often[model] > 1 else model: joined(frames)
        for (model, protocol), frames in held.items()
    }


def bare(model: str) -> str:
    """Return the name of a model without its protocol."""
    return model.partition(" (")[0]


def asked_by(each: Results) -> str:
    """Return the protocol of a run's first turn, with its settings."""
    parts = [part for part in each.protocol.split("+") if part not in {_DIRECT, _SECOND}]
    name = "+".join(parts) or (_DIRECT if each.protocol else "unknown protocol")
    given = [f"{key}={value}" for key, value in sorted(each.settings.items()) if key != "words"]
    return f"{name}, {', '.join(given)}" if given else name


def main_metric(rows: ScoreFrame) -> Numbers:
    """Return the main metric of each response."""
    return rows.metric("f1") if rows.tasks == [CONSISTENT] else rows.correct()


def mean(rows: ScoreFrame, value: Callable[[ScoreFrame], Numbers] = main_metric) -> Estimate:
    """Return the mean of a metric of the rows, with its cluster bootstrap interval."""
    return estimates({"mean": value(rows)}, rows.clusters())["mean"]


def metric_of(metric: str) -> Callable[[ScoreFrame], Numbers]:
    """Return a function that returns a metric of some rows."""
    return lambda rows: rows.metric(metric)


def option_pairs(rows: ScoreFrame) -> list[tuple[str, str]]:
    """Return the framings and notations of some rows, by first occurrence."""
    return rows.data.select(OPTIONS).unique(maintain_order=True).rows()


def has_options(framing: str, notation: str) -> pl.Expr:
    """Return the condition for rows of a framing and notation."""
    return (pl.col("framing") == framing) & (pl.col("notation") == notation)


def printed(cell: PrintedCell, model: str, rows: ScoreFrame) -> str | None:
    """Return the paper's figure of a cell, if all of our samples are of its groups."""
    if (rows.places("group", sorted(_PAPER[rows.tasks[0]])) < 0).any():
        return None
    value = published(cell, model)
    return None if value is None else f"{value / 100:.3f}"


def note(*cells: PrintedCell) -> str:
    """Return all figures that the paper prints for some cells."""
    clauses = [
        f"{cell.framing if cell.notation == 'mixed' else cell.notation} {cell.metric}: {every}"
        for cell in cells
        if (every := all_of(cell))
    ]
    return f"Published in {SOURCE}, %: {'; '.join(clauses)}." if clauses else ""


def difference(
    before: Numbers, after: Numbers, clusters: Numbers
) -> tuple[Estimate, Estimate, Estimate]:
    """Return both means, and their mean difference with a paired bootstrap over graphs."""
    columns = {"before": before, "after": after, "change": after - before}
    made = estimates(columns, clusters, counts=("change",))
    return made["before"], made["after"], made["change"]
