"""Ratings of explanations by people: reading a filled-in sheet, and the figures of the paper."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence.core import csv_files
from thence.core.statistics import Estimate, pooled
from thence.errors import FileError
from thence.families.catbench.questions import DEP, NONDEP

REQUIRED = ("item", "model", "split", "correct", "rater", "rating")
_LOWEST, _HIGHEST, _MIDDLE = 1, 5, 3
_CORRECT = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True)
class Rated:
    """One answer with its ratings.

    Attributes:
        model: the model that gave the answer.
        split: DEP, NONDEP or another text of the sheet.
        correct: whether the answer is right.
        cluster: the recipe, where the sheet names it, else the item itself.
        ratings: ratings from 1 to 5.
    """

    model: str
    split: str
    correct: bool
    cluster: Hashable
    ratings: tuple[int, ...]


@dataclass(frozen=True)
class Sheet:
    """Contents of a file of ratings.

    Attributes:
        items: items with at least one rating.
        skipped: one line for each row that was left out.
        blank: number of rows without a rating.
    """

    items: Sequence[Rated]
    skipped: Sequence[str]
    blank: int


def read_sheet(path: Path) -> Sheet:
    """Return the contents of a filled-in sheet; unusable rows are left out with a note.

    Raises:
        FileError: the file is not a CSV with the columns in `REQUIRED`, or holds no rating.
    """
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    rows = csv_files.read_rows(path)
    header = next(rows, (0, {}))[1]
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        raise FileError(f"{path}: has no column '{missing[0]}'; it needs {', '.join(REQUIRED)}")
    skipped: list[str] = []
    blank = 0
    found: dict[tuple[str, str], dict[str, int]] = {}
    known: dict[tuple[str, str], tuple[str, bool, Hashable]] = {}
    for number, row in rows:
        if not row["rating"].strip():
            blank += 1
            continue
        try:
            name, about, rating = _rating(row, known, found)
        except ValueError as error:
            skipped.append(f"{path}:{number}: {error}; left out")
            continue
        known[name] = about
        found.setdefault(name, {})[row["rater"]] = rating
    items = [
        Rated(name[0], *known[name], tuple(ratings.values())) for name, ratings in found.items()
    ]
    if not items:
        why = skipped[0] if skipped else f"{blank} rows, and none has a rating"
        raise FileError(f"{path}: holds no rating: {why}")
    return Sheet(items, skipped, blank)


type _Name = tuple[str, str]
type _About = tuple[str, bool, Hashable]


def _rating(
    row: Mapping[str, str],
    known: Mapping[_Name, _About],
    found: Mapping[_Name, Mapping[str, int]],
) -> tuple[_Name, _About, int]:
    """Return the model and item of a row, the item's properties, and the rating.

    Raises:
        ValueError: the row is not valid; the message gives the reason.
    """
    text = row["rating"].strip()
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"rating '{text}': must be a number from 1 to 5") from error
    if not value.is_integer() or not _LOWEST <= value <= _HIGHEST:
        raise ValueError(f"rating {text}: must be a whole number from 1 to 5")
    correct = _CORRECT.get(row["correct"].strip().lower().removesuffix(".0"))
    if correct is None:
        raise ValueError(f"correct '{row['correct']}': must be 1 or 0")
    if not row["item"].strip():
        raise ValueError("the item is missing")
    name = (row["model"].strip(), row["item"].strip())
    about = (row["split"].strip(), correct, row.get("recipe") or name)
    if known.get(name, about)[:2] != about[:2]:
        raise ValueError(f"item {row['item']}: split or correct is not what an earlier row says")
    if row["rater"] in found.get(name, ()):
        raise ValueError(f"rater {row['rater']} rated item {row['item']} before")
    return name, about, int(value)


# Figures -----------------------------------------------------------------------------------------

WEIGHTS = tuple(tuple(math.cos(abs(j - k) * math.pi / 8) for k in range(5)) for j in range(5))
"""Agreement of two ratings: 1 for equal ratings and 0 for the ends of the scale."""
_IDENTITY = ((1.0, 0.0), (0.0, 1.0))

FIGURES = ("avg", "modavg", "avgbin", "majvote", "kappa", "kappa_binary")


def figures(items: Sequence[Rated]) -> dict[str, Estimate]:
    """Return the figures of some ratings, each with the interval of a bootstrap over recipes.

    Returns:
        ``avg``: mean over items of the mean rating; ``modavg``: the same with 0 for wrong answers;
        ``avgbin``: mean share of ratings over 3; ``majvote``: percentage of items that more than
        half of the raters rate over 3; ``kappa``: Fleiss' with the weights in `WEIGHTS`, over items
        with two or more ratings; ``kappa_binary``: that of ratings over 3, without weights.
    """
    counts: dict[Hashable, list[float]] = {}
    for item in items:
        row = _counts(item)
        held = counts.setdefault(item.cluster, [0.0] * len(row))
        for place, value in enumerate(row):
            held[place] += value
    return pooled(counts, _formula)


def _counts(item: Rated) -> list[float]:
    """Return the contribution of one item to the sums behind every figure."""
    ratings = item.ratings
    mean = sum(ratings) / len(ratings)
    high = sum(rating > _MIDDLE for rating in ratings)
    plain = [
        1.0,
        mean,
        mean * item.correct,
        high / len(ratings),
        float(high > len(ratings) / 2),
    ]
    if len(ratings) < 2:
        return [*plain, *[0.0] * 10]
    fives = [float(ratings.count(rating)) for rating in range(_LOWEST, _HIGHEST + 1)]
    halves = [float(len(ratings) - high), float(high)]
    return [
        *plain,
        1.0,
        agreement(fives, WEIGHTS),
        *fives,
        agreement(halves, _IDENTITY),
        *halves,
    ]


def agreement(counts: Sequence[float], weights: Sequence[Sequence[float]]) -> float:
    """Return the weighted share of pairs of one item's raters that agree.

    Args:
        counts: number of raters per category, two or more in all.
        weights: agreement of each pair of categories.
    """
    n = sum(counts)
    pairs = sum(
        weights[j][k] * counts[j] * (counts[k] - (j == k))
        for j in range(len(counts))
        for k in range(len(counts))
    )
    return pairs / (n * (n - 1))


def _formula(sums: Sequence[Any]) -> dict[str, Any]:
    items, mean, modified, binary, majority, several, observed, *rest = sums
    return {
        "avg": mean / items,
        "modavg": modified / items,
        "avgbin": binary / items,
        "majvote": 100 * majority / items,
        "kappa": _kappa(several, observed, rest[:5], WEIGHTS),
        "kappa_binary": _kappa(several, rest[5], rest[6:], _IDENTITY),
    }


def _kappa(
    items: Any, observed: Any, counts: Sequence[Any], weights: Sequence[Sequence[float]]
) -> Any:
    """Return agreement beyond chance, where chance follows from the shares of all ratings."""
    total = sum(counts)
    shares = [count / total for count in counts]
    by_chance = sum(
        weights[j][k] * shares[j] * shares[k]
        for j in range(len(shares))
        for k in range(len(shares))
    )
    return (observed / items - by_chance) / (1 - by_chance)


def grouped(items: Sequence[Rated]) -> dict[str, list[Rated]]:
    """Return all items under ``overall``, then those of each split; DEP and NONDEP first."""
    found: dict[str, list[Rated]] = {"overall": list(items), DEP: [], NONDEP: []}
    for item in items:
        if item.split:
            found.setdefault(item.split, []).append(item)
    return {name: held for name, held in found.items() if held}


def histogram(items: Sequence[Rated]) -> list[int]:
    """Return the number of ratings of each value, 1 to 5."""
    return [
        sum(item.ratings.count(rating) for item in items) for rating in range(_LOWEST, _HIGHEST + 1)
    ]
