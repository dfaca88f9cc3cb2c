"""Figures 2, 4, 7 and 8 and Table 1: consistency and comparison, and twins on the same graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import polars as pl

from thence.core.results import Results
from thence.core.score_frame import PAIR, ScoreFrame
from thence.core.statistics import Numbers, numbered
from thence.core.table import Chart, Entry, Table
from thence.families.releval.cells import (
    COMPARE,
    CONSISTENT,
    OPTIONS,
    Models,
    bare,
    difference,
    frames_by_model,
    has_options,
    main_metric,
    mean,
    metric_of,
    note,
    option_pairs,
    printed,
)
from thence.families.releval.paper_figures import PrintedCell

_NAMES = {"f1": "F1"}
_ALONE = (
    "Without pairs: the plain twins are of other graphs, or were asked by another protocol and are "
    "never paired. "
)


def _by_options(models: Models) -> Iterable[tuple[str, str, str, ScoreFrame]]:
    """Yield the rows of each model, framing and notation."""
    for model, rows in models.items():
        for how in option_pairs(rows):
            yield model, *how, rows.where(has_options(*how))


def _columns(task: str) -> dict[str, Callable[[ScoreFrame], Numbers]]:
    if task == CONSISTENT:
        each = {metric: metric_of(metric) for metric in ("f1", "precision", "recall", "yes_no")}
        return {"exact": lambda rows: rows.correct(), **each}
    return {"accuracy": main_metric}


def overall(table: str, models: Models) -> Iterable[Table]:
    """Yield Figure 2a or 4a: all groups together, by framing and notation."""
    if not models:
        return
    full = next(iter(models.values())).tasks[0]
    task, columns = full.partition("/")[2], _columns(full)
    main = "f1" if full == CONSISTENT else "accuracy"
    rows = [
        (
            model,
            framing,
            notation,
            len(held),
            *(mean(held, value) for value in columns.values()),
            printed(PrintedCell(task, main, framing, notation), model, held),
        )
        for model, framing, notation, held in _by_options(models)
    ]
    asked = dict.fromkeys((framing, notation) for _, framing, notation, _ in _by_options(models))
    yield Table(
        table,
        f"{task.capitalize()}: {_NAMES.get(main, main)} over all groups"
        + (
            ", of each sample, then averaged; exact: all cycles and no other"
            if main == "f1"
            else ""
        ),
        ("model", "framing", "notation", "n", *columns, "published"),
        rows,
        note(*(PrintedCell(task, main, *each) for each in asked)),
        Chart("bar", "model", main, "framing", y_title=_NAMES.get(main, main)),
    )


def by_group(table: str, models: Models) -> Iterable[Table]:
    """Yield Figure 2b or 4b: each group, by framing and notation; nothing without models."""
    if not models:
        return
    full = next(iter(models.values())).tasks[0]
    task, columns = full.partition("/")[2], _columns(full)
    main = "f1" if full == CONSISTENT else "accuracy"
    asked = [
        ((model, *how), dict(whole.groups("group"))) for model, *how, whole in _by_options(models)
    ]
    several = len({how[1:] for how, _ in asked}) > 1
    rows: list[Sequence[Entry]] = [
        (
            group,
            _line(how, several),
            *how[1:],
            len(held[group]),
            *(mean(held[group], f) for f in columns.values()),
        )
        for group in dict.fromkeys(name for _, held in asked for name in held)
        for how, held in asked
        if group in held
    ]
    yield Table(
        table,
        f"{task.capitalize()} by group (objects_relations_"
        + ("shortest cycle)" if main == "f1" else "steps)"),
        ("group", "model", "framing", "notation", "n", *columns),
        rows,
        chart=Chart("line", "group", main, "model", y_title=_NAMES.get(main, main)),
    )


def _line(how: Sequence[str], several: bool) -> str:
    """Return the name of a line: of the model, and of framing and notation if there are several."""
    model, *options = how
    return f"{model}, {', '.join(options)}" if several else model


def twins(table: str, found: Sequence[Results], option: str, plain: str) -> Iterable[Table]:
    """Yield a comparison of samples with the plain twins on the same graphs, pair by pair.

    Args:
        table: name of the table.
        found: the results, as in `tables`.
        option: ``framing`` or ``notation``, in which the twins differ.
        plain: the option's value in the plain twin.
    """
    rows: list[Sequence[Entry]] = []
    cells: list[PrintedCell] = []
    place = ("framing", "notation").index(option)
    for task in (CONSISTENT, COMPARE):
        metric = "f1" if task == CONSISTENT else "accuracy"
        models = frames_by_model(found, task)
        plainly = {
            bare(model)
            for model, every in models.items()
            if plain in {how[place] for how in option_pairs(every)}
        }
        for model, every in models.items():
            kinds = dict.fromkeys(how[place] for how in option_pairs(every))
            for kind in (each for each in kinds if each != plain and bare(model) in plainly):
                sides = _paired(every, place, plain, kind)
                cell = PrintedCell(task.partition("/")[2], metric, **{option: kind})
                told: Sequence[Entry] = (None, None, None, None)
                if len(sides[0]):
                    cells.append(cell)
                    told = (*difference(*sides), printed(cell, model, every))
                rows.append((model, cell.task, kind, len(sides[0]), *told))
    what = "language framing against signs" if option == "framing" else "notation"
    alone = "" if all(row[3] for row in rows) else _ALONE
    yield Table(
        table,
        f"{what.capitalize()}, on the same graphs, paired: F1 of consistency, accuracy of "
        "comparison",
        ("model", "task", option, "pairs", plain, f"with {option}", "change", "published"),
        rows,
        alone + note(*dict.fromkeys(cells)),
    )


def _paired(
    rows: ScoreFrame, place: int, plain: str, kind: str
) -> tuple[Numbers, Numbers, Numbers]:
    """Return each graph's main metric for the plain sample and for its twin, and its cluster."""
    option, other = OPTIONS[place], OPTIONS[1 - place]
    rows = rows.where(pl.col("pair").is_not_null() & pl.col(option).is_in([plain, kind]))
    asked = rows.places(option, (plain, kind))
    same = pl.struct(PAIR.alias("pair"), pl.col(other).cast(pl.String)).hash()
    graph, first = numbered(rows.data.select(same).to_series().to_numpy())
    sides = []
    for side in (0, 1):
        there = asked == side
        often = np.bincount(graph[there], minlength=len(first))
        total = np.bincount(graph[there], main_metric(rows)[there], minlength=len(first))
        sides.append((total / np.maximum(often, 1), often > 0))
    (before, one), (after, two) = sides
    both = one & two
    return before[both], after[both], rows.clusters()[first][both]
