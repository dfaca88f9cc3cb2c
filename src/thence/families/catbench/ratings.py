"""Ratings of explanations by people: the figures of the paper, and who agrees with whom."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from thence.core.agreement import agreement, kappa
from thence.core.statistics import Estimate, pooled
from thence.families.catbench.questions import DEP, NONDEP

LOWEST, HIGHEST, _MIDDLE = 1, 5, 3


@dataclass(frozen=True)
class Rated:
    """One answer with its ratings.

    Attributes:
        model: the model that gave the answer.
        split: DEP, NONDEP or another text of the sheet.
        correct: whether the answer is right.
        cluster: the recipe, where the sheet names it, else the item itself.
        ratings: ratings from 1 to 5.
        raters: who gave each of them, where known.
    """

    model: str
    split: str
    correct: bool
    cluster: Hashable
    ratings: tuple[int, ...]
    raters: tuple[str, ...] = ()


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
    fives = [float(ratings.count(rating)) for rating in range(LOWEST, HIGHEST + 1)]
    halves = [float(len(ratings) - high), float(high)]
    return [
        *plain,
        1.0,
        agreement(fives, WEIGHTS),
        *fives,
        agreement(halves, _IDENTITY),
        *halves,
    ]


def _formula(sums: Sequence[Any]) -> dict[str, Any]:
    items, mean, modified, binary, majority, several, observed, *rest = sums
    return {
        "avg": mean / items,
        "modavg": modified / items,
        "avgbin": binary / items,
        "majvote": 100 * majority / items,
        "kappa": kappa(several, observed, rest[:5], WEIGHTS),
        "kappa_binary": kappa(several, rest[5], rest[6:], _IDENTITY),
    }


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
        sum(item.ratings.count(rating) for item in items) for rating in range(LOWEST, HIGHEST + 1)
    ]


@dataclass(frozen=True)
class RaterPair:
    """The agreement of two raters.

    Attributes:
        raters: their names.
        items: number of items that both rated.
        equal: share of these with equal ratings.
        figures: those of `figures` over these items.
    """

    raters: tuple[str, str]
    items: int
    equal: float
    figures: Mapping[str, Estimate]


def rater_names(items: Sequence[Rated]) -> list[str]:
    """Return the names of the raters, in the order in which they come."""
    return list(dict.fromkeys(rater for item in items for rater in item.raters))


def rater_pairs(items: Sequence[Rated]) -> Iterator[RaterPair]:
    """Yield the agreement of each two raters that have items in common."""
    given = [dict(zip(item.raters, item.ratings, strict=False)) for item in items]
    for pair in combinations(rater_names(items), 2):
        both = [
            replace(item, ratings=tuple(by[name] for name in pair), raters=pair)
            for item, by in zip(items, given, strict=True)
            if pair[0] in by and pair[1] in by
        ]
        if both:
            equal = sum(item.ratings[0] == item.ratings[1] for item in both) / len(both)
            yield RaterPair(pair, len(both), equal, figures(both))
