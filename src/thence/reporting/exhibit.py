"""Exhibits of the page: figures and tables with their title, n, encoding and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from thence.core.table import Table
from thence.reporting.palette import Styles

if TYPE_CHECKING:
    from thence.analysis.standings import Measure
    from thence.analysis.summary import Overview
    from thence.core.results import Results
    from thence.reporting.failure_counts import CountsByTask


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table of the page.

    Attributes:
        name: its anchor.
        title: what it shows, in words.
        note: n, and what its marks mean.
        panels: drawings with the number of their run; None for one of several runs.
        keys: a drawing of the mark and the name of each run, above the panels.
        table: its data.
        choices: further panels by name, of which one set is shown at a time.
        shaded: whether the table's numbers are shown as colours from 0 to 1.
        folded: whether the data is folded below the drawings.
    """

    name: str
    title: str
    note: str = ""
    panels: Sequence[tuple[int | None, Markup]] = ()
    keys: Sequence[tuple[int | None, Markup]] = field(default_factory=tuple, kw_only=True)
    table: Table | None = None
    choices: Mapping[str, Sequence[tuple[int | None, Markup]]] = field(default_factory=dict)
    shaded: bool = False
    folded: bool = True


@dataclass(frozen=True)
class Section:
    """A section of the page: heading, lead and exhibits."""

    name: str
    title: str
    lead: str
    exhibits: Sequence[Exhibit]


@dataclass(frozen=True)
class Shown:
    """The runs of a page as its sections see them.

    Attributes:
        names: of the runs.
        results: the scores of each.
        views: the summaries of each.
        failure_counts: the answers by truth and the first wrong steps of each, by task.
        measures: the standings by family or task.
        styles: colours and shapes.
        numbers: tokens, cost and seconds of each run, where known.
    """

    names: Sequence[str]
    results: Sequence[Results]
    views: Sequence[Overview]
    failure_counts: Sequence[CountsByTask]
    measures: Sequence[Measure]
    styles: Styles
    numbers: Sequence[Mapping[str, float]] = ()

    def facts(self, run: int) -> Mapping[str, Any]:
        """Return what is known of tokens, cost and seconds of a run."""
        return self.numbers[run] if run < len(self.numbers) else {}
