"""Amounts with units as recipes write them: ``1 1/2 hours``, ``8-10 min.``, ``350 degrees F``.

Durations are compared in minutes, other units only with themselves. Work is linear: numbers are
found once, and only neighbours are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

MINUTES = "minutes"
_IN_MINUTES = {
    "seconds": 1 / 60, MINUTES: 1.0, "hours": 60.0, "days": 1440.0, "weeks": 10080.0,
}  # fmt: skip
_UNITS: dict[str, tuple[str, ...]] = {
    "seconds": ("seconds", "second", "secs", "sec"),
    MINUTES: ("minutes", "minute", "mins", "min"),
    "hours": ("hours", "hour", "hrs", "hr"),
    "days": ("days", "day"),
    "weeks": ("weeks", "week"),
    "F": ("degrees fahrenheit", "degrees f", "degree f", "fahrenheit", "° f", "°f", "f"),
    "C": ("degrees celsius", "degrees c", "degree c", "celsius", "° c", "°c", "c"),
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
_CANONICAL = {word: name for name, words in _UNITS.items() for word in words}
_VULGAR = {
    "¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8",
    "⅝": "5/8", "⅞": "7/8", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6",
}  # fmt: skip
_WORDS = {
    "half an": 0.5, "half a": 0.5, "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0,
    "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0,
    "twelve": 12.0, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0,
}  # fmt: skip

_FRACTION = r"\d{1,2}/(?:2|3|4|5|6|8|16)\b"
_AMOUNT = (
    rf"(?:\d{{1,3}}\s{{0,2}}-?\s{{0,2}}{_FRACTION}|{_FRACTION}|\d{{1,6}}(?:\.\d{{1,4}})?"
    rf"|(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b)"
)
_BETWEEN = re.compile(r"\bbetween\s{1,3}(?:about\s)?\Z", re.IGNORECASE)
_TO = re.compile(r"\s{0,2}(?:to|or|-|/)\s{0,2}(?:about\s)?\Z", re.IGNORECASE)
_AND = re.compile(r"\s{0,2}and\s{0,2}\Z", re.IGNORECASE)
_PLUS = re.compile(r"\s{0,2}(?:,\s?and|,|and|plus|&)?\s{0,2}\Z", re.IGNORECASE)
_HALF = re.compile(r"\s(?:and\sa|&\sa)\shalf\b", re.IGNORECASE)
_GAP = 12  # characters between the two parts of one interval


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number in a text, with the unit that follows it; times are in minutes."""

    start: int
    end: int
    value: float
    unit: str | None  # canonical; ``minutes`` for all times
    scale: float  # what a bare number before it is multiplied by


def canonical(unit: str) -> str:
    """The name of a unit: ``min.`` is ``minutes``; an unknown one is itself, in lower case."""
    if unit in _UNITS:
        return unit
    name = unit.strip().rstrip(".").lower()
    return _CANONICAL.get(name, name)


def number(text: str) -> float:
    """The value of ``2``, ``1/2``, ``1 1/2``, ``1-1/2``, ``1.5`` or ``two``.

    Raises:
        ValueError: it is none of these.
    """
    name = " ".join(text.lower().split())
    if name in _WORDS:
        return _WORDS[name]
    total = 0.0
    for part in text.replace("-", " ").split():
        over, slash, under = part.partition("/")
        total += float(over) / float(under) if slash else float(over)
    return total


def interval(text: str) -> dict[str, Any] | None:
    """The first interval in a text, of whatever unit, as a target; None where there is none."""
    return next((found for _, found in _found(text, "")), None)


def read(text: str, unit: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The intervals in a text that are of the kind of a unit, with where they begin, in order.

    All times are of the kind of ``minutes``.
    """
    wanted, shared = canonical(unit), kind(unit)
    return ((start, found) for start, found in _found(text, wanted) if found["unit"] == shared)


def kind(unit: str) -> str:
    """What a unit is compared in: ``minutes`` for all times, else its canonical name."""
    wanted = canonical(unit)
    return MINUTES if wanted in _IN_MINUTES else wanted


@cache
def _pattern(wanted: str) -> re.Pattern[str]:
    """Numbers, each with its unit if it has a known one."""
    words = {*_CANONICAL, wanted, wanted.rstrip("s")} - {""}
    units = "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))
    return re.compile(
        rf"(?<![\w/.])(?P<amount>{_AMOUNT})(?:[\s-]{{0,2}}(?P<unit>{units})\b)?", re.IGNORECASE
    )


def _amounts(text: str, wanted: str) -> list[_Amount]:
    found = []
    for match in _pattern(wanted).finditer(text):
        unit = canonical(match["unit"]) if match["unit"] else None
        value, end = number(match["amount"]), match.end()
        if unit is not None and (half := _HALF.match(text, end)):
            value, end = value + 0.5, half.end()
        scale = _IN_MINUTES.get(unit or "", 1.0)
        shared = kind(unit) if unit else None
        found.append(_Amount(match.start(), end, value * scale, shared, scale))
    return found


def _found(text: str, wanted: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for sign, spelled in _VULGAR.items():
        text = text.replace(sign, f" {spelled}")
    amounts = _amounts(text, wanted)
    place = 0
    while place < len(amounts):
        low, after = _compound(text, amounts, place)
        high, last = low, after
        if after < len(amounts) and _joins(text, low, amounts[after]):
            high, last = _compound(text, amounts, after)
        if low.unit is None and high.unit is not None:
            low = _Amount(low.start, low.end, low.value * high.scale, high.unit, high.scale)
        if low.unit is None:
            place += 1
            continue
        if low.unit != high.unit:
            high, last = low, after
        shown = text[low.start : high.end].strip()
        ends = {"low": low.value, "high": high.value, "unit": low.unit}
        yield low.start, {"text": shown, **ends}
        place = last


def _compound(text: str, amounts: list[_Amount], place: int) -> tuple[_Amount, int]:
    """``1 hour and 30 minutes``: one amount in two units, and the place after it."""
    first = amounts[place]
    if place + 1 < len(amounts):
        second = amounts[place + 1]
        if (
            first.unit == second.unit == MINUTES
            and second.scale < first.scale
            and second.value < first.scale
            and _PLUS.match(text[first.end : second.start][:_GAP])
            and not _BETWEEN.search(text[max(0, first.start - _GAP) : first.start])
        ):
            total = first.value + second.value
            return _Amount(first.start, second.end, total, MINUTES, second.scale), place + 2
    return first, place + 1


def _joins(text: str, low: _Amount, high: _Amount) -> bool:
    """Whether two amounts are the ends of one interval: ``8 to 10``, ``between 8 and 10``."""
    gap = text[low.end : high.start]
    if len(gap) > _GAP:
        return False
    before = text[max(0, low.start - 2 * _GAP) : low.start]
    return bool(_TO.match(gap) or (_AND.match(gap) and _BETWEEN.search(before)))
