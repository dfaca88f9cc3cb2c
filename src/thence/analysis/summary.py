"""Summaries of scores by task, group and family, with intervals."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from thence import families
from thence.analysis import consistency, shortcut_marks
from thence.core.family import Family
from thence.core.results import Results
from thence.core.score import Outcome
from thence.core.score_frame import COUNTS, ScoreFrame, of_turn
from thence.core.statistics import EMPTY, Clusters, Estimate, finite

ACCURACY = "accuracy"
ONE_PROCEDURE = (
    "all questions are about one procedure, so the intervals are over its questions and hold for "
    "it alone; one procedure cannot tell how much another would differ."
)
_ABBREVIATION = 3  # most letters of one
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Summary:
    """Figures of a set of responses.

    Attributes:
        n: number of responses without provider errors.
        correct: number of correct answers.
        accuracy: share of correct answers in n; empty over tasks whose shares do not compare.
        outcomes: number of responses by outcome, with provider errors.
        metrics: other metrics by name.
        by: dimension -> group -> summary.
        turns: for protocols of several turns, a summary of each turn.
        chance: exact expectation of the accuracy of random answers, without an interval; NaN where
            it is not known, and over tasks whose shares do not compare.
        one_procedure: whether intervals are over the questions of one procedure and hold for it
            alone.
    """

    n: int
    correct: int
    accuracy: Estimate
    outcomes: Mapping[str, int]
    metrics: Mapping[str, Estimate] = field(default_factory=dict)
    by: Mapping[str, Mapping[str, Summary]] = field(default_factory=dict)
    turns: Sequence[Summary] = ()
    chance: float = math.nan
    one_procedure: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``score --json`` prints."""
        row: dict[str, Any] = {"n": self.n, "correct": self.correct}
        for name, figure in {ACCURACY: self.accuracy, **self.metrics}.items():
            row[name] = figure.value if figure.n else None
            row[f"{name}_ci"] = figure.interval()
            if name in consistency.COUNTED:
                row[f"{name}_n"] = figure.n
        row["chance"] = finite(self.chance)
        if self.one_procedure:
            row["intervals"] = ONE_PROCEDURE
        row["outcomes"] = dict(self.outcomes)
        if self.by:
            row["by"] = {
                dimension: {group: summary.to_json() for group, summary in groups.items()}
                for dimension, groups in self.by.items()
            }
        if self.turns:
            row["turns"] = [summary.to_json() for summary in self.turns]
        return row


@dataclass(frozen=True)
class Overview:
    """Summaries of the results of one run.

    Attributes:
        model: ``PROVIDER/NAME`` or empty.
        tasks: summaries by full name, in the order of tables.
        families: summaries by name.
        source: run directory or file of the responses.
        grouped: whether the summaries have their groups.
    """

    model: str
    tasks: Mapping[str, Summary]
    families: Mapping[str, Summary]
    source: str = ""
    grouped: bool = True


_overviews: WeakKeyDictionary[Results, Overview] = WeakKeyDictionary()


def overview(results: Results, *, groups: bool = True) -> Overview:
    """Return the summaries of every task and family in some results, computed once.

    Args:
        results: the scores.
        groups: whether summaries have groups, which take most of the time.
    """
    known = _overviews.get(results)
    if known is not None and known.grouped >= groups:
        return known
    tasks: dict[str, Summary] = {}
    by_family: dict[str, list[str]] = {}
    for name in families.in_order(results.frames):
        if (summary := _summary(results, [name], groups=groups)) is not None:
            tasks[name] = summary
            by_family.setdefault(families.task(name).family, []).append(name)
    whole = {
        family: tasks[names[0]] if len(names) == 1 else _summary(results, names, groups=groups)
        for family, names in by_family.items()
    }
    found = {family: summary for family, summary in whole.items() if summary is not None}
    made = _overviews[results] = Overview(results.model, tasks, found, results.source, groups)
    return made


def _summary(results: Results, names: Sequence[str], *, groups: bool) -> Summary | None:
    """Return the summary of some tasks of a family, or None if no conversation was finished."""
    family = families.families()[families.task(names[0]).family]
    every = results.frame(names)
    every = every and every.with_chance()  # before a breakdown by the truth, say
    final = every and every.where(of_turn(results.turns - 1) | ~COUNTS)
    if not every or not final:
        return None
    turns = range(results.turns) if results.turns > 1 else ()
    dimensions = [
        each for each in family.dimensions if len(names) == 1 or each not in family.within
    ]
    found = {each: _grouped(final, each, family, names) for each in dimensions if groups}
    by = {each: held for each, held in found.items() if held}
    by_turn = [_figures(every.where(of_turn(turn)), names) for turn in turns]
    whole = _figures(final, names)
    held = shortcut_marks.mean_mark(results, names) if whole.accuracy.n else None
    marked = {shortcut_marks.SHORTCUT: held} if held else {}
    return replace(whole, metrics={**marked, **whole.metrics}, by=by, turns=by_turn)


