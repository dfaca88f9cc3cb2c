"""Frames of figures: axes, legends, and boxes that hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from thence.reporting import svg

_KEY = 16.0  # pixels of a key of a legend
_ROW = 17.0


@dataclass(frozen=True)
class Axis:
    """An axis from ``low`` to ``high``."""

    low: float
    high: float
    title: str = ""
    log: bool = False

    def share(self, value: float) -> float:
        """Return the place of a value as a share of the axis, from 0 to 1."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = (math.log10(max(each, 1e-6)) for each in (low, high, value))
        return min(1.0, max(0.0, (at - low) / ((high - low) or 1.0)))

    def ticks(self) -> list[float]:
        """Return the numbers that stand at the axis."""
        if not self.log:
            return svg.ticks(self.low, self.high)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1,) if self.high > 100 * self.low else (1, 2, 5)
        found = [step * 10.0**power for power in powers for step in steps]
        return [each for each in found if self.low * 0.999 <= each <= self.high * 1.001]


@dataclass(frozen=True)
class Box:
    """A box at a place with what is drawn in it."""

    x: float
    y: float
    width: float
    height: float
    parts: Sequence[Markup] = field(default_factory=tuple)

    @property
    def bottom(self) -> float:
        """Height of the lower edge."""
        return self.y + self.height

    def at(self, across: Axis, up: Axis, x: float, y: float) -> tuple[float, float]:
        """Return the place of two values in the box."""
        return self.x + self.width * across.share(x), self.bottom - self.height * up.share(y)

    def with_panel(self, panel: Box, x: float, y: float) -> Box:
        """Return the box with another one in it."""
        held = svg.element("g", *panel.parts, transform=f"translate({x:.1f} {y:.1f})")
        width, height = max(self.width, x + panel.width), max(self.height, y + panel.height)
        return replace(self, width=width, height=height, parts=[*self.parts, held])

    def below(self, head: Box) -> Box:
        """Return the box below another one."""
        both = Box(0, 0, max(self.width, head.width), head.height, head.parts)
        return both.with_panel(self, 0, head.height)

    def titled(self, title: str, counted: str) -> Box:
        """Return the box below a title and a line on n."""
        lines = [*_lines(title, self.width / 13 * svg.SIZE)]
        parts = [svg.text(0, 10 + 18 * place, words, size=13) for place, words in enumerate(lines)]
        if counted:
            parts.append(svg.text(0, 10 + 18 * len(lines), counted, cls="soft"))
        return self.below(Box(0, 0, self.width, 18.0 * (len(lines) + bool(counted)) + 8, parts))

    def figure(self, title: str) -> Markup:
        """Return the box as a figure."""
        return svg.figure(self.width, self.height, title, *self.parts)


def _lines(words: str, most: float) -> list[str]:
    found = [""]
    for word in words.split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and svg.width_of(longer) > most:
            found.append(word)
        else:
            found[-1] = longer
    return [svg.cut(each, most) for each in found]


def axis_of(
    values: Sequence[float], title: str = "", *, log: bool = False, zero: bool = True
) -> Axis:
    """Return the axis of some values: 0 to 1 for shares, else with 0 in it where ``zero``."""
    held = [each for each in values if math.isfinite(each)]
    if not held:
        return Axis(0.0, 1.0, title)
    low, high = min(held), max(held)
    if log:
        least = min((each for each in held if each > 0), default=1.0)
        return Axis(least / 1.2, max(high, least) * 1.2, title, log=True)
    if zero and low >= 0 and high <= 1:
        return Axis(0.0, 1.0, title)
    low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
    room = 0.04 * ((high - low) or abs(high) or 1.0)
    return Axis(low - room * (low != 0), high + room * (high != 0), title)


def axes(plot: Box, across: Axis | None, scale: Axis, *, up: bool = False) -> list[Markup]:
    """Return grid, numbers and titles of a plot.

    Args:
        plot: where it is.
        across: the axis along the page; None where rows or columns have labels of their own.
        scale: the axis of the values: up the page with ``across`` or ``up``, else along it.
        up: whether the values go up the page without ``across``.
    """
    parts = []
    for value in scale.ticks():
        if across is None and not up:
            x = plot.x + plot.width * scale.share(value)
            parts += [
                svg.line(x, plot.y, x, plot.bottom, "grid"),
                svg.text(x, plot.bottom + 10, svg.number(value), "middle"),
            ]
        else:
            y = plot.bottom - plot.height * scale.share(value)
            parts += [
                svg.line(plot.x, y, plot.x + plot.width, y, "grid"),
                svg.text(plot.x - 5, y, svg.number(value), "end"),
            ]
    middle = plot.x + plot.width / 2
    if across is None and not up:
        parts.append(svg.text(middle, plot.bottom + 26, scale.title, "middle", "soft"))
        return parts
    if across is not None:
        parts.append(svg.text(plot.x, plot.y - 8, scale.title, "start", "soft"))
    if across is None:
        return parts
    for value in across.ticks():
        x = plot.x + plot.width * across.share(value)
        parts += [
            svg.line(x, plot.bottom, x, plot.bottom + 4, "axis"),
            svg.text(x, plot.bottom + 12, svg.number(value), "middle"),
        ]
    parts.append(svg.text(middle, plot.bottom + 28, across.title, "middle", "soft"))
    return parts


def legend(styles: Mapping[str, tuple[str, str]], width: float) -> Box:
    """Return the keys of some series by class and shape, in rows of a width."""
    parts, x, y = [], 0.0, 8.0
    for name, (kind, shape) in styles.items():
        words = svg.cut(name, width - _KEY)
        long = _KEY + svg.width_of(words) + 12
        if x and x + long > width:
            x, y = 0.0, y + _ROW
        key = (
            svg.element("rect", x=x, y=y - 5, width=10, height=10, cls=kind)
            if shape == "cell"
            else svg.element("g", svg.mark(shape, x + 6, y), cls=kind)
        )
        parts += [key, svg.text(x + _KEY, y, words)]
        x += long
    return Box(0, 0, width, y + 10 if styles else 0.0, parts)
