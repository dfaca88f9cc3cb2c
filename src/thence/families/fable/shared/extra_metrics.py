"""Figures beside the accuracy: baselines without a model, and the sound truth."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from thence import families
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Estimate, estimates, wilson
from thence.families.fable.shared.answers import YES_NO
from thence.families.fable.shared.generator import SOUND
from thence.families.fable.shared.task import CellFormat


def extra_metrics(rows: ScoreFrame) -> Mapping[str, Estimate]:
    """Return ``constant`` and ``random`` of the questions, and ``sound`` where that truth is known.

    ``constant`` answers every question of a cell with the cell's most common truth. ``random`` is
    the expected accuracy of chance: one half for Yes or No, and for intervals the probability of a
    uniformly drawn distinct truth of the cell. Their intervals are Wilson's for the number of
    questions. ``sound`` is the share of right answers by the sound truth, among the questions that
    it decides.

    Args:
        rows: rows of this family alone.
    """
    constant = chance = 0.0
    votes = rows.data.group_by("task", "target_hash", maintain_order=True).len()
    for (name,), held in votes.group_by("task", maintain_order=True):
        counts, form = held["len"].to_list(), families.task(str(name)).format
        constant += max(counts)
        two = isinstance(form, CellFormat) and form.form is YES_NO
        chance += sum(counts) / (2 if two else len(counts))
    n = len(rows)
    found = {
        "constant": Estimate(constant / n, *wilson(constant, n), n),
        "random": Estimate(chance / n, *wilson(chance, n), n),
    }
    if SOUND in rows.metrics:
        decided = rows.where(pl.col(SOUND).is_not_null())
        if decided:
            found.update(estimates({SOUND: decided.numbers(SOUND)}, decided.clusters()))
    return found
