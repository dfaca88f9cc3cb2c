"""Figures 1, 6 and 9 to 12: plan generation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from thence.core.score import Outcome
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Numbers
from thence.core.table import Chart, Table
from thence.families.releval.cells import Models, main_metric, mean, metric_of, note, printed
from thence.families.releval.paper_figures import Cell
from thence.families.releval.plans import METRICS


def plans(models: Models) -> Iterable[Table]:
    """Yield the figures of plan generation."""
    cell = Cell("plan_generation", "accuracy")
    yield Table(
        "releval-figure-1a",
        "Plan generation: accuracy and its four parts",
        ("model", "n", "accuracy", *METRICS, "published"),
        [
            (
                model,
                len(rows),
                mean(rows),
                *(mean(rows, metric_of(part)) for part in METRICS),
                printed(cell, model, rows),
            )
            for model, rows in models.items()
        ],
        note(cell),
        Chart("bar", "model", "accuracy", y_title="accuracy"),
    )
    yield from (_by_number(models, over) for over in ("objects", "relations"))
    yield Table(
        "releval-figure-6",
        "Plan generation: share of plans that state a relation twice",
        ("model", "n", "with duplicates"),
        [(model, len(rows), mean(rows, _has_duplicates)) for model, rows in models.items()],
        chart=Chart("bar", "model", "with duplicates", y_title="share of plans"),
    )
    yield Table(
        "releval-figures-9-12",
        "Plan generation: accuracy by number of objects and relations, mean of runs",
        ("model", "objects", "relations", "n", "accuracy"),
        [
            (model, n, m, len(rows), float(main_metric(rows).mean()))
            for model, every in models.items()
            for n, m, rows in _cells(every)
        ],
        chart=Chart(
            "heat", "relations", "objects", "model", "accuracy", "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _by_number(models: Models, over: str) -> Table:
    """Return one half of Figure 1b: each half has an axis of its own."""
    width = 10 if over == "objects" else 50
    binned = {model: dict(_binned(rows, over, width)) for model, rows in models.items()}
    starts = sorted({start for held in binned.values() for start in held})
    return Table(
        f"releval-figure-1b-{over}",
        f"Plan generation: accuracy by number of {over}, half-open bins",
        (over, "model", "n", "accuracy"),
        [
            (f"[{start}, {start + width})", model, len(held[start]), mean(held[start]))
            for start in starts
            for model, held in binned.items()
            if start in held
        ],
        chart=Chart(
            "line", over, "accuracy", "model", x_title=f"{over} asked for", y_title="accuracy"
        ),
    )


def _has_duplicates(rows: ScoreFrame) -> Numbers:
    """Return 1 where a plan was read and has duplicates, else 0."""
    read = rows.places("outcome", [Outcome.CORRECT.value, Outcome.WRONG.value]) >= 0
    held: Numbers = (read & (rows.numbers("duplicates") == 0.0)).astype(float)
    return held


def _binned(rows: ScoreFrame, over: str, width: int) -> Iterator[tuple[int, ScoreFrame]]:
    """Yield the rows by the start of their bin."""
    low = pl.col(f"{over}_asked") // width * width
    for start in rows.data.select(low).to_series().unique().sort():
        yield int(start), rows.where(low == start)


def _cells(rows: ScoreFrame) -> Iterator[tuple[int, int, ScoreFrame]]:
    """Yield the rows by the numbers of objects and of relations."""
    sizes = [pl.col(f"{name}_asked") for name in ("objects", "relations")]
    for n, m in rows.data.select(sizes).unique().sort(sizes).iter_rows():
        yield int(n), int(m), rows.where((sizes[0] == n) & (sizes[1] == m))
