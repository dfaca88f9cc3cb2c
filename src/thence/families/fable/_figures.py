"""Figures beside the accuracy: baselines that need no model, and the sound truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from thence import families
from thence.families.fable._answers import YES_NO
from thence.families.fable._task import SOUND, Cellwise
from thence.kernel.statistics import Estimate, estimates, wilson


def figures(rows: Sequence[Any]) -> Mapping[str, Estimate]:
    """``constant`` and ``random`` of the questions asked; ``sound`` where that truth is known.

    ``constant`` answers every question of a cell with the cell's commonest truth. ``random`` is
    what chance is worth: one half for Yes or No, and for intervals one of the different truths of
    the cell, each as likely. Their intervals are Wilson's for as many questions. ``sound`` is the
    share of answers that are right by the sound truth, of the questions that it decides.

    Args:
        rows: of `thence.scoring.Scored`, all of one family.
    """
    cells: dict[str, list[Any]] = {}
    for row in rows:
        cells.setdefault(row.sample.task, []).append(row.sample)
    constant = chance = 0.0
    for name, samples in cells.items():
        task = families.task(name)
        votes = Counter(task.vote(sample.target) for sample in samples)
        constant += max(votes.values())
        two = isinstance(task, Cellwise) and task.form is YES_NO
        chance += len(samples) / (2 if two else len(votes))
    n = len(rows)
    found = {
        "constant": Estimate(constant / n, *wilson(constant, n), n),
        "random": Estimate(chance / n, *wilson(chance, n), n),
    }
    decided = [row for row in rows if SOUND in row.score.values]
    if decided:
        column = {SOUND: [row.score.values[SOUND] for row in decided]}
        found.update(estimates(column, [row.sample.cluster for row in decided]))
    return found
