"""Amounts with units as recipes write them: ``1 1/2 hours``, ``8-10 min.``, ``350 degrees F``.

Durations are compared in minutes; other units only with themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_VULGAR = {
    "¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8",
    "⅝": "5/8", "⅞": "7/8", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6",
}  # fmt: skip
_WORDS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "half": 0.5}

MINUTES = "minutes"
_UNITS: dict[str, tuple[str, ...]] = {
    "seconds": ("seconds", "second", "secs", "sec"),
    MINUTES: ("minutes", "minute", "mins", "min"),
    "hours": ("hours", "hour", "hrs", "hr"),
    "days": ("days", "day"),
    "F": ("degrees fahrenheit", "degrees f", "degree f", "fahrenheit", "°f", "° f", "f"),
    "C": ("degrees celsius", "degrees c", "degree c", "celsius", "°c", "° c", "c"),
    "cups": ("cups", "cup"),
    "tablespoons": ("tablespoons", "tablespoon", "tbsp", "tbs"),
    "teaspoons": ("teaspoons", "teaspoon", "tsp"),
    "ounces": ("ounces", "ounce", "oz"),
    "pounds": ("pounds", "pound", "lbs", "lb"),
    "grams": ("grams", "gram"),
    "inches": ("inches", "inch"),
    "slices": ("slices", "slice"),
    "cloves": ("cloves", "clove"),
}
_CANONICAL = {word: name for name, words in _UNITS.items() for word in words}
_IN_MINUTES = {"seconds": 1 / 60, MINUTES: 1.0, "hours": 60.0, "days": 1440.0}

_AMOUNT = r"(?:\d{1,5}\s\d{1,2}/\d{1,2}|\d{1,3}/\d{1,3}|\d{1,6}(?:\.\d{1,4})?)"
_UNIT = "(?:" + "|".join(sorted(map(re.escape, _CANONICAL), key=len, reverse=True)) + r")\b"
_RANGE = re.compile(
    rf"(?<![\w/.])({_AMOUNT})(?:[\s-]{{0,2}}({_UNIT}))?"
    rf"(?:\s{{0,2}}(?:to|or|and|-)\s{{0,2}}({_AMOUNT}))?[\s-]{{0,2}}({_UNIT})\.?",
    re.IGNORECASE,
)
_SINGLE = re.compile(rf"(?<![\w/.])({_AMOUNT})[\s-]{{0,2}}({_UNIT})\.?", re.IGNORECASE)
_PLUS = re.compile(
    rf"\s{{0,2}}(?:,|and|plus)?\s{{0,2}}({_AMOUNT})[\s-]{{0,2}}({_UNIT})\.?", re.IGNORECASE
)


def canonical(unit: str) -> str:
    """The name of a unit: ``min.`` is ``minutes``; an unknown one is itself, in lower case."""
    name = unit.strip().rstrip(".").lower()
    return _CANONICAL.get(name, name)


def amount(text: str) -> float:
    """The value of ``2``, ``1/2``, ``1 1/2`` or ``1.5``."""
    total = 0.0
    for part in text.split():
        over, slash, under = part.partition("/")
        total += float(over) / float(under or 1) if slash and float(under or 1) else float(over)
    return total


def interval(text: str) -> dict[str, Any] | None:
    """The first interval in a text, as a target; None where there is none."""
    return next(_found(_spelled(text)), None)


def read(text: str, unit: str) -> Iterator[dict[str, Any]]:
    """The intervals in a text that are of the kind of a unit (times for ``minutes``), in order."""
    wanted = canonical(unit)
    wanted = MINUTES if wanted in _IN_MINUTES else wanted
    return (found for found in _found(_spelled(text)) if found["unit"] == wanted)


def _spelled(text: str) -> str:
    for sign, spelled in _VULGAR.items():
        text = text.replace(sign, f" {spelled}")
    return text


def _found(text: str) -> Iterator[dict[str, Any]]:
    place = 0
    while True:
        found = _RANGE.search(text, place)
        if found is None:
            return
        unit = canonical(found[4])
        first = canonical(found[2]) if found[2] else unit
        low, high = amount(found[1]), amount(found[3] or found[1])
        end = found.end()
        if unit in _IN_MINUTES and first in _IN_MINUTES:
            low, high = low * _IN_MINUTES[first], high * _IN_MINUTES[unit]
            unit = MINUTES
        place = end
        yield {"text": found[0].strip(), "low": low, "high": high, "unit": unit}
