"""Ratings of a model's explanations by people, as a family offers them."""

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
        columns: of the sheet; ``rating`` among them is to be filled in.
        rows: one a rating, by column.
        pages: how many pages a rater sees.
        drawn: how many answers were drawn of each class.
    """

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    pages: int
    drawn: Mapping[str, int]


@dataclass(frozen=True)
class RatingScores:
    """The figures of a filled-in sheet.

    Attributes:
        tables: those of the paper.
        document: the figures as JSON.
        skipped: one clear line for each row that was left out.
        blank: rows without a rating.
    """

    tables: Sequence[Table]
    document: Mapping[str, Any]
    skipped: Sequence[str]
    blank: int


@dataclass(frozen=True)
class Ratings:
    """The study of a family in which people rate explanations.

    Attributes:
        draw: draws answers of a run, of which there may be none: takes the model's name, samples
            with the scores of the answers to them, the number of answers, that of raters, a seed.
        score: reads a filled-in sheet.
    """

    draw: Callable[[str, Iterable[tuple[Sample, Score]], int, int, int], RatingSheet]
    score: Callable[[Path], RatingScores]
