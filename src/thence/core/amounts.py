"""Numbers, ranges, durations, temperatures and measured amounts, as people write them.

A text is scanned once for numbers or ranges with a unit; neighbours are then joined: ``1 hour and
30 minutes`` is one duration, ``45 minutes to 1 hour`` one range. Every repetition in an expression
is bounded, so that the work is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

Bounds = tuple[float, float]

MINUTES = "minutes"
CENTURY = 100 * 365.25 * 86400  # seconds

_SECONDS = {"seconds": 1, MINUTES: 60, "hours": 3600, "days": 86400, "weeks": 604800}
_SPELLED = {
    "seconds": ("seconds", "second", "secs", "sec"),
    MINUTES: ("minutes", "minute", "mins", "min"),
    "hours": ("hours", "hour", "hrs", "hr", "h"),
    "days": ("days", "day"),
    "weeks": ("weeks", "week"),
    "F": ("fahrenheit", "f"),
    "C": ("celsius", "c"),
    "cups": ("cups", "cup"),
    "tablespoons": ("tablespoons", "tablespoon", "tbsp", "tbs"),
    "teaspoons": ("teaspoons", "teaspoon", "tsp"),
    "ounces": ("ounces", "ounce", "oz"),
    "pounds": ("pounds", "pound", "lbs", "lb"),
    "grams": ("grams", "gram", "g"),
    "kilograms": ("kilograms", "kilogram", "kg"),
    "millilitres": ("millilitres", "milliliters", "millilitre", "ml"),
    "litres": ("litres", "liters", "litre", "liter", "l"),
    "sticks": ("sticks", "stick"),
    "inches": ("inches", "inch"),
}
_CANONICAL = {word: name for name, words in _SPELLED.items() for word in words}
_LETTERS = {"s": "seconds", "m": MINUTES, "d": "days", "w": "weeks"}
_TIMES = tuple(word for name in _SECONDS for word in _SPELLED[name])
_HEAT = ("Fahrenheit", "Celsius", "F", "C")
_DEGREES = r"(?:(?:degrees?|[°º])\s{0,2})?"
_MEASURES = (
    "g", "kg", "ml", "cl", "l", "litre", "litres", "gram", "grams", "cup", "cups", "tablespoon",
    "tablespoons", "teaspoon", "teaspoons", "tbsp", "tsp", "ounce", "ounces", "pound", "pounds",
    "slices", "clove", "cloves", "handful", "handfuls", "pinch", "pinches", "stick", "sticks", "cm",
)  # fmt: skip

_GLYPHS = {
    "½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8,
    "⅞": 7 / 8, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6,
}  # fmt: skip
_WORDS = {
    "half an": 0.5, "half a": 0.5, "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0,
    "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0,
    "twelve": 12.0, "fifteen": 15.0, "twenty": 20.0, "twenty-five": 25.0, "thirty": 30.0,
    "forty": 40.0, "forty-five": 45.0, "sixty": 60.0, "ninety": 90.0,
}  # fmt: skip

_GLYPH = f"[{''.join(_GLYPHS)}]"
_FRACTION = r"\d{1,2}[/\u2044](?:16|[234568])(?!\d)"
_DIGITS = (
    rf"(?:\d{{1,12}}(?:\s{{1,2}}|-){_FRACTION}|{_FRACTION}"
    rf"|\d{{1,12}}(?:\.\d{{1,4}})?(?:\s{{0,2}}{_GLYPH})?|{_GLYPH})"
)
_WORD = f"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_ORDINAL = r"(?!an?\s{1,2}second\s{1,2}[a-z])"  # "a second board" is no time
_DASH = r"[-\u2013\u2014]"
_TO = rf"(?:\s{{0,2}}{_DASH}\s{{0,2}}|\s{{1,2}}(?:to|or)\s{{1,2}}(?:about\s{{1,2}})?)"
_START, _END = rf"(?<![\w.,/\u2044{_GLYPH[1:-1]}])(?<!\d-)", r"(?!\w|-[a-z])"
_CLOSE, _WIDE = r"\s{0,2}", r"(?:[\s-]{0,2}|\s{1,2}(?:more|additional|further|full|extra)\s{1,2})"

_RANGE = re.compile(rf"{_TO}\Z", re.IGNORECASE)
_SUM = re.compile(r"\s{0,2}(?:,\s?and|,|and|plus|&)?\s{0,2}\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s{1,3}(?:about\s)?\Z", re.IGNORECASE)
_AND = re.compile(r"\s{1,2}and\s{1,2}\Z", re.IGNORECASE)
_HALF = re.compile(r"\s{1,2}(?:and|&)\s{1,2}a\s{1,2}half\b", re.IGNORECASE)
_GAP = 12  # characters between two neighbours


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or range with its unit, as it is written and as numbers.

    Attributes:
        text: verbatim.
        low: the smaller bound, in ``unit``.
        high: the greater one; equal where one number is written. In a reply, the ends as written.
        unit: ``minutes`` for durations, ``C`` or ``F``, else the measure as it is written.
        start: offset of the text.
    """

    text: str
    low: float
    high: float
    unit: str
    start: int


