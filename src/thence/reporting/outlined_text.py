"""Words of a figure as outlines, so that a file looks the same wherever it is opened."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from thence.errors import MissingExtra
from thence.reporting import palette
from thence.reporting.svg import SIZE

_SVG = "http://www.w3.org/2000/svg"
_EM = 100  # units of an outline
_FONTS = {"": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}
_LETTERS = {1: ("M", 1), 2: ("L", 1), 3: ("Q", 2), 4: ("C", 3), 79: ("Z", 0)}  # and their points


def outlined(drawn: str) -> str:
    """Return a figure of SVG with its words as outlines of DejaVu Sans.

    Each outline keeps its words as a label. Words with a letter that the typeface lacks stay text.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    fonts = {weight: _font(weight) for weight in _FONTS}
    ElementTree.register_namespace("", _SVG)
    whole = ElementTree.fromstring(drawn)
    for parent in list(whole.iter()):
        for place, node in enumerate(list(parent)):
            if node.tag == f"{{{_SVG}}}text":
                parent[place] = _outline(node, fonts[node.get("font-weight", "")])
    return ElementTree.tostring(whole, encoding="unicode")


def _outline(node: ElementTree.Element, font: Any) -> ElementTree.Element:
    """Return a group with the outline of the words of an element; the element where that fails."""
    words = "".join([node.text or "", *(each.tail or "" for each in node)])
    if not all(font.get_char_index(ord(letter)) for letter in words):
        return node
    path, width = _path(font, words)
    scale = float(node.get("font-size", SIZE)) / _EM
    before = {"middle": width / 2, "end": width}.get(node.get("text-anchor", ""), 0.0) * scale
    x, y = float(node.get("x", 0)) - before, float(node.get("y", 0))
    kept = {name: node.get(name, "") for name in ("class", "transform") if node.get(name)}
    ink = palette.COLOURS["ink"][0]  # which a class of the style sheet overrules
    made = ElementTree.Element(f"{{{_SVG}}}g", {"fill": ink, "aria-label": words, **kept})
    made.extend([each for each in node if each.tag == f"{{{_SVG}}}title"])
    for title in made:
        title.tail = None
    place = f"translate({x:.2f} {y:.2f}) scale({scale:.4g} {-scale:.4g})"
    ElementTree.SubElement(made, f"{{{_SVG}}}path", {"d": path, "transform": place})
    made.tail = node.tail
    return made


def _path(font: Any, words: str) -> tuple[str, float]:
    """Return the outline of some words from 0 on, and its width."""
    parts, x = [], 0.0
    for letter in words:
        glyph = font.load_char(ord(letter), flags=_module().LoadFlags.NO_HINTING)
        points, codes = font.get_path()
        place = 0
        while place < len(codes):
            name, count = _LETTERS[int(codes[place])]
            held = points[place : place + count]
            parts.append(name + " ".join(f"{x + a:.0f} {b:.0f}" for a, b in held))
            place += max(1, count)
        x += glyph.linearHoriAdvance / 65536
    return "".join(parts), x


@cache
def _font(weight: str) -> Any:
    outlines = _module()
    folder = Path(importlib.import_module("matplotlib").get_data_path()) / "fonts" / "ttf"
    font = outlines.FT2Font(str(folder / _FONTS[weight]))
    font.set_size(_EM, 72)
    return font


def _module() -> Any:
    """Return the module that reads outlines of typefaces."""
    try:
        return importlib.import_module("matplotlib.ft2font")
    except ImportError as error:
        raise MissingExtra("outlining the words of figures", "report") from error
