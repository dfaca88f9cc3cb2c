"""The figures of the ProcBench paper, from our scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
import polars as pl

from thence.core.statistics import Clusters
from thence.core.table import Chart, Entry, Table
from thence.families.procbench.metrics import METRICS
from thence.families.procbench.procedure import LENGTHS, LONGEST, length_bin
from thence.families.procbench.responses import (
    STEPS_TITLE,
    TITLES,
    Groups,
    Models,
    by_group,
    figures,
    grouping_note,
    mean,
    of_length,
    ranked,
    short,
)

_CLASSES = ("PA = 1", "0.5 to 1", "0 to 0.5", "PA = 0")
_CLASSES_NOTE = "0.5 to 1 holds 0.5 and not 1; 0 to 0.5 holds neither end."


def by_length(models: Models, groups: Groups) -> Iterator[Table]:
    """Yield Figure 2: one table per metric; that of PML has the line of a faultless model."""
    found = [
        (model, steps, len(held), figures(held)) for model, steps, held in by_group(models, groups)
    ]
    for metric in METRICS:
        yield Table(
            f"procbench-figure-2-{metric}",
            f"{metric.upper()} by problem length (Figure 2)",
            ["model", "N", "n", metric],
            [[model, steps, n, held[metric]] for model, steps, n, held in found],
            ("Dashed: PML of a faultless model, which is N. " if metric == "pml" else "")
            + grouping_note(groups),
            Chart(
                "line", "N", metric, "model", x_title=STEPS_TITLE, y_title=TITLES[metric],
                ideal=metric == "pml",
            ),
        )  # fmt: skip


def _shares(rows: pl.DataFrame) -> Iterator[tuple[str, float]]:
    """Yield the classes of PA with the share of some responses in each."""
    pa = rows["pa"].to_numpy()
    inside = [pa == 1, (pa >= 0.5) & (pa < 1), (pa > 0) & (pa < 0.5), pa == 0]
    for name, held in zip(_CLASSES, inside, strict=True):
        yield name, float(held.mean())


def shares_by_size(models: Models) -> Table:
    """Return Figure 3: the classes of PA, of short, medium and long questions."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        steps = held["N"].unique()
        for name in [*(each for each, _, _ in LENGTHS), "Other"]:
            asked = of_length(held, [each for each in steps if length_bin(each) == name])
            if len(asked):
                rows += [[model, name, len(asked), *each] for each in _shares(asked)]
    return Table(
        "procbench-figure-3",
        "Share of questions by PA and problem length (Figure 3)",
        ["model", "length", "n", "pa", "share"],
        rows,
        _CLASSES_NOTE,
        Chart("stack", "length", "share", "model", "pa", "problem length", "share of questions"),
    )


def shares_by_length(models: Models, groups: Groups) -> Table:
    """Return Figure 10: the classes of PA at every length."""
    return Table(
        "procbench-figure-10",
        "Share of questions by PA at every problem length (Figure 10)",
        ["model", "N", "n", "pa", "share"],
        [
            [model, steps, len(held), *each]
            for model, steps, held in by_group(models, groups)
            for each in _shares(held)
        ],
        f"{_CLASSES_NOTE} {grouping_note(groups)}".strip(),
        Chart("stack", "N", "share", "model", "pa", STEPS_TITLE, "share of questions"),
    )


def correct_to(models: Models) -> Table:
    """Return Figure 4: of the questions with s steps or more, those whose first s are right."""
    rows: list[list[Entry]] = []
    for model, every in models.items():
        for s in range(1, LONGEST + 1):
            held = every.filter(pl.col("N") >= s)
            if len(held):
                within = Clusters(held["cluster"].to_numpy(), len(held))
                share = within.estimate((held["pml"].to_numpy() >= s).astype(float))
                rows.append([model, s, len(held), share])
    return Table(
        "procbench-figure-4",
        "Share of questions whose first s states are right (Figure 4)",
        ["model", "s", "n", "share"],
        rows,
        "PML of at least s, of the n questions that have s steps or more.",
        Chart("line", "s", "share", "model", x_title="s, steps", y_title="share with PML >= s"),
    )


def matched_by_task(models: Models, groups: Groups) -> Iterator[Table]:
    """Yield Figures 5, 11 and 12: one table per model, with a panel per task."""
    for number, (model, held) in enumerate(models.items(), 1):
        rows: list[list[Entry]] = []
        for task in ranked({model: held}):
            for steps, part in groups.items():
                asked = of_length(held, part, task)
                if len(asked):
                    rows.append([short(task), steps, len(asked), mean(asked, "pml")])
        yield Table(
            f"procbench-figure-5{f'-{number}' if len(models) > 1 else ''}",
            f"Mean PML by problem length and task, {model} (Figures 5, 11 and 12)",
            ["task", "N", "n", "pml"],
            rows,
            grouping_note(groups),
            Chart("bar", "N", "pml", x_title=STEPS_TITLE, y_title="PML, steps", panel="task"),
        )


def over_models(models: Models, metrics: Sequence[str], number: int) -> Table:
    """Return Figure 6 or 9: tasks by the median of the first metric over models, highest first."""
    found: dict[str, dict[str, list[float]]] = {}
    for task in ranked(models):
        for model, held in models.items():
            asked = held.filter(pl.col("task") == task)
            if len(asked):
                found.setdefault(task, {})[model] = [mean(asked, each) for each in metrics]
    ordered = sorted(found, key=lambda task: -median(each[0] for each in found[task].values()))
    names = [metric.upper() for metric in metrics]
    return Table(
        f"procbench-figure-{number}",
        f"Mean {', '.join(names)} by task over the models, by their median {names[0]} "
        f"(Figure {number})",
        ["task", "metric", "model", "mean"],
        [
            [short(task), name, model, held[place]]
            for task in ordered
            for place, name in enumerate(names)
            for model, held in found[task].items()
        ],
        chart=Chart(
            "box", "task", "mean", "metric" if len(names) > 1 else None, y_title=", ".join(names)
        ),
    )


def lengths_of_replies(models: Models) -> Iterator[Table]:
    """Yield Figure 13, where any reply could be read: every reply's number of states, and N."""
    points: list[list[Entry]] = []
    shares: list[list[Entry]] = []
    every = 0
    for model, held in models.items():
        read = held.drop_nulls("states").select("N", pl.col("states").cast(pl.Int64))
        if not len(read):
            continue
        every += len(read)
        counts = read.group_by("N", "states").len().sort("N", "states")
        points += [[model, *row] for row in counts.iter_rows()]
        sign = np.sign(read["states"].to_numpy() - read["N"].cast(pl.Int64).to_numpy())
        shares.append([model, len(read), *(float((sign == each).mean()) for each in (-1, 0, 1))])
    if not points:
        return
    note = "Of the replies that held any states."
    yield Table(
        "procbench-figure-13",
        "Predicted length of each reply by problem length (Figure 13)",
        ["model", "N", "states in the reply", "replies"],
        points,
        f"{note} Dashed: as many as there are steps; above it are over-long replies.",
        Chart(
            "scatter", "N", "states in the reply", "model", "replies", x_title=STEPS_TITLE,
            ideal=True,
        ),
        f"n = {every:,}",
    )  # fmt: skip
    yield Table(
        "procbench-lengths",
        "Replies with too few states, as many as there are steps, and too many",
        ["model", "n", "too short", "right length", "over-long"],
        shares,
        note,
    )
