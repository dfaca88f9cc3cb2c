"""A family: one benchmark, with the tables of its paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence.core.audit import Audit
from thence.core.imported_replies import Gathered
from thence.core.ratings import Ratings
from thence.core.statistics import Estimate
from thence.core.table import Table


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
        figures: metrics that are no means over responses, such as a macro F1: from a
            `thence.core.frame.Part`, the responses that count in columns, to estimates by name.
        numbers: what else its figures and tables look at: from a scored response to numbers by
            name, which are held for each in the columns of a `thence.core.frame.Part`.
        changes: the figures of a second run less those of a first, both given as such columns, on
            the same questions, with the intervals of a paired bootstrap.
        accuracy_is: the metric that accuracy is another name of, if any; shown once.
        audit: recomputes what the benchmark's authors published; None where that cannot be done.
        gather: reads replies that lie at a path in the form of the benchmark's authors, which are
            to be scored by the scorer named: those of each model; None where the path is not of
            that form.
        keeps: what its tables need of scored responses: makes an object whose ``add`` is told of
            each that counts, of the last turn, in the one pass in which all are scored; it is found
            in `thence.scoring.tally.Tally.kept`.
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
    figures: Callable[[Any], Mapping[str, Estimate]] | None = None
    numbers: Callable[[Any], Mapping[str, float]] | None = None
    changes: Callable[[Any, Any], Mapping[str, Estimate]] | None = None
    audit: Callable[[Path, Mapping[str, Any]], Audit] | None = None
    audit_options: Sequence[str] = ()
    gather: Callable[[Path, str], Sequence[Gathered] | None] | None = None
    keeps: Callable[[], Any] | None = None
    tables: Callable[[Sequence[Any]], Sequence[Table]] | None = None
    ratings: Ratings | None = None