# Numbers and units


def number(text: str) -> float:
    """Return the value of ``2``, ``1/2``, ``1 1/2``, ``1-1/2``, ``1½``, ``1.5`` or ``two``.

    Raises:
        ValueError: it is none of these.
    """
    words = " ".join(text.lower().split())
    if words in _WORDS:
        return _WORDS[words]
    value = 0.0
    parts = words.replace("\u2044", "/").replace("-", " ").split()
    if not parts or (len(parts) > 1 and not _is_mixed(*parts)):
        raise ValueError(f"'{text}' is no number")
    for part in parts:
        glyph = _GLYPHS.get(part[-1])
        above, slash, below = part.partition("/")
        if glyph is not None:
            value += glyph + (float(part[:-1]) if part[:-1] else 0.0)
        elif slash and not float(below):
            raise ValueError(f"'{text}' divides by zero")
        else:
            value += float(above) / float(below) if slash else float(part)
    return value


def _is_mixed(whole: str, fraction: str = "", *more: str) -> bool:
    """Return whether words are a whole number and a fraction, as ``1 1/2`` and ``1 ½``."""
    return whole.isdigit() and ("/" in fraction or fraction in _GLYPHS) and not more


def canonical(unit: str) -> str:
    """Return the name of a unit: ``min.`` is ``minutes``; an unknown unit in lower case."""
    if unit in _SPELLED:
        return unit
    name = re.sub(f"^{_DEGREES}", "", unit.strip().rstrip(".").lower())
    return _CANONICAL.get(name, name)


def kind(unit: str) -> str:
    """Return the unit that a unit is compared in: ``minutes`` for every time, else its name."""
    name = canonical(unit)
    return MINUTES if name in _SECONDS else name


# Amounts in a text


def times(text: str, *, wide: bool = True) -> list[Amount]:
    """Return every duration in a text, in minutes.

    Args:
        text: of a step.
        wide: accept number words ("half an hour"), "5 more minutes" and "20-second" as well.
    """
    if not _HAS_TIME.search(text):
        return []
    return _joined(text, _scan(text, _TIMES, wide=wide, any_case=True))


def temperatures(text: str) -> list[Amount]:
    """Return every temperature in a text, in the scale in which it is written."""
    return _joined(text, _scan(text, _HEAT))


def quantities(text: str) -> list[Amount]:
    """Return every measured quantity in a text, in the measure in which it is written."""
    return _joined(text, _scan(text, _MEASURES))


def of_kind(text: str, unit: str) -> list[Amount]:
    """Return the amounts in a text that can be compared with a unit."""
    name = kind(unit)
    words = _TIMES if name == MINUTES else (*_SPELLED.get(name, ()), name, name.rstrip("s"))
    return _joined(text, _scan(text, words, wide=True, any_case=True), in_reply=True)


