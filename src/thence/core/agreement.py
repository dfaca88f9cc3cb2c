"""Agreement between people who judged the same items: Fleiss' kappa from sums over the items.

Sums add up, so that a bootstrap over items costs no more than the figures themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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


def kappa(
    items: Any, observed: Any, counts: Sequence[Any], weights: Sequence[Sequence[float]]
) -> Any:
    """Return agreement beyond chance, where chance follows from the shares of all ratings.

    Args:
        items: number of items with two or more raters.
        observed: sum of their `agreement`.
        counts: number of ratings of each category, over these items.
        weights: agreement of each pair of categories.
    """
    total = sum(counts)
    shares = [count / total for count in counts]
    by_chance = sum(
        weights[j][k] * shares[j] * shares[k]
        for j in range(len(shares))
        for k in range(len(shares))
    )
    return (observed / items - by_chance) / (1 - by_chance)
