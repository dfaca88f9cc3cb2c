"""Paired comparison of two runs on the same questions.

The intervals of two runs may overlap although one is clearly better, as both were asked the same
questions; so differences are taken question by question. Responses are joined by the sample's id,
or by ``metadata.pair`` where the two runs were asked twins (framings of the same graphs).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import polars as pl

from thence import families
from thence.analysis import consistency
from thence.analysis.metric_comparison import MetricComparison, compare_metrics
from thence.analysis.paired_questions import pair_runs
from thence.analysis.summary import ONE_PROCEDURE
from thence.core.failures import plural
from thence.core.notebook import html_table
from thence.core.power import Assumptions, detectable, measured_discordance, measured_effect
from thence.core.results import Results
from thence.core.sentence_parts import listed
from thence.core.statistics import (
    Estimate,
    Numbers,
    estimates,
    finite,
    holm,
    mcnemar,
    sign_flips,
    wilson,
)
from thence.core.task import Task
from thence.errors import UsageError

ALPHA = 0.05
MCNEMAR, FLIPS = "McNemar, exact", "sign flips by procedure"
FLIPS_WITHIN = "sign flips by pair of questions"


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference in accuracy of two runs over some questions: second - first.

    Attributes:
        n: number of questions that both answered.
        first: accuracy of the first run on them.
        second: accuracy of the second run on them.
        change: second - first, with the interval of a paired bootstrap over procedures; an end on
            the other side of 0 than the test's verdict is moved to 0, so that the two agree.
        lost: number of questions that only the first run answered correctly.
        gained: number of questions that only the second run answered correctly.
        p: two-sided p-value of no difference.
        test: name of the test.
        alike: share of questions to which both gave equal answers.
        detectable: the least difference that the test detects with a power of 0.8 over as many such
            questions, if the two differ on as large a share; NaN where it detects none.
        adjusted: p after Holm's correction over the rows of its table.
    """

    n: int
    first: float
    second: float
    change: Estimate
    lost: int
    gained: int
    p: float
    test: str
    alike: float
    detectable: float = math.nan
    adjusted: float = math.nan

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``compare --json`` prints."""
        return {
            "n": self.n,
            "first": self.first,
            "second": self.second,
            "difference": self.change.value,
            "difference_ci": self.change.interval(),
            "only_first_right": self.lost,
            "only_second_right": self.gained,
            "p": self.p,
            "p_holm": finite(self.adjusted),
            "test": self.test,
            "answered_alike": finite(self.alike),
            "detectable": finite(self.detectable),
        }


@dataclass(frozen=True)
class Comparison:
    """Comparison of two runs.

    Attributes:
        first: name of the first run.
        second: name of the second run.
        overall: differences by family.
        tasks: differences by full name, corrected for their number.
        groups: differences by task and group of the main breakdown, corrected for their number.
        metrics: family -> comparisons of its metrics other than the accuracy.
        twins: share of pairs answered alike (OCC) by family, where the runs were asked twins.
        unpaired: number of questions that only one of the two answered.
        notes: sentences on questions that were left out and on unfinished runs.
        own: the tasks compared that lie in no package.
    """

    first: str
    second: str
    overall: Mapping[str, Difference]
    tasks: Mapping[str, Difference]
    groups: Mapping[tuple[str, str], Difference]
    metrics: Mapping[str, Mapping[str, MetricComparison]]
    twins: Mapping[str, Estimate]
    unpaired: int
    notes: Sequence[str] = field(default_factory=list)
    own: Sequence[Task] = field(default_factory=families.given)

    @property
    def words(self) -> list[str]:
        """The conclusions in sentences, and notes on how to read them."""
        with families.using(self.own):
            return [*conclusions(self), *self.notes]

    @property
    def frame(self) -> pl.DataFrame:
        """The differences in a polars frame with a row a task, as `Difference` describes them."""
        rows = [
            {"task": task, **each.to_json(), "difference_ci": each.change.interval()}
            for task, each in self.tasks.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the sentences, and the differences by task."""
        columns = ("task", "n", self.first, self.second, "difference", "low", "high", "p (Holm)")
        rows = [
            (name, each.n, each.first, each.second, each.change.value, each.change.low,
             each.change.high, each.adjusted)
            for name, each in self.tasks.items()
        ]  # fmt: skip
        words = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.words)
        return words + html_table(columns, rows)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``compare --json`` prints."""
        return {
            "first": self.first,
            "second": self.second,
            "overall": {name: each.to_json() for name, each in self.overall.items()},
            "groups": {name: each.to_json() for name, each in self.tasks.items()},
            "by": [
                {"task": task, "group": group, **each.to_json()}
                for (task, group), each in self.groups.items()
            ],
            "figures": {
                family: {name: each.to_json() for name, each in held.items()}
                for family, held in self.metrics.items()
            },
            "twins": {
                family: {
                    "n": each.n,
                    consistency.OCC: each.value if each.n else None,
                    f"{consistency.OCC}_ci": each.interval(),
                }
                for family, each in self.twins.items()
            },
            "unpaired": self.unpaired,
            "conclusions": self.words,
        }


def compare(first: Results, second: Results) -> Comparison:
    """Return the comparison of two runs on the questions that both answered.

    Raises:
        UsageError: the runs share no question.
    """
    runs = pair_runs(first, second)
    if not runs.tasks:
        raise UsageError(
            f"{first.source} and {second.source} share no question; compare runs of the same "
            "samples, or of twins of them"
        )
    questions, unpaired = runs.questions(), runs.unpaired
    notes = []
    if unpaired:
        notes.append(f"Left out: {plural(unpaired, 'question')} that only one of the two answered.")
    notes += [f"{held.source} is not finished." for held in (first, second) if not held.finished]
    alone = {families.task(task).family for task, (ours, _) in runs.tasks.items()
             if ours.one_procedure}  # fmt: skip
    notes += [f"{families.families()[name].title}: {ONE_PROCEDURE}" for name in sorted(alone)]
    notes += _asked_differently(first, second)
    names = (first.model or first.source, second.model or second.source)
    if names[0] == names[1]:
        names = (first.source, second.source)
    by_task = _differences(questions, "task", "group")
    return Comparison(
        *names,
        overall={
            name: each
            for (name,), each in _differences(questions, "family").items()
            if families.families()[name].averaged or _one_task(runs.tasks, name)
        },
        tasks=_corrected({name: each for (name,), each in _differences(questions, "task").items()}),
        groups=_corrected({(task, group): each for (task, group), each in by_task.items()}),
        metrics=compare_metrics(runs.tasks),
        twins=_answered_alike(questions) if runs.twins else {},
        unpaired=unpaired,
        notes=notes,
    )


def _one_task(tasks: Iterable[str], family: str) -> bool:
    return sum(families.task(name).family == family for name in tasks) == 1


def _asked_differently(first: Results, second: Results) -> list[str]:
    """Return a sentence if two runs were asked by different protocols, or differ in turns."""
    sides = [(each.asked_by, each.turns) for each in (first, second)]
    known = first.protocol and second.protocol
    if sides[0][1] == sides[1][1] and (not known or sides[0][0] == sides[1][0]):
        return []
    told = [
        f"{each.source} by {each.asked_by or 'an unknown protocol'}"
        + (f" (turn {each.turns} of {each.turns})" if each.turns > 1 else "")
        for each in (first, second)
    ]
    return [f"Asked differently, so a difference may be the protocol's: {' and '.join(told)}."]


def _answered_alike(questions: pl.DataFrame) -> dict[str, Estimate]:
    """Return by family the share of twins (OCC) that two runs answered alike."""
    return {
        str(family): estimates(
            {consistency.OCC: held["equal"].to_numpy()}, held["cluster"].to_numpy()
        )[consistency.OCC]
        for (family,), held in questions.partition_by("family", as_dict=True).items()
    }


def _differences(questions: pl.DataFrame, *names: str) -> dict[tuple[Any, ...], Difference]:
    held = questions.partition_by(names, as_dict=True)
    return {name: difference(each) for name, each in held.items()}


def _corrected[Name](found: Mapping[Name, Difference]) -> dict[Name, Difference]:
    adjusted = holm([each.p for each in found.values()])
    return {
        name: replace(each, adjusted=p)
        for (name, each), p in zip(found.items(), adjusted, strict=True)
    }


def difference(questions: pl.DataFrame) -> Difference:
    """Return the difference of two runs over questions, a row each as `PairedRuns` has them."""
    n, distinct = len(questions), questions["cluster"].n_unique()
    first, second = questions["first"], questions["second"]
    changes, clusters = second - first, questions["cluster"]
    change = estimates({"change": changes.to_numpy()}, clusters.to_numpy(), ["change"])["change"]
    if math.isnan(change.low):
        change = _bounded(change.value, n, distinct)
    lost, gained = int((first > second).sum()), int((second > first).sum())
    binary = first.is_in([0.0, 1.0]).all() and second.is_in([0.0, 1.0]).all()
    if binary and distinct == n:
        p, test = mcnemar(lost, gained), MCNEMAR
    else:
        p = sign_flips(changes.to_list(), clusters.to_list())
        test = FLIPS_WITHIN if questions["one_procedure"].all() else FLIPS
    alike = questions["alike"].drop_nulls().to_list()
    return Difference(
        n,
        sum(first.to_list()) / n,
        sum(second.to_list()) / n,
        _agreeing(change, p),
        lost,
        gained,
        p,
        test,
        sum(alike) / len(alike) if alike else math.nan,
        # a flip of k signs has no p below this, whatever the difference
        math.nan if test != MCNEMAR and 2.0 ** (1 - distinct) >= ALPHA
        else _detectable(changes.to_numpy(), clusters.to_numpy()),
    )  # fmt: skip


def _agreeing(change: Estimate, p: float) -> Estimate:
    """Return a change whose interval leaves 0 out only if the test does, and the other way round.

    Over few procedures a bootstrap is narrower than the test allows.
    """
    low, high = change.low, change.high
    if p >= ALPHA:
        return replace(change, low=min(low, 0.0), high=max(high, 0.0))
    if change.value > 0:
        return replace(change, low=max(low, 0.0))
    return replace(change, high=min(high, 0.0))


def _detectable(changes: Numbers, clusters: Numbers) -> float:
    """Return the least difference that the test detects at the measured discordance and effect."""
    apart = measured_discordance(changes)
    return detectable(
        len(changes), Assumptions(discordance=apart), measured_effect(changes, clusters)
    )


def _bounded(value: float, n: int, clusters: int) -> Estimate:
    """Return a change with Wilson's bound, for procedures that all agree and so have no spread."""
    most = wilson(0, clusters)[1]
    return Estimate(value, max(-1.0, value - most), min(1.0, value + most), n)


