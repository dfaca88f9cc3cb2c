"""Standings of several runs: who is ahead on what, and who cannot be told apart.

A measure is a family, or a task of a family whose tasks do not compare.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import polars as pl

from thence import families
from thence.analysis.comparison import ALPHA, Difference, difference
from thence.analysis.summary import Overview, Summary
from thence.core.results import Results
from thence.core.sentence_parts import listed
from thence.core.statistics import holm


@dataclass(frozen=True)
class Measure:
    """A family, or one of its tasks, by which runs are ranked.

    Attributes:
        name: of the family or task.
        title: as it is printed.
        tasks: full names of its tasks.
        summaries: figures of each run; None for a run that was not asked.
        differences: by numbers of two runs, the second's accuracy - the first's on the questions
            that both answered; p is adjusted by Holm's correction over the pairs.
        letters: by run; runs with a letter in common are not significantly different.
    """

    name: str
    title: str
    tasks: Sequence[str]
    summaries: Sequence[Summary | None]
    differences: Mapping[tuple[int, int], Difference] = field(default_factory=dict)
    letters: Sequence[str] = ()

    @property
    def order(self) -> list[int]:
        """Numbers of the runs that were asked, the most accurate first, those without n last."""
        asked = [place for place, each in enumerate(self.summaries) if each is not None]
        value = {place: self.accuracy(place) for place in asked}
        return sorted(asked, key=lambda run: (math.isnan(value[run]), -value[run], run))

    def accuracy(self, run: int) -> float:
        """Return the accuracy of a run; NaN where it was not asked."""
        held = self.summaries[run]
        return math.nan if held is None else held.accuracy.value

    def lead(self, first: int, second: int) -> Difference | None:
        """Return by how much one run is ahead of another, or None where nothing is shared."""
        if (first, second) in self.differences:
            return turned(self.differences[first, second])
        return self.differences.get((second, first))


def turned(each: Difference) -> Difference:
    """Return a difference the other way round."""
    change = replace(
        each.change, value=-each.change.value, low=-each.change.high, high=-each.change.low
    )
    return replace(
        each, first=each.second, second=each.first, change=change, lost=each.gained,
        gained=each.lost,
    )  # fmt: skip


def measures(found: Sequence[Results], views: Sequence[Overview]) -> list[Measure]:
    """Return the measures of some runs, with the differences of all pairs of runs.

    Args:
        found: the runs.
        views: their summaries.
    """
    names = dict.fromkeys(name for view in views for name in view.families)
    made = []
    for family in names:
        held = [view.families.get(family) for view in views]
        tasks = dict.fromkeys(
            task for view in views for task in view.tasks if task.startswith(f"{family}/")
        )
        title = families.families()[family].title
        if any(each is not None and each.accuracy.n for each in held):
            made.append(Measure(family, title, list(tasks), held))
            continue
        for task in tasks:
            own = [view.tasks.get(task) for view in views]
            if any(each is not None and each.accuracy.n for each in own):
                words = task.rpartition("/")[2].replace("_", " ")
                made.append(Measure(task, f"{title} {words}", [task], own))
    return [_compared(each, found) for each in made]


def _compared(measure: Measure, found: Sequence[Results]) -> Measure:
    """Return a measure with the differences of all pairs."""
    answers = [_by_question(held, measure.tasks) for held in found]
    raw: dict[tuple[int, int], Difference] = {}
    for i, j in combinations(range(len(found)), 2):
        first, second = answers[i], answers[j]
        if first is None or second is None:
            continue
        both = first.join(
            second.select("id", second="first", other="one_procedure"), "id", maintain_order="left"
        )
        if len(both):
            one = pl.col("one_procedure") & pl.col("other")
            raw[i, j] = difference(both.with_columns(one_procedure=one, alike=pl.lit(None)))
    adjusted = holm([each.p for each in raw.values()])
    pairs = {
        pair: replace(each, adjusted=p)
        for (pair, each), p in zip(raw.items(), adjusted, strict=True)
    }
    made = replace(measure, differences=pairs)
    return replace(made, letters=_letters(made, len(found)))


def _by_question(held: Results, tasks: Sequence[str]) -> pl.DataFrame | None:
    """Return one row per question: its share of right epochs and its cluster."""
    rows = held.final(tasks)
    if rows is None:
        return None
    return rows.data.group_by("id", maintain_order=True).agg(
        first=pl.col("correct").mean(),
        cluster=rows.cluster.first(),
        one_procedure=pl.lit(rows.one_procedure).first(),
    )


def _letters(measure: Measure, count: int) -> list[str]:
    """Return letters by run: those of runs that are not significantly different share one.

    It is the compact display of Piepho (2004, J. Comput. Graph. Stat. 13): begin with one group of
    all, split each group that holds a significant pair, and leave out groups within others.
    """
    order = measure.order
    groups = [set(order)]
    for i, j in combinations(order, 2):
        held = measure.lead(i, j)
        if held is None or held.adjusted >= ALPHA:
            continue
        for group in [each for each in groups if i in each and j in each]:
            groups.remove(group)
            groups += [group - {i}, group - {j}]
        groups = [
            each for place, each in enumerate(groups)
            if not any(each < other or (each == other and place > at)
                       for at, other in enumerate(groups))
        ]  # fmt: skip
    groups.sort(key=lambda each: [order.index(run) for run in sorted(each, key=order.index)])
    names = [chr(ord("a") + place) if place < 26 else f"z{place}" for place in range(len(groups))]
    return [
        "".join(name for name, group in zip(names, groups, strict=True) if run in group)
        for run in range(count)
    ]


def sentences(names: Sequence[str], found: Sequence[Measure]) -> list[str]:
    """Return what the standings come to in words: who surely leads, and who is only best.

    Args:
        names: of the runs.
        found: the measures.
    """
    if len(names) == 1:
        return _alone(names[0], found)
    led: dict[str, list[str]] = {}
    close: dict[str, str] = {}  # a sentence by title
    for measure in found:
        best, *others = [run for run in measure.order if not math.isnan(measure.accuracy(run))]
        if tied := [run for run in others if not _ahead(measure, best, run)]:
            close[measure.title] = _close(names, measure, best, tied)
        else:
            begin = f"{names[best]} {'leads' if others else 'alone was asked about'}"
            led.setdefault(begin, []).append(measure.title)
    whole = len(found)
    parts = []
    for begin, titles in sorted(led.items(), key=lambda each: -len(each[1])):
        every = f"all {whole} measures" if whole > 2 else "both measures"
        every = every if len(titles) == whole > 1 else listed(titles)
        parts.append(f"{begin} {every}")
    if close:
        where = "any measure" if len(close) == whole > 1 else listed([*close])
        parts.append(f"{'no' if led else 'No'} run leads {where} significantly")
    return ["; ".join(parts) + ".", *close.values()]


def _ahead(measure: Measure, first: int, second: int) -> bool:
    held = measure.lead(first, second)
    return held is not None and held.adjusted < ALPHA and held.change.value > 0


def _close(names: Sequence[str], measure: Measure, best: int, tied: Sequence[int]) -> str:
    """Return a sentence on the runs from which the best is not significantly different."""
    held, first, second = measure.lead(best, tied[0]), names[best], names[tied[0]]
    if held is None:
        return f"{measure.title}: {first} is best, but shares no question with {second}."
    value, low, high = (
        f"{100 * each:+z.1f}" for each in (held.change.value, held.change.low, held.change.high)
    )
    told = f"{first} is best, but {value} points [{low}, {high}] over {second} are not significant"
    if held.p < ALPHA:  # alone it would be, and its interval shows that
        told += f" after Holm's correction for {len(measure.differences)} pairs of runs"
    if held.change.value == 0:
        told = f"{first} and {second} are level, within [{low}, {high}] points"
    more = f"; {len(tied) - 1} more cannot be told from the best" * (len(tied) > 1)
    return f"{measure.title}: {told}{more}."


def _alone(name: str, found: Sequence[Measure]) -> list[str]:
    """Return how often one run is right, and where it is shown to be above chance."""
    right, above, unsure = list[str](), list[str](), list[str]()
    for measure in found:
        held = measure.summaries[0]
        if held is None:
            continue
        right.append(f"{100 * held.accuracy.value:.1f}% of {measure.title}")
        if not math.isnan(held.chance):
            (above if held.accuracy.low > held.chance else unsure).append(measure.title)
    told = [f"{name} is right on {listed(right)}."] if right else []
    told += [f"Significantly above exact chance: {listed(above)}."] if above else []
    return told + ([f"Not shown to be above chance: {listed(unsure)}."] if unsure else [])
