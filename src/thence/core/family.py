"""A family: one benchmark, with the tables of its paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from thence.core.audit import Audit, AuditOptions
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
        title: the title in the spelling of its paper.
        paper: authors, year and title.
        summary: one line for ``thence list``.
        dimensions: dimensions of the printed breakdowns, the main one first.
        within: the dimensions whose groups are comparable only within one task.
        orders: by dimension, its groups in the order of tables, where that differs from the file's.
        audit_options: names of the options that ``thence audit`` passes on.
        hidden: metrics without a column in overviews; they appear in ``score --json`` and in the
            paper's tables.
        titles: titles of metrics whose names do not say what is good.
        extra_metrics: returns metrics of the counted responses that are not means, such as a macro
            F1.
        extra_columns: returns further numbers of a response for metrics and tables, by name; each
            becomes a column of the `ScoreFrame`.
        metric_changes: returns the extra metrics of a second run minus those of a first, on the
            questions with answers in both, with intervals of a paired bootstrap.
        averaged: whether an accuracy over several tasks means something; else each task has its own
            alone.
        beside: metrics that stand beside the accuracy in the line that sums up a run.
        chance: how the chance of its questions is worked out, in a sentence.
        accuracy_is: the metric that equals accuracy, if any; it is shown once.
        audit: recomputes the published truths of the benchmark; None where that is impossible.
        gather: reads the replies at a path in the format of the benchmark's authors, for the named
            scorer, by model; returns None for another format.
        questions: returns the published questions at a path in the format of the benchmark's
            authors, to be put as they stand; None for another format.
        tables: returns the tables and figures of its paper, from the results of some models.
        ratings: its study in which people rate explanations, if it has one.
    """

    name: str
    title: str
    paper: str
    summary: str
    dimensions: Sequence[str] = ("group",)
    within: Sequence[str] = ()
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    averaged: bool = True
    beside: Sequence[str] = ()
    chance: str = "the share of the other questions of a group that have the same truth."
    accuracy_is: str | None = None
    hidden: Sequence[str] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    extra_metrics: Callable[[ScoreFrame], Mapping[str, Estimate]] | None = None
    extra_columns: Callable[[Sample, Score], Mapping[str, float]] | None = None
    metric_changes: Callable[[ScoreFrame, ScoreFrame], Mapping[str, Estimate]] | None = None
    audit: Callable[[Path, AuditOptions], Audit] | None = None
    audit_options: Sequence[str] = ()
    gather: Callable[[Path, str], Sequence[Gathered] | None] | None = None
    questions: Callable[[Path], Iterable[Sample] | None] | None = None
    tables: Callable[[Sequence[Results]], Sequence[Table]] | None = None
    ratings: Ratings | None = None
