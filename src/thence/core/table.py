"""A table or figure of a paper, filled with our numbers; terminal, page and files render it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from thence.core.statistics import Estimate

type Entry = str | int | float | Estimate | None
"""Content of a cell; None for an empty cell."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Instructions for drawing a table: columns by name.

    Attributes:
        kind: ``bar``, ``dot`` (``x`` down the page, one row each) and ``line`` show intervals where
            the values are estimates; ``heat`` shows ``y`` over ``x`` with ``value`` as colour;
            ``radar`` has one axis per ``x``; ``box`` is a spread of ``y`` by ``x``; ``stack`` piles
            the shares ``y`` of the classes ``value`` at each ``x``; ``scatter`` has a point of the
            size ``value`` at each ``x`` and ``y``.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        series: column that separates lines, bars or panels.
        value: column of the colour of a heat map, of the classes of a stack, of sizes of points.
        x_title: title of the horizontal axis, with its unit.
        y_title: title of the vertical axis, with its unit.
        log: whether values are shown on a logarithmic scale.
        ideal: whether the line on which ``y`` equals ``x`` is drawn.
        panel: column of whose values each has a panel of its own; for bars without series.
    """

    kind: Literal["bar", "dot", "line", "heat", "radar", "box", "stack", "scatter"]
    x: str
    y: str
    series: str | None = None
    value: str | None = None
    x_title: str = ""
    y_title: str = ""
    log: bool = False
    ideal: bool = False
    panel: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table or figure.

    Attributes:
        name: name for files, such as ``fable-table-6``.
        title: a sentence that says what is shown and for how many items.
        columns: unique column names.
        rows: rows with one entry per column.
        note: remarks for the reader, such as the rule for ties.
        chart: how to draw it, where the paper has a figure.
        counted: the meaning of n, where no row states it.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    note: str = ""
    chart: Chart | None = None
    counted: str = ""
