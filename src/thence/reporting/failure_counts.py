"""Counts of a run by task that its summaries lack: answers by truth, and first wrong steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from thence.core.score_frame import COUNTS, of_turn
from thence.scoring.judge import Scored

if TYPE_CHECKING:
    import polars as pl

READ = "(none read)"
"""The answer of a reply in which none was read."""
TENTHS = 10


@dataclass
class FailureCounts:
    """Counts of a run on a task.

    Attributes:
        answers: by truth and answer, how often they met in the last turn; of truths that are text.
        first_errors: by tenths of the length, how many wrong replies of a procedure go wrong there.
    """

    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    first_errors: Counter[int] = field(default_factory=Counter)


type CountsByTask = Mapping[str, FailureCounts]
"""The counts of a run by full name of a task."""


def of_rows(rows: Iterable[Scored], turns: int) -> CountsByTask:
    """Return the counts of scores one by one, of a protocol of so many turns."""
    found: dict[str, FailureCounts] = defaultdict(FailureCounts)
    for row in rows:
        truth, score, held = row.sample.target, row.score, found[row.sample.task]
        if isinstance(truth, str) and row.turn == turns - 1 and score.counts:
            held.answers[truth, str(score.answer) if score.rule is not None else READ] += 1
        matched = score.values.get("pml")
        if matched is None or score.correct or score.rule is None or not isinstance(truth, dict):
            continue
        held.first_errors[_tenth(matched, len(truth.get("intermediate") or ()) + 1)] += 1
    return found


def of_index(rows: pl.DataFrame, turns: int) -> CountsByTask:
    """Return the counts of the rows of an index of a run, of a protocol of so many turns."""
    import polars as pl

    found: dict[str, FailureCounts] = defaultdict(FailureCounts)
    counted = rows.filter(of_turn(turns - 1) & COUNTS & pl.col("_target").is_not_null())
    said = pl.when(pl.col("rule").is_null()).then(pl.lit(READ)).otherwise("_read")
    for task, truth, answer, count in (
        counted.group_by("task", "_target", said.alias("said")).agg(pl.len()).iter_rows()
    ):
        found[task].answers[truth, answer] += count
    wrong = rows.filter(
        pl.col("_first").is_not_null() & pl.col("_states").is_not_null()
        & pl.col("rule").is_not_null()
    )  # fmt: skip
    for task, matched, states, count in (
        wrong.group_by("task", "_first", "_states").agg(pl.len()).iter_rows()
    ):
        found[task].first_errors[_tenth(matched, states)] += count
    return found


def _tenth(matched: float, states: int) -> int:
    return min(TENTHS - 1, int(TENTHS * matched / states))
