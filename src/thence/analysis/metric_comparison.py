"""Paired comparison of metrics other than the accuracy, such as PA, macro F1 and TC."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from thence import families
from thence.analysis import consistency
from thence.core.score_frame import ScoreFrame, joined
from thence.core.statistics import Estimate, Numbers, estimates, finite
from thence.scoring.judge import CONTRADICTS


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Values of a metric in two runs, on the questions that both answered.

    Attributes:
        first: value in the first run.
        second: value in the second run.
        change: second - first, with the interval of a paired bootstrap over procedures; None
            where the family offers none.
    """

    first: Estimate
    second: Estimate
    change: Estimate | None = None

    @property
    def difference(self) -> float:
        """Value in the second run - value in the first."""
        return self.second.value - self.first.value

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``compare --json`` prints."""
        return {
            "first": finite(self.first.value),
            "first_ci": self.first.interval(),
            "second": finite(self.second.value),
            "second_ci": self.second.interval(),
            "difference": finite(self.difference),
            "difference_ci": None if self.change is None else self.change.interval(),
        }


def compare_metrics(
    tasks: Mapping[str, tuple[ScoreFrame, ScoreFrame]],
) -> dict[str, dict[str, MetricComparison]]:
    """Return by family the comparisons of means, of its own metrics such as macro F1, and of OCC.

    Args:
        tasks: as in `thence.analysis.paired_questions.PairedRuns`.
    """
    by_family: dict[str, dict[str, MetricComparison]] = {}
    for name, family in families.families().items():
        sides = [each for task, each in tasks.items() if families.task(task).family == name]
        if not sides:
            continue
        first, second = (joined(frames) for frames in zip(*sides, strict=True))
        comparisons = _means(first, second)
        comparisons.pop(family.accuracy_is or "", None)
        if family.extra_metrics is not None:
            changes = family.metric_changes(first, second) if family.metric_changes else {}
            before, after = family.extra_metrics(first), family.extra_metrics(second)
            for key in before:
                if key in after and key not in comparisons:
                    comparisons[key] = MetricComparison(
                        before[key], after[key], _with_interval(changes.get(key))
                    )
        if consistency.OCC not in comparisons and (occ := consistency.compare_occ(first, second)):
            comparisons[consistency.OCC] = MetricComparison(*occ)
        if comparisons:
            by_family[name] = comparisons
    return by_family


def _means(first: ScoreFrame, second: ScoreFrame) -> dict[str, MetricComparison]:
    """Return the comparisons of means, over the questions for which both runs have the metric."""
    found = {}
    for name in dict.fromkeys((*first.metrics, *second.metrics)):
        if name == CONTRADICTS or not all(name in each.data.columns for each in (first, second)):
            continue
        lacking = [each.data.filter(pl.col(name).is_null())["question"] for each in (first, second)]
        whole = ~pl.col("question").is_in(pl.concat(lacking).implode())
        ours, theirs = first.where(whole), second.where(whole)
        if not ours:
            continue
        counts = {"change"}
        if any(name in families.task(task).grader.counts for task in ours.tasks):
            counts |= {"first", "second"}
        before, after = (_by_question(each, name) for each in (ours, theirs))
        columns = {"first": before, "second": after, "change": after - before}
        starts = np.unique(ours.data["question"].to_numpy(), return_index=True)[1]
        found[name] = MetricComparison(**estimates(columns, ours.clusters()[starts], counts))
    return found


def _by_question(rows: ScoreFrame, name: str) -> Numbers:
    """Return the mean of a metric for each question."""
    _, question = np.unique(rows.data["question"].to_numpy(), return_inverse=True)
    found: Numbers = np.bincount(question, rows.numbers(name)) / np.bincount(question)
    return found


def _with_interval(change: Estimate | None) -> Estimate | None:
    """Return a difference, without its interval if that is a single point and so uninformative."""
    if change is None or not math.isclose(change.low, change.high, abs_tol=1e-12):
        return change
    return replace(change, low=math.nan, high=math.nan)
