r"""Reading a verdict or an interval in a reply, by strict rules in a fixed order.

Every function reads the text after the last ``</think>``, removes ``\boxed{}`` and markdown, and
returns the name of the successful rule. Patterns have bounded gaps, so that work is linear in the
reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import pairwise
from typing import Any, Concatenate, NamedTuple

from thence.core import amounts
from thence.core.reply_text import last_match, visible
from thence.core.score import Answer

_WRAPPERS = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf|textit)\s?\{|\\[,;!\[\]() ]|\\quad")
_MARKS = str.maketrans(dict.fromkeys("*`_{}$#\u200b", ""))
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-"})

_HEAD, _TAIL = 2_000, 10_000  # characters; of 2,160 published replies the longest has 3,566

LABEL = re.compile(r"\b(?:final\s)?answer\b(?:\s{0,3}is)?\s{0,3}[:=]", re.IGNORECASE)
"""``answer:``, ``final answer:``, ``the answer is:``."""


def plain(reply: str) -> str:
    r"""Return the visible part of a reply without markdown, ``\boxed`` and the like.

    Of a very long part, only the beginning and the end are kept.
    """
    text = visible(reply)
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    text = _WRAPPERS.sub("", text)
    return text.translate(_MARKS).translate(_DASHES).strip()


def _places(reply: str) -> list[int]:
    """Return the index in the reply of each character of its `plain` text."""
    text = visible(reply)
    kept: Sequence[int] = range(len(reply) - len(text), len(reply))
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
        kept = [*kept[: _HEAD + 1], *kept[-_TAIL:]]
    gone = {place for found in _WRAPPERS.finditer(text) for place in range(*found.span())}
    left = [
        (place, character)
        for number, (place, character) in enumerate(zip(kept, text, strict=True))
        if number not in gone and ord(character) not in _MARKS
    ]
    blank = next((n for n, (_, each) in enumerate(left) if not each.isspace()), 0)
    return [place for place, _ in left[blank:]]


def _in_reply[**P](
    read: Callable[Concatenate[str, P], Answer | None],
) -> Callable[Concatenate[str, P], Answer | None]:
    """Make a reader of plain text one of replies: the span of an answer is then in the reply."""

    @wraps(read)
    def wrapped(reply: str, /, *args: P.args, **kwargs: P.kwargs) -> Answer | None:
        found = read(plain(reply), *args, **kwargs)
        if found is None or found.span is None:
            return found
        places = _places(reply)
        start, end = found.span
        return replace(found, span=(places[start], places[end - 1] + 1))

    return wrapped


# Yes or No --------------------------------------------------------------------------------------

_LEADING = re.compile(r"[\W_]{0,20}(yes|no)\b(?!\s{0,3}(?:/|or\b|and\b))", re.IGNORECASE)
_DETERMINER = re.compile(
    r"[ \t]{1,3}(?!(?:it|this|that|there|because|since|as|the|steps?\s\d)\b)\w", re.IGNORECASE
)
_TRAILING = re.compile(r"(?<![/\w])(yes|no)[\W_]{0,20}\Z", re.IGNORECASE)
_EITHER = re.compile(r"\byes\W{1,6}(?:or\W{1,6})?no[\W_]{0,20}\Z", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:\A|\n|[.!?:;]\s)\W{0,10}(?:(?:so|thus|hence|therefore),?\s)?(?:(?:my|the|this)\s)?\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bcannot|\bnever)(?:\s{1,3}(?:an?|be|say|answer|reply|simply|just|quite)){0,3}"
    r"[\s\"'*_:]{1,5}\Z",
    re.IGNORECASE,
)
_END = 60


@_in_reply
def verdict(text: str) -> Answer | None:
    """Return ``Yes`` or ``No``: from the reply's beginning, else its last label, else its end.

    A label that says otherwise than the beginning replaces it. Where the last label that opens a
    sentence is followed by something else, only the end of the reply can hold the verdict: a
    reply whose last attempt at an answer cannot be read has none, whatever it said before.
    """
    first = _opening(text, 0, "leading")
    for label in reversed(list(LABEL.finditer(text))):
        said = _opening(text, label.end(), "labelled")
        if said is not None:
            return first if first and first.value == said.value else said
        if _attempts(text, label):
            return _trailing(text, label.end())
    return first or _trailing(text, 0)


def _attempts(text: str, label: re.Match[str]) -> bool:
    """Return whether a label opens a sentence: "for the answer: ..." in another one does not."""
    return bool(_SENTENCE.search(text[max(0, label.start() - _NEAR) : label.start()]))


def _trailing(text: str, start: int) -> Answer | None:
    """Return the verdict at the end of a text, behind a place in it."""
    place = max(start, len(text) - _END)
    found = _TRAILING.search(text, place)
    if found is None or _EITHER.search(text, place):
        return None
    if _DENIED.search(text[max(0, found.start(1) - _END) : found.start(1)]):
        return None  # "the answer is not yes" gives no answer
    return Answer(found[1].capitalize(), "trailing", delimited=False, span=found.span(1))


def _opening(text: str, place: int, rule: str) -> Answer | None:
    """Return the verdict that a text begins with; ``no longer`` and ``no step`` are none."""
    found = _LEADING.match(text, place)
    if found is None:
        return None
    if found[1].lower() == "no" and _DETERMINER.match(text, found.end()):
        return None
    return Answer(found[1].capitalize(), rule, span=found.span(1))


# Steps --------------------------------------------------------------------------------------------

_ASIDE = r"(?:\s{0,2}\([^)\n]{0,80}\){1,2})?"  # "(drive-truck(truck1, s3, s2, driver2))"
_ONE = r"(?:steps?\s{0,2})?#?\d{1,4}"
_STEP = r"(?:steps?\s{0,2})?#?(\d{1,4})" + _ASIDE
_LIST = (
    rf"((?:both\s|all\s)?{_ONE}(?:(?:,\s{{0,2}}(?:and\s)?|\s{{0,2}}and\s{{0,2}}){_ONE}){{0,30}})\b"
)
_BETWEEN = re.compile(
    rf"\bbetween\s{{1,3}}{_STEP}\s{{0,3}}(?:and|&|-)\s{{0,3}}{_STEP}", re.IGNORECASE
)
_BOUND = re.compile(rf"\b(after|before)\s{{1,3}}{_LIST}{_ASIDE}", re.IGNORECASE)
_FREE = re.compile(r"\bno\s(?:specific\s|necessary\s)?(?:constraint|interval)", re.IGNORECASE)
_DIGITS = re.compile(r"\d{1,4}")
_NEAR = 40  # characters between the bounds of "after step a and before step b"


class _Bound(NamedTuple):
    """One "after step a" or "before step b"; of several steps the binding one."""

    start: int
    end: int
    name: str
    step: int


@_in_reply
def step_range(text: str, asked: int | None = None) -> Answer | None:
    """Return ``{"after", "before"}`` in the prompt's step numbers; None for a missing bound.

    The text after the last label is read first; if the label opens a sentence, or a number but no
    bounds follow, nothing else is read. There, or in the whole reply, the rules are: the last
    "between step a and b" or "after a ... before b"; else the last "after a" or "before b"; else
    "no constraint".

    Args:
        text: the reply.
        asked: the step of the question: "before step k can start" is not a bound of step k.
    """
    label = last_match(LABEL, text)
    if label is not None:
        zone = text[label.end() :]
        found = _steps(zone, asked)
        if found is not None or _DIGITS.search(zone) or _attempts(text, label):
            return found and found.shifted(label.end())
    return _steps(text, asked)


def _steps(text: str, asked: int | None) -> Answer | None:
    both = [
        (found.end(), found.start(), int(found[1]), int(found[2]))
        for found in _BETWEEN.finditer(text)
    ]
    bounds = [_bound(found) for found in _BOUND.finditer(text)]
    bounds = [bound for bound in bounds if bound.step != asked] or bounds
    both += _joined(text, bounds)
    if both:
        end, start, after, before = max(both)
        return Answer({"after": after, "before": before}, "between", span=(start, end))
    if bounds:
        last = bounds[-1]
        value = {"after": None, "before": None, last.name: last.step}
        return Answer(value, last.name, span=(last.start, last.end))
    if free := _FREE.search(text):
        return Answer({"after": None, "before": None}, "unconstrained", span=free.span())
    return None


def _bound(found: re.Match[str]) -> _Bound:
    """Return the binding bound: after the last of several steps, or before the first."""
    name, steps = found[1].lower(), [int(digits) for digits in _DIGITS.findall(found[2])]
    return _Bound(found.start(), found.end(), name, (max if name == "after" else min)(steps))


def _joined(text: str, bounds: list[_Bound]) -> Iterator[tuple[int, int, int, int]]:
    """Yield pairs of an "after a" and a "before b" in one sentence, in either order."""
    for left, right in pairwise(bounds):
        gap = text[left.end : right.start]
        if left.name == right.name or len(gap) > _NEAR or "\n" in gap or ". " in gap:
            continue
        after, before = (left, right) if left.name == "after" else (right, left)
        if after.step < before.step:
            yield right.end, left.start, after.step, before.step


# Times in seconds -------------------------------------------------------------------------------

_NUMBER = r"(\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?)"
_SECONDS = r"\s{0,2}(?:seconds?|secs?|s)?"
_BRACKETS = re.compile(
    rf"\[\s{{0,3}}{_NUMBER}{_SECONDS}\s{{0,3}},\s{{0,3}}{_NUMBER}{_SECONDS}\s{{0,3}}\]",
    re.IGNORECASE,
)
_ATTEMPT = re.compile(r"\[[^\[\]\n]{0,80}\d[^\[\]\n]{0,80}\]")
_TO = re.compile(
    rf"(?<![\w.,])(between\s)?(?<!step\s)(?<!steps\s){_NUMBER}{_SECONDS}\s{{0,3}}"
    rf"(?:to|-|(?P<and>and))\s{{0,3}}{_NUMBER}\b(?![.,]?\d)"
    r"(?:\s{0,2}(?P<unit>minutes?|mins?|hours?|met(?:er|re)s?|miles?|km|steps?)\b)?",
    re.IGNORECASE,
)


@_in_reply
def time_range(text: str) -> Answer | None:
    """Return ``[low, high]`` seconds: the last ``[x, y]``, else the last ``x to y``.

    The text after the last label is read first; if the label opens a sentence, or a number but no
    interval follows, nothing else is read. Nor is there an answer if the last brackets do not hold
    two plain numbers.
    """
    label = last_match(LABEL, text)
    if label is not None:
        zone = text[label.end() :]
        found = _times(zone)
        if found is not None or _DIGITS.search(zone) or _attempts(text, label):
            return found and found.shifted(label.end())
    return _times(text)


def _times(text: str) -> Answer | None:
    found, attempt = last_match(_BRACKETS, text), last_match(_ATTEMPT, text)
    if found is not None:
        return Answer([number(found[1]), number(found[2])], "brackets", span=found.span())
    if attempt is not None:
        return None
    spans = [found for found in _TO.finditer(text) if _is_time(found)]
    if not spans:
        return None
    factor = 60 if (spans[-1]["unit"] or "").lower().startswith("min") else 1
    value = [number(spans[-1][2]) * factor, number(spans[-1][4]) * factor]
    return Answer(value, "x to y", delimited=False, span=spans[-1].span())


def _is_time(found: re.Match[str]) -> bool:
    """Return whether a pair is a time and not steps or lengths; "and" needs "between"."""
    unit = (found["unit"] or "").lower()
    return (not unit or unit.startswith("min")) and bool(found[1] or not found["and"])


def number(text: str) -> int | float:
    """Return a number with or without commas and decimals; whole numbers as integers."""
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() else value


# Amounts ----------------------------------------------------------------------------------------

_STATED = re.compile(
    r"\b(?:last|final)\s(?:specified\s)?(?:time\s)?interval\b[^.:\n]{0,80}?\bis\b", re.IGNORECASE
)
_PAIR = re.compile(
    r"\[\s{0,3}(\d{1,6}(?:\.\d{1,4})?)\s{0,3},\s{0,3}(\d{1,6}(?:\.\d{1,4})?)\s{0,3}\]"
)


@_in_reply
def quantity(text: str, unit: str) -> Answer | None:
    """Return an interval with its unit, such as ``10 to 12 minutes``, of the kind of ``unit``.

    The rules are: the first interval after the last label, and no other if the label opens a
    sentence; else the first after the last "the last
    time interval is"; else the last one. A bare ``[x, y]`` is in ``unit``.
    """
    found = _amounts(text, unit)
    if not found:
        return None
    for pattern, rule in ((LABEL, "labelled"), (_STATED, "stated")):
        label = last_match(pattern, text)
        if label is not None:
            behind = [each for each in found if each[0] >= label.end()]
            if behind:
                start, value = behind[0]
                return Answer(value, rule, rule == "labelled", _span(start, value))
            if rule == "labelled" and _attempts(text, label):
                return None
    start, value = found[-1]
    return Answer(value, "last", delimited=False, span=_span(start, value))


def _span(start: int, value: dict[str, Any]) -> tuple[int, int]:
    return start, start + len(value["text"])


def _amounts(text: str, unit: str) -> list[tuple[int, dict[str, Any]]]:
    name = amounts.kind(unit)
    found = [(each.start, interval(each)) for each in amounts.of_kind(text, unit)]
    for pair in _PAIR.finditer(text):
        low, high = float(pair[1]), float(pair[2])
        found.append((pair.start(), {"text": pair[0], "low": low, "high": high, "unit": name}))
    return sorted(found, key=lambda each: each[0])


def interval(amount: amounts.Amount) -> dict[str, Any]:
    """Return an amount as the target of an answer."""
    name = amounts.kind(amount.unit)
    text = amount.text.removesuffix(".")
    return {"text": text, "low": amount.low, "high": amount.high, "unit": name}
