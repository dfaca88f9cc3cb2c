"""Figures of many cells or panels: heat maps, stacks, scatters, small bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table
from thence.reporting import svg
from thence.reporting.chart_data import ChartData, ends_of, value_of, word_of
from thence.reporting.chart_frame import Axis, Box, axes, axis_of, legend
from thence.reporting.palette import shade

WIDTH = 700  # pixels of a figure
_LABELS = 250.0  # most pixels of the labels at the left
_PANEL = (215.0, 120.0)
_CELL = 22.0


def ideal_line(plot: Box, across: Axis, scale: Axis) -> Markup:
    """Return the line on which both axes have one value."""
    ends = [max(across.low, scale.low), min(across.high, scale.high)]
    return svg.path([plot.at(across, scale, each, each) for each in ends], "ideal")


def scatter(data: ChartData) -> Box:
    """Return points, larger where more replies are at one place; a panel for each series."""
    sizes = [value_of(each) for each in data.column(data.chart.value)]
    most = max((each for each in sizes if each > 0), default=1.0)
    chart = data.chart

    def panel(name: str, width: float, height: float) -> Box:
        values = [value_of(x) for x in data.column(chart.x)]
        across, scale = axis_of(values, chart.x_title or chart.x), data.scale()
        plot = Box(42, 22, width - 58, height)
        parts = [svg.text(42, 8, svg.cut(name, width - 50), told=name), *axes(plot, across, scale)]
        if chart.ideal:
            parts.append(ideal_line(plot, across, scale))
        kind = data.styles.of(name)[0] if name else "c0"
        held = zip(data.rows, sizes, strict=True)
        parts += [
            svg.element("circle", cx=at[0], cy=at[1], r=2 + 6 * math.sqrt(max(0.0, size) / most)
                        if size == size else 3.5, cls="dot", opacity=0.55, told=told)  # noqa: PLR0124
            for (x, y, other, told), size in held
            if other == name and ends_of(y) and not math.isnan(value_of(x))
            for at in [plot.at(across, scale, value_of(x), value_of(y))]
        ]  # fmt: skip
        return replace(plot, x=0, y=0, width=width, height=plot.bottom + 40,
                       parts=[svg.element("g", *parts, cls=kind)])  # fmt: skip

    return _grid([panel(name, 340.0, 190.0) for name in data.series])


def stack(data: ChartData) -> Box:
    """Return bars of shares, the first class at the bottom; a panel for each series."""
    chart = data.chart
    classes = list(dict.fromkeys(map(word_of, data.column(chart.value))))
    labels = sorted(dict.fromkeys(data.column(chart.x)), key=_order)
    held = list(zip(data.rows, map(word_of, data.column(chart.value)), strict=True))

    def panel(name: str, width: float) -> Box:
        plot = Box(42, 22, width - 52, 150)
        scale = Axis(0.0, 1.0, chart.y_title or chart.y)
        parts = [
            svg.text(42, 8, svg.cut(name, width - 50), told=name),
            *axes(plot, None, scale, up=True),
        ]
        step = plot.width / max(1, len(labels))
        for place, label in enumerate(labels):
            low = 0.0
            if step > svg.width_of(word_of(label)) or place % 4 == 0:
                middle = plot.x + step * (place + 0.5)
                parts.append(svg.text(middle, plot.bottom + 10, word_of(label), "middle"))
            for number, each in enumerate(classes):
                rows = [
                    row for row, kind in held if kind == each and row[2] == name and row[0] == label
                ]
                share = sum(value_of(y) for _, y, _, _ in rows if ends_of(y))
                top = plot.bottom - plot.height * (low + share)
                shape = svg.element(
                    "rect", x=plot.x + step * (place + 0.08), y=top, width=step * 0.84,
                    height=plot.height * share, cls=_class(number, classes),
                    told=rows[0][3] if rows else "",
                )  # fmt: skip
                parts.append(shape if share else Markup(""))
                low += share
        parts.append(
            svg.text(
                plot.x + plot.width / 2,
                plot.bottom + 26,
                chart.x_title or chart.x,
                "middle",
                "soft",
            )
        )
        return replace(plot, x=0, y=0, width=width, height=plot.bottom + 40, parts=parts)

    grid = _grid([panel(name, 340.0) for name in data.series])
    keys = {each: (_class(number, classes), "cell") for number, each in enumerate(classes)}
    return grid.below(legend(keys, WIDTH))


def _class(number: int, classes: Sequence[str]) -> str:
    """Return the shade of a class, the first the darkest."""
    return f"h{10 - 10 * number // max(1, len(classes) - 1)}"


def _order(label: Entry) -> tuple[int, float, str]:
    return (0, value_of(label), "") if not isinstance(label, str) else (1, 0.0, "")


def heat(data: ChartData) -> Box:
    """Return a grid of cells with their numbers; a panel for each series."""
    chart = data.chart
    values = [value_of(each) for each in data.column(chart.value)]
    finite = [each for each in values if math.isfinite(each)]
    low, high = (min(finite, default=0.0), max(finite, default=1.0))
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    level = (lambda value: math.log10(max(value, 1e-3))) if chart.log else (lambda value: value)
    columns = list(dict.fromkeys(data.column(chart.x)))
    if all(not isinstance(each, str) for each in columns):
        columns.sort(key=_order)
    lines = list(dict.fromkeys(map(word_of, data.column(chart.y))))
    left = min(_LABELS, max((svg.width_of(each) for each in lines), default=0.0)) + 10
    heads = max((svg.width_of(word_of(each)) for each in columns), default=0.0)
    step = max(_CELL, min(64.0, (WIDTH - left) / max(1, len(columns))))
    turned = heads > step - 4
    above = min(120.0, heads + 8) if turned else 18.0

    def panel(name: str) -> Box:
        parts = [svg.text(0, 8, name)] if name else []
        top = above + (18 if name else 0)
        for place, label in enumerate(columns):
            middle, words = left + step * (place + 0.5), svg.cut(word_of(label), 116)
            anchor = "start" if turned else "middle"
            parts.append(svg.text(middle, top - 6, words, anchor, turned=turned))
        for number, label in enumerate(lines):
            parts.append(
                svg.text(
                    left - 6,
                    top + _CELL * (number + 0.5),
                    svg.cut(label, left - 8),
                    "end",
                    told=label,
                )
            )
        for (x, y, other, told), value in zip(data.rows, values, strict=True):
            if other != name or not math.isfinite(value):
                continue
            at = left + step * columns.index(x), top + _CELL * lines.index(word_of(y))
            kind = shade(level(value), level(low), level(high))
            parts.append(_rect(at[0] + 0.5, at[1] + 0.5, step - 1, _CELL - 1, kind, told))
            shown = f"{value:.2f}".removeprefix("0") if high <= 1 else svg.number(round(value, 1))
            if svg.width_of(shown) < step:
                parts.append(svg.text(at[0] + step / 2, at[1] + _CELL / 2, shown, "middle", "off"))
        width = left + step * len(columns) + 4
        return Box(0, 0, width, top + _CELL * len(lines) + 10, parts)

    return _grid([panel(name) for name in data.series])


def _rect(x: float, y: float, width: float, height: float, kind: str, told: str) -> Markup:
    return svg.element("rect", told=told, x=x, y=y, width=width, height=height, cls=kind)


def spread(data: ChartData) -> ChartData:
    """Return the medians and quartiles of ``y`` by ``x`` and series, to be drawn as points."""
    rows: list[tuple[Entry, ...]] = []
    for x in dict.fromkeys(data.column(data.chart.x)):
        for name in data.series:
            held = sorted(value_of(y) for other, y, each, _ in data.rows
                          if other == x and each == name and ends_of(y))  # fmt: skip
            if held:
                low, middle, high = (
                    held[round((len(held) - 1) * share)] for share in (0.25, 0.5, 0.75)
                )
                rows.append((x, name, Estimate(middle, low, high, len(held))))
    table = Table(data.table.name, data.table.title, ("x", "series", "median and quartiles"), rows)
    series = "series" if data.chart.series else None
    chart = Chart(
        "dot", "x", "median and quartiles", series, y_title=data.chart.y_title, log=data.chart.log
    )
    return ChartData(table, chart, data.styles)


def panels(data: ChartData) -> Box:
    """Return small bars over numbers, a panel for each value of the chart's column of panels."""
    names = list(map(word_of, data.column(data.chart.panel)))
    scale = data.scale()

    def panel(name: str) -> Box:
        plot = Box(34, 20, _PANEL[0] - 44, _PANEL[1] - 40)
        parts = [
            svg.text(34, 8, svg.cut(name, plot.width), told=name),
            *axes(plot, None, scale, up=True),
        ]
        held = [row for row, other in zip(data.rows, names, strict=True) if other == name]
        held.sort(key=lambda row: _order(row[0]))
        step = plot.width / max(1, len(held))
        for place, (x, y, _, told) in enumerate(held):
            if not ends_of(y):
                continue
            height = plot.height * scale.share(value_of(y))
            wide, left = max(1.0, step - 2), plot.x + step * place + 1
            parts.append(_rect(left, plot.bottom - height, wide, height, "bar", told))
            if place % max(1, len(held) // 4) == 0:
                parts.append(
                    svg.text(plot.x + step * (place + 0.5), plot.bottom + 10, word_of(x), "middle")
                )
        return Box(0, 0, *_PANEL, [svg.element("g", *parts, cls="c1")])

    return _grid([panel(name) for name in dict.fromkeys(names)])


def _grid(panels: Sequence[Box]) -> Box:
    """Return panels in rows, as many in one as there is room for."""
    found = Box(0, 0, WIDTH, 0)
    x = y = tallest = 0.0
    for each in panels:
        if x and x + each.width > WIDTH:
            x, y, tallest = 0.0, y + tallest, 0.0
        found = found.with_panel(each, x, y)
        x, tallest = x + each.width + 8, max(tallest, each.height + 8)
    return found
