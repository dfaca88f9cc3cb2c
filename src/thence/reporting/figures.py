"""Figures of tables: one Vega-Lite specification serves the page, SVG and PDF.

The colours are Okabe and Ito's, which colour-blind readers can distinguish, also in print; lines
differ in their dashes too.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table
from thence.errors import MissingExtra

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#6B6B6B",
)  # fmt: skip
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"
_LOW, _HIGH = " (low)", " (high)"
_WIDTH, _HEIGHT = 560, 300
_PANEL = 260  # width of a panel, where a figure has several
_LABEL = 260  # pixels of a label
_LETTER = 6  # pixels of a letter in a label
_COLUMN = 14  # least pixels of a column whose label can be read
_FEW = 6  # bars that fill a figure; fewer are not drawn wider
_BOX = 14.0  # most pixels of a box's width
_RADIUS = 140.0  # pixels, of a radar
_ACROSS, _UP = 1.75, 1.3  # half the width and height of a radar, in radii
_RINGS = (0.25, 0.5, 0.75, 1.0)


def specification(table: Table, *, alone: bool = True) -> dict[str, Any]:
    """Return the Vega-Lite specification of a table with a chart.

    Args:
        table: the data and the chart.
        alone: whether the figure needs its own title, as in a file; on the page it has a heading.

    Raises:
        ValueError: the table has no chart.
    """
    chart = table.chart
    if chart is None:
        raise ValueError(f"{table.name} has no chart")
    drawn = _KINDS[chart.kind](table, chart)
    title = {"text": table.title, "subtitle": counts(table), "anchor": "start", "limit": 900}
    return {
        "$schema": _SCHEMA,
        **({"title": title} if alone else {}),
        "config": {
            "font": "sans-serif",
            "range": {"category": list(COLOURS)},
            "view": {"stroke": None},
            "axis": {"labelLimit": _LABEL, "maxExtent": _LABEL + 20, "gridOpacity": 0.4},
            "header": {"labelLimit": _PANEL},
            "legend": {"symbolOpacity": 1},
            "title": {"fontSize": 13, "subtitleFontSize": 11},
        },
        **drawn,
    }


def counts(table: Table) -> str:
    """Return a phrase on n over all rows; empty where the table does not contain it."""
    if table.counted:
        return table.counted
    sizes = [entry.n for row in table.rows for entry in row if isinstance(entry, Estimate)]
    if "n" in table.columns:
        sizes = [entry for entry in _column(table, "n") if isinstance(entry, int)]
    if not sizes:
        return ""
    least, most = min(sizes), max(sizes)
    return f"n = {most:,}" if least == most else f"n from {least:,} to {most:,} a value"


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


def _field(name: str, kind: str, title: str = "", **more: Any) -> dict[str, Any]:
    escaped = name.replace(".", "\\.").replace("[", "\\[").replace("]", "\\]")
    return {"field": escaped, "type": kind, "title": title or name, **more}


def _column(table: Table, name: str) -> list[Entry]:
    place = list(table.columns).index(name)
    return [row[place] for row in table.rows]


def _kind(table: Table, column: str) -> str:
    words = any(isinstance(entry, str) for entry in _column(table, column))
    return "nominal" if words else "quantitative"


def _tooltip(table: Table) -> list[dict[str, Any]]:
    return [_field(name, _kind(table, name)) for name in table.columns]


def _scale(table: Table, chart: Chart) -> dict[str, Any]:
    """Return the scale of the values, which is 0 to 1 where all of them are 0."""
    if chart.log:
        return {"scale": {"type": "symlog"}}
    names = (chart.y, chart.y + _LOW, chart.y + _HIGH)
    zero = all(not row.get(name) for row in values(table) for name in names)
    return {"scale": {"domain": [0, 1]}} if zero else {}


def _by_series(chart: Chart, channel: str, **more: Any) -> dict[str, Any]:
    """Return an encoding of the series by a channel; empty where the chart has one series."""
    if not chart.series:
        return {}
    return {channel: {"field": chart.series, "type": "nominal", "sort": None, **more}}


def _coloured(chart: Chart) -> dict[str, Any]:
    return _by_series(chart, "color") or {"color": {"value": COLOURS[0]}}


def _intervals(
    table: Table, chart: Chart, axis: str, mark: Mapping[str, Any], colour: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the layer of the values' intervals, or nothing where no value has one."""
    entries = _column(table, chart.y)
    if all(not isinstance(entry, Estimate) or math.isnan(entry.low) for entry in entries):
        return []
    ends = {
        axis: _field(chart.y + _LOW, "quantitative", chart.y_title),
        f"{axis}2": {"field": chart.y + _HIGH},
    }
    return [{"mark": mark, "encoding": {**ends, **colour}}]


