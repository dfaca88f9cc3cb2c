"""Welch's t-test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance


def welch(left: Sequence[float], right: Sequence[float]) -> tuple[float, float] | None:
    """Return the t and the two-tailed p of Welch's test (Welch 1947, Biometrika 34).

    Args:
        left: a sample.
        right: another sample.

    Returns:
        None where a sample has fewer than two values, or neither varies.
    """
    if min(len(left), len(right)) < 2:
        return None
    a, b = variance(left) / len(left), variance(right) / len(right)
    if a + b == 0:
        return None
    from scipy.special import stdtr  # imports far faster than scipy.stats

    t = (fmean(left) - fmean(right)) / math.sqrt(a + b)
    freedom = (a + b) ** 2 / (a**2 / (len(left) - 1) + b**2 / (len(right) - 1))
    return t, 2 * float(stdtr(freedom, -abs(t)))
