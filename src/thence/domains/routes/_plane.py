"""Geometry of the synthetic map, from the four operations and the square root alone.

These are rounded alike on every machine, which sines and logarithms are not; a seed must give the
same map everywhere. Lengths are metres, x to the east and y to the north.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, sqrt
from random import Random

Point = tuple[float, float]


def minus(a: Point, b: Point) -> Point:
    """The vector from b to a."""
    return a[0] - b[0], a[1] - b[1]


def along(a: Point, direction: Point, length: float) -> Point:
    """The point that lies ``length`` times ``direction`` from a."""
    return a[0] + direction[0] * length, a[1] + direction[1] * length


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def length(a: Point) -> float:
    """Of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1])


def distance(a: Point, b: Point) -> float:
    """Between two points."""
    return length(minus(a, b))


def unit(a: Point) -> Point:
    """The vector of length 1 in the same direction; east for none."""
    size = length(a)
    return (a[0] / size, a[1] / size) if size > 0 else (1.0, 0.0)


def dot(a: Point, b: Point) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def cross(a: Point, b: Point) -> float:
    """Above 0 where b points to the left of a."""
    return a[0] * b[1] - a[1] * b[0]


def right_of(direction: Point) -> Point:
    """A quarter turn to the right."""
    return direction[1], -direction[0]


def meeting(a: Point, b: Point, c: Point, d: Point) -> tuple[float, float] | None:
    """Where the segments ab and cd cross, as shares of each; None where they do not."""
    r, s = minus(b, a), minus(d, c)
    size = cross(r, s)
    if size == 0:
        return None
    t, u = cross(minus(c, a), s) / size, cross(minus(c, a), r) / size
    return (t, u) if 0 <= t <= 1 and 0 <= u <= 1 else None


def curve(a: Point, out: Point, b: Point, into: Point, step: float) -> list[Point]:
    """A cubic curve from a, leaving along ``out``, to b, arriving along ``into``, in even steps."""
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
    """A smooth random function of the plane with values in -1 to 1.

    Args:
        rng: draws the values on a grid, between which it blends.
        period: metres between grid points.
    """

    def __init__(self, rng: Random, period: float) -> None:
        self._period = period
        self._values = [[2 * rng.random() - 1 for _ in range(32)] for _ in range(32)]

    def at(self, x: float, y: float) -> float:
        """The value at a point."""
        return self.blend(*self.corner(x, y))

    def corner(self, x: float, y: float) -> tuple[int, int, float, float]:
        """The grid point below and left of a point, and how far towards the next ones it lies."""
        x, y = x / self._period, y / self._period
        column, row = floor(x), floor(y)
        s, t = x - column, y - row
        return column, row, s * s * (3 - 2 * s), t * t * (3 - 2 * t)

    def blend(self, column: int, row: int, s: float, t: float) -> float:
        """The value between a grid point and the next ones."""
        below, above = self._values[row % 32], self._values[(row + 1) % 32]
        left, right = column % 32, (column + 1) % 32
        low = below[left] + (below[right] - below[left]) * s
        high = above[left] + (above[right] - above[left]) * s
        return low + (high - low) * t


class Warp:
    """Bends the plane smoothly, so that straight streets curve."""

    def __init__(self, rng: Random, period: float, size: float) -> None:
        self._east, self._north = Noise(rng, period), Noise(rng, period)
        self._size = size

    def bend(self, point: Point, share: float = 1.0) -> Point:
        """Where a point goes; ``share`` scales by how much."""
        x, y = point
        size = self._size * share
        corner = self._east.corner(x, y)
        return x + size * self._east.blend(*corner), y + size * self._north.blend(*corner)


class Polyline:
    """A line through points, measured by the length along it."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = list(points)
        self.marks = [0.0]
        for a, b in zip(self.points, self.points[1:], strict=False):
            self.marks.append(self.marks[-1] + distance(a, b))

    @property
    def length(self) -> float:
        """From end to end."""
        return self.marks[-1]

    def place(self, mark: float) -> tuple[Point, Point]:
        """The point at a length along the line, and the direction there."""
        mark = min(max(mark, 0.0), self.length)
        low, high = 0, len(self.marks) - 2
        while low < high:
            middle = (low + high + 1) // 2
            if self.marks[middle] <= mark:
                low = middle
            else:
                high = middle - 1
        a, b = self.points[low], self.points[low + 1]
        span = self.marks[low + 1] - self.marks[low]
        return between(a, b, (mark - self.marks[low]) / span if span else 0.0), unit(minus(b, a))
