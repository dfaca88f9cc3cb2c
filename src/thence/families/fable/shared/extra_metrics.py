"""Figures beside the accuracy: baselines without a model, and the sound truth."""

from __future__ import annotations

import math
from collections.abc import Mapping

import polars as pl

from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Estimate, estimates, wilson
from thence.families.fable.shared.generator import SOUND


def extra_metrics(rows: ScoreFrame) -> Mapping[str, Estimate]:
    """Return ``constant`` and ``random`` of the questions, and ``sound`` where that truth is known.

    ``constant`` answers every question of a cell with the cell's most common truth. ``random`` is
    the expected accuracy of chance: one half for Yes or No, and for an interval the share of the
    cell's other questions in the same unit whose truth it is: exact, so without an interval.
    ``sound`` is the share of right answers by the sound truth, among the questions that it decides.

    Args:
        rows: rows of this family alone.
    """
    votes = rows.data.group_by("task", "target_hash").len().group_by("task").agg(pl.max("len"))
    constant, n = int(votes["len"].sum()), len(rows)
    found = {
        "constant": Estimate(constant / n, *wilson(constant, n), n),
        "random": Estimate(rows.chance(), math.nan, math.nan, n),
    }
    if SOUND in rows.metrics:
        decided = rows.where(pl.col(SOUND).is_not_null())
        if decided:
            found.update(estimates({SOUND: decided.numbers(SOUND)}, decided.clusters()))
    return found
