"""Times, temperatures and quantities as recipes write them.

One scan of bounded expressions; no text makes it more than linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from thence.domains.recipes.lexicon import LONG, MOST_WORDS

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅜": 0.375,
              "⅝": 0.625, "⅞": 0.875, "⅙": 1 / 6, "⅚": 5 / 6, "⅕": 0.2, "⅖": 0.4, "⅗": 0.6,
              "⅘": 0.8}  # fmt: skip
_WORDS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0,
    "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "twelve": 12.0,
    "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "twenty-five": 25.0,
    "forty": 40.0, "forty-five": 45.0, "ninety": 90.0,
    "sixty": 60.0, "half an": 0.5, "half a": 0.5, "an hour and a half": 1.5,
}  # fmt: skip
_GLYPH = "[" + "".join(_FRACTIONS) + "]"
_NUMBER = (
    rf"(?:\d{{1,4}}(?:\s{{1,2}}|-)\d{{1,2}}[/\u2044]\d{{1,2}}|\d{{1,2}}[/\u2044]\d{{1,2}}|"
    rf"\d{{1,4}}(?:\.\d{{1,3}})?\s{{0,2}}{_GLYPH}|{_GLYPH}|\d{{1,4}}(?:\.\d{{1,3}})?)"
)
_WORD = "(?:" + "|".join(sorted(_WORDS, key=len, reverse=True)[1:]) + ")"
_TO = r"(?:\s{0,2}[-\u2013\u2014]\s{0,2}|\s{1,2}(?:to|or)\s{1,2})"
_HOUR, _MINUTE, _SECOND = (
    r"(?:hours?|hrs?\.?|h)",
    r"(?:minutes?|mins?\.?)",
    r"(?:seconds?|secs?\.?)",
)
_UNIT = rf"(?:{_HOUR}|{_MINUTE}|{_SECOND}|days?|weeks?)"
_START, _END = r"(?<![\w.,/½¼¾⅓⅔⅛-])", r"(?![\w-])"


def _span(number: str, gap: str, name: str) -> str:
    """A number or range with its unit, and the smaller unit of a compound."""
    amount = rf"(?P<{name}1>{number})(?:{_TO}(?P<{name}2>{number}))?{gap}(?P<{name}u>{_UNIT})"
    rest = rf"(?:\s{{1,2}}(?:and\s{{1,2}})?(?P<{name}3>{number})(?:{_TO}(?P<{name}4>{number}))?"
    return amount + rest + rf"{gap}(?P<{name}v>{_MINUTE}|{_SECOND}))?"


def _time(number: str, gap: str) -> re.Pattern[str]:
    first, second = _span(number, gap, "a"), _span(number, gap, "b")
    return re.compile(rf"{_START}{first}{_END}(?:\s{{0,2}}(?:to|-|\u2013)\s{{0,2}}{second}{_END})?")


_WRITTEN = _time(_NUMBER, r"\s{0,2}")
_WIDE = _time(
    f"(?:{_NUMBER}|{_WORD})", r"(?:\s{0,2}|-|\s{1,2}(?:more|additional|further|full|extra)\s{1,2})"
)
_AND_A_HALF = re.compile(r"\s{1,2}and\s{1,2}a\s{1,2}half\b")
_NAMED = ("min", "hour", "hr", "sec", "day", "week")
_ANY_TIME = re.compile(r"\b(?:hour|min(?:ute|s?\b)|hrs?\b|sec(?:ond|s?\b)|days?\b|week)")
_DIGIT_H = re.compile(r"\dh\b")
_STARTS = (
    re.compile(rf"{_START}(?:\d|{_GLYPH})"),
    re.compile(rf"{_START}(?:\d|{_GLYPH}|{_WORD}(?![a-z]))"),
)
_REACH = 48  # characters that a time may take on either side of a unit
_WITHIN = frozenset(" ".join(_WORDS).split()) | frozenset(
    ["to", "or", "and", "more", "additional", "further", "full", "extra", "h", "hr", "hrs", "hour",
     "hours", "min", "mins", "minute", "minutes", "sec", "secs", "second", "seconds", "day", "days",
     "week", "weeks"]
)  # fmt: skip  # words that a time may hold

_HEAT = re.compile(
    rf"{_START}(?P<low>\d{{1,3}})(?:{_TO}(?P<high>\d{{1,3}}))?\s{{0,2}}"
    r"(?:degrees?\s{0,2}|°\s{0,2}|º\s{0,2})?(?P<unit>[CF])\b"
)
_MEASURE = (
    r"(?:g|kg|ml|cl|l|litres?|grams?|cups?|tablespoons?|teaspoons?|tbsp|tsp|ounces?|pounds?|"
    r"slices|cloves?|handfuls?|pinch(?:es)?|sticks?|cm)"
)
_QUANTITY = re.compile(
    rf"{_START}(?P<low>{_NUMBER})(?:{_TO}(?P<high>{_NUMBER}))?\s{{0,2}}(?P<unit>{_MEASURE})\b"
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A value or range, as it is written and as numbers.

    Attributes:
        text: verbatim.
        low: the smaller bound, in ``unit``.
        high: the greater one; equal where one number stands there.
        unit: ``minutes`` for times, ``C`` or ``F``, else the measure as it is written.
        start: offset of the text.
    """

    text: str
    low: float
    high: float
    unit: str
    start: int


