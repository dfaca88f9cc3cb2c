"""Geometry of the made-up map, from the four operations and the square root alone.

These are rounded alike on every machine, which sines and logarithms are not; a seed must give the
same map everywhere. Lengths are metres, x to the east and y to the north.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
Array = npt.NDArray[Any]
GRID = 32  # points of a noise's grid on a side; after them it repeats itself


def minus(a: Point, b: Point) -> Point:
    """Return the vector from b to a."""
    return a[0] - b[0], a[1] - b[1]


def along(a: Point, direction: Point, length: float) -> Point:
    """Return the point that lies ``length`` times ``direction`` from a."""
    return a[0] + direction[0] * length, a[1] + direction[1] * length


def beside(a: Point, direction: Point, ahead: float, right: float) -> Point:
    """Return the point some metres ahead of a and then some to the right."""
    return along(along(a, direction, ahead), right_of(direction), right)


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def length(a: Point) -> float:
    """Return the length of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1])


def distance(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    east, north = a[0] - b[0], a[1] - b[1]
    return sqrt(east * east + north * north)


def unit(a: Point) -> Point:
    """Return the vector of length 1 in the same direction; east for the zero vector."""
    size = length(a)
    return (a[0] / size, a[1] / size) if size > 0 else (1.0, 0.0)


def dot(a: Point, b: Point) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def right_of(direction: Point) -> Point:
    """Return a vector turned right by a quarter."""
    return direction[1], -direction[0]


def crossings(
    one: Sequence[tuple[Point, Point]], other: Sequence[tuple[Point, Point]]
) -> list[tuple[int, int, float, float]]:
    """Find where segments of one list cross segments of another.

    Returns:
        Number of the one, number of the other, and how far along each they meet, as shares of
        them; in the order of the numbers.
    """
    if not one or not other:
        return []
    first, second = (_flat(each).reshape(-1, 2, 2) for each in (one, other))
    ends = [np.sort(each, axis=1) for each in (first, second)]
    near = np.ones((len(one), len(other)), dtype=bool)
    for axis in (0, 1):  # their boxes overlap
        near &= ends[0][:, None, 0, axis] <= ends[1][None, :, 1, axis]
        near &= ends[1][None, :, 0, axis] <= ends[0][:, None, 1, axis]
    i, j = np.nonzero(near)
    a, c = first[i, 0], second[j, 0]
    r, s, q = first[i, 1] - a, second[j, 1] - c, c - a
    size = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    size[size == 0] = np.inf
    t = (q[:, 0] * s[:, 1] - q[:, 1] * s[:, 0]) / size
    u = (q[:, 0] * r[:, 1] - q[:, 1] * r[:, 0]) / size
    met = (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1) & np.isfinite(size)
    found = (i[met].tolist(), j[met].tolist(), t[met].tolist(), u[met].tolist())
    return list(zip(*found, strict=True))


def _flat(segments: Sequence[tuple[Point, Point]]) -> Array:
    """Return the coordinates of segments in one row, faster than from nested sequences."""
    points = chain.from_iterable(segments)
    return np.fromiter(chain.from_iterable(points), dtype=float, count=4 * len(segments))


def curve(a: Point, out: Point, b: Point, into: Point, step: float) -> list[Point]:
    """Return points in even steps on a cubic curve from a to b.

    The curve leaves a along ``out`` and arrives at b along ``into``.
    """
    span = distance(a, b)
    p, q = along(a, out, span / 3), along(b, into, -span / 3)
    count = max(2, round(span / step))
    points = []
    for number in range(count + 1):
        t = number / count
        r = 1 - t
        weights = (r * r * r, 3 * r * r * t, 3 * r * t * t, t * t * t)
        points.append(
            (
                weights[0] * a[0] + weights[1] * p[0] + weights[2] * q[0] + weights[3] * b[0],
                weights[0] * a[1] + weights[1] * p[1] + weights[2] * q[1] + weights[3] * b[1],
            )
        )
    return points


class Noise:
    """Smooth random function of the plane with values in -1 to 1.

    Args:
        rng: draws the values on a grid, between which it blends.
        period: metres between grid points.
    """

    def __init__(self, rng: Random, period: float) -> None:
        self._period = period
        drawn = np.frombuffer(rng.randbytes(4 * GRID * GRID), dtype="<u4")
        self._values = (drawn / 2.0**31 - 1.0).reshape(GRID, GRID)

    def at(self, x: Array, y: Array) -> Array:
        """Return the values at points, given by their coordinates."""
        x, y = x / self._period, y / self._period
        column, row = np.floor(x), np.floor(y)
        s, t = x - column, y - row
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        left, below = column.astype(int) % GRID, row.astype(int) % GRID
        right, above = (left + 1) % GRID, (below + 1) % GRID
        values = self._values
        low = values[below, left] + (values[below, right] - values[below, left]) * s
        high = values[above, left] + (values[above, right] - values[above, left]) * s
        found: Array = low + (high - low) * t
        return found


class Warp:
    """Smooth random deformation of the plane, by which straight streets curve."""

    def __init__(self, rng: Random, period: float, size: float) -> None:
        self._east, self._north = Noise(rng, period), Noise(rng, period)
        self._size = size

    def bend(self, x: Array, y: Array, share: Array | float = 1.0) -> tuple[Array, Array]:
        """Return the deformed coordinates of points; ``share`` scales the deformation."""
        size = self._size * share
        return x + size * self._east.at(x, y), y + size * self._north.at(x, y)

    def bend_points(self, points: Sequence[Point], shares: Sequence[float]) -> list[Point]:
        """Return deformed points, each by its own share."""
        given = np.array(points, dtype=float).reshape(-1, 2)
        east, north = self.bend(given[:, 0], given[:, 1], np.array(shares, dtype=float))
        return list(zip(east.tolist(), north.tolist(), strict=True))


class Polyline:
    """Line through points, measured by the length along it."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = list(points)
        spans = (distance(a, b) for a, b in pairwise(self.points))
        self.marks = list(accumulate(spans, initial=0.0))

    @property
    def length(self) -> float:
        """Return the length from end to end."""
        return self.marks[-1]

    def place(self, mark: float) -> tuple[Point, Point]:
        """Return the point at a length along the line, and the direction there."""
        mark = min(max(mark, 0.0), self.length)
        low = min(bisect_right(self.marks, mark) - 1, len(self.marks) - 2)
        a, b = self.points[low], self.points[low + 1]
        span = self.marks[low + 1] - self.marks[low]
        return between(a, b, (mark - self.marks[low]) / span if span else 0.0), unit(minus(b, a))
