"""Colours and shapes of the page and its figures: one of each for a model, wherever it is shown.

The hues are chosen so that neighbours in the order differ in lightness too, for readers who see few
colours; each has a contrast of 3 to 1 or more with its background. Those of outcomes are duller,
and far from those of the first models, so that no outcome looks like a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_MODELS = (
    ("#0b63b0", "#6db3f2"), ("#c2410c", "#ff9a5c"), ("#00796b", "#4fd1b5"), ("#a3216e", "#f48ac6"),
    ("#8a6300", "#e3b341"), ("#5b3fc4", "#b3a1ff"), ("#0e7490", "#67d3ea"), ("#6d4c2f", "#d9b08c"),
    ("#4a5568", "#b8c2d0"), ("#7b8500", "#d7e05a"), ("#3f7d20", "#9fd356"), ("#dc4f74", "#ffb9c6"),
)  # fmt: skip
_OTHERS = {
    "ink": ("#1c2430", "#e6eaef"), "soft": ("#566172", "#a3adba"), "line": ("#d5dbe2", "#38424d"),
    "paper": ("#ffffff", "#14181d"), "band": ("#f1f4f7", "#1d242b"), "link": ("#005a8e", "#7cc6f2"),
    "warn": ("#8a4b00", "#f0b35a"), "chance": ("#b3003c", "#ff7a9c"),
    "pale": ("#aeb7c2", "#56616e"),
    "correct": ("#4f9a55", "#7fce85"), "wrong": ("#9c2f2f", "#e06c66"),
    "no_answer": ("#8a9099", "#8b939d"), "truncated": ("#b08f4a", "#c9a866"),
    "refused": ("#8f6f95", "#b893bd"), "provider_error": ("#1c2430", "#e6eaef"),
    "c0": ("#1c2430", "#e6eaef"), "c1": ("#6b7888", "#9ba7b5"), "c2": ("#98a3b0", "#6b7888"),
    "c3": ("#414c5a", "#c3ccd6"),
    "mark": ("#ffe08a", "#6b5200"),
    "bad": ("#fbd5c4", "#6e2d10"), "good": ("#c9efdf", "#0f4d3a"),
}  # fmt: skip
COLOURS = {**{f"m{place}": pair for place, pair in enumerate(_MODELS)}, **_OTHERS}
"""By name: the colour on a light and on a dark page."""

SHAPES = ("circle", "square", "triangle", "diamond", "wedge", "cross")
_OUTCOMES = ("correct", "wrong", "no_answer", "truncated", "refused", "provider_error")
_USE = re.compile(r"var\(--(\w+)\)")
_CELLS = 10  # steps of the colour of a cell
FEW = 10
"""Answers below which a cell is marked as resting on few."""
PAPER = " (paper)"
CHANCE = "chance"

_FIGURES = """
.chart { font: 11px Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
.chart text { fill: var(--ink); } .chart .soft { fill: var(--soft); }
.chart .grid { stroke: var(--line); stroke-width: 1; } .chart .axis { stroke: var(--soft); }
.chart .ideal { stroke: var(--soft); stroke-dasharray: 5 4; fill: none; }
.chart .path { fill: none; stroke: currentColor; stroke-width: 2; }
.chart .thin { fill: none; stroke: currentColor; stroke-width: 1.5; }
.chart .fit { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 2 4; }
.chart .band { fill: currentColor; opacity: 0.16; } .chart .dot { fill: currentColor; }
.chart .hollow { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
.chart .pale { fill: none; stroke: var(--pale); stroke-width: 1; }
.chart .tick { stroke: var(--chance); stroke-width: 2; }
.chart .shortcut { stroke: var(--soft); stroke-width: 2; stroke-dasharray: 2 2; }
.chart .few { stroke: var(--soft); stroke-dasharray: 2 2; }
.chart .on { fill: #ffffff; } .chart .off { fill: #1c2430; }
.chart .bar { fill: currentColor; } .chart .void { fill: var(--band); }
.pp { color: var(--soft); } .bl { color: var(--soft); } .ch { color: var(--chance); }
"""


def figure_style() -> str:
    """Return the style sheet of figures in terms of the names of `COLOURS`."""
    models = "".join(f".m{place} {{ color: var(--m{place}); }}\n" for place in range(len(_MODELS)))
    others = "".join(f".c{place} {{ color: var(--c{place}); }}\n" for place in range(4))
    outcomes = "".join(f".o-{name} {{ color: var(--{name}); }}\n" for name in _OUTCOMES)
    return f"{_FIGURES}{models}{others}{outcomes}{_cells()}"


def _cells() -> str:
    """Return the colours of cells from 0 to 1, and from a loss to a gain."""
    rules = []
    for step in range(_CELLS + 1):
        share = round(55 * step / _CELLS)
        rules.append(f".h{step} {{ --share: {share}%; }}")
        rules.append(f".chart .h{step} {{ fill: {_mixed('#f4f7fa', '#4a94cf', step / _CELLS)}; }}")
    for step in range(2, 6):
        for name, colour in (("up", "#1f6fb2"), ("down", "#bf3b1d")):
            mixed = _mixed("#ffffff", colour, 1 if step > 4 else step / 6)
            rules.append(f".chart .{name}{step} {{ fill: {mixed}; }}")
    return "\n".join(rules) + "\n"


def _mixed(first: str, second: str, share: float) -> str:
    ends = [[int(each[at : at + 2], 16) for at in (1, 3, 5)] for each in (first, second)]
    mixed = (round(a + (b - a) * share) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def shade(value: float, least: float = 0.0, most: float = 1.0) -> str:
    """Return the class of a cell's colour for a value from ``least`` to ``most``."""
    span = (most - least) or 1.0
    return f"h{round(_CELLS * min(1.0, max(0.0, (value - least) / span)))}"


def variables(dark: bool) -> str:
    """Return the colours as declarations of a style sheet."""
    return " ".join(f"--{name}: {pair[dark]};" for name, pair in COLOURS.items())


def literal(style: str) -> str:
    """Return a style sheet with the light colours in place of their names, for files."""
    return _USE.sub(lambda found: COLOURS.get(found[1], ("inherit",))[0], style)


@dataclass(frozen=True)
class Styles:
    """The styles of the models of a page, by their order.

    Attributes:
        names: the models that have a colour, in order.
    """

    names: Sequence[str] = field(default_factory=tuple)

    def of(self, name: str) -> tuple[str, str]:
        """Return the class and the shape of a model, a baseline, chance or a printed model."""
        if name in self.names:
            place = list(self.names).index(name)
            colours = len(_MODELS)
            return f"m{place % colours}", SHAPES[(place + place // colours) % len(SHAPES)]
        if name.endswith(PAPER):
            return "pp", "hollow"
        if name == CHANCE:
            return "ch", "cross"
        return "bl", "hollow"

    def is_model(self, name: str) -> bool:
        """Tell whether a name is one of a model, here or in a paper."""
        return name in self.names or name.endswith(PAPER)

    def series(self, names: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return the styles of the series of a figure; where none is a model, shades of ink."""
        if any(map(self.is_model, names)):
            return {name: self.of(name) for name in names}
        return {
            name: (f"c{place % 4}", SHAPES[place % len(SHAPES)]) for place, name in enumerate(names)
        }