def number(text: str) -> float:
    """The value of a number: ``1 1/2``, ``1-1/2``, ``1½``, ``½``, ``0.5``, ``two``.

    Raises:
        ValueError: it is none.
    """
    if text.isascii() and text.isdecimal():
        return float(text)
    words = text.strip().lower()
    if words in _WORDS:
        return _WORDS[words]
    value = 0.0
    for part in words.replace("\u2044", "/").replace("-", " ").split():
        tail = _FRACTIONS.get(part[-1])
        if tail is not None:
            value += tail + (float(part[:-1]) if part[:-1] else 0.0)
        elif "/" in part:
            above, _, below = part.partition("/")
            if not int(below):
                raise ValueError(f"'{text}' divides by zero")
            value += int(above) / int(below)
        else:
            value += float(part)
    return value


def times(text: str, *, wide: bool = True) -> list[Amount]:
    """Every duration in a text, in minutes.

    Args:
        text: of a step.
        wide: accept number words ("half an hour"), "5 more minutes" and "20-second" as well.
    """
    found: list[Amount] = []
    lower = text.lower()
    units = _units(lower)
    if not units:
        return found
    form = _WIDE if wide else _WRITTEN
    if len(lower) != len(text):  # a letter that has no small form of the same length
        lower, units = text, _units(text)
    end = 0
    for unit in units:  # few, so that the form is tried at few places
        if unit[0] < end:
            continue
        match = _around(unit, form, _STARTS[wide], lower, end)
        if match is None:
            continue
        end = match.end()
        try:
            low, high = _bounds(match, "a")
            if match["b1"]:
                high = _bounds(match, "b")[1]
        except ValueError:
            continue
        shown = text[match.start() : match.end()]
        if wide and match["a1"] in {"a", "an"}:
            more = _AND_A_HALF.match(lower, end)
            if more:
                low, high, shown = low * 1.5, high * 1.5, shown + more[0]
        found.append(Amount(shown, min(low, high), max(low, high), "minutes", match.start()))
    return found


def _units(lower: str) -> list[tuple[int, int]]:
    """Where units of time stand; looked for by name, since most texts have none."""
    found = []
    for name in _NAMED:
        place = lower.find(name)
        while place >= 0:
            unit = _ANY_TIME.match(lower, place)
            if unit is not None:
                found.append(unit.span())
            place = lower.find(name, place + 1)
    found += [(unit.end() - 1, unit.end()) for unit in _DIGIT_H.finditer(lower)]
    return sorted(found) if len(found) > 1 else found


