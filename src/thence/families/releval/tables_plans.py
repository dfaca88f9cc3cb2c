"""Figures 1, 6 and 9 to 12: plan generation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thence.core.frame import Part
from thence.core.table import Chart, Table
from thence.families.releval.cells import Models, mean, metric_of, note, printed, worth
from thence.families.releval.paper_figures import Cell
from thence.families.releval.plans import METRICS

if TYPE_CHECKING:
    from thence.core.frame import Numbers


def plans(models: Models) -> Iterable[Table]:
    """The figures of the plans that some models made."""
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
        [(model, len(rows), mean(rows, _repeats)) for model, rows in models.items()],
        chart=Chart("bar", "model", "with duplicates", y_title="share of plans"),
    )
    yield Table(
        "releval-figures-9-12",
        "Plan generation: accuracy by number of objects and relations, mean of runs",
        ("model", "objects", "relations", "n", "accuracy"),
        [
            (model, n, m, len(rows), float(worth(rows).mean()))
            for model, every in models.items()
            for n, m, rows in _cells(every)
        ],
        chart=Chart(
            "heat", "relations", "objects", "model", "accuracy", "relations asked for",
            "objects asked for",
        ),
    )  # fmt: skip


def _by_number(models: Models, over: str) -> Table:
    """One half of Figure 1b: each has an axis of its own."""
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


def _repeats(rows: Part) -> Numbers:
    """1 where a plan was read and holds a duplicate."""
    import numpy as np

    told = rows.values.get("duplicates", np.full(len(rows), np.nan))
    held: Numbers = (rows.read() & (told == 0.0)).astype(float)
    return held


def _binned(rows: Part, over: str, width: int) -> Iterator[tuple[int, Part]]:
    """By where the bins begin."""
    import numpy as np

    lows = rows.numbers[over] // width * width
    for low in np.unique(lows).astype(int).tolist():
        yield low, rows.where(lows == low)


def _cells(rows: Part) -> Iterator[tuple[int, int, Part]]:
    """The rows by the numbers of objects and of relations."""
    import numpy as np

    sizes = np.column_stack([rows.numbers[name] for name in ("objects", "relations")])
    for n, m in np.unique(sizes, axis=0).astype(int).tolist():
        yield n, m, rows.where((sizes == (n, m)).all(axis=1))
