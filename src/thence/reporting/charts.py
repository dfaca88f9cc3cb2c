"""Figures of tables as SVG, for the page and for files.

Values over categories are points with their intervals, a row a category; only values over numbers
are joined by lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from thence.core.statistics import Estimate
from thence.core.table import Entry, Table
from thence.reporting import cell_text, svg
from thence.reporting.chart_data import ChartData, ends_of, value_of, word_of
from thence.reporting.chart_frame import Axis, Box, axes, axis_of, legend
from thence.reporting.chart_grids import WIDTH, heat, ideal_line, panels, scatter, spread, stack
from thence.reporting.palette import Styles

_LABELS = 250.0  # most pixels of the labels at the left
_PLOT = 240.0  # pixels of the height of a figure over numbers


def drawn(table: Table, styles: Styles, *, alone: bool = False) -> Markup:
    """Return the figure of a table with a chart.

    Args:
        table: the data and the chart.
        styles: the colours and shapes of the models.
        alone: whether the figure needs its own title, as in a file; on the page it has a heading.

    Raises:
        ValueError: the table has no chart.
    """
    if table.chart is None:
        raise ValueError(f"{table.name} has no chart")
    box = _KINDS[table.chart.kind](ChartData(table, table.chart, styles))
    if alone:
        box = box.titled(table.title, cell_text.counts(table))
    return box.figure(table.title)


def _dots(data: ChartData) -> Box:
    """Return points with intervals, a row for each ``x``."""
    if data.chart.panel:
        return panels(data)
    rows, series = data.rows, data.series
    labels = list(dict.fromkeys(word_of(x) for x, *_ in rows))
    styles, scale = data.styles.series(series), data.scale()
    models = any(data.styles.is_model(label) for label in labels)
    by_label = {each: data.styles.of(each) if models else ("c0", "circle") for each in labels}
    left = min(_LABELS, max((svg.width_of(each) for each in labels), default=0.0)) + 12
    step = max(18.0, 9.0 * len(series) + 8)
    head = legend(styles if series != [""] else {}, WIDTH)
    plot = Box(left, head.height + 6, WIDTH - left - 16, step * len(labels))
    parts = [*head.parts, *axes(plot, None, scale)]
    for place, label in enumerate(labels):
        y = plot.y + step * (place + 0.5)
        parts.append(svg.text(left - 8, y, svg.cut(label, left - 12), "end", told=label))
    for x, entry, name, told in rows:
        if not ends_of(entry):
            continue
        offset = series.index(name) - (len(series) - 1) / 2
        y = plot.y + step * (labels.index(word_of(x)) + 0.5) + 9.0 * offset
        style = styles[name] if name else by_label[word_of(x)]
        parts.append(_point(plot, scale, entry, y, style, told))
    return replace(plot, width=WIDTH, height=plot.bottom + 34, parts=parts)


def _point(
    plot: Box, scale: Axis, entry: Entry, y: float, style: tuple[str, str], told: str
) -> Markup:
    """Return a value with its interval, along the page."""
    kind, shape = style
    at = [plot.x + plot.width * scale.share(end) for end in ends_of(entry)]
    middle = at[len(at) // 2]
    inside = [svg.line(at[0], y, at[-1], y, "thin")] if len(at) > 1 else []
    return svg.element("g", *inside, svg.mark(shape, middle, y), told=told, cls=kind)


def _line(data: ChartData) -> Box:
    """Return a line for each series over numbers, with the band of its intervals."""
    if any(isinstance(x, str) for x in data.column(data.chart.x)):
        return _dots(data)
    series = data.series
    styles, scale = data.styles.series(series), data.scale()
    across = axis_of(
        [value_of(x) for x in data.column(data.chart.x)],
        data.chart.x_title or data.chart.x,
        zero=False,
    )
    head = legend(styles if series != [""] else {}, WIDTH)
    plot = Box(46, head.height + 8, WIDTH - 70, _PLOT)
    parts = [*head.parts, *axes(plot, across, scale)]
    if data.chart.ideal:
        parts.append(ideal_line(plot, across, scale))
    for name in series:
        held = [(x, y, told) for x, y, other, told in data.rows if other == name and ends_of(y)]
        parts.append(_curve(plot, across, scale, held, styles[name]))
    return replace(plot, x=0, y=0, width=WIDTH, height=plot.bottom + 40, parts=parts)


def _curve(
    plot: Box,
    across: Axis,
    scale: Axis,
    held: Sequence[tuple[Entry, Entry, str]],
    style: tuple[str, str],
) -> Markup:
    kind, shape = style
    ordered = sorted(held, key=lambda each: value_of(each[0]))
    spread = [(x, y) for x, y, _ in ordered if isinstance(y, Estimate) and not math.isnan(y.low)]
    upper = [plot.at(across, scale, value_of(x), y.high) for x, y in spread]
    lower = [plot.at(across, scale, value_of(x), y.low) for x, y in reversed(spread)]
    middle = [plot.at(across, scale, value_of(x), value_of(y)) for x, y, _ in ordered]
    marks = [
        svg.mark(shape, *at, told=told, radius=3.5)
        for at, (*_, told) in zip(middle, ordered, strict=True)
    ]
    band = svg.path([*upper, *lower], "band", closed=True)
    return svg.element("g", band, svg.path(middle, "path"), *marks, cls=kind)


_KINDS: Mapping[str, Callable[[ChartData], Box]] = {
    "bar": _dots,
    "dot": _dots,
    "radar": _dots,
    "line": _line,
    "heat": heat,
    "box": lambda data: _dots(spread(data)),
    "stack": stack,
    "scatter": scatter,
}


def drawable(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with a chart and at least one row."""
    return [table for table in tables if table.chart is not None and table.rows]
