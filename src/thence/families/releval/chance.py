"""Exact probabilities that random answers are right: plans and sets of cycles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, exp, lgamma, log, perm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thence.core.statistics import Numbers

FEWEST, MOST = 3, 8  # objects of a random cycle
CYCLES = 3  # most cycles of a random answer
_ZERO = 0.0005  # plans less likely than this are given as 0
_OBJECTS = 60  # beyond which all plans are
_HALF = 80  # points: of both halves together more than a graph has edges


def of_cycles(lengths: Sequence[int], objects: int) -> float:
    """Return the probability that a random Yes lists exactly the true cycles.

    It lists one to three cycles, each of three to eight objects drawn in any order. By inclusion
    and exclusion: every listed cycle is true, and none is lacking.

    Args:
        lengths: the numbers of objects of the true cycles.
        objects: the number of objects, at least 3.
    """
    most = min(MOST, objects)
    each = [
        size / perm(objects, size) / (most - FEWEST + 1) if FEWEST <= size <= most else 0.0
        for size in lengths
    ]
    if len(each) > CYCLES:
        return 0.0
    found = 0.0
    for count in range(len(each) + 1):
        sign = -1 if (len(each) - count) % 2 else 1
        for chosen in combinations(each, count):
            found += sign * sum(sum(chosen) ** drawn for drawn in range(1, CYCLES + 1)) / CYCLES
    return max(0.0, found)


@lru_cache(maxsize=512)
def of_plan(objects: int, relations: int) -> float:
    """Return the probability that relations between random objects are a right plan.

    Right are the acyclic graphs over all objects, counted by their sources (Robinson 1973, New
    Directions in the Theory of Graphs), each in any order of its relations. Below 0.0005, as for
    over 60 objects or far more relations than objects, it is given as 0.
    """
    n, m = objects, relations
    if n > _OBJECTS or m > max(2 * n, 20) or not n <= 2 * m <= n * (n - 1):
        return 0.0
    import numpy as np

    # the coefficient of x**m of a real power series, from values on half a circle near the saddle
    radius, weights = 2 * m / (n * (n - 1)), np.full(_HALF + 1, 1 / _HALF)
    weights[[0, _HALF]] /= 2
    points = radius * np.exp(1j * np.pi * np.arange(_HALF + 1) / _HALF)
    counts = [each.sum(axis=0) for each in _acyclic(n, points)]
    covering = sum((-1) ** k * comb(n, k) * counts[n - k] for k in range(n + 1))
    coefficient = float((weights * covering * (points / radius) ** -m).sum().real)
    found = coefficient * exp(lgamma(m + 1) - m * log(radius * n * (n - 1)))
    return found if found >= _ZERO else 0.0


def _acyclic(n: int, points: Numbers) -> list[Numbers]:
    """Return for 0 to n labelled nodes the series of acyclic graphs by edges, at some points.

    Each has a row for every number of nodes without an incoming edge; all terms are positive.
    """
    import numpy as np

    found = [np.ones((1, len(points)), dtype=complex)]
    for size in range(1, n + 1):
        rows = []
        for sources in range(1, size + 1):
            rest, each = size - sources, (1 + points) ** sources
            if not rest:
                rows.append(np.ones_like(points))
                continue
            # every other node without an incoming edge has one from a source, the rest may
            some = ((each - 1) / each) ** np.arange(1, rest + 1)[:, None]
            rows.append(comb(size, sources) * each**rest * (some * found[rest]).sum(axis=0))
        found.append(np.array(rows))
    return found
