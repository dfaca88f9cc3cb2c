"""The metrics beside the accuracy of two runs, such as PA, macro F1 and TC, compared in pairs."""

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
from thence.core.statistics import Estimate, Numbers, estimates
from thence.scoring.judge import CONTRADICTS


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric beside the accuracy, such as PA or a macro F1, of two runs.

    Attributes:
        first: of the first run, with its own interval.
        second: likewise.
        change: second less first, with the interval of a paired bootstrap over procedures; None
            where the family offers none.
    """

    first: Estimate
    second: Estimate
    change: Estimate | None = None

    @property
    def difference(self) -> float:
        """Second less first."""
        return self.second.value - self.first.value

    def to_json(self) -> dict[str, Any]:
        """As ``compare --json`` prints it."""
        return {
            "first": self.first.value,
            "first_ci": self.first.interval(),
            "second": self.second.value,
            "second_ci": self.second.interval(),
            "difference": self.difference,
            "difference_ci": None if self.change is None else self.change.interval(),
        }


def figures(tasks: Mapping[str, tuple[ScoreFrame, ScoreFrame]]) -> dict[str, dict[str, Figure]]:
    """The metrics of two runs, family by family: means, a family's own such as macro F1, and OCC.

    Args:
        tasks: the responses of both runs, as in `thence.analysis.paired_questions.PairedRuns`.
    """
    found: dict[str, dict[str, Figure]] = {}
    for name, family in families.families().items():
        sides = [each for task, each in tasks.items() if families.task(task).family == name]
        if not sides:
            continue
        first, second = (joined(frames) for frames in zip(*sides, strict=True))
        held = _means(first, second)
        held.pop(family.accuracy_is or "", None)
        if family.extra_metrics is not None:
            changes = family.metric_changes(first, second) if family.metric_changes else {}
            before, after = family.extra_metrics(first), family.extra_metrics(second)
            for key in before:
                if key in after and key not in held:
                    held[key] = Figure(before[key], after[key], _spread(changes.get(key)))
        if consistency.OCC not in held:
            told = consistency.compared(first, second)
            if told is not None:
                held[consistency.OCC] = Figure(*told)
        if held:
            found[name] = held
    return found


def _means(first: ScoreFrame, second: ScoreFrame) -> dict[str, Figure]:
    """The metrics that are means over questions, of those questions where both runs have them."""
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
        found[name] = Figure(**estimates(columns, ours.clusters()[starts], counts))
    return found


def _by_question(rows: ScoreFrame, name: str) -> Numbers:
    """The mean of a metric of each question."""
    _, question = np.unique(rows.data["question"].to_numpy(), return_inverse=True)
    found: Numbers = np.bincount(question, rows.numbers(name)) / np.bincount(question)
    return found


def _spread(change: Estimate | None) -> Estimate | None:
    """A difference without an interval that is no more than a point, as that says nothing."""
    if change is None or not math.isclose(change.low, change.high, abs_tol=1e-12):
        return change
    return replace(change, low=math.nan, high=math.nan)
