"""The tables and figures of the ProcBench paper, from our scores, with its own Table 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np
import polars as pl

from thence import families
from thence.core.failures import plural
from thence.core.results import Results
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Clusters, Estimate, Values
from thence.core.table import Chart, Entry, Table
from thence.families.procbench import paper_figures as paper
from thence.families.procbench.metrics import COUNTS, METRICS
from thence.families.procbench.procedure import LENGTHS, LONGEST, length_bin

type Models = Mapping[str, pl.DataFrame]
"""Counted last-turn responses of each model, in the columns of `_responses`."""

type Groups = Mapping[int, Sequence[int]]

_BASELINES = "baseline/"
_PLACES = 25  # maximal number of lengths on an axis; the paper has 24
_TENTHS = 10
_LISTED = 20  # maximal number of suspect ids that are listed
_SPREAD = ("least", "lower quartile", "median", "upper quartile", "most")
_STEPS = "problem length N, steps"
_TITLES = {
    "pa": "prefix accuracy",
    "sm": "sequential match",
    "fm": "final match",
    "pml": "prefix match length, steps",
}


def tables(results: Sequence[Results]) -> list[Table]:
    """Return Table 2 and every figure that the responses allow; runs of one model are joined."""
    held: dict[str, list[pl.DataFrame]] = {}
    for each in results:
        tasks = [name for name in each.frames if name.startswith("procbench/")]
        if rows := each.final(tasks):
            held.setdefault(each.model or "replies", []).append(_responses(rows))
    if not held:
        return []
    models = {model: pl.concat(frames) for model, frames in held.items()}
    groups = _groups(models)
    return [
        _table_2(models),
        *_by_length(models, groups),
        _spreads(models),
        _reached(models),
        _maps(models, groups),
        _over_models(models, "pa", 6),
        _over_models(models, "sm", 9),
        _shares(models, groups),
        *_predicted_lengths(models, groups),
        _always_zero(models, results),
    ]


def _responses(rows: ScoreFrame) -> pl.DataFrame:
    """Return the columns for the tables, with hashes for ids, as ids take more memory."""
    read = "states" in rows.data.columns
    return rows.data.select(
        pl.col("task").cast(pl.String),
        pl.col("steps").cast(pl.String).cast(pl.UInt32).alias("N"),
        pl.col("id").hash().alias("question"),
        rows.cluster.alias("cluster"),
        (pl.col("states") if read else pl.lit(None, pl.Float64)).alias("states"),
        *(pl.col(name).fill_null(0.0) for name in METRICS),
    )


def _of_length(
    rows: pl.DataFrame, lengths: Collection[int], task: str | None = None
) -> pl.DataFrame:
    """Return the responses to questions of some lengths, of one task or of all."""
    chosen = pl.col("N").is_in(list(lengths))
    return rows.filter(chosen if task is None else chosen & (pl.col("task") == task))


def _figures(rows: pl.DataFrame, names: Sequence[str] = METRICS) -> dict[str, Estimate]:
    """Return the means of some metrics of at least one response, with their intervals."""
    within = Clusters(rows["cluster"].to_numpy(), len(rows))
    return {name: within.estimate(rows[name].to_numpy(), count=name in COUNTS) for name in names}


def _mean(rows: pl.DataFrame, name: str) -> float:
    total: float = sum(rows[name].to_list())
    return total / len(rows)


def _table_2(models: Models) -> Table:
    """Return Table 2."""
    bins = {name: range(first, last + 1) for name, first, last in LENGTHS}
    bins["Overall"] = range(LENGTHS[0][1], LENGTHS[-1][2] + 1)
    other = {steps for steps in _all_lengths(models) if length_bin(steps) == "Other"}
    rows: list[list[Entry]] = []
    for model, held in models.items():
        row: list[Entry] = [model]
        for lengths in [*bins.values(), *([other] if other else [])]:
            asked = _of_length(held, lengths)
            found = _figures(asked, ("pa", "sm")) if len(asked) else {}
            row += [found.get("pa"), found.get("sm")]
        rows.append(row)
    for model, pairs in paper.TABLE_2.items():
        figures = [figure for pair in pairs for figure in pair]
        rows.append([f"{model} (paper)", *figures, *([None, None] if other else [])])
    names = [*bins, *(["Other"] if other else [])]
    bins_named = ", ".join(f"{name} N {first}-{last}" for name, first, last in LENGTHS)
    return Table(
        "procbench-table-2",
        "PA and SM by problem length (Table 2)",
        ["model", *(f"{metric} {name}" for name in names for metric in ("PA", "SM"))],
        rows,
        f"{bins_named}; Overall: all of these. (paper): {paper.SOURCE}, Table 2, of "
        f"{paper.QUESTIONS:,} questions in the authors' wording.",
    )


def _all_lengths(models: Models) -> list[int]:
    return sorted({steps for held in models.values() for steps in held["N"].unique()})


def _groups(models: Models) -> dict[int, list[int]]:
    """Return the lengths that share a place on the axis, by the middle length."""
    every = _all_lengths(models)
    number = min(len(every), _PLACES)
    ends = [place * len(every) // number for place in range(number + 1)]
    parts = [every[low:high] for low, high in pairwise(ends)]
    return {part[len(part) // 2]: part for part in parts}


def _grouping_note(groups: Groups) -> str:
    """Return the note for figures in which several lengths share a place."""
    several = any(len(part) > 1 for part in groups.values())
    return "Neighbouring lengths are taken together; N is the middle one." if several else ""


def _by_group(models: Models, groups: Groups) -> Iterator[tuple[str, int, pl.DataFrame]]:
    for model, held in models.items():
        for steps, part in groups.items():
            rows = _of_length(held, part)
            if len(rows):
                yield model, steps, rows


def _by_length(models: Models, groups: Groups) -> Iterator[Table]:
    """Yield Figure 2: one table per metric."""
    found = [
        (model, steps, len(held), _figures(held))
        for model, steps, held in _by_group(models, groups)
    ]
    for metric in METRICS:
        yield Table(
            f"procbench-figure-2-{metric}",
            f"{metric.upper()} by problem length (Figure 2)",
            ["model", "N", "n", metric],
            [[model, steps, n, figures[metric]] for model, steps, n, figures in found],
            _grouping_note(groups),
            Chart("line", "N", metric, "model", x_title=_STEPS, y_title=_TITLES[metric]),
        )


def _spreads(models: Models) -> Table:
    """Return Figure 3: five numbers per box, which define the same box as all the values."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        steps = held["N"].unique()
        for name in [*(each for each, _, _ in LENGTHS), "Other"]:
            values = _of_length(held, [each for each in steps if length_bin(each) == name])["pa"]
            if len(values):
                spread = zip(_SPREAD, five_numbers(values.to_numpy()), strict=True)
                rows += [[model, name, which, value] for which, value in spread]
    return Table(
        "procbench-figure-3",
        "Distribution of PA by problem length (Figure 3)",
        ["model", "length", "of the questions", "pa"],
        rows,
        "The distribution at every single length is Figure 10.",
        Chart("box", "length", "pa", "model", x_title="problem length", y_title=_TITLES["pa"]),
    )


