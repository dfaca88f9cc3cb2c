"""Parts of Vega-Lite specifications that several kinds of figures share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#6B6B6B",
)  # fmt: skip
WIDTH, HEIGHT = 560, 300  # pixels of a figure
_LOW, _HIGH = " (low)", " (high)"


def values(table: Table) -> list[dict[str, Any]]:
    """Return the rows as records by column, with a column for each end of an interval."""
    rows = []
    for row in table.rows:
        held: dict[str, Any] = {}
        for name, entry in zip(table.columns, row, strict=True):
            if isinstance(entry, Estimate):
                held[name] = _finite(entry.value)
                held[name + _LOW], held[name + _HIGH] = _finite(entry.low), _finite(entry.high)
            else:
                held[name] = _finite(entry) if isinstance(entry, float) else entry
        rows.append(held)
    return rows


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def field(name: str, kind: str, title: str = "", **more: Any) -> dict[str, Any]:
    """Return the encoding of a column, whose name may hold dots and brackets."""
    escaped = name.replace(".", "\\.").replace("[", "\\[").replace("]", "\\]")
    return {"field": escaped, "type": kind, "title": title or name, **more}


def column_of(table: Table, name: str) -> list[Entry]:
    """Return the entries of a column."""
    place = list(table.columns).index(name)
    return [row[place] for row in table.rows]


def kind_of(table: Table, column: str) -> str:
    """Return whether a column holds words, or numbers alone."""
    words = any(isinstance(entry, str) for entry in column_of(table, column))
    return "nominal" if words else "quantitative"


def tooltip(table: Table) -> list[dict[str, Any]]:
    """Return the encoding of a tooltip with every column."""
    return [field(name, kind_of(table, name)) for name in table.columns]


def scale_of(table: Table, chart: Chart) -> dict[str, Any]:
    """Return the scale of the values, which is 0 to 1 where all of them are 0."""
    if chart.log:
        return {"scale": {"type": "symlog"}}
    names = (chart.y, chart.y + _LOW, chart.y + _HIGH)
    zero = all(not row.get(name) for row in values(table) for name in names)
    return {"scale": {"domain": [0, 1]}} if zero else {}


def by_series(chart: Chart, channel: str, **more: Any) -> dict[str, Any]:
    """Return an encoding of the series by a channel; empty where the chart has one series."""
    if not chart.series:
        return {}
    return {channel: {"field": chart.series, "type": "nominal", "sort": None, **more}}


def coloured(chart: Chart) -> dict[str, Any]:
    """Return an encoding of the series by colour, or one colour."""
    return by_series(chart, "color") or {"color": {"value": COLOURS[0]}}


def intervals(
    table: Table, chart: Chart, axis: str, mark: Mapping[str, Any], colour: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the layer of the values' intervals, or nothing where no value has one."""
    entries = column_of(table, chart.y)
    if all(not isinstance(entry, Estimate) or math.isnan(entry.low) for entry in entries):
        return []
    ends = {
        axis: field(chart.y + _LOW, "quantitative", chart.y_title),
        f"{axis}2": {"field": chart.y + _HIGH},
    }
    return [{"mark": mark, "encoding": {**ends, **colour}}]


def framed(table: Table, height: Any = HEIGHT, **content: Any) -> dict[str, Any]:
    """Return a specification with the size, the data and some content."""
    return {"width": WIDTH, "height": height, "data": {"values": values(table)}, **content}


def ideal_line(table: Table, chart: Chart) -> list[dict[str, Any]]:
    """Return the layer of the line on which y equals x, over the range of x; or nothing."""
    numbers = [row[chart.x] for row in values(table)] if chart.ideal else []
    if not numbers:
        return []
    ends = [{chart.x: each, chart.y: each} for each in (min(numbers), max(numbers))]
    mark = {"type": "line", "strokeDash": [6, 4], "color": "#555", "point": False}
    titles = {"x": (chart.x, chart.x_title), "y": (chart.y, chart.y_title)}
    encoding = {axis: field(name, "quantitative", title) for axis, (name, title) in titles.items()}
    return [{"data": {"values": ends}, "mark": mark, "encoding": encoding}]


def panels(
    table: Table, column: str, spec: Mapping[str, Any], columns: int, height: int = 120
) -> dict[str, Any]:
    """Return a figure with a panel for each value of a column, in the order of the rows."""
    order = list(dict.fromkeys(row[column] for row in values(table)))
    columns = min(columns, len(order))
    width = WIDTH if columns == 1 else max(120, WIDTH // columns)
    facet = field(column, "nominal", sort=order, header={"title": None})
    sized = {"width": width, "height": HEIGHT if columns == 1 else height, **spec}
    return {
        "data": {"values": values(table)}, "facet": facet, "columns": columns, "spec": sized,
    }  # fmt: skip