def _framed(table: Table, height: Any = _HEIGHT, **content: Any) -> dict[str, Any]:
    """Return a specification with the size, the data and some content."""
    return {"width": _WIDTH, "height": height, "data": {"values": values(table)}, **content}


def _bar(table: Table, chart: Chart) -> dict[str, Any]:
    places = len({row[chart.x] for row in values(table)})
    band = {"paddingInner": 0.2, "paddingOuter": max(0.2, (_FEW - places) / 2)}
    x = _field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40}, scale=band)
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    bars = {
        "mark": {"type": "bar"},
        "encoding": {"y": y, "tooltip": _tooltip(table), **_coloured(chart)},
    }
    intervals = _intervals(table, chart, "y", {"type": "rule", "opacity": 0.8}, {})
    encoding = {"x": x, **_by_series(chart, "xOffset")}
    return _framed(table, encoding=encoding, layer=[bars, *intervals])


def _dot(table: Table, chart: Chart) -> dict[str, Any]:
    """Return a figure of one line for each ``x``, with a point and interval for each series."""
    x = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    y = _field(chart.x, "nominal", chart.x_title, sort=None)
    series = len({row.get(chart.series or "") for row in values(table)})
    colour, shape = _coloured(chart), _by_series(chart, "shape", legend=None)
    points = {
        "mark": {"type": "point", "filled": True, "size": 45},
        "encoding": {"x": x, "tooltip": _tooltip(table), **colour, **shape},
    }
    return _framed(
        table,
        {"step": max(16, 7 * series + 6), "for": "position"},
        encoding={"y": y, **_by_series(chart, "yOffset")},
        layer=[*_intervals(table, chart, "x", {"type": "rule"}, colour), points],
    )


def _line(table: Table, chart: Chart) -> dict[str, Any]:
    kind = _kind(table, chart.x)
    x = _field(chart.x, kind, chart.x_title, **({"sort": None} if kind == "nominal" else {}))
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    colour, dashes = _coloured(chart), _by_series(chart, "strokeDash", legend=None)
    lines = {
        "mark": {"type": "line", "point": True},
        "encoding": {"y": y, "tooltip": _tooltip(table), **colour, **dashes},
    }
    areas = _intervals(table, chart, "y", {"type": "area", "opacity": 0.15}, colour)
    return _framed(table, encoding={"x": x}, layer=[*areas, lines])


def _heat(table: Table, chart: Chart) -> dict[str, Any]:
    shown = chart.value or ""
    numbers = all(type(row[chart.x]) in {int, float} for row in values(table))
    # Vega orders columns by the first row that has each, and not every row has all of them.
    labels = {str(row[chart.x]) for row in values(table)}
    across = len(labels)
    order = list(dict.fromkeys(row[chart.series] for row in values(table))) if chart.series else []
    width = _PANEL if len(order) > 1 else _WIDTH
    flat = across * (1 + max(map(len, labels), default=0)) * _LETTER <= width
    axis = {"labelAngle": 0 if flat else -90, "labelOverlap": "greedy"}
    order_x = "ascending" if numbers else None
    x = _field(chart.x, "ordinal", chart.x_title, sort=order_x, axis=axis)
    y = _field(chart.y, "ordinal", chart.y_title, sort=None)
    scale: dict[str, Any] = {"scheme": "cividis"}
    if chart.log:
        scale["type"] = "symlog"
    elif all(0 <= value <= 1 for row in values(table) if (value := row[shown]) is not None):
        scale["domain"] = [0, 1]
    colour = {"color": _field(shown, "quantitative", shown, scale=scale)}
    columns = 2 if across * _COLUMN <= width else 1
    facet = {
        "field": chart.series, "type": "nominal", "columns": columns, "title": None, "sort": order,
    }  # fmt: skip
    panels = {"facet": facet} if chart.series else {}
    return {
        "width": max(width, across * _COLUMN) if numbers else width,
        "height": {"step": 24},
        "mark": {"type": "rect"},
        "encoding": {"x": x, "y": y, **colour, "tooltip": _tooltip(table), **panels},
        "data": {"values": values(table)},
    }


