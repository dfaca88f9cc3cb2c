"""The ingredients that a list or a step names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from thence.domains.recipes.lexicon import Kind, kind_of, stem

_AFTER = re.compile(r"[,;(\u2013]|\s-\s|\b(?:for|to|from|about|plus|optional|such)\b")
_PARTS = re.compile(r"\s(?:and|or|&)\s|/")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NO_HEAD = frozenset((Kind.MEASURE, Kind.ADJECTIVE, Kind.DETERMINER, Kind.PREPOSITION, Kind.ADVERB))


_COUNTS = frozenset(
    """one two three four five six seven eight nine ten twelve single several few more enough extra
    good nice big large small medium little bed additional next other whole""".split()
)
_LEFT = re.compile(
    r"\b(?:skim|drain|pour|spoon|tip|trim|blot|wipe|discard|discarding|throw|throwing|remove|removing"
    r"|tap|shake|shaking|rinse|cut|toss)\b[^.,;]{0,30}?\b(?:fat|grease|scum|froth|foam|excess|seeds?|"
    r"skins?|stalks?|stems?|bones?|lumps?|dirt|sand|grit|peel|pith|rind|cores?|ends)\b"
)
_WASTE = frozenset(
    ["fat", "grease", "scum", "froth", "foam", "excess", "skin", "stalk", "stem", "bone", "lump",
     "dirt", "sand", "grit", "peel", "pith", "rind", "core", "seed"]
)  # fmt: skip
_SHAPES = frozenset(
    ["drop", "change", "square", "rectangle", "circle", "disc", "disk", "oval", "log", "rope",
     "row", "length", "line", "pile", "thing", "way", "base", "time", "go", "streak", "matchstick",
     "while", "attention", "mark", "clean", "height", "volume", "direction", "stage", "point", "size",
     "position", "lump", "stiff", "bed", "outside", "lot", "matter", "idea", "trick", "bubble"]
)  # fmt: skip


def whole(name: str, text: str) -> str:
    """Return an ingredient's name without how many there are, and with its "leaves".

    Args:
        name: as the step has it.
        text: of the step.

    Returns:
        The name; empty for what is only thrown away, and for a shape.
    """
    words = name.split()
    while len(words) > 1 and words[0] in _COUNTS:
        words = words[1:]
    last = stem(words[-1])
    if last in _SHAPES:
        return ""
    if last in _WASTE and any(last in found[0] for found in _LEFT.finditer(text.lower())):
        return ""
    name = " ".join(words)
    leaf = re.search(rf"\b{re.escape(name)} (leaf|leaves)\b", text, re.IGNORECASE)
    return f"{name} {leaf[1].lower()}" if leaf else name


def listed(lines: Iterable[str]) -> frozenset[str]:
    """Return the nouns, in the singular, of the ingredients on the lines of a list."""
    found: set[str] = set()
    for line in lines:
        for part in _PARTS.split(_AFTER.split(line.lower().strip("-*\u2022 \t"), maxsplit=1)[0]):
            words = [x for x in _WORD.findall(part) if kind_of(x) not in _NO_HEAD]
            if words:
                found.add(stem(words[-1]))
    return frozenset(found)
