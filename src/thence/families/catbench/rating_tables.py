"""The paper's tables and figure of ratings, from a filled-in sheet, with printed figures beside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.ratings import RatingScores
from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table
from thence.families.catbench import paper_figures as published
from thence.families.catbench.ratings import (
    FIGURES,
    Rated,
    figures,
    grouped,
    histogram,
    read_sheet,
)

ALL = "all models"
_HEADS = ("AVG", "MODAVG", "AVGBIN", "MAJVOTE", "kappa", "kappa, binarised")


def score(path: Path) -> RatingScores:
    """Return the figures of a filled-in sheet.

    Raises:
        FileError: the file is not such a sheet, or holds no rating.
    """
    held = read_sheet(path)
    return RatingScores(tables(held.items), to_json(held.items), held.skipped, held.blank)


def by_model(items: Sequence[Rated]) -> dict[str, list[Rated]]:
    """Return the items of each model, and of all where there are several."""
    found: dict[str, list[Rated]] = {}
    for item in items:
        found.setdefault(item.model, []).append(item)
    return {**found, ALL: list(items)} if len(found) > 1 else found


def to_json(items: Sequence[Rated]) -> dict[str, Any]:
    """Return every figure by group, of all items together and of each model."""

    def summary(held: Sequence[Rated]) -> dict[str, Any]:
        return {name: _figures(part) for name, part in grouped(held).items()}

    models = {model: summary(held) for model, held in by_model(items).items() if model != ALL}
    return {**summary(items), "models": models}


def _figures(items: Sequence[Rated]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "items": len(items),
        "ratings": sum(len(item.ratings) for item in items),
    }
    for name, each in figures(items).items():
        row[name] = None if math.isnan(each.value) else each.value
        row[f"{name}_ci"] = each.interval()
    row["histogram"] = dict(zip(("1", "2", "3", "4", "5"), histogram(items), strict=True))
    return row


def tables(items: Sequence[Rated]) -> list[Table]:
    """Return Tables 2, 8, 9 and 11 in one, and Figure 11."""
    rows: list[Sequence[Entry]] = []
    bars: list[Sequence[Entry]] = []
    for model, held in by_model(items).items():
        for name, part in grouped(held).items():
            found = figures(part)
            rows.append((model, name, len(part), *(_six(found[each]) for each in FIGURES)))
            printed = _printed(model, name)
            if printed:
                rows.append((f"{model}, printed", name, None, *printed))
        counts = histogram(held)
        bars += [(model, rating, counts[rating - 1]) for rating in range(1, 6)]
    ours = Table(
        "catbench-ratings",
        "CaT-Bench, Tables 2, 8, 9 and 11: ratings of explanations",
        ("model", "questions", "items", *_HEADS),
        rows,
        "AVG: mean over items of the mean rating; MODAVG: with 0 for wrong answers; AVGBIN: share "
        "of ratings over 3; MAJVOTE: % of items that more than half rate over 3; kappa: Fleiss' "
        "with weights cos(|j - k| pi / 8). Intervals: bootstrap over recipes.",
    )
    figure = Table(
        "catbench-figure-11",
        "CaT-Bench, Figure 11: how often each rating was given",
        ("model", "rating", "count"),
        bars,
        chart=Chart("bar", "rating", "count", "model", y_title="ratings"),
    )
    return [ours, figure]


def _six(estimate: Estimate) -> str | None:
    """Return a figure to six decimals, for comparing computations, with its interval."""
    if math.isnan(estimate.value):
        return None
    value = round(estimate.value, 6) + 0.0  # no -0.000000
    if math.isnan(estimate.low):
        return f"{value:.6f}"
    return f"{value:.6f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _printed(model: str, group: str) -> Sequence[float | None]:
    """Return the paper's figures of a model and a group; empty where it prints none."""
    if model == ALL:
        kappas = published.TABLE_11.get(group)
        return (None, None, None, None, *kappas) if kappas else ()
    name = published.known_as(model) or ""
    if group == "overall":
        row: Sequence[float | None] = published.TABLE_2.get(name, ())
        return (*row, None, None, None, None) if row else ()
    cells: Mapping[str, Sequence[float]] = published.TABLES_8_9.get(name, {})
    return (*cells[group], None, None) if group in cells else ()
