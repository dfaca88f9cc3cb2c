"""How the entries of a table are written: the same digits down a column, words to the left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from thence.core.statistics import Estimate
from thence.core.table import Entry, Table

_SHARES, _POINTS = 3, 1  # digits of numbers about 1, and of those from 10, such as per cent
_LARGE = 10.0


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is set.

    Attributes:
        name: its heading.
        words: whether it holds words, which stand to the left; numbers stand to the right.
        digits: after the point; intervals have one less, but at least one.
    """

    name: str
    words: bool
    digits: int


def columns(table: Table) -> list[Column]:
    """How the columns of a table are set."""
    held = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    return [
        Column(name, _words(entries), _digits(entries))
        for name, entries in zip(table.columns, held, strict=True)
    ]


def _words(held: Sequence[Entry]) -> bool:
    return any(isinstance(entry, str) and not _printed(entry) for entry in held)


def _printed(words: str) -> bool:
    """Whether it is a number as a paper prints it, to no more digits than it has there."""
    return words.lstrip("-").replace(".", "", 1).isdigit()


def _digits(held: Sequence[Entry]) -> int:
    """Fewer where numbers are large, but for a few among shares, such as a length among them."""
    entries = [entry.value if isinstance(entry, Estimate) else entry for entry in held]
    sizes = [abs(value) for value in entries if isinstance(value, float) and value]
    large = any(size >= _LARGE for size in sizes)
    return _POINTS if large and 2 * sum(size > 1 for size in sizes) >= len(sizes) else _SHARES


def parts(entry: Entry, digits: int = _SHARES) -> tuple[str, str]:
    """What stands in a cell, and its interval; both empty where there is nothing to show."""
    if isinstance(entry, Estimate):
        if math.isnan(entry.value):
            return "", ""
        fewer = max(1, digits - 1)
        shown = not math.isnan(entry.low)
        interval = f"[{entry.low:.{fewer}f}, {entry.high:.{fewer}f}]" if shown else ""
        return f"{entry.value:.{digits}f}", interval
    if entry is None or (isinstance(entry, float) and math.isnan(entry)):
        return "", ""
    if isinstance(entry, int):
        return f"{entry:,}", ""
    return (f"{entry:.{digits}f}" if isinstance(entry, float) else entry), ""


def text(entry: Entry, digits: int = _SHARES) -> str:
    """What stands in a cell; an interval follows its figure."""
    return " ".join(part for part in parts(entry, digits) if part)


def texts(table: Table) -> list[list[str]]:
    """All cells of a table."""
    set_so = columns(table)
    return [
        [text(entry, column.digits) for entry, column in zip(row, set_so, strict=True)]
        for row in table.rows
    ]
