"""Figures of scored responses, by task, by group and over a family, each with its interval."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from thence import families
from thence.analysis import consistency
from thence.core.family import Family
from thence.core.frame import Part
from thence.core.score import Outcome
from thence.core.statistics import EMPTY, Estimate, estimates
from thence.scoring.results import Results
from thence.scoring.tally import Tally

ACCURACY = "accuracy"
_NUMBERS = re.compile(r"\d+")


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
            if name in consistency.COUNTED:
                row[f"{name}_n"] = figure.n
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


_known: WeakKeyDictionary[Tally, Overview] = WeakKeyDictionary()


def overview(results: Results) -> Overview:
    """Summaries of every task and family in some results."""
    tally = results.tallied()
    if (known := _known.get(tally)) is not None:
        return known
    tasks: dict[str, Summary] = {}
    by_family: dict[str, list[str]] = {}
    for name in families.in_order(tally.tasks):
        if (summary := _summary(tally, [name])) is not None:
            tasks[name] = summary
            by_family.setdefault(families.task(name).family, []).append(name)
    whole = {
        family: tasks[names[0]] if len(names) == 1 else _summary(tally, names)
        for family, names in by_family.items()
    }
    found = {family: summary for family, summary in whole.items() if summary is not None}
    made = Overview(results.model, tasks, found, results.source)
    _known[tally] = made  # it does not change any more
    return made


def _summary(tally: Tally, names: Sequence[str]) -> Summary | None:
    """The summary of some tasks of a family; None where no conversation came to its end."""
    family = families.families()[families.task(names[0]).family]
    every = tally.part(names, family.dimensions)
    final = every.where((every.turns == tally.turns - 1) | ~every.counting())
    if not len(final):
        return None
    plain = _figures(final)
    turns = range(tally.turns) if tally.turns > 1 else ()
    dimensions = [
        each for each in family.dimensions if len(names) == 1 or each not in family.within
    ]
    groups = {name: _grouped(final, name, family) for name in dimensions}
    by = {name: held for name, held in groups.items() if held}
    return replace(plain, by=by, turns=[_figures(every.where(every.turns == t)) for t in turns])


def _grouped(part: Part, dimension: str, family: Family) -> dict[str, Summary]:
    found = {name: _figures(held) for name, held in part.grouped(dimension) if name}
    order = list(found)
    if dimension in family.orders:
        order = [name for name in family.orders[dimension] if name in found]
    elif all(_NUMBERS.search(name) for name in found):
        order.sort(key=_by_numbers)
    return {name: found[name] for name in order}


def _by_numbers(name: str) -> tuple[str, list[int]]:
    """Puts ``[50, 100)`` before ``[100, 150)``, and ``10_62`` after ``5_14``."""
    return _NUMBERS.split(name)[0], [int(each) for each in _NUMBERS.findall(name)]


def _figures(part: Part) -> Summary:
    outcomes = part.counted()
    counting = part.where(part.counting())
    if not len(counting):
        return Summary(0, 0, EMPTY, outcomes)
    tasks = [families.task(name) for name in part.tasks]
    counts = {name for task in tasks for name in task.grader.counts}
    figures: dict[str, Estimate] = {}
    for rows, columns in counting.shared():
        every = {ACCURACY: counting.correct()} if rows is counting else {}
        figures.update(estimates({**every, **columns}, rows.clusters, counts))
    accuracy = figures.pop(ACCURACY)
    own = families.families()[tasks[0].family].figures
    if own is not None:
        figures.update(own(counting))
    if consistency.OCC not in figures and (alike := consistency.alike_within(counting)) is not None:
        figures[consistency.OCC] = alike
    correct = outcomes[Outcome.CORRECT]
    return Summary(len(counting), correct, accuracy, outcomes, figures)


def shown_metrics(summaries: Iterable[Summary]) -> list[str]:
    """The metrics worth a column beside the accuracy."""
    every = families.families().values()
    hidden = {name for family in every for name in (family.accuracy_is, *family.hidden)}
    names = dict.fromkeys(name for each in summaries for name in each.metrics)
    return [name for name in names if name not in hidden]


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
