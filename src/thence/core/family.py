"""A family: one benchmark, with the tables of its paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.core.audit import Audit
from thence.core.imported_replies import Gathered
from thence.core.ratings import Ratings
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Score
from thence.core.statistics import Estimate
from thence.core.table import Table

if TYPE_CHECKING:
    from thence.core.score_frame import ScoreFrame


@dataclass(frozen=True, slots=True)
class Family:
    """One benchmark, kept as the constant ``FAMILY`` of its package.

    Attributes:
        name: such as ``procbench``.
        title: as its paper writes it.
        paper: authors, year and title.
        summary: one line for ``thence list``.
        dimensions: of the breakdowns that are printed, the main one first.
        within: those of the dimensions whose groups mean something within one task alone.
        orders: dimension -> its groups in the order of tables, where that is not the file's.
        audit_options: names of the options that ``thence audit`` passes on.
        hidden: metrics without a column in overviews; they stand in ``score --json`` and in the
            paper's tables.
        extra_metrics: metrics that are no means over responses, such as a macro F1, from the
            responses that count.
        extra_columns: further numbers of a response that metrics and tables look at, by name: each
            is a column of the `ScoreFrame`.
        metric_changes: the extra metrics of a second run less those of a first, on the questions
            that both answered, with the intervals of a paired bootstrap.
        accuracy_is: the metric that accuracy is another name of, if any; shown once.
        audit: recomputes what the benchmark's authors published; None where that cannot be done.
        gather: reads replies that lie at a path in the form of the benchmark's authors, which are
            to be scored by the scorer named: those of each model; None where the path is not of
            that form.
        tables: the tables and figures of its paper, from the results of some models.
        ratings: its study in which people rate explanations, if it has one.
    """

    name: str
    title: str
    paper: str
    summary: str
    dimensions: Sequence[str] = ("group",)
    within: Sequence[str] = ()
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    accuracy_is: str | None = None
    hidden: Sequence[str] = ()
    extra_metrics: Callable[[ScoreFrame], Mapping[str, Estimate]] | None = None
    extra_columns: Callable[[Sample, Score], Mapping[str, float]] | None = None
    metric_changes: Callable[[ScoreFrame, ScoreFrame], Mapping[str, Estimate]] | None = None
    audit: Callable[[Path, Mapping[str, Any]], Audit] | None = None
    audit_options: Sequence[str] = ()
    gather: Callable[[Path, str], Sequence[Gathered] | None] | None = None
    tables: Callable[[Sequence[Results]], Sequence[Table]] | None = None
    ratings: Ratings | None = None
