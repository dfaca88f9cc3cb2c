"""Elements of SVG as text: escaped, with widths of words that no common typeface exceeds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from thence.reporting import palette

_NARROW, _WIDE = set("iljtfrI.,:;'|!()[]{}/ -"), set("mwMW@%")
_NO_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SIZE = 11  # pixels of the least text


def width_of(words: str, size: float = SIZE) -> float:
    """Return the pixels that words take at most in the typefaces of a figure."""
    ems = sum(
        0.40 if letter in _NARROW else 0.99 if letter in _WIDE else 0.74 if letter.isupper()
        else 1.0 if ord(letter) > 0x2E80 else 0.64
        for letter in words
    )  # fmt: skip
    return ems * size


def cut(words: str, most: float, size: float = SIZE) -> str:
    """Return words that take at most so many pixels, with an ellipsis where they are cut."""
    if width_of(words, size) <= most:
        return words
    while words and width_of(words, size) > most - size:
        words = words[:-1]
    return words.rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def short_name(name: str, most: float) -> str:
    """Return the name of a model in so many pixels: without its provider where it is long."""
    return name if width_of(name) <= most else cut(name.rpartition("/")[2], most)


def element(tag: str, *inside: str, told: str = "", **attributes: object) -> Markup:
    """Return an element; ``cls`` stands for ``class``, ``_`` in names for ``-``.

    Args:
        tag: its name.
        inside: what is in it; escaped where it is no markup.
        told: a title that is shown where one points at it.
        attributes: numbers and texts.
    """
    shown = Markup("").join(
        Markup(' {}="{}"').format(
            "class" if name == "cls" else name.replace("_", "-"), _value(value)
        )
        for name, value in attributes.items()
        if value not in (None, "")
    )
    held = Markup("").join(_text(each) for each in inside)
    if told:
        held = Markup("<title>{}</title>{}").format(_text(told), held)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), shown, held)


def _text(words: str) -> Markup:
    return (
        words
        if isinstance(words, Markup)
        else escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", words))
    )


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", str(value))


def text(
    x: float,
    y: float,
    words: str,
    anchor: str = "start",
    cls: str = "",
    *,
    told: str = "",
    size: float = 0.0,
    turned: bool = False,
) -> Markup:
    """Return words at a place, their middle at the height ``y``.

    Args:
        x: where they begin, end or have their middle, by the anchor.
        y: the height of their middle.
        words: what is written.
        anchor: ``start``, ``middle`` or ``end``.
        cls: class.
        told: a title that is shown where one points at them.
        size: pixels of bold letters; 0 for those of a figure.
        turned: whether they run up the page.
    """
    return element(
        "text", words, told=told, x=x, y=y + 4.0, text_anchor="" if anchor == "start" else anchor,
        cls=cls, font_size=size or None, font_weight="bold" if size else None,
        transform=f"rotate(-90 {x:.1f} {y:.1f})" if turned else None,
    )  # fmt: skip


def line(x1: float, y1: float, x2: float, y2: float, cls: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, cls=cls)


def path(points: Iterable[tuple[float, float]], cls: str, *, closed: bool = False) -> Markup:
    """Return a line through some points."""
    steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return element("path", d=f"M{steps}{'Z' * closed}", cls=cls) if steps else Markup("")


def mark(shape: str, x: float, y: float, told: str = "", radius: float = 4.5) -> Markup:
    """Return the mark of a model at a place."""
    r = radius
    if shape in {"circle", "hollow"}:
        return element(
            "circle", cx=x, cy=y, r=r, cls="dot" if shape == "circle" else "hollow", told=told
        )
    corners = {
        "square": [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)],
        "triangle": [(0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
        "wedge": [(0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
        "diamond": [(0, -1.3), (1.15, 0), (0, 1.3), (-1.15, 0)],
        "cross": _CROSS,
    }[shape]
    points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
    return element("polygon", points=points, cls="dot", told=told)


_ARM, _END = 0.4, 1.15
_CROSS = [
    (-_ARM, -_END), (_ARM, -_END), (_ARM, -_ARM), (_END, -_ARM), (_END, _ARM), (_ARM, _ARM),
    (_ARM, _END), (-_ARM, _END), (-_ARM, _ARM), (-_END, _ARM), (-_END, -_ARM), (-_ARM, -_ARM),
]  # fmt: skip


def figure(width: float, height: float, title: str, *inside: str) -> Markup:
    """Return a whole figure of the page, with its title for readers who hear it."""
    return element(
        "svg", *inside, told=title, xmlns="http://www.w3.org/2000/svg", width=math.ceil(width),
        height=math.ceil(height), viewBox=f"0 0 {math.ceil(width)} {math.ceil(height)}",
        cls="chart", role="img", aria_label=title,
    )  # fmt: skip


def alone(drawn: str) -> str:
    """Return a figure as a file of its own, with its colours and a white ground."""
    head, _, rest = drawn.partition(">")
    style = f"<style>{palette.literal(palette.figure_style())}</style>"
    return f'{head}>{style}<rect width="100%" height="100%" fill="#ffffff"/>{rest}'


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from ``low`` to ``high`` for an axis."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(power * each for each in (1, 2, 2.5, 5, 10, 20) if span / (power * each) <= most)
    first = math.ceil(low / step - 1e-9)
    return [round(step * place, 10) for place in range(first, math.floor(high / step + 1e-9) + 1)]


def number(value: float) -> str:
    """Return a number of an axis in as few letters as it takes."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"


def small_mark(kind: str, shape: str) -> Markup:
    """Return the mark of a model beside its name; the name is what readers hear."""
    return element(
        "svg", element("g", mark(shape, 7, 7), cls=kind), width=14, height=14, viewBox="0 0 14 14",
        cls="chart key", aria_hidden="true",
    )  # fmt: skip