def _around(
    unit: tuple[int, int], form: re.Pattern[str], starts: re.Pattern[str], text: str, end: int
) -> re.Match[str] | None:
    """The longest time that holds a unit and begins after ``end``."""
    last = unit[1] + _REACH
    first, place = max(end, unit[0] - _REACH), unit[0]
    for piece in reversed(text[first:place].split()):
        place = text.rfind(piece, first, place)
        if piece.isalpha() and piece not in _WITHIN:  # no time reaches over such a word
            first = place + len(piece)
            break
    for start in starts.finditer(text, first, unit[0]):
        match = form.match(text, start.start(), last)
        if match is not None and match.end() >= unit[1]:
            return match
    return None


def _bounds(match: re.Match[str], name: str) -> tuple[float, float]:
    scale = _minutes(match[f"{name}u"])
    low = number(match[f"{name}1"]) * scale
    high = number(match[f"{name}2"]) * scale if match[f"{name}2"] else low
    if match[f"{name}3"]:
        smaller = _minutes(match[f"{name}v"])
        more = number(match[f"{name}3"]) * smaller
        low += more
        high += number(match[f"{name}4"]) * smaller if match[f"{name}4"] else more
    return low, high


def _minutes(unit: str) -> float:
    start = unit[0].lower()
    return {"h": 60.0, "m": 1.0, "s": 1 / 60, "d": 1440.0, "w": 10080.0}[start]


def temperatures(text: str) -> list[Amount]:
    """Every temperature in a text, in the scale in which it is written."""
    found = []
    for match in _HEAT.finditer(text):
        low = float(match["low"])
        high = float(match["high"]) if match["high"] else low
        found.append(Amount(match[0], min(low, high), max(low, high), match["unit"], match.start()))
    return found


def quantities(text: str) -> list[Amount]:
    """Every measured quantity in a text, in the measure in which it is written."""
    found = []
    for match in _QUANTITY.finditer(text):
        try:
            low = number(match["low"])
            high = number(match["high"]) if match["high"] else low
        except ValueError:
            continue
        found.append(Amount(match[0], min(low, high), max(low, high), match["unit"], match.start()))
    return found


def seconds(text: str) -> tuple[float, float] | None:
    """Least and greatest time that a step states, summed, in seconds; None where there is none."""
    return _summed(text) if len(text) <= LONG else _summed.__wrapped__(text)


@lru_cache(MOST_WORDS)
def _summed(text: str) -> tuple[float, float] | None:
    found = _stated(text)
    if not found:
        return None
    return (
        round(sum([low for low, _ in found]) * 60, 3),
        round(sum([high for _, high in found]) * 60, 3),
    )


type _Bounds = tuple[tuple[float, float], ...]


def _stated(text: str) -> _Bounds:
    """The bounds of every duration in a text, in minutes.

    A text is looked at in stretches that no time reaches over, since those recur: "25 to 30
    minutes." is read once, wherever it stands.
    """
    lower = text.lower()
    for name in _NAMED:
        if name in lower:
            break
    else:
        if "h" not in lower or _DIGIT_H.search(lower) is None:
            return ()
    pieces = lower.split()
    if len(lower) != len(text) or " ".join(pieces) != lower:
        return _bounds_of(text)  # where blanks are doubled, or letters have other small forms
    found: _Bounds = ()
    run: list[str] = []
    for piece in pieces:
        if piece in _WITHIN or not piece.isalpha():
            run.append(piece)
        elif run:
            found += _stretch(" ".join(run))
            run.clear()
    return found + _stretch(" ".join(run)) if run else found


def _bounds_of(text: str) -> _Bounds:
    return tuple([(each.low, each.high) for each in times(text)])


_stretch = lru_cache(MOST_WORDS)(_bounds_of)


def walk(text: str) -> Iterator[Amount]:
    """Times, temperatures and quantities, in that order."""
    yield from times(text)
    yield from temperatures(text)
    yield from quantities(text)
