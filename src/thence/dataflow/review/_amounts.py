"""Durations and quantities as people write them: ``5 min``, ``1 h 30 min``, ``180-200 °C``.

Read word by word in one pass, without back-tracking.
"""

from __future__ import annotations

import math
import re

Range = tuple[float, float]

_SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
    **dict.fromkeys(("w", "week", "weeks"), 604800.0),
}
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+\.?|\S")
_CENTURY = 100 * 365.25 * 86400  # seconds
_LONGEST = 200  # characters; nobody writes a longer amount


def duration(text: str) -> Range:
    """Seconds of a duration; a number alone is seconds.

    Raises:
        ValueError: what is wrong, in a clause.
    """
    words = _words(text)
    low = high = 0.0
    place = 0
    while place < len(words):
        (least, most), place = _range(words, place)
        unit = words[place].rstrip(".").lower() if place < len(words) else None
        if unit is None and place == len(words) and not (low or high):
            low, high = least, most
            break
        if unit not in _SECONDS:
            raise ValueError(f"'{text}' is not a duration; write one such as '5-10 min'")
        low += least * _SECONDS[unit]
        high += most * _SECONDS[unit]
        place += 1
        if place < len(words) and words[place].lower() in {"and", ","}:
            place += 1
    if high > _CENTURY:
        raise ValueError(f"'{text[:40]}' is longer than a hundred years; give a shorter duration")
    return low, high


def quantity(text: str) -> tuple[float, float, str]:
    """Low, high and unit of a quantity.

    Raises:
        ValueError: what is wrong, in a clause.
    """
    words = _words(text)
    (low, high), place = _range(words, 0)
    return low, high, "".join(words[place:]).strip()


def _words(text: str) -> list[str]:
    words = _WORD.findall(text[: _LONGEST + 1])
    if not words or len(text) > _LONGEST:
        raise ValueError("an amount is a number, or two with a hyphen between, and a unit")
    return words


def _range(words: list[str], place: int) -> tuple[Range, int]:
    """A number, or two joined by a hyphen, a dash or ``to``; where the words go on."""
    low = _number(words, place)
    joins = place + 1 < len(words) and words[place + 1].lower() in {"-", "\u2013", "to"}
    if not joins:
        return (low, low), place + 1
    high = _number(words, place + 2)
    if high < low:
        raise ValueError(f"the range {words[place]} to {words[place + 2]} ends before it begins")
    return (low, high), place + 3


def _number(words: list[str], place: int) -> float:
    word = words[place] if place < len(words) else ""
    if not word[:1].isdecimal() or not math.isfinite(float(word)):
        raise ValueError(f"'{' '.join(words)}' has no number where one is due")
    return float(word)
