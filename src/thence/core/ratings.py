"""Interface of a family's ratings: people rate a model's explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence.core.sample import Sample
from thence.core.score import Score
from thence.core.table import Table


@dataclass(frozen=True)
class RatingSheet:
    """Answers drawn for people to rate.

    Attributes:
        columns: columns of the sheet; raters fill in ``rating``.
        rows: one row per rating, by column.
        pages: number of pages per rater.
        drawn: number of drawn answers of each class.
    """

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    pages: int
    drawn: Mapping[str, int]


@dataclass(frozen=True)
class RatingScores:
    """The figures of filled-in sheets.

    Attributes:
        tables: the tables of the paper.
        document: the figures as JSON.
        skipped: one line for each row that was left out.
        blank: number of rows without a rating.
        notes: one line for each thing that a person should know about the sheets.
    """

    tables: Sequence[Table]
    document: Mapping[str, Any]
    skipped: Sequence[str]
    blank: int
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Ratings:
    """A family's study in which people rate explanations.

    Attributes:
        draw: draws answers of a run, or none. Its arguments are the model's name, samples with the
            scores of their answers, the number of answers, the number of raters, and a seed.
        score: reads filled-in sheets.
    """

    draw: Callable[[str, Iterable[tuple[Sample, Score]], int, int, int], RatingSheet]
    score: Callable[[Sequence[Path]], RatingScores]