def conclusions(found: Comparison) -> list[str]:
    """Return the conclusions in words: a sentence for each family and one for all tasks."""
    sentences = [_sentence(found, name, each) for name, each in found.overall.items()]
    apart = {name: each for name, each in found.tasks.items()
             if families.task(name).family not in found.overall}  # fmt: skip
    sentences += [_sentence(found, name, each) for name, each in apart.items()]
    sentences += [_twin_sentence(name, each) for name, each in found.twins.items()]
    if len(found.tasks) > 1:
        sentences.append(_task_sentence(found))
    return sentences


def _sentence(found: Comparison, name: str, each: Difference) -> str:
    """Return the conclusion on a family, or on a task."""
    family, _, task = name.partition("/")
    points = 100 * abs(each.change.value)
    low, high = (100 * end for end in (each.change.low, each.change.high))
    title = families.families()[family].title + (f", {task.replace('_', ' ')}" if task else "")
    begin = (
        f"{title}: on {each.n:,} questions that both answered, {found.first} is right on "
        f"{100 * each.first:.1f}% and {found.second} on {100 * each.second:.1f}%"
    )
    if each.p < ALPHA:
        better, ends = found.second, (low, high)
        if each.change.value < 0:
            better, ends = found.first, (-high, -low)
        return f"{begin}: {better} is better by {points:.1f} points ({_spread(ends, each)})."
    if each.lost == each.gained == 0:
        return f"{begin}: they are right on the same questions, so nothing tells them apart here."
    detects = f"the test detects differences of {100 * each.detectable:.1f} points or more"
    if math.isnan(each.detectable):
        few = "" if each.test != FLIPS else "about so few procedures "
        detects = f"{few}the test can detect none at all"
    return (
        f"{begin}: no significant difference ({found.second} - {found.first}: "
        f"{_spread((low, high), each)}). {_fits(found, low, high)} With so many questions "
        f"{detects} (power 0.8)."
    )


