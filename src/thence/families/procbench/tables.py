"""The tables and figures of the ProcBench paper, from our scores, with its Table 2 beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.table import Chart, Entry, Table
from thence.families.procbench import paper_figures as paper
from thence.families.procbench.columns import Model, Pooled, collect, never
from thence.families.procbench.metrics import METRICS
from thence.families.procbench.procedure import LENGTHS, LONGEST, length_bin

if TYPE_CHECKING:
    from thence.core.statistics import Values

type Models = Mapping[str, Model]
type Groups = Mapping[int, Sequence[int]]

_PLACES = 25  # lengths that a figure tells apart; the paper has 24
_TENTHS = 10
_LISTED = 20  # ids of suspects that are named
_SPREAD = ("least", "lower quartile", "median", "upper quartile", "most")
_STEPS = "problem length N, steps"
_TITLES = {
    "pa": "prefix accuracy",
    "sm": "sequential match",
    "fm": "final match",
    "pml": "prefix match length, steps",
}


def tables(results: Sequence[Any]) -> list[Table]:
    """Table 2 and every figure that the replies suffice for.

    Args:
        results: `thence.scoring.results.Results`, one a run.
    """
    models = collect(results)
    if not models:
        return []
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
        *_lengths_said(models, groups),
        _never(models),
    ]


def _table_2(models: Models) -> Table:
    """Table 2."""
    bins = {name: range(first, last + 1) for name, first, last in LENGTHS}
    bins["Overall"] = range(LENGTHS[0][1], LENGTHS[-1][2] + 1)
    every = {steps for held in models.values() for _, steps in held.cells}
    other = {steps for steps in every if length_bin(steps) == "Other"}
    rows: list[list[Entry]] = []
    for model, held in models.items():
        row: list[Entry] = [model]
        for lengths in [*bins.values(), *([other] if other else [])]:
            pooled = held.pooled(lengths)
            found = pooled.figures(("pa", "sm")) if len(pooled) else {}
            row += [found.get("pa"), found.get("sm")]
        rows.append(row)
    for model, pairs in paper.TABLE_2.items():
        figures = [figure for pair in pairs for figure in pair]
        rows.append([f"{model} (paper)", *figures, *([None, None] if other else [])])
    names = [*bins, *(["Other"] if other else [])]
    lengths_told = ", ".join(f"{name} N {first}-{last}" for name, first, last in LENGTHS)
    return Table(
        "procbench-table-2",
        "PA and SM by problem length (Table 2)",
        ["model", *(f"{metric} {name}" for name in names for metric in ("PA", "SM"))],
        rows,
        f"{lengths_told}; Overall: all of these. (paper): {paper.SOURCE}, Table 2, of "
        f"{paper.QUESTIONS:,} questions in the authors' wording.",
    )


def _groups(models: Models) -> dict[int, list[int]]:
    """The lengths that are shown in one place, by the middle one of them."""
    every = sorted({steps for held in models.values() for _, steps in held.cells})
    number = min(len(every), _PLACES)
    ends = [place * len(every) // number for place in range(number + 1)]
    parts = [every[low:high] for low, high in pairwise(ends)]
    return {part[len(part) // 2]: part for part in parts}


def _told(groups: Groups) -> str:
    """What stands below a figure in which a place is several lengths."""
    several = any(len(part) > 1 for part in groups.values())
    return "Neighbouring lengths are taken together; N is the middle one." if several else ""


def _pooled(models: Models, groups: Groups) -> Iterator[tuple[str, int, Pooled]]:
    for model, held in models.items():
        for steps, part in groups.items():
            pooled = held.pooled(set(part))
            if len(pooled):
                yield model, steps, pooled


def _by_length(models: Models, groups: Groups) -> Iterator[Table]:
    """Figure 2: one table a metric."""
    found = [
        (model, steps, len(held), held.figures()) for model, steps, held in _pooled(models, groups)
    ]
    for metric in METRICS:
        yield Table(
            f"procbench-figure-2-{metric}",
            f"{metric.upper()} by problem length (Figure 2)",
            ["model", "N", "n", metric],
            [[model, steps, n, figures[metric]] for model, steps, n, figures in found],
            _told(groups),
            Chart("line", "N", metric, "model", x_title=_STEPS, y_title=_TITLES[metric]),
        )


def _spreads(models: Models) -> Table:
    """Figure 3: five numbers a box, which draw the same box as all the values would."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        steps = {each for _, each in held.cells}
        for name in [*(each for each, _, _ in LENGTHS), "Other"]:
            pooled = held.pooled({each for each in steps if length_bin(each) == name})
            if len(pooled):
                spread = zip(_SPREAD, five_numbers(pooled.array("pa")), strict=True)
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
    """Least, quartiles and most, the quartiles interpolated between the values."""
    import numpy as np

    ordered = np.sort(np.asarray(values, dtype=float))
    most = len(ordered) - 1
    found = []
    for quarter in range(5):
        low, rest = divmod(quarter * most, 4)
        left, right = float(ordered[low]), float(ordered[min(low + 1, most)])
        found.append((left * (4 - rest) + right * rest) / 4)
    return found


