r"""Reading a verdict or an interval out of a reply, strictly: by stated rules, in a stated order.

Every function looks at what follows the last ``</think>``, unwraps ``\boxed{}`` and markdown, and
says which rule fired. Patterns have bounded gaps: the work is linear in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from thence.kernel.replies import visible
from thence.kernel.score import Answer

_WRAPPERS = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf|textit)\s?\{|\\[,;!\[\]()]|\\quad")
_MARKS = str.maketrans(dict.fromkeys("*`_{}$#\u200b", ""))
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-"})

LABEL = re.compile(r"\b(?:final\s)?answer\b(?:\s{0,3}is)?\s{0,3}[:=]", re.IGNORECASE)
"""``answer:``, ``final answer:``, ``the answer is:``."""


def plain(reply: str) -> str:
    r"""The visible part of a reply without markdown, ``\boxed`` and the like."""
    text = _WRAPPERS.sub("", visible(reply))
    return text.translate(_MARKS).translate(_DASHES).strip()


# Yes or No --------------------------------------------------------------------------------------

_LEADING = re.compile(r"[\W_]{0,20}(yes|no)\b(?!\s{0,3}(?:/|or\b|and\b))", re.IGNORECASE)
_DETERMINER = re.compile(
    r"\s{1,3}(?!(?:it|this|that|there|because|since|as|the|steps?\s\d)\b)\w", re.IGNORECASE
)
_TRAILING = re.compile(r"(?<![/\w])(yes|no)[\W_]{0,20}\Z", re.IGNORECASE)
_EITHER = re.compile(r"\byes\W{1,6}(?:or\W{1,6})?no[\W_]{0,20}\Z", re.IGNORECASE)
_TAIL = 60


def verdict(reply: str) -> Answer | None:
    """``Yes`` or ``No``: as the reply begins, else as its last label says, else as it ends."""
    text = plain(reply)
    said = _opening(text, 0)
    if said is not None:
        return Answer(said, "leading")
    for label in reversed(list(LABEL.finditer(text))):
        said = _opening(text, label.end())
        if said is not None:
            return Answer(said, "labelled")
    tail = text[-_TAIL:]
    found = _TRAILING.search(tail)
    if found and not _EITHER.search(tail):
        return Answer(found[1].capitalize(), "trailing", delimited=False)
    return None


def _opening(text: str, place: int) -> str | None:
    """The verdict that a text begins with; ``no longer`` and ``no step`` are none."""
    found = _LEADING.match(text, place)
    if found is None:
        return None
    if found[1].lower() == "no" and _DETERMINER.match(text, found.end()):
        return None
    return found[1].capitalize()


# Steps --------------------------------------------------------------------------------------------

_STEP = r"(?:steps?\s{0,2})?#?(\d{1,4})"
_BETWEEN = re.compile(
    rf"\bbetween\s{{1,3}}{_STEP}\s{{0,3}}(?:and|&|-)\s{{0,3}}{_STEP}\b", re.IGNORECASE
)
_AFTER = re.compile(rf"\bafter\s{{1,3}}{_STEP}\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\bbefore\s{{1,3}}{_STEP}\b", re.IGNORECASE)
_FREE = re.compile(r"\bno\s(?:specific\s)?(?:constraint|interval)", re.IGNORECASE)
_NEAR = 60  # characters between "after step a" and "before step b" of one answer


def step_range(reply: str) -> Answer | None:
    """``{"after", "before"}``, steps as the prompt numbers them; None where one is not bounded.

    The last "between step a and b" or "after a ... before b"; else the last "after a" or
    "before b"; else "no constraint".
    """
    text = plain(reply)
    both = [(found.end(), int(found[1]), int(found[2])) for found in _BETWEEN.finditer(text)]
    afters, befores = list(_AFTER.finditer(text)), list(_BEFORE.finditer(text))
    both += _joined(afters, befores)
    if both:
        _, after, before = max(both)
        return Answer({"after": after, "before": before}, "between")
    single = max([*afters, *befores], key=lambda found: found.start(), default=None)
    if single is not None:
        name = "after" if single in afters else "before"
        value = {"after": None, "before": None, name: int(single[1])}
        return Answer(value, name)
    if _FREE.search(text):
        return Answer({"after": None, "before": None}, "unconstrained")
    return None


def _joined(
    afters: list[re.Match[str]], befores: list[re.Match[str]]
) -> Iterator[tuple[int, int, int]]:
    """Pairs of an "after a" and a "before b" that stand close together, in either order."""
    every = sorted([*afters, *befores], key=lambda found: found.start())
    kinds = {id(found): "after" for found in afters}
    for left, right in pairwise(every):
        first, second = kinds.get(id(left), "before"), kinds.get(id(right), "before")
        if first != second and right.start() - left.end() <= _NEAR:
            after, before = (left, right) if first == "after" else (right, left)
            yield right.end(), int(after[1]), int(before[1])


# Times in seconds -------------------------------------------------------------------------------

_NUMBER = r"(\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?)"
_SECONDS = r"\s{0,2}(?:seconds?|secs?|s)?"
_BRACKETS = re.compile(
    rf"\[\s{{0,3}}{_NUMBER}{_SECONDS}\s{{0,3}}[,;-]\s{{0,3}}{_NUMBER}{_SECONDS}\s{{0,3}}\]"
)
_TO = re.compile(
    rf"(?<![\w.,]){_NUMBER}{_SECONDS}\s{{0,3}}(?:to|and|-)\s{{0,3}}{_NUMBER}\b", re.IGNORECASE
)


def time_range(reply: str) -> Answer | None:
    """``[low, high]`` seconds: the last ``[x, y]``, else the last ``x to y``."""
    text = plain(reply)
    for pattern, rule in ((_BRACKETS, "brackets"), (_TO, "x to y")):
        found = _last(pattern, text)
        if found is not None:
            return Answer([number(found[1]), number(found[2])], rule, rule == "brackets")
    return None


def number(text: str) -> int | float:
    """A number with or without commas and decimals; whole numbers as integers."""
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() else value


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found: re.Match[str] | None = None
    for found in pattern.finditer(text):  # noqa: B007 - the last one is what is wanted
        pass
    return found


def quantity(reply: str, unit: str) -> Answer | None:
    """An interval with its unit, such as ``10 to 12 minutes``; see `_quantities`."""
    from thence.families.fable._quantities import read

    text = plain(reply)
    label = _last(LABEL, text)
    found: Any = None
    if label is not None:
        found = next(read(text[label.end() :], unit), None)
        if found is not None:
            return Answer(found, "labelled")
    for found in read(text, unit):  # noqa: B007 - the last one is what is wanted
        pass
    return Answer(found, "last", delimited=False) if found is not None else None
