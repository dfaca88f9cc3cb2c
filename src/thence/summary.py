"""Figures of scored responses, by task, by group and over a family, each with its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thence import families
from thence.kernel.score import Outcome
from thence.kernel.statistics import EMPTY, Estimate, estimates
from thence.kernel.task import Family
from thence.scoring import Results, Scored

ACCURACY = "accuracy"


@dataclass(frozen=True)
class Summary:
    """What a set of responses amounts to.

    Attributes:
        n: responses that count: all but provider errors.
        correct: right answers among them.
        accuracy: their share.
        outcomes: how many responses had each outcome, provider errors too.
        metrics: the family's own figures, by name.
        by: dimension -> group -> its summary.
        turns: for protocols of several turns, a summary a turn, the first one first.
    """

    n: int
    correct: int
    accuracy: Estimate
    outcomes: Mapping[str, int]
    metrics: Mapping[str, Estimate] = field(default_factory=dict)
    by: Mapping[str, Mapping[str, Summary]] = field(default_factory=dict)
    turns: Sequence[Summary] = ()

    def to_json(self) -> dict[str, Any]:
        """As ``score --json`` prints it."""
        row: dict[str, Any] = {"n": self.n, "correct": self.correct}
        for name, figure in {ACCURACY: self.accuracy, **self.metrics}.items():
            row[name] = figure.value if figure.n else None
            row[f"{name}_ci"] = figure.interval()
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
    """The summaries of one set of results.

    Attributes:
        model: ``PROVIDER/NAME`` or empty.
        tasks: by full name, in the order of tables.
        families: by name.
        source: the directory or file that was scored.
    """

    model: str
    tasks: Mapping[str, Summary]
    families: Mapping[str, Summary]
    source: str = ""


def overview(results: Results) -> Overview:
    """Summaries of every task and family in some results."""
    final = results.final()
    held: dict[str, list[Scored]] = {}
    for row in final:
        held.setdefault(row.sample.task, []).append(row)
    names = [name for name in families.tasks() if name in held]
    tasks = {name: _summary(held[name], results) for name in names}
    whole = {}
    for family in dict.fromkeys(families.task(name).family for name in names):
        rows = [row for name in names if families.task(name).family == family for row in held[name]]
        whole[family] = _summary(rows, results)
    return Overview(results.model, tasks, whole, results.source)


def _summary(rows: Sequence[Scored], results: Results) -> Summary:
    plain = _figures(rows)
    names = {row.sample.task for row in rows}
    turns: list[Summary] = []
    if results.turns > 1:
        every = [row for row in results.rows if row.sample.task in names]
        turns = [_figures(row for row in every if row.turn == t) for t in range(results.turns)]
    family = families.families()[families.task(rows[0].sample.task).family]
    by = {name: _grouped(rows, name, family) for name in family.dimensions}
    return Summary(plain.n, plain.correct, plain.accuracy, plain.outcomes, plain.metrics, by, turns)


def _grouped(rows: Iterable[Scored], dimension: str, family: Family) -> dict[str, Summary]:
    groups: dict[str, list[Scored]] = {}
    for row in rows:
        breakdown = families.task(row.sample.task).breakdown(row.sample)
        groups.setdefault(breakdown.get(dimension, ""), []).append(row)
    order = list(groups)
    if dimension in family.orders:
        order = [name for name in family.orders[dimension] if name in groups]
    elif all(map(str.isdigit, groups)):
        order.sort(key=int)
    return {name: _figures(groups[name]) for name in order}


def _figures(rows: Iterable[Scored]) -> Summary:
    held = list(rows)
    counting = [row for row in held if row.score.counts]
    counted = Counter(row.score.outcome for row in held)
    outcomes = {outcome.value: counted[outcome] for outcome in Outcome}
    if not counting:
        return Summary(0, 0, EMPTY, outcomes)
    columns: dict[str, list[float]] = {ACCURACY: [float(row.score.correct) for row in counting]}
    for name in dict.fromkeys(name for row in counting for name in row.score.values):
        columns[name] = [row.score.values.get(name, 0.0) for row in counting]
    task = families.task(counting[0].sample.task)
    figures = estimates(columns, [row.sample.cluster for row in counting], task.counts)
    accuracy = figures.pop(ACCURACY)
    own = families.families()[task.family].figures
    if own is not None:
        figures.update(own(counting))
    return Summary(len(counting), counted[Outcome.CORRECT], accuracy, outcomes, figures)


def shown_metrics(summaries: Iterable[Summary]) -> list[str]:
    """The metrics worth a column beside the accuracy."""
    same = {family.accuracy_is for family in families.families().values()}
    names = dict.fromkeys(name for each in summaries for name in each.metrics)
    return [name for name in names if name not in same]


def labels(overviews: Sequence[Overview]) -> list[str]:
    """What tells some results apart: nothing for one, else the model, and where it came from."""
    if len(overviews) < 2:
        return [""] * len(overviews)
    models = Counter(each.model for each in overviews)
    return [
        each.model if each.model and models[each.model] == 1 else f"{each.model}@{each.source}"
        for each in overviews
    ]


def to_json(overviews: Sequence[Overview], scorer: str = "strict") -> dict[str, Any]:
    """What ``score --json`` prints; names begin with the model where there are several."""
    groups, overall = {}, {}
    for label, each in zip(labels(overviews), overviews, strict=True):
        prefix = f"{label}/" if label else ""
        groups.update({prefix + name: held.to_json() for name, held in each.tasks.items()})
        overall.update({prefix + name: held.to_json() for name, held in each.families.items()})
    return {"scorer": scorer, "groups": groups, "overall": overall}