def first_amount(text: str) -> Amount | None:
    """Return the first amount in a text, in any unit; None where there is none."""
    found = _joined(text, _scan(text, tuple(_CANONICAL), wide=True, any_case=True), in_reply=True)
    return found[0] if found else None


@lru_cache(4096)
def seconds(text: str) -> Bounds | None:
    """Return the least and greatest sum of a text's times, in seconds; None without any."""
    found = times(text)
    if not found:
        return None
    low, high = sum(each.low for each in found), sum(each.high for each in found)
    return round(low * 60, 3), round(high * 60, 3)


_HAS_TIME = re.compile(
    r"hour|min(?:ute|s?\b)|hrs?\b|sec(?:ond|s?\b)|days?\b|week|\dh\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A number or range with one unit; durations are in minutes."""

    start: int
    end: int
    low: float
    high: float
    unit: str
    scale: float  # minutes in a unit of time, else 0


@lru_cache(64)
def _pattern(units: tuple[str, ...], *, wide: bool, any_case: bool) -> re.Pattern[str]:
    """Compile the expression of a number or range and its unit."""
    amount = f"(?:{_DIGITS}|{_ORDINAL}{_WORD}(?![a-z]))" if wide else _DIGITS
    longest_first = sorted({unit for unit in units if unit}, key=lambda unit: (-len(unit), unit))
    spelled = "|".join(map(_spelling, longest_first))
    return re.compile(
        rf"{_START}(?P<low>{amount})(?:(?P<to>{_TO}|\s{{1,2}}and\s{{1,2}})(?P<high>{amount}))?"
        rf"{_WIDE if wide else _CLOSE}(?P<unit>{spelled}){_END}",
        re.IGNORECASE if any_case else 0,
    )


def _spelling(unit: str) -> str:
    """Return the expression of a unit's word."""
    if unit == "h":  # "2h" and "1 h 20 min" are times; "1 h" may be anything
        return r"(?<=\d)h|h(?=\s{1,2}\d)"
    if unit in {"min", "mins", "hr", "hrs", "sec", "secs"}:
        return rf"{unit}\.?"
    return _DEGREES + unit if canonical(unit) in {"C", "F"} else re.escape(unit)


def _scan(
    text: str, units: tuple[str, ...], *, wide: bool = False, any_case: bool = False
) -> list[_Part]:
    """Return every number or range that a unit follows."""
    found = []
    for match in _pattern(units, wide=wide, any_case=any_case).finditer(text):
        start, end, first = match.start(), match.end(), match["low"]
        before = text[max(0, start - 2 * _GAP) : start]
        if _AND.match(match["to"] or "") and not _BETWEEN.search(before):
            start, first = match.start("high"), match["high"]  # "1 and 2 minutes": the latter
        try:
            ends = number(first), number(match["high"] or first)
        except ValueError:
            continue
        unit = canonical(match["unit"])
        scale = _SECONDS.get(unit, 0) / 60
        if wide and scale and (half := _HALF.match(text, end)):
            ends, end = (ends[0] + 0.5, ends[1] + 0.5), half.end()
        low, high = (each * (scale or 1) for each in ends)
        shared = MINUTES if scale else unit if unit in {"C", "F"} else match["unit"]
        found.append(_Part(start, end, low, high, shared, scale))
    return found


def _joined(text: str, parts: list[_Part], *, in_reply: bool = False) -> list[Amount]:
    """Return the amounts that neighbouring parts make.

    Args:
        text: where they stand.
        parts: of the text, in order.
        in_reply: a comma joins "1 hour, 30 minutes", and a range keeps its ends as written; in the
            steps of a recipe a comma parts two times.
    """
    found = []
    place = 0
    while place < len(parts):
        first, place = _sum_at(text, parts, place, in_reply=in_reply)
        low, high, end = first.low, first.high, first.end
        if place < len(parts) and _is_range(text, first, parts[place]):
            last, place = _sum_at(text, parts, place, in_reply=in_reply)
            high, end = last.high, last.end
        if low > high and not in_reply:
            low, high = high, low
        found.append(Amount(text[first.start : end], low, high, first.unit, first.start))
    return found


def _sum_at(text: str, parts: list[_Part], place: int, *, in_reply: bool) -> tuple[_Part, int]:
    """Return one duration in two units, such as ``1 hour and 30 minutes``, and the next place."""
    first = parts[place]
    if place + 1 < len(parts):
        second = parts[place + 1]
        gap = text[first.end : second.start]
        smaller = 0 < second.scale < first.scale and second.high < first.scale
        if smaller and len(gap) <= _GAP and _SUM.match(gap) and (in_reply or "," not in gap):
            return _Part(
                first.start,
                second.end,
                first.low + second.low,
                first.high + second.high,
                first.unit,
                second.scale,
            ), place + 2
    return first, place + 1


def _is_range(text: str, low: _Part, high: _Part) -> bool:
    """Return whether two parts are the ends of one range."""
    gap = text[low.end : high.start]
    if low.unit != high.unit or len(gap) > _GAP:
        return False
    if "or" in gap.lower() and (low.low < low.high or high.low < high.high):
        return False  # two answers, not the ends of one range
    before = text[max(0, low.start - 2 * _GAP) : low.start]
    return bool(_RANGE.match(gap) or (_AND.match(gap) and _BETWEEN.search(before)))


# One amount, and nothing else --------------------------------------------------------------------

_LONGEST = 200  # characters; nobody writes a longer amount
_WHOLE = re.compile(rf"\s*(?P<low>{_DIGITS})(?:{_TO}(?P<high>{_DIGITS}))?\s*", re.IGNORECASE)
_UNIT = re.compile(r"([^\W\d_]+)\.?\s*(?:(?:and\b|,|&)\s*)?", re.IGNORECASE)


def duration(text: str) -> Bounds:
    """Return the seconds of a duration, such as ``5 min``, ``1 h 30 min`` or ``8-10 min``.

    Raises:
        ValueError: it is none; the message is a clause.
    """
    low = high = 0.0
    place = 0
    while place < len(text) or not place:
        (least, most), place = _range_at(text, place)
        unit = _UNIT.match(text, place)
        if unit is None and place == len(text):
            raise ValueError(f"'{text}' has no unit; write {text} min (or s, h, d)")
        name = unit[1].lower() if unit else ""
        scale = _SECONDS.get(_LETTERS.get(name, canonical(name)))
        if unit is None or scale is None:
            raise ValueError(f"'{text}' is not a duration; write one such as '5-10 min'")
        low, high, place = low + least * scale, high + most * scale, unit.end()
    if high > CENTURY:
        raise ValueError(f"'{text}' is longer than a hundred years; give a shorter duration")
    return low, high


def quantity(text: str) -> tuple[float, float, str]:
    """Return low, high and unit of a quantity, such as ``200-250 g``; a count has no unit.

    Raises:
        ValueError: it is none; the message is a clause.
    """
    (low, high), place = _range_at(text, 0)
    unit = text[place:].strip()
    if unit and (unit[0].isdigit() or unit[0] in ",./-"):  # a number that was read in part
        raise ValueError(
            f"'{text}' is not a quantity; write one such as '1000 ml', '1.5 l' or '1/2'"
        )
    return low, high, unit


def _range_at(text: str, place: int) -> tuple[Bounds, int]:
    """Return the number or range at a place, and the place after it."""
    if len(text) > _LONGEST:
        raise ValueError("an amount is a number, or two with a hyphen between, and a unit")
    match = _WHOLE.match(text, place)
    if match is None:
        raise ValueError(f"'{text}' has no number where one is due; write one such as 5 or 5-10")
    low, high = number(match["low"]), number(match["high"] or match["low"])
    if high < low:
        raise ValueError(f"the range {match[0].strip()} ends before it begins; exchange its ends")
    return (low, high), match.end()
