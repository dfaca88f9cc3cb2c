"""Figures beside the accuracy: baselines that need no model, and the sound truth."""

from __future__ import annotations

from collections.abc import Mapping

from thence import families
from thence.core.frame import Part
from thence.core.statistics import Estimate, estimates, wilson
from thence.families.fable.shared.answers import YES_NO
from thence.families.fable.shared.generator import SOUND
from thence.families.fable.shared.task import CellFormat


def figures(rows: Part) -> Mapping[str, Estimate]:
    """``constant`` and ``random`` of the questions asked; ``sound`` where that truth is known.

    ``constant`` answers every question of a cell with the cell's commonest truth. ``random`` is
    what chance is worth: one half for Yes or No, and for intervals one of the different truths of
    the cell, each as likely. Their intervals are Wilson's for as many questions. ``sound`` is the
    share of answers that are right by the sound truth, of the questions that it decides.

    Args:
        rows: all of one family.
    """
    import numpy as np

    constant = chance = 0.0
    for place, name in enumerate(rows.tasks):
        _, votes = np.unique(rows.truths[rows.places == place], return_counts=True)
        if not len(votes):
            continue
        task = families.task(name)
        constant += float(votes.max())
        two = isinstance(task.format, CellFormat) and task.format.form is YES_NO
        chance += float(votes.sum()) / (2 if two else len(votes))
    n = len(rows)
    found = {
        "constant": Estimate(constant / n, *wilson(constant, n), n),
        "random": Estimate(chance / n, *wilson(chance, n), n),
    }
    if SOUND in rows.values:
        decided = rows.where(~np.isnan(rows.values[SOUND]))
        if len(decided):
            found.update(estimates({SOUND: decided.values[SOUND]}, decided.clusters))
    return found