def _spread(ends: tuple[float, float], each: Difference) -> str:
    return f"[{ends[0]:+z.1f}, {ends[1]:+z.1f}]; {each.test}, {p_text(each.p)}"


def _fits(found: Comparison, low: float, high: float) -> str:
    """Return a sentence on the differences that the interval holds, on either side of 0."""
    sides = [(found.second, high), (found.first, -low)]
    held = [f"{name} ahead by up to {most:.1f} points" for name, most in sides if most > 0]
    return f"The answers fit {' as well as '.join(held)}."


def _twin_sentence(family: str, each: Estimate) -> str:
    low, high = (100 * end for end in (each.low, each.high))
    return (
        f"{families.families()[family].title}: the two were asked twins, and of {each.n:,} pairs "
        f"answered {100 * each.value:.1f}% alike (OCC) [{low:.1f}, {high:.1f}]."
    )


def _task_sentence(found: Comparison) -> str:
    sure = {name: each for name, each in found.tasks.items() if each.adjusted < ALPHA}
    better = [name for name, each in sure.items() if each.change.value > 0]
    worse = [name for name, each in sure.items() if each.change.value < 0]
    parts = []
    if better:
        parts.append(f"{found.second} is better on {_all_or_listed(better, len(found.tasks))}")
    if worse:
        parts.append(f"{found.first} is better on {_all_or_listed(worse, len(found.tasks))}")
    left = len(found.tasks) - len(sure)
    if left:
        parts.append(f"{left} of {len(found.tasks)} tasks show no significant difference")
    return f"By task, after Holm's correction for {len(found.tasks)}: {'; '.join(parts)}."


def _all_or_listed(names: Sequence[str], everything: int) -> str:
    return "every one of them" if len(names) == everything else listed(names)


def p_text(p: float) -> str:
    """Return a p-value in words, such as ``p = 0.031`` or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