def _box(table: Table, chart: Chart) -> dict[str, Any]:
    x = _field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40})
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    boxes = len({(row[chart.x], row.get(chart.series or "")) for row in values(table)})
    size = min(_BOX, 0.6 * _WIDTH / max(1, boxes))
    return _framed(
        table,
        mark={"type": "boxplot", "extent": "min-max", "size": size},
        encoding={"x": x, "y": y, **_by_series(chart, "xOffset"), **_coloured(chart)},
    )


def _radar(table: Table, chart: Chart) -> dict[str, Any]:
    """Return a figure of one polygon a series over the axes ``x``, with ``y`` from 0 to 1.

    Vega-Lite has no polar coordinates, so they are computed here.
    """
    rows = values(table)
    axes = list(dict.fromkeys(str(row[chart.x]) for row in rows))
    angle = {name: 2 * math.pi * place / len(axes) for place, name in enumerate(axes)}
    points: list[dict[str, Any]] = []
    for series in dict.fromkeys(str(row.get(chart.series or "", "")) for row in rows):
        own = [row for row in rows if str(row.get(chart.series or "", "")) == series]
        for order, row in enumerate([*own, own[0]]):
            x, y = _point(angle[str(row[chart.x])], row[chart.y] or 0.0)
            points.append({**row, "x at": x, "y at": y, "order": order})
    grid = [
        {"x at": x, "y at": y, "ring": ring, "order": order}
        for ring in _RINGS
        for order, (x, y) in enumerate(_point(angle[name], ring) for name in [*axes, axes[0]])
    ]
    labels = [
        {"label": name.split(), "x at": x, "y at": y, "side": (x > 0.1) - (x < -0.1)}
        for name in axes
        for x, y in [_point(angle[name], 1.08 if abs(math.sin(angle[name])) > 0.1 else 1.16)]
    ]
    rings = [{"label": f"{ring:g}", "x at": 0.02, "y at": ring} for ring in _RINGS]
    where: dict[str, Any] = {
        name: {
            "field": f"{name} at", "type": "quantitative", "axis": None,
            "scale": {"domain": [-bound, bound]},
        }
        for name, bound in (("x", _ACROSS), ("y", _UP))
    }  # fmt: skip
    line = {**where, "order": {"field": "order"}}
    shown = {**_coloured(chart), "tooltip": _tooltip(table)}
    return {
        "width": 2 * _ACROSS * _RADIUS,
        "height": 2 * _UP * _RADIUS,
        "layer": [
            {"data": {"values": grid}, "mark": {"type": "line", "color": "#999", "opacity": 0.4},
             "encoding": {**line, "detail": {"field": "ring"}}},
            *(
                {"data": {"values": [each for each in labels if each["side"] == side]},
                 "mark": {"type": "text", "fontSize": 10, "align": align, "baseline": "middle"},
                 "encoding": {**where, "text": {"field": "label"}}}
                for side, align in ((-1, "right"), (0, "center"), (1, "left"))
            ),
            {"data": {"values": rings},
             "mark": {"type": "text", "fontSize": 9, "align": "left", "dy": 5, "opacity": 0.7},
             "encoding": {**where, "text": {"field": "label"}}},
            {"data": {"values": points}, "mark": {"type": "line", "point": True},
             "encoding": {**line, **shown}},
        ],
    }  # fmt: skip


def _point(angle: float, distance: float) -> tuple[float, float]:
    return round(distance * math.sin(angle), 4), round(distance * math.cos(angle), 4)


_KINDS: Mapping[str, Callable[[Table, Chart], dict[str, Any]]] = {
    "bar": _bar,
    "dot": _dot,
    "line": _line,
    "heat": _heat,
    "radar": _radar,
    "box": _box,
}


def svg(table: Table) -> str:
    """Return the figure as SVG."""
    drawn: str = converter().vegalite_to_svg(specification(table), vl_version=VERSION)
    return drawn


def pdf(table: Table) -> bytes:
    """Return the figure as PDF."""
    drawn: bytes = converter().vegalite_to_pdf(specification(table), vl_version=VERSION)
    return drawn


def converter() -> Any:
    """Return the module that draws specifications.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    try:
        return importlib.import_module("vl_convert")
    except ImportError as error:
        raise MissingExtra("drawing figures", "report") from error


def drawable(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with a chart and at least one row."""
    return [table for table in tables if table.chart is not None and table.rows]
