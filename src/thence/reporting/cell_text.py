"""Texts of a table's cells: numbers with the same digits down a column, words to the left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from thence.core.statistics import Estimate, finite
from thence.core.table import Entry, Table

_SHARES, _POINTS = 3, 1  # digits after the point of shares, and of large numbers as per cent
_LARGE = 10.0


@dataclass(frozen=True, slots=True)
class Column:
    """Layout of a column.

    Attributes:
        name: the heading.
        words: whether it is a column of words, aligned to the left; numbers go to the right.
        digits: digits after the point; intervals have one less, but at least one.
    """

    name: str
    words: bool
    digits: int


def columns(table: Table) -> list[Column]:
    """Return the layout of each column of a table."""
    held = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    return [
        Column(name, _has_words(entries), _digits(entries))
        for name, entries in zip(table.columns, held, strict=True)
    ]


def _has_words(entries: Sequence[Entry]) -> bool:
    return any(isinstance(entry, str) and not _is_number(entry) for entry in entries)


def _is_number(words: str) -> bool:
    """Tell whether a text is a number, as a paper printed it."""
    return words.lstrip("-").replace(".", "", 1).isdigit()


def _digits(entries: Sequence[Entry]) -> int:
    """Return fewer digits where numbers are large, unless most numbers are shares."""
    values = [entry.value if isinstance(entry, Estimate) else entry for entry in entries]
    sizes = [abs(value) for value in values if isinstance(value, float) and value]
    large = any(size >= _LARGE for size in sizes)
    return _POINTS if large and 2 * sum(size > 1 for size in sizes) >= len(sizes) else _SHARES


def parts(entry: Entry, digits: int = _SHARES) -> tuple[str, str]:
    """Return the texts of an entry and of its interval; empty where there is nothing to show."""
    if isinstance(entry, Estimate):
        if math.isnan(entry.value):
            return "", ""
        fewer = max(1, digits - 1)
        shown = not math.isnan(entry.low)
        interval = f"[{entry.low:z.{fewer}f}, {entry.high:z.{fewer}f}]" if shown else ""
        return f"{entry.value:z.{digits}f}", interval
    if entry is None or (isinstance(entry, float) and math.isnan(entry)):
        return "", ""
    if isinstance(entry, int):
        return f"{entry:,}", ""
    return (f"{entry:z.{digits}f}" if isinstance(entry, float) else entry), ""


def text(entry: Entry, digits: int = _SHARES) -> str:
    """Return the text of an entry, followed by its interval."""
    return " ".join(part for part in parts(entry, digits) if part)


def texts(table: Table) -> list[list[str]]:
    """Return the texts of all cells of a table, row by row."""
    layout = columns(table)
    return [
        [text(entry, column.digits) for entry, column in zip(row, layout, strict=True)]
        for row in table.rows
    ]


def counts(table: Table) -> str:
    """Return a phrase on n over all rows; empty where the table does not contain it."""
    if table.counted:
        return table.counted
    sizes = [entry.n for row in table.rows for entry in row if isinstance(entry, Estimate)]
    if "n" in table.columns:
        place = list(table.columns).index("n")
        sizes = [entry for row in table.rows if isinstance(entry := row[place], int)]
    if not sizes:
        return ""
    least, most = min(sizes), max(sizes)
    return f"n = {most:,}" if least == most else f"n from {least:,} to {most:,} a value"


def records(table: Table) -> list[dict[str, str | int | float | None]]:
    """Return the rows by column, with a column for each end of an interval."""
    rows = []
    for row in table.rows:
        held: dict[str, str | int | float | None] = {}
        for name, entry in zip(table.columns, row, strict=True):
            if isinstance(entry, Estimate):
                held[name] = finite(entry.value)
                held[f"{name} (low)"] = finite(entry.low)
                held[f"{name} (high)"] = finite(entry.high)
            else:
                held[name] = finite(entry) if isinstance(entry, float) else entry
        rows.append(held)
    return rows
