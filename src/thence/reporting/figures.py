"""Tables drawn as figures: one Vega-Lite specification serves the page, SVG and PDF.

Colours are those of Okabe and Ito, which the colour-blind can tell apart and which stay apart in
print; lines differ by their dashes too.
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
_LABEL = 260  # pixels of a label; an axis title keeps clear of all labels
_FEW = 6  # bars
_BOX = 14.0  # width of a box where there is room for it
_RADIUS = 140.0
_ACROSS, _UP = 1.75, 1.3  # what a radar takes to either side of its middle, in radii
_RINGS = (0.25, 0.5, 0.75, 1.0)


def specification(table: Table, *, alone: bool = True) -> dict[str, Any]:
    """The Vega-Lite specification of a table that has a chart.

    Args:
        table: what is drawn.
        alone: whether it needs a title of its own, as in a file; in a page, text stands above.

    Raises:
        ValueError: it has no chart.
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
    """What n is, over the figures shown; empty where the table does not say."""
    if table.counted:
        return table.counted
    sizes = [entry.n for row in table.rows for entry in row if isinstance(entry, Estimate)]
    if "n" in table.columns:
        place = list(table.columns).index("n")
        sizes = [row[place] for row in table.rows if isinstance(row[place], int)]  # type: ignore[misc]
    if not sizes:
        return ""
    least, most = min(sizes), max(sizes)
    return f"n = {most:,}" if least == most else f"n from {least:,} to {most:,} a value"


def values(table: Table) -> list[dict[str, Any]]:
    """The rows by column; an estimate also gives the ends of its interval."""
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


def _kind(table: Table, column: str) -> str:
    place = list(table.columns).index(column)
    entries = [row[place] for row in table.rows if row[place] is not None]
    return "nominal" if any(isinstance(entry, str) for entry in entries) else "quantitative"


def _has_interval(table: Table, column: str) -> bool:
    place = list(table.columns).index(column)
    return any(
        isinstance(row[place], Estimate) and not math.isnan(_low(row[place])) for row in table.rows
    )


def _low(entry: Entry) -> float:
    return entry.low if isinstance(entry, Estimate) else math.nan


def _tooltip(table: Table) -> list[dict[str, Any]]:
    return [_field(name, _kind(table, name)) for name in table.columns]


def _scale(table: Table, chart: Chart) -> dict[str, Any]:
    """The axis of the values: where all are 0, an axis of that one point would tell nothing."""
    if chart.log:
        return {"scale": {"type": "symlog"}}
    names = (chart.y, chart.y + _LOW, chart.y + _HIGH)
    zero = all(not row.get(name) for row in values(table) for name in names)
    return {"scale": {"domain": [0, 1]}} if zero else {}


def _bar(table: Table, chart: Chart) -> dict[str, Any]:
    places = len({row[chart.x] for row in values(table)})
    # Few bars stand in the middle, no wider than those of a figure that has many.
    band = {"paddingInner": 0.2, "paddingOuter": max(0.2, (_FEW - places) / 2)}
    x = _field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40}, scale=band)
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    encoding: dict[str, Any] = {"x": x}
    if chart.series:
        encoding["xOffset"] = {"field": chart.series, "type": "nominal", "sort": None}
    colour = _coloured(chart)
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "bar"}, "encoding": {"y": y, "tooltip": _tooltip(table), **colour}}
    ]
    if _has_interval(table, chart.y):
        ends = {"y": _field(chart.y + _LOW, "quantitative", chart.y_title),
                "y2": {"field": chart.y + _HIGH}}  # fmt: skip
        layers.append({"mark": {"type": "rule", "opacity": 0.8}, "encoding": ends})
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values(table)},
        "encoding": encoding,
        "layer": layers,
    }


def _coloured(chart: Chart) -> dict[str, Any]:
    if not chart.series:
        return {"color": {"value": COLOURS[0]}}
    return {"color": {"field": chart.series, "type": "nominal", "sort": None}}


def _dot(table: Table, chart: Chart) -> dict[str, Any]:
    """Like `_bar` with many ``x``: one row each, a point and its interval for each series."""
    x = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    encoding: dict[str, Any] = {"y": _field(chart.x, "nominal", chart.x_title, sort=None)}
    if chart.series:
        encoding["yOffset"] = {"field": chart.series, "type": "nominal", "sort": None}
    number = len({row.get(chart.series or "") for row in values(table)})
    colour = _coloured(chart)
    form = {"field": chart.series, "type": "nominal", "sort": None, "legend": None}
    shape = {"shape": form} if chart.series else {}
    layers: list[dict[str, Any]] = []
    if _has_interval(table, chart.y):
        ends = {"x": _field(chart.y + _LOW, "quantitative", chart.y_title),
                "x2": {"field": chart.y + _HIGH}, **colour}  # fmt: skip
        layers.append({"mark": {"type": "rule"}, "encoding": ends})
    point = {"x": x, "tooltip": _tooltip(table), **colour, **shape}
    layers.append({"mark": {"type": "point", "filled": True, "size": 45}, "encoding": point})
    return {
        "width": _WIDTH,
        "height": {"step": max(16, 7 * number + 6), "for": "position"},
        "data": {"values": values(table)},
        "encoding": encoding,
        "layer": layers,
    }


