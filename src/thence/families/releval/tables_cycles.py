"""Causes of false cycles, and marks of doubt in kept thinking; the paper looks at both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from thence.core.score_frame import ScoreFrame
from thence.core.table import Chart, Entry, Table
from thence.families.releval.cells import Models, has_options, mean, metric_of, option_pairs
from thence.families.releval.false_cycles import CAUSES, LISTED, MARKS, TRUE, column

_CONSISTENT = pl.col("group").cast(pl.String).str.ends_with("_0")


def cycle_tables(models: Models) -> Iterable[Table]:
    """Yield the tables of listed cycles by their fault and of marks of doubt."""
    told: list[tuple[str, str, str, ScoreFrame]] = [
        (model, *how, rows.where(has_options(*how)))
        for model, rows in models.items()
        for how in option_pairs(rows)
    ]
    counts: list[Sequence[Entry]] = [
        (
            *(model, framing, notation),
            *(int(rows.metric(name).sum()) for name in (LISTED, TRUE, *map(column, CAUSES))),
        )
        for model, framing, notation, rows in told
        if LISTED in rows.data.columns
    ]
    yield Table(
        "releval-false-cycles",
        "Consistency: listed cycles, and the false ones by the first cause that applies",
        ("model", "framing", "notation", "listed", "true", *CAUSES),
        [row for row in counts if row[3]],
        "; ".join(f"{name}: {what}" for name, what in CAUSES.items()) + ".",
    )
    yield Table(
        "releval-thinking",
        'Consistency: how often the thinking says "wait", asks a question and speaks of a DAG',
        ("model", "framing", "notation", "n", "cycles there", *MARKS, "F1"),
        [
            (
                *(model, framing, notation, len(held), word),
                *(mean(held, metric_of(each)) for each in (*MARKS, "f1")),
            )
            for model, framing, notation, rows in told
            if MARKS[0] in rows.data.columns
            for word, chosen in (
                ("none", _CONSISTENT),
                ("some", ~_CONSISTENT),
            )
            if (held := rows.where(chosen & pl.col(MARKS[0]).is_not_null()))
        ],
        "Only replies whose thinking was kept. Means by reply.",
        Chart("bar", "model", MARKS[0], "cycles there", y_title='"wait" in a reply'),
    )
