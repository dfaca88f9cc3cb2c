"""The metrics beside the accuracy of two runs, such as PA, macro F1 and TC, compared in pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from thence import families
from thence.analysis import consistency
from thence.core.statistics import Estimate, estimates
from thence.scoring.judge import CONTRADICTS, Scored
from thence.scoring.tally import part_of

type Rows = dict[str, list[Scored]]
"""The responses of one run that count, by question."""


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


def figures(ours: Rows, theirs: Rows) -> dict[str, dict[str, Figure]]:
    """The families' metrics and own figures, such as PA, macro F1 and TC, on shared questions."""
    found: dict[str, dict[str, Figure]] = {}
    for name, family in families.families().items():
        keys = [key for key, rows in ours.items() if rows[0].sample.family == name]
        if not keys:
            continue
        held = _means([ours[key] for key in keys], [theirs[key] for key in keys])
        held.pop(family.accuracy_is or "", None)
        first, second = (
            part_of(row for key in keys for row in each[key]) for each in (ours, theirs)
        )
        if family.figures is not None:
            changes = family.changes(first, second) if family.changes is not None else {}
            before, after = family.figures(first), family.figures(second)
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


def _means(
    ours: Sequence[Sequence[Scored]], theirs: Sequence[Sequence[Scored]]
) -> dict[str, Figure]:
    """The metrics that are means over questions, of those questions where both runs have them."""
    names = dict.fromkeys(
        name
        for rows in (*ours, *theirs)
        for row in rows
        for name in row.score.values
        if name != CONTRADICTS
    )
    found = {}
    for name in names:
        columns: dict[str, list[float]] = {"first": [], "second": [], "change": []}
        clusters, counts = [], {"change"}
        for left, right in zip(ours, theirs, strict=True):
            if not all(name in row.score.values for row in (*left, *right)):
                continue
            first, second = (
                sum(row.score.values[name] for row in rows) / len(rows) for rows in (left, right)
            )
            for column, value in zip(columns, (first, second, second - first), strict=True):
                columns[column].append(value)
            clusters.append(left[0].sample.cluster)
            if name in families.task(left[0].sample.task).grader.counts:
                counts |= {"first", "second"}
        if clusters:
            found[name] = Figure(**estimates(columns, clusters, counts))
    return found


def _spread(change: Estimate | None) -> Estimate | None:
    """A difference without an interval that is no more than a point, as that says nothing."""
    if change is None or not math.isclose(change.low, change.high, abs_tol=1e-12):
        return change
    return replace(change, low=math.nan, high=math.nan)
