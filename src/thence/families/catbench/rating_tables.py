"""The paper's tables and figure of ratings, from filled-in sheets, with printed figures beside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.ratings import RatingScores
from thence.core.statistics import Estimate, finite
from thence.core.table import Chart, Entry, Table
from thence.families.catbench import paper_figures as published
from thence.families.catbench.rating_files import read_sheets
from thence.families.catbench.ratings import (
    FIGURES,
    Rated,
    figures,
    grouped,
    histogram,
    rater_names,
    rater_pairs,
)

ALL = "all models"
_PAIRED = ("kappa", "kappa_binary")
_HEADS = ("AVG", "MODAVG", "AVGBIN", "MAJVOTE", "kappa", "kappa, binarised")


def score(paths: Sequence[Path]) -> RatingScores:
    """Return the figures of filled-in sheets.

    Raises:
        FileError: one is not such a sheet, or none holds a rating.
    """
    held = read_sheets(paths)
    made = (tables(held.items), to_json(held.items))
    return RatingScores(*made, held.skipped, held.blank, held.notes)


def by_model(items: Sequence[Rated]) -> dict[str, list[Rated]]:
    """Return the items of each model, and of all where there are several."""
    found: dict[str, list[Rated]] = {}
    for item in items:
        found.setdefault(item.model, []).append(item)
    return {**found, ALL: list(items)} if len(found) > 1 else found


def to_json(items: Sequence[Rated]) -> dict[str, Any]:
    """Return every figure by group, of all items together, of each model and of each two raters."""

    def summary(held: Sequence[Rated]) -> dict[str, Any]:
        return {name: _figures(part) for name, part in grouped(held).items()}

    models = {model: summary(held) for model, held in by_model(items).items() if model != ALL}
    raters = [
        {"rater": name, "ratings": sum(name in item.raters for item in items)}
        for name in rater_names(items)
    ]
    pairs = [
        {
            "raters": list(pair.raters),
            "items": pair.items,
            "equal": pair.equal,
            **{name: finite(pair.figures[name].value) for name in _PAIRED},
        }
        for pair in rater_pairs(items)
    ]
    return {**summary(items), "models": models, "raters": raters, "pairs": pairs}


def _figures(items: Sequence[Rated]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "items": len(items),
        "ratings": sum(len(item.ratings) for item in items),
    }
    for name, each in figures(items).items():
        row[name] = finite(each.value)
        row[f"{name}_ci"] = each.interval()
    row["histogram"] = dict(zip(("1", "2", "3", "4", "5"), histogram(items), strict=True))
    return row


def tables(items: Sequence[Rated]) -> list[Table]:
    """Return Tables 2, 8, 9 and 11 in one, Figure 11, and the agreement of each two raters."""
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
    pairs = [
        (*pair.raters, pair.items, pair.equal, *(_six(pair.figures[name]) for name in _PAIRED))
        for pair in rater_pairs(items)
    ]
    agreement = Table(
        "catbench-raters",
        "Agreement of each two raters",
        ("rater", "and rater", "items", "equal", "kappa", "kappa, binarised"),
        pairs,
        "Over the items that both rated. equal: share of equal ratings; kappa as above.",
    )
    return [ours, figure, *([agreement] if pairs else [])]


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
