"""A table or figure of a paper, from our numbers; terminal, page and files draw it from this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from thence.core.statistics import Estimate

type Entry = str | int | float | Estimate | None
"""What stands in a cell; None where there is nothing to show."""


@dataclass(frozen=True, slots=True)
class Chart:
    """How a table is drawn: columns by name.

    Attributes:
        kind: ``bar``, ``dot`` (``x`` down the page, one row each) and ``line`` have intervals where
            the values are estimates; ``heat`` shows
            ``y`` over ``x`` with ``value`` as colour; ``radar`` has one axis an ``x``; ``box`` is a
            histogram or spread of ``y`` by ``x``.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        series: column that tells lines, bars or panels apart.
        value: column of the colour of a heat map.
        x_title: with its unit.
        y_title: likewise.
        log: whether values are shown on a logarithmic scale.
    """

    kind: Literal["bar", "dot", "line", "heat", "radar", "box"]
    x: str
    y: str
    series: str | None = None
    value: str | None = None
    x_title: str = ""
    y_title: str = ""
    log: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table or figure.

    Attributes:
        name: for files, such as ``fable-table-6``.
        title: a sentence that says what is shown and of how many.
        columns: names, unique.
        rows: one entry a column.
        note: what a reader must know, such as how ties were settled.
        chart: how it is drawn, where the paper has a figure.
        counted: what n is, where no entry of a row says it.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    note: str = ""
    chart: Chart | None = None
    counted: str = ""
