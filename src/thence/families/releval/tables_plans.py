"""Figures 1, 6 and 9 to 12: plan generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import polars as pl

from thence import families
from thence.core.score import Outcome
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Numbers
from thence.core.table import Chart, Table
from thence.families.releval.cells import Models, main_metric, mean, metric_of, note, printed
from thence.families.releval.paper_figures import PrintedCell
from thence.families.releval.plans import METRICS

WIDTHS = {"objects": 10, "relations": 50}
"""Widths of the bins of Figure 1b."""


def plans(models: Models) -> Iterable[Table]:
    """Yield the figures of plan generation."""
    cell = PrintedCell("plan_generation", "accuracy")
    yield Table(
        "releval-figure-1a",
        "Plan generation: accuracy",
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
    yield Table(
        "releval-figure-1a-parts",
        "Plan generation: the four parts of accuracy",
        ("model", "part", "share"),
        [
            (model, families.families()["releval"].titles[part], mean(rows, metric_of(part)))
            for model, rows in models.items()
            for part in METRICS
        ],
        chart=Chart("bar", "part", "share", "model", y_title="share of plans"),
    )
    yield _joint(models)
    yield Table(
        "releval-figure-6",
        "Plan generation: share of plans that state a relation twice",
        ("model", "n", "with duplicates"),
        [(model, len(rows), mean(rows, _has_duplicates)) for model, rows in models.items()],
        chart=Chart("bar", "model", "with duplicates", y_title="share of plans"),
    )
    yield _by_size(
        "releval-figure-6-groups",
        "Plan generation: share of plans that state a relation twice, by group",
        "with duplicates",
        [(model, n, m, rows, _has_duplicates) for model, n, m, rows in _cells(models)],
    )
    yield _by_size(
        "releval-figures-9-12",
        "Plan generation: accuracy by number of objects and relations, mean of runs",
        "accuracy",
        [(model, n, m, rows, main_metric) for model, n, m, rows in _cells(models)],
    )


def _by_size(
    table: str,
    title: str,
    value: str,
    cells: Iterable[tuple[str, int, int, ScoreFrame, Callable[[ScoreFrame], Numbers]]],
) -> Table:
    """Return a heat map of a mean over objects and relations, one panel a model."""
    return Table(
        table,
        title,
        ("model", "objects", "relations", "n", value),
        [(model, n, m, len(rows), float(f(rows).mean())) for model, n, m, rows, f in cells],
        chart=Chart(
            "heat", "relations", "objects", "model", value, "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _joint(models: Models) -> Table:
    """Return Figure 1b: bins of objects and of relations, each with its right edge."""
    rows = []
    for model, every in models.items():
        sizes = {over: np.ceil(every.numbers(f"{over}_asked") / width) * width
                 for over, width in WIDTHS.items()}  # fmt: skip
        held = np.stack([sizes["objects"], sizes["relations"]])
        for n, m in np.unique(held, axis=1).T:
            inside = main_metric(every)[(held[0] == n) & (held[1] == m)]
            edges = (_bin(n, "objects"), _bin(m, "relations"))
            rows.append((model, *edges, len(inside), float(inside.mean())))
    return Table(
        "releval-figure-1b",
        "Plan generation: accuracy by number of objects and of relations, in bins that hold their "
        "right edge",
        ("model", "objects", "relations", "n", "accuracy"),
        rows,
        chart=Chart(
            "heat", "relations", "objects", "model", "accuracy", "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _bin(edge: float, over: str) -> str:
    return f"({int(edge) - WIDTHS[over]}, {int(edge)}]"


def _has_duplicates(rows: ScoreFrame) -> Numbers:
    """Return 1 where a plan was read and has duplicates, else 0."""
    read = rows.places("outcome", [Outcome.CORRECT.value, Outcome.WRONG.value]) >= 0
    held: Numbers = (read & (rows.numbers("duplicates") == 0.0)).astype(float)
    return held


def _cells(models: Models) -> Iterator[tuple[str, int, int, ScoreFrame]]:
    """Yield the rows of each model by the numbers of objects and of relations."""
    sizes = [pl.col(f"{name}_asked") for name in ("objects", "relations")]
    for model, rows in models.items():
        for n, m in rows.data.select(sizes).unique().sort(sizes).iter_rows():
            yield model, int(n), int(m), rows.where((sizes[0] == n) & (sizes[1] == m))