def five_numbers(values: Values) -> list[float]:
    """Return minimum, quartiles and maximum; quartiles are interpolated between values."""
    ordered = np.sort(np.asarray(values, dtype=float))
    most = len(ordered) - 1
    found = []
    for quarter in range(5):
        low, rest = divmod(quarter * most, 4)
        left, right = float(ordered[low]), float(ordered[min(low + 1, most)])
        found.append((left * (4 - rest) + right * rest) / 4)
    return found


def _reached(models: Models) -> Table:
    """Return Figure 4."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        matched, within = held["pml"].to_numpy(), Clusters(held["cluster"].to_numpy(), len(held))
        for s in range(1, LONGEST + 1):
            share = within.estimate((matched >= s).astype(float))
            rows.append([model, s, share, int((held["N"] >= s).sum()) / len(held)])
    return Table(
        "procbench-figure-4",
        "Share of questions whose first s states are right (Figure 4)",
        ["model", "s", "share", "at most"],
        rows,
        "PML of at least s, of all questions; at most: the share of questions that have s steps.",
        Chart("line", "s", "share", "model", x_title="s, steps", y_title="share with PML >= s"),
    )


def _ranked(models: Models) -> list[str]:
    """Return the tasks with responses, in the paper's order."""
    return families.in_order({task for held in models.values() for task in held["task"].unique()})


def _short(task: str) -> str:
    return task.partition("/")[2]