def _line(table: Table, chart: Chart) -> dict[str, Any]:
    kind = _kind(table, chart.x)
    x = _field(chart.x, kind, chart.x_title, **({"sort": None} if kind == "nominal" else {}))
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    colour = _coloured(chart)
    dash = {"field": chart.series, "type": "nominal", "sort": None, "legend": None}
    dashes = {"strokeDash": dash}
    layers: list[dict[str, Any]] = []
    if _has_interval(table, chart.y):
        ends = {"y": _field(chart.y + _LOW, "quantitative", chart.y_title),
                "y2": {"field": chart.y + _HIGH}, **colour}  # fmt: skip
        layers.append({"mark": {"type": "area", "opacity": 0.15}, "encoding": ends})
    line = {"y": y, "tooltip": _tooltip(table), **colour, **(dashes if chart.series else {})}
    layers.append({"mark": {"type": "line", "point": True}, "encoding": line})
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values(table)},
        "encoding": {"x": x},
        "layer": layers,
    }


def _heat(table: Table, chart: Chart) -> dict[str, Any]:
    shown = chart.value or ""
    numbers = all(type(row[chart.x]) in {int, float} for row in values(table))
    # Rows that lack some of the columns would leave numbers in the order in which they are met.
    x = _field(chart.x, "ordinal", chart.x_title, sort="ascending" if numbers else None)
    y = _field(chart.y, "ordinal", chart.y_title, sort=None)
    scale: dict[str, Any] = {"scheme": "cividis"}
    if chart.log:
        scale["type"] = "symlog"
    elif all(0 <= value <= 1 for row in values(table) if (value := row[shown]) is not None):
        scale["domain"] = [0, 1]
    colour = {"color": _field(shown, "quantitative", shown, scale=scale)}
    panels = {row[chart.series] for row in values(table)} if chart.series else set()
    panel = {
        "width": _PANEL if len(panels) > 1 else _WIDTH,
        "height": {"step": 24},
        "mark": {"type": "rect"},
        "encoding": {"x": x, "y": y, **colour, "tooltip": _tooltip(table)},
    }
    if not chart.series:
        return {**panel, "data": {"values": values(table)}}
    order = list(dict.fromkeys(row[chart.series] for row in values(table)))
    facet = {
        "field": chart.series, "type": "nominal", "columns": 2, "title": None, "sort": order,
    }  # fmt: skip
    encoding = {**panel["encoding"], "facet": facet}  # type: ignore[dict-item]
    return {**panel, "encoding": encoding, "data": {"values": values(table)}}


def _box(table: Table, chart: Chart) -> dict[str, Any]:
    x = _field(chart.x, "nominal", chart.x_title, sort=None, axis={"labelAngle": -40})
    y = _field(chart.y, "quantitative", chart.y_title, **_scale(table, chart))
    series = {"field": chart.series, "type": "nominal", "sort": None}
    offset = {"xOffset": series} if chart.series else {}
    boxes = len({(row[chart.x], row.get(chart.series or "")) for row in values(table)})
    size = min(_BOX, 0.6 * _WIDTH / max(1, boxes))
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values(table)},
        "mark": {"type": "boxplot", "extent": "min-max", "size": size},
        "encoding": {"x": x, "y": y, **offset, **_coloured(chart)},
    }


def _radar(table: Table, chart: Chart) -> dict[str, Any]:
    """One polygon a series over the axes ``x``; ``y`` from 0 to 1 is the distance from the middle.

    Vega-Lite has no polar coordinates, so that the places are worked out here.
    """
    rows = values(table)
    axes = list(dict.fromkeys(str(row[chart.x]) for row in rows))
    angle = {name: 2 * math.pi * place / len(axes) for place, name in enumerate(axes)}
    points: list[dict[str, Any]] = []
    for series in dict.fromkeys(str(row.get(chart.series or "", "")) for row in rows):
        own = [row for row in rows if str(row.get(chart.series or "", "")) == series]
        for order, row in enumerate([*own, own[0]]):
            x, y = _place(angle[str(row[chart.x])], row[chart.y] or 0.0)
            points.append({**row, "x at": x, "y at": y, "order": order})
    grid = [
        {"x at": x, "y at": y, "ring": ring, "order": order}
        for ring in _RINGS
        for order, (x, y) in enumerate(_place(angle[name], ring) for name in [*axes, axes[0]])
    ]
    labels = [
        {"label": name.split(), "x at": x, "y at": y, "side": (x > 0.1) - (x < -0.1)}
        for name in axes
        for x, y in [_place(angle[name], 1.08 if abs(math.sin(angle[name])) > 0.1 else 1.16)]
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


def _place(angle: float, distance: float) -> tuple[float, float]:
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
    """The figure as SVG."""
    drawn: str = _converter().vegalite_to_svg(specification(table), vl_version=VERSION)
    return drawn


def pdf(table: Table) -> bytes:
    """The figure as PDF."""
    drawn: bytes = _converter().vegalite_to_pdf(specification(table), vl_version=VERSION)
    return drawn


def bundle() -> str:
    """The script that draws specifications in a page: Vega, Vega-Lite and Vega-Embed."""
    made: str = _converter().javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VERSION)
    return made


def check() -> None:
    """Makes sure that figures can be drawn.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    _converter()


def _converter() -> Any:
    try:
        return importlib.import_module("vl_convert")
    except ImportError as error:
        raise MissingExtra("figures", "report") from error


def drawable(tables: Sequence[Table]) -> list[Table]:
    """The tables that have a chart and something to draw."""
    return [table for table in tables if table.chart is not None and table.rows]