def _grouped(
    rows: ScoreFrame, dimension: str, family: Family, tasks: Sequence[str]
) -> dict[str, Summary]:
    found = {name: _figures(held, tasks) for name, held in rows.groups(dimension) if name}
    order = list(found)
    if dimension in family.orders:
        order = [name for name in family.orders[dimension] if name in found]
    elif all(_NUMBERS.search(name) for name in found):
        order.sort(key=_by_numbers)
    return {name: found[name] for name in order}


def _by_numbers(name: str) -> tuple[str, list[int]]:
    """Return a sort key by which ``[50, 100)`` precedes ``[100, 150)``, and ``5_14`` ``10_62``."""
    return _NUMBERS.split(name)[0], [int(each) for each in _NUMBERS.findall(name)]


def _figures(rows: ScoreFrame, tasks: Sequence[str]) -> Summary:
    """Return the summary of some rows, without breakdowns; the tasks are of one family."""
    outcomes = rows.outcomes()
    counting = rows.where(COUNTS)
    if not len(counting):
        return Summary(0, 0, EMPTY, outcomes)
    graders = [families.task(name).grader for name in tasks]
    counts = {name for grader in graders for name in grader.counts}
    figures: dict[str, Estimate] = {}
    for held, names in _means(counting, one_task=len(tasks) == 1):
        figures |= _estimates(held, names, counts)
    accuracy, family = figures.pop(ACCURACY), families.families()[families.task(tasks[0]).family]
    if not family.averaged and len(counting.tasks) > 1:
        accuracy = EMPTY
    own = family.extra_metrics
    if own is not None:
        figures |= own(counting)
    if consistency.OCC not in figures and (alike := consistency.occ(counting)) is not None:
        figures[consistency.OCC] = alike
    return Summary(
        len(counting),
        outcomes[Outcome.CORRECT],
        accuracy,
        outcomes,
        figures,
        chance=counting.chance() if accuracy.n else math.nan,
        one_procedure=rows.one_procedure,
    )


def _estimates(
    rows: ScoreFrame, names: Iterable[str], counts: Collection[str]
) -> dict[str, Estimate]:
    """Return the means of some metrics; one at a time, as many rows make long columns."""
    within = Clusters(rows.clusters(), len(rows))
    return {
        name: within.estimate(
            rows.correct() if name == ACCURACY else rows.metric(name), count=name in counts
        )
        for name in names
    }


def _means(rows: ScoreFrame, *, one_task: bool) -> Iterator[tuple[ScoreFrame, list[str]]]:
    """Yield rows with the names of the metrics, accuracy among them, that are averaged over them.

    For one task these are all rows, and a missing metric is 0. For several, a metric that only some
    tasks have is averaged over the rows that have it.
    """
    lacking = {name: rows.data[name].null_count() for name in rows.metrics}
    masks: dict[bytes, list[str]] = {}
    for name, nulls in lacking.items():
        if nulls < len(rows):
            whole = one_task or not nulls
            mask = b"" if whole else np.isnan(rows.numbers(name)).tobytes()
            masks.setdefault(mask, []).append(name)
    yield rows, [ACCURACY, *masks.pop(b"", [])]
    for names in masks.values():
        yield rows.where(pl.col(names[0]).is_not_null()), names


def shown_metrics(summaries: Iterable[Summary]) -> list[str]:
    """Return the names of the metrics that tables show."""
    every = families.families().values()
    hidden = {name for family in every for name in (family.accuracy_is, *family.hidden)}
    names = dict.fromkeys(name for each in summaries for name in each.metrics)
    return [name for name in names if name not in hidden]


def metric_title(metric: str) -> str:
    """Return a metric's title, or its name as in the papers, such as ``macro F1`` and ``TC``."""
    for family in families.families().values():
        if metric in family.titles:
            return family.titles[metric]
    words = metric.split("_")
    return " ".join(word.upper() if len(word) <= _ABBREVIATION else word for word in words)


def labels(overviews: Sequence[Overview]) -> list[str]:
    """Return a distinct label for each of several results, such as its model; empty for one."""
    if len(overviews) < 2:
        return [""] * len(overviews)
    models = Counter(each.model for each in overviews)
    return [
        each.model if each.model and models[each.model] == 1 else f"{each.model}@{each.source}"
        for each in overviews
    ]


def to_json(overviews: Sequence[Overview], scorer: str = "strict") -> dict[str, Any]:
    """Return the JSON object of ``score --json``, whose names begin with the model of several."""
    groups, overall = {}, {}
    for label, each in zip(labels(overviews), overviews, strict=True):
        prefix = f"{label}/" if label else ""
        groups.update({prefix + name: held.to_json() for name, held in each.tasks.items()})
        overall.update({prefix + name: held.to_json() for name, held in each.families.items()})
    return {"scorer": scorer, "groups": groups, "overall": overall}
