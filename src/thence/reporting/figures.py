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
from thence.core.table import Chart, Table
from thence.errors import MissingExtra
from thence.reporting.figure_parts import (
    COLOURS,
    WIDTH,
    by_series,
    coloured,
    column_of,
    field,
    framed,
    ideal_line,
    intervals,
    kind_of,
    panels,
    scale_of,
    tooltip,
    values,
)

_STACKED = ("#0072B2", "#56B4E9", "#F0C987", "#D55E00")  # classes from best to worst
_NTH = "place in the stack"
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"
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
        sizes = [entry for entry in column_of(table, "n") if isinstance(entry, int)]
    if not sizes:
        return ""
    least, most = min(sizes), max(sizes)
    return f"n = {most:,}" if least == most else f"n from {least:,} to {most:,} a value"


def _bar(table: Table, chart: Chart) -> dict[str, Any]:
    places = len({row[chart.x] for row in values(table)})
    band = {"paddingInner": 0.2, "paddingOuter": max(0.2, (_FEW - places) / 2)}
    x = field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40}, scale=band)
    y = field(chart.y, "quantitative", chart.y_title, **scale_of(table, chart))
    bars = {
        "mark": {"type": "bar"},
        "encoding": {"y": y, "tooltip": tooltip(table), **coloured(chart)},
    }
    rules = intervals(table, chart, "y", {"type": "rule", "opacity": 0.8}, {})
    encoding = {"x": x, **by_series(chart, "xOffset")}
    if chart.panel:
        x |= {"type": "ordinal", "sort": "ascending", "axis": {"labelOverlap": True}}
        return panels(table, chart.panel, {**bars, "encoding": {**bars["encoding"], "x": x}}, 4)
    return framed(table, encoding=encoding, layer=[bars, *rules])


def _dot(table: Table, chart: Chart) -> dict[str, Any]:
    """Return a figure of one line for each ``x``, with a point and interval for each series."""
    x = field(chart.y, "quantitative", chart.y_title, **scale_of(table, chart))
    y = field(chart.x, "nominal", chart.x_title, sort=None)
    series = len({row.get(chart.series or "") for row in values(table)})
    colour, shape = coloured(chart), by_series(chart, "shape", legend=None)
    points = {
        "mark": {"type": "point", "filled": True, "size": 45},
        "encoding": {"x": x, "tooltip": tooltip(table), **colour, **shape},
    }
    return framed(
        table,
        {"step": max(16, 7 * series + 6), "for": "position"},
        encoding={"y": y, **by_series(chart, "yOffset")},
        layer=[*intervals(table, chart, "x", {"type": "rule"}, colour), points],
    )


def _line(table: Table, chart: Chart) -> dict[str, Any]:
    kind = kind_of(table, chart.x)
    x = field(chart.x, kind, chart.x_title, **({"sort": None} if kind == "nominal" else {}))
    y = field(chart.y, "quantitative", chart.y_title, **scale_of(table, chart))
    colour, dashes = coloured(chart), by_series(chart, "strokeDash", legend=None)
    lines = {
        "mark": {"type": "line", "point": True},
        "encoding": {"y": y, "tooltip": tooltip(table), **colour, **dashes},
    }
    areas = intervals(table, chart, "y", {"type": "area", "opacity": 0.15}, colour)
    ideal = ideal_line(table, chart)
    return framed(table, encoding={"x": x}, layer=[*areas, *ideal, lines])


