"""Data of figures: a table with the columns of its chart, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table
from thence.reporting import cell_text
from thence.reporting.chart_frame import Axis, axis_of
from thence.reporting.palette import Styles


@dataclass(frozen=True)
class ChartData:
    """A table to draw, with the columns of its chart."""

    table: Table
    chart: Chart
    styles: Styles

    def column(self, name: str | None) -> list[Entry]:
        """Return the entries of a column; empty ones for no column."""
        if name is None:
            return [None] * len(self.table.rows)
        place = list(self.table.columns).index(name)
        return [row[place] for row in self.table.rows]

    @cached_property
    def series(self) -> list[str]:
        """The names of the series, in order."""
        return list(dict.fromkeys(map(word_of, self.column(self.chart.series))))

    @cached_property
    def rows(self) -> list[tuple[Entry, Entry, str, str]]:
        """For each row its x, y, series and the words that are shown for it."""
        layout = cell_text.columns(self.table)
        held = zip(
            self.column(self.chart.x),
            self.column(self.chart.y),
            map(word_of, self.column(self.chart.series)),
            self.table.rows,
            strict=True,
        )
        return [(x, y, name, _told(layout, row)) for x, y, name, row in held]

    def scale(self) -> Axis:
        """Return the axis of the values."""
        ends = [each for entry in self.column(self.chart.y) for each in ends_of(entry)]
        return axis_of(ends, self.chart.y_title or self.chart.y, log=self.chart.log)


def _told(layout: Sequence[cell_text.Column], row: Sequence[Entry]) -> str:
    return ", ".join(
        f"{column.name} {words}"
        for column, entry in zip(layout, row, strict=True)
        if (words := cell_text.text(entry, column.digits))
    )


def word_of(entry: Entry) -> str:
    """Return an entry in words."""
    return "" if entry is None else cell_text.text(entry)


def value_of(entry: Entry) -> float:
    """Return an entry as a number; NaN where it is none."""
    if isinstance(entry, Estimate):
        return entry.value
    return float(entry) if isinstance(entry, int | float) else math.nan


def ends_of(entry: Entry) -> list[float]:
    """Return value and interval of an entry in order, as far as they are known."""
    ends = (
        [entry.low, entry.value, entry.high] if isinstance(entry, Estimate) else [value_of(entry)]
    )
    return [each for each in ends if math.isfinite(each)]