def _reached(models: Models) -> Table:
    """Figure 4."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        pooled = held.pooled({steps for _, steps in held.cells})
        matched, within = pooled.array("pml"), pooled.clusters()
        for s in range(1, LONGEST + 1):
            long = sum(len(cell) for (_, steps), cell in held.cells.items() if steps >= s)
            share = within.estimate((matched >= s).astype(float))
            rows.append([model, s, share, long / len(pooled)])
    return Table(
        "procbench-figure-4",
        "Share of questions whose first s states are right (Figure 4)",
        ["model", "s", "share", "at most"],
        rows,
        "PML of at least s, of all questions; at most: the share of questions that have s steps.",
        Chart("line", "s", "share", "model", x_title="s, steps", y_title="share with PML >= s"),
    )


def _ranked(models: Models) -> list[str]:
    """The tasks that were asked, in the paper's order."""
    return families.in_order({task for held in models.values() for task, _ in held.cells})


def _short(task: str) -> str:
    return task.partition("/")[2]


def _maps(models: Models, groups: Groups) -> Table:
    """Figures 5, 11 and 12."""
    rows: list[list[Entry]] = []
    for model, held in models.items():
        for task in _ranked(models):
            for steps, part in groups.items():
                pooled = held.pooled(set(part), task)
                if len(pooled):
                    rows.append([model, _short(task), steps, pooled.mean("pml")])
    return Table(
        "procbench-figure-5",
        "Mean PML by problem length and task (Figures 5, 11 and 12)",
        ["model", "task", "N", "pml"],
        rows,
        _told(groups),
        Chart("heat", "N", "task", "model", "pml", x_title=_STEPS),
    )


def _over_models(models: Models, metric: str, number: int) -> Table:
    """Figures 6 and 9: the task with the highest median over the models first."""
    found: dict[str, dict[str, float]] = {}
    for task in _ranked(models):
        for model, held in models.items():
            pooled = held.pooled({steps for name, steps in held.cells if name == task}, task)
            if len(pooled):
                found.setdefault(task, {})[model] = pooled.mean(metric)
    ordered = sorted(found, key=lambda task: -median(found[task].values()))
    return Table(
        f"procbench-figure-{number}",
        f"Mean {metric.upper()} by task over the models, by their median (Figure {number})",
        ["task", "model", metric],
        [[_short(task), model, value] for task in ordered for model, value in found[task].items()],
        chart=Chart("box", "task", metric, y_title=_TITLES[metric]),
    )


def _shares(models: Models, groups: Groups) -> Table:
    """Figure 10: a histogram of PA at every length."""
    import numpy as np

    rows: list[list[Entry]] = []
    for model, steps, pooled in _pooled(models, groups):
        tenths = np.minimum(pooled.array("pa") * _TENTHS + 1e-9, _TENTHS).astype(np.intp)
        counts = np.bincount(tenths, minlength=_TENTHS + 1).tolist()
        for tenth in range(_TENTHS, -1, -1):
            name = "1" if tenth == _TENTHS else f"{tenth / _TENTHS:.1f}-"
            rows.append([model, steps, name, counts[tenth] / len(pooled)])
    return Table(
        "procbench-figure-10",
        "Share of questions by PA at every problem length (Figure 10)",
        ["model", "N", "pa", "share"],
        rows,
        "A row holds the PA from its number to below the next; 1 is PA = 1 alone. " + _told(groups),
        Chart("heat", "N", "pa", "model", "share", x_title=_STEPS, y_title=_TITLES["pa"]),
    )


def _lengths_said(models: Models, groups: Groups) -> Iterator[Table]:
    """Figure 13, where any reply could be read."""
    rows: list[list[Entry]] = []
    for model, steps, pooled in _pooled(models, groups):
        replies, states = pooled.said()
        if replies:
            rows.append([model, steps, replies, states / replies])
    if rows:
        yield Table(
            "procbench-figure-13",
            "Mean predicted length by problem length (Figure 13)",
            ["model", "N", "n", "predicted"],
            rows,
            f"States in the replies that held any; N is right. {_told(groups)}".strip(),
            Chart("line", "N", "predicted", "model", x_title=_STEPS, y_title="states in the reply"),
        )


def _never(models: Models) -> Table:
    """The questions to suspect."""
    told = never(models, _LISTED)
    rows: list[list[Entry]] = [
        [_short(task), told.counts[task], None] for task in _ranked(models) if told.counts[task]
    ]
    rows.append(["all", told.found, told.asked])
    rows.append([f"all, {len(paper.TABLE_2)} models (paper)", paper.NEVER, paper.QUESTIONS])
    listed = ", ".join(told.listed)
    if told.found > _LISTED:
        listed += f" and {told.found - _LISTED} more"
    suspects = (
        f"They may be flawed, so look at them: {listed}." if told.found else "There are none."
    )
    models_told = f"{told.models} model{'s' if told.models > 1 else ''}"
    return Table(
        "procbench-zero",
        f"Questions with PA = 0 for every model, of {models_told}",
        ["task", "PA = 0", "asked of all"],
        rows,
        f"{suspects} Baselines are left out where models were asked. (paper): {paper.SOURCE}.",
    )
