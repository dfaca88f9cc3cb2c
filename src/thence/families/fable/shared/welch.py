"""Welch's t-test, without a library for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance

_STEPS = 300
_TINY = 1e-300


def welch(left: Sequence[float], right: Sequence[float]) -> tuple[float, float] | None:
    """The t and the two-tailed p of Welch's test (Welch 1947, Biometrika 34).

    Args:
        left: at least two values.
        right: likewise.

    Returns:
        None where a sample is too small, or neither varies.
    """
    if min(len(left), len(right)) < 2:
        return None
    a, b = variance(left) / len(left), variance(right) / len(right)
    if a + b == 0:
        return None
    t = (fmean(left) - fmean(right)) / math.sqrt(a + b)
    freedom = (a + b) ** 2 / (a**2 / (len(left) - 1) + b**2 / (len(right) - 1))
    return t, two_tailed(t, freedom)


def two_tailed(t: float, freedom: float) -> float:
    """The probability that Student's t with some degrees of freedom is at least as far from 0."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction.

    Args:
        a: over 0.
        b: over 0.
        x: within [0, 1].
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    total = d
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * total / a