def _stack(table: Table, chart: Chart) -> dict[str, Any]:
    """Return bars of shares, the first class at the bottom; a panel for each series."""
    name = chart.value or ""
    classes = list(dict.fromkeys(row[name] for row in values(table)))
    colour = field(name, "nominal", sort=classes)
    colour["scale"] = {"domain": classes, "range": list(_STACKED[: len(classes)])}
    encoding = {
        "x": field(
            chart.x, "ordinal", chart.x_title,
            sort=None if kind_of(table, chart.x) == "nominal" else "ascending",
            axis={"labelAngle": 0, "labelOverlap": True},
        ),
        "y": field(chart.y, "quantitative", chart.y_title, scale={"domain": [0, 1]}),
        "color": colour,
        "order": {"field": _NTH, "type": "quantitative"},
        "tooltip": tooltip(table),
    }  # fmt: skip
    spec = {"mark": "bar", "encoding": encoding}
    drawn = framed(table, **spec)
    if chart.series is not None:
        drawn = panels(table, chart.series, spec, 2, 200)
    rows = [{**row, _NTH: classes.index(row[name])} for row in values(table)]
    return {**drawn, "data": {"values": rows}}


def _scatter(table: Table, chart: Chart) -> dict[str, Any]:
    """Return points, larger where more replies are at one place; a panel for each series."""
    encoding = {
        "x": field(chart.x, "quantitative", chart.x_title),
        "y": field(chart.y, "quantitative", chart.y_title, **scale_of(table, chart)),
        "tooltip": tooltip(table),
    }
    if chart.value:
        encoding["size"] = field(chart.value, "quantitative", scale={"range": [8, 200]})
    points = {
        "mark": {"type": "point", "filled": True, "opacity": 0.6, "color": COLOURS[0]},
        "encoding": encoding,
    }
    spec = {"layer": [*ideal_line(table, chart), points]}
    if chart.series is None:
        return framed(table, **spec)
    return panels(table, chart.series, spec, 2, 220)


def _heat(table: Table, chart: Chart) -> dict[str, Any]:
    shown = chart.value or ""
    numbers = all(type(row[chart.x]) in {int, float} for row in values(table))
    # Vega orders columns by the first row that has each, and not every row has all of them.
    labels = {str(row[chart.x]) for row in values(table)}
    across = len(labels)
    order = list(dict.fromkeys(row[chart.series] for row in values(table))) if chart.series else []
    width = _PANEL if len(order) > 1 else WIDTH
    flat = across * (1 + max(map(len, labels), default=0)) * _LETTER <= width
    axis = {"labelAngle": 0 if flat else -90, "labelOverlap": "greedy"}
    order_x = "ascending" if numbers else None
    x = field(chart.x, "ordinal", chart.x_title, sort=order_x, axis=axis)
    y = field(chart.y, "ordinal", chart.y_title, sort=None)
    scale: dict[str, Any] = {"scheme": "cividis"}
    if chart.log:
        scale["type"] = "symlog"
    elif all(0 <= value <= 1 for row in values(table) if (value := row[shown]) is not None):
        scale["domain"] = [0, 1]
    colour = {"color": field(shown, "quantitative", shown, scale=scale)}
    columns = 2 if across * _COLUMN <= width else 1
    facet = {
        "field": chart.series, "type": "nominal", "columns": columns, "title": None, "sort": order,
    }  # fmt: skip
    panels = {"facet": facet} if chart.series else {}
    return {
        "width": max(width, across * _COLUMN) if numbers else width,
        "height": {"step": 24},
        "mark": {"type": "rect"},
        "encoding": {"x": x, "y": y, **colour, "tooltip": tooltip(table), **panels},
        "data": {"values": values(table)},
    }


def _box(table: Table, chart: Chart) -> dict[str, Any]:
    x = field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40})
    y = field(chart.y, "quantitative", chart.y_title, **scale_of(table, chart))
    boxes = len({(row[chart.x], row.get(chart.series or "")) for row in values(table)})
    size = min(_BOX, 0.6 * WIDTH / max(1, boxes))
    return framed(
        table,
        mark={"type": "boxplot", "extent": "min-max", "size": size},
        encoding={"x": x, "y": y, **by_series(chart, "xOffset"), **coloured(chart)},
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
    shown = {**coloured(chart), "tooltip": tooltip(table)}
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
    "stack": _stack,
    "scatter": _scatter,
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