def _maps(models: Models, groups: Groups) -> Table:
    """Return Figures 5, 11 and 12."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        for task in _ranked(models):
            for steps, part in groups.items():
                asked = _of_length(held, part, task)
                if len(asked):
                    rows.append([model, _short(task), steps, _mean(asked, "pml")])
    return Table(
        "procbench-figure-5",
        "Mean PML by problem length and task (Figures 5, 11 and 12)",
        ["model", "task", "N", "pml"],
        rows,
        _grouping_note(groups),
        Chart("heat", "N", "task", "model", "pml", x_title=_STEPS),
    )


def _over_models(models: Models, metric: str, number: int) -> Table:
    """Return Figure 6 or 9: tasks by their median over the models, highest first."""
    found: dict[str, dict[str, float]] = {}
    for task in _ranked(models):
        for model, held in models.items():
            asked = held.filter(pl.col("task") == task)
            if len(asked):
                found.setdefault(task, {})[model] = _mean(asked, metric)
    ordered = sorted(found, key=lambda task: -median(found[task].values()))
    return Table(
        f"procbench-figure-{number}",
        f"Mean {metric.upper()} by task over the models, by their median (Figure {number})",
        ["task", "model", metric],
        [[_short(task), model, value] for task in ordered for model, value in found[task].items()],
        chart=Chart("box", "task", metric, y_title=_TITLES[metric]),
    )


def _shares(models: Models, groups: Groups) -> Table:
    """Return Figure 10: a histogram of PA at every length."""
    rows: list[list[Entry]] = []
    for model, steps, held in _by_group(models, groups):
        tenths = np.minimum(held["pa"].to_numpy() * _TENTHS + 1e-9, _TENTHS).astype(np.intp)
        counts = np.bincount(tenths, minlength=_TENTHS + 1).tolist()
        for tenth in range(_TENTHS, -1, -1):
            name = "1" if tenth == _TENTHS else f"{tenth / _TENTHS:.1f}-"
            rows.append([model, steps, name, counts[tenth] / len(held)])
    return Table(
        "procbench-figure-10",
        "Share of questions by PA at every problem length (Figure 10)",
        ["model", "N", "pa", "share"],
        rows,
        "A row holds the PA from its number to below the next; 1 is PA = 1 alone. "
        f"{_grouping_note(groups)}".strip(),
        Chart("heat", "N", "pa", "model", "share", x_title=_STEPS, y_title=_TITLES["pa"]),
    )


def _predicted_lengths(models: Models, groups: Groups) -> Iterator[Table]:
    """Yield Figure 13, where any reply could be read."""
    rows: list[list[Entry]] = []
    for model, steps, held in _by_group(models, groups):
        states = held["states"].drop_nulls()
        if len(states):
            rows.append([model, steps, len(states), float(states.sum()) / len(states)])
    if rows:
        yield Table(
            "procbench-figure-13",
            "Mean predicted length by problem length (Figure 13)",
            ["model", "N", "n", "predicted"],
            rows,
            f"States in the replies that held any; N is right. {_grouping_note(groups)}".strip(),
            Chart("line", "N", "predicted", "model", x_title=_STEPS, y_title="states in the reply"),
        )


def _always_zero(models: Models, results: Sequence[Results]) -> Table:
    """Return the suspect questions: those on which every model has a PA of 0.

    Baselines count only where there are no models: the oracle would hide every flawed question.
    """
    real = [name for name in models if not name.startswith(_BASELINES)] or list(models)
    best = [models[name].group_by("question").agg(pl.col("pa").max()) for name in real]
    shared = best[0].select("question", zero=pl.col("pa") == 0)
    for each in best[1:]:
        both = shared.join(each, "question")
        shared = both.select("question", zero=pl.col("zero") & (pl.col("pa") == 0))
    asked, suspects = len(shared), shared.filter("zero")
    first = models[real[0]].join(suspects, "question", "semi")
    first = first.select("task", "question").unique("question", keep="first", maintain_order=True)
    counts = Counter(first["task"])
    rows: list[list[Entry]] = [
        [_short(task), counts[task], None] for task in _ranked(models) if counts[task]
    ]
    rows.append(["all", len(first), asked])
    rows.append([f"all, {len(paper.TABLE_2)} models (paper)", paper.ALWAYS_ZERO, paper.QUESTIONS])
    named = _ids(results, first["question"].head(_LISTED).to_list())
    listed = ", ".join(named)
    if len(first) > _LISTED:
        listed += f" and {len(first) - _LISTED} more"
    kind = "baseline" if real[0].startswith(_BASELINES) else "model"
    remark = f"They may be flawed, so look at them: {listed}."
    if kind == "baseline":
        remark = "Baselines tell nothing of flaws."
    elif not named:
        remark = "There are none."
    elif len(real) == 1:
        remark = f"They are hard or flawed, which one model alone does not tell: {listed}."
    return Table(
        "procbench-zero",
        f"Questions with PA = 0 for every {kind}, of {plural(len(real), kind)}",
        ["task", "PA = 0", "asked of all"],
        rows,
        f"{remark} Baselines are left out where models were asked. (paper): {paper.SOURCE}.",
    )


def _ids(results: Sequence[Results], questions: Sequence[int]) -> list[str]:
    """Return the ids of some questions, which are given as hashes."""
    hashed = pl.col("id").hash()
    found = {
        key: name
        for held in results
        for frame in held.frames.values()
        for key, name in frame.data.select(hashed.alias("key"), "id")
        .filter(pl.col("key").is_in(questions))
        .iter_rows()
    }
    return [found[key] for key in questions]
