"""Accuracy by the length of a question: bins of enough questions, and the chance to survive a step.

If each step is done rightly with one probability p, independent of the others, a question of N
steps is answered rightly with p ** N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from thence.core.results import Results
from thence.core.statistics import Estimate, Numbers, estimates

LENGTHS = ("steps", "depth")
"""Dimensions that count what a question takes, the first that is there."""
FEWEST = 20  # questions of a bin
_LEAST_BINS = 3
_MOST = 30.0  # of a rate, beyond which nothing is right


@dataclass(frozen=True)
class Bin:
    """Figures of the questions of some neighbouring lengths.

    Attributes:
        length: mean length.
        value: the metric with its interval.
        chance: the mean chance of the questions; NaN where it is not known.
    """

    length: float
    value: Estimate
    chance: float


@dataclass(frozen=True)
class Decay:
    """Chance to survive a step, fitted to right and wrong answers.

    Attributes:
        step: the probability with its 95% interval.
        half: length at which half of the answers are right; infinite where none is wrong.
    """

    step: Estimate
    half: float


def length_of(results: Results, tasks: Sequence[str]) -> str | None:
    """Return the dimension by which the length of some tasks' questions is told, if any."""
    rows = results.final([task for task in tasks if task in results.frames])
    for name in LENGTHS if rows is not None else ():
        if rows is not None and name in rows.data.columns:
            values = rows.data[name].cast(pl.String).cast(pl.Float64, strict=False)
            if values.n_unique() > _LEAST_BINS:
                return name
    return None


def bins(results: Results, tasks: Sequence[str], length: str, metric: str) -> list[Bin]:
    """Return a metric by length, in bins of neighbouring lengths with enough questions each."""
    rows = results.final([task for task in tasks if task in results.frames])
    if rows is None or length not in rows.data.columns:
        return []
    lengths = rows.data[length].cast(pl.String).cast(pl.Float64, strict=False).to_numpy()
    values = rows.correct() if metric == "accuracy" else rows.metric(metric)
    chances, clusters = rows.with_chance().numbers("chance"), rows.clusters()
    found = []
    for chosen in _parts(lengths):
        value = estimates({"": values[chosen]}, clusters[chosen])[""]
        told = chances[chosen]
        chance = math.nan if np.isnan(told).any() else float(told.mean())
        found.append(Bin(float(lengths[chosen].mean()), value, chance))
    return found


def _parts(lengths: Numbers) -> list[Numbers]:
    """Return the rows of each bin; a last one with too few questions joins the one before."""
    parts: list[Numbers] = []
    held = np.zeros(len(lengths), dtype=bool)
    for each in np.unique(lengths[~np.isnan(lengths)]):
        held |= lengths == each
        if held.sum() >= FEWEST:
            parts.append(held)
            held = np.zeros(len(lengths), dtype=bool)
    if held.any():
        if parts:
            parts[-1] |= held
        else:
            parts.append(held)
    return parts


def decay(results: Results, tasks: Sequence[str], length: str) -> Decay | None:
    """Return the chance to survive a step that fits the answers best, by maximum likelihood."""
    rows = results.final([task for task in tasks if task in results.frames])
    if rows is None or length not in rows.data.columns:
        return None
    lengths = rows.data[length].cast(pl.String).cast(pl.Float64, strict=False).to_numpy()
    known = ~np.isnan(lengths) & (lengths > 0)
    steps, right = lengths[known], rows.correct()[known]
    if not len(steps) or not right.any():
        return None
    if right.all():
        return Decay(Estimate(1.0, math.nan, math.nan, len(steps)), math.inf)
    rate = _rate(steps, right)
    gone = np.exp(-rate * steps)
    half = 1.96 / math.sqrt(float((steps**2 * gone / np.maximum(1 - gone, 1e-12)).sum()))
    low, high = math.exp(-(rate + half)), math.exp(-max(0.0, rate - half))
    return Decay(Estimate(math.exp(-rate), low, high, len(steps)), math.log(2) / rate)


def _rate(steps: Numbers, right: Numbers) -> float:
    """Return the rate at which the likelihood of exp(-rate * steps) is greatest, by halving."""
    low, high = 1e-9, _MOST
    gained = float((right * steps).sum())
    wrong = steps[right < 1]
    weight = 1 - right[right < 1]
    for _ in range(80):
        middle = (low + high) / 2
        lost = float((weight * wrong / np.expm1(np.minimum(middle * wrong, 700.0))).sum())
        if lost > gained:
            low = middle
        else:
            high = middle
    return (low + high) / 2
