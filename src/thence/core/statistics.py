"""Means, proportions and tests with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

type Numbers = np.ndarray[Any, np.dtype[Any]]
type Values = Sequence[float] | Numbers

LEVEL = 0.95
_Z = 1.959963984540054  # the normal quantile of 0.975
_RESAMPLES = 1000
_BOOTSTRAP_SEED = 20240101  # fixed: the same scores always print the same interval
_BLOCK = 2_000_000  # random draws held in memory at once
_WORTH = 8  # mean number of equal rows above which multinomial draws are faster


def codes(values: Sequence[Hashable]) -> Numbers:
    """Return a small number for each value, equal for equal ones."""
    import numpy as np

    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def finite(value: float) -> float | None:
    """Return a number, or None where it is NaN or infinite, which JSON and sheets do not hold."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% confidence interval.

    Attributes:
        value: the mean; NaN where n is 0.
        low: lower end of the interval; NaN where there is no interval.
        high: upper end of the interval; NaN where there is no interval.
        n: number of values.
    """

    value: float
    low: float
    high: float
    n: int

    def interval(self) -> list[float] | None:
        """Return ``[low, high]`` for JSON output; None where there is no interval."""
        return None if math.isnan(self.low) else [self.low, self.high]


EMPTY = Estimate(math.nan, math.nan, math.nan, 0)


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion at 95% (Wilson 1927, J. Am. Stat. Assoc. 22).

    Args:
        successes: number of successes from 0 to n; it may be fractional.
        n: number of independent trials, above 0.
    """
    share = successes / n
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    # Rounding must not push the share out of its interval: at 0 and 1 the ends are exact.
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))


def estimates(
    columns: Mapping[str, Values],
    clusters: Sequence[Hashable] | Numbers | None = None,
    counts: Collection[str] = (),
) -> dict[str, Estimate]:
    """Return the means of several metrics of the same responses, with confidence intervals.

    Metrics of 0 and 1 over independent responses get Wilson's interval. All other values, and
    responses about the same procedure or graph, get the percentile bootstrap over clusters. A
    bootstrap says nothing where all clusters agree: shares then get Wilson's interval with one
    trial per cluster, and counts get none. The figures of a metric do not depend on other metrics.

    Args:
        columns: by name, one number per response; a share in [0, 1] or a count.
        clusters: the cluster of each response; None for independent responses.
        counts: the names of the columns that are not shares.
    """
    import numpy as np

    n = len(next(iter(columns.values()), ()))
    if n == 0:
        return dict.fromkeys(columns, EMPTY)
    within = Clusters(clusters, n)
    return {
        name: within.estimate(np.asarray(values, dtype=float), count=name in counts)
        for name, values in columns.items()
    }


class Clusters:
    """The clusters of some responses, shared by the estimates of several metrics.

    Args:
        labels: one label per response; None for independent responses.
        n: number of responses, at least 1.
    """

    def __init__(self, labels: Sequence[Hashable] | Numbers | None, n: int) -> None:
        import numpy as np

        self._member, self._distinct = _members(labels, n)
        self._sizes = None if self._member is None else np.bincount(self._member).astype(float)

    def estimate(self, values: Numbers, *, count: bool = False) -> Estimate:
        """Return the mean of one metric with its interval; `estimates` explains the interval.

        Args:
            values: floats, one per response.
            count: whether the values are counts and not shares.
        """
        import numpy as np

        n, distinct = len(values), self._distinct
        if self._member is None and not count and bool(((values == 0) | (values == 1)).all()):
            total = float(values.sum())
            return Estimate(total / n, *wilson(total, n), n)
        sums = values
        if self._member is not None:
            sums = np.bincount(self._member, weights=values)
        value = float(values.mean())
        low, high = _ends(sums, self._sizes)
        if math.isclose(low, high, abs_tol=1e-12):
            low, high = (math.nan, math.nan) if count else wilson(value * distinct, distinct)
        return Estimate(value, low, high, n)


def _members(labels: Sequence[Hashable] | Numbers | None, n: int) -> tuple[Numbers | None, int]:
    """Return the cluster number of each response, by first occurrence, and the number of clusters.

    The first is None where every response is a cluster of its own.
    """
    import numpy as np

    if labels is None:
        return None, n
    if isinstance(labels, np.ndarray):
        ordered = np.sort(labels)
        if bool((ordered[1:] != ordered[:-1]).all()):  # the common case, for little
            return None, n
        del ordered
        distinct, first, member = np.unique(labels, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[member], len(distinct)
    place: dict[Hashable, int] = {}
    numbers = (place.setdefault(label, len(place)) for label in labels)
    member = np.fromiter(numbers, dtype=np.intp, count=n)
    return (None if len(place) == n else member), len(place)


def numbered(labels: Numbers) -> tuple[Numbers, Numbers]:
    """Return equal labels as equal numbers from 0, by first occurrence, and each first position.

    Hashes differ between processes, so the numbers cannot follow the order of the labels' values.
    """
    import numpy as np

    _, first, member = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[member], first[order]


def _ends(sums: Numbers, sizes: Numbers | None) -> tuple[float, float]:
    """Return the ends of the percentile bootstrap interval of a mean over clusters.

    Args:
        sums: the sum of each cluster.
        sizes: the number of responses in each cluster; None where each has one.
    """
    import numpy as np

    if sizes is None or (sizes == sizes[0]).all():
        each = 1.0 if sizes is None else sizes[0]
        means = _resampled(sums[:, None])[:, 0] / (each * len(sums))
    else:
        totals = _resampled(np.column_stack([sizes, sums]))
        means = totals[:, 1] / totals[:, 0]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _resampled(rows: Numbers) -> Numbers:
    """Return the column sums of each resample of the rows, one row per resample.

    Where many rows are equal, as is common among scores, a resample is the number of times that
    each distinct row is drawn: the same distribution with far fewer draws.
    """
    import numpy as np

    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    kinds, often = _kinds(rows)
    drawn: list[Numbers] = []
    if len(kinds) == 1 or _WORTH * len(kinds) <= len(rows):
        weights = rng.multinomial(len(rows), often / len(rows), size=_RESAMPLES)
        return np.asarray(weights @ kinds, dtype=float)
    block = max(1, _BLOCK // len(rows))
    for start in range(0, _RESAMPLES, block):
        size = (min(block, _RESAMPLES - start), len(rows))
        places = rng.integers(0, len(rows), size=size)
        drawn.append(np.stack([column[places].sum(axis=1) for column in rows.T], axis=1))
    return np.concatenate(drawn)


def _kinds(rows: Numbers) -> tuple[Numbers, Numbers]:
    """Return the distinct rows and the number of times that each occurs."""
    import numpy as np

    codes = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:  # far faster than np.unique with an axis
        values, inverse = np.unique(column, return_inverse=True)
        if len(values) > 1:
            codes = np.unique(codes * len(values) + inverse, return_inverse=True)[1]
    _, first, often = np.unique(codes, return_index=True, return_counts=True)
    return rows[first], often


def mcnemar(lost: int, gained: int) -> float:
    """Return the two-sided exact p value of McNemar's test (McNemar 1947, Psychometrika 12).

    Args:
        lost: number of pairs in which only the first is right.
        gained: number of pairs in which only the second is right.
    """
    n, least = lost + gained, min(lost, gained)
    if n == 0:
        return 1.0
    # The binomial tail is summed as ratios to its largest term, so that no term overflows.
    top = math.lgamma(n + 1) - math.lgamma(least + 1) - math.lgamma(n - least + 1) - n * math.log(2)
    term = total = 1.0
    for k in range(least, 0, -1):
        term *= k / (n - k + 1)
        total += term
        if term < 1e-17 * total:
            break
    return min(1.0, 2 * math.exp(top) * total)


def sign_flips(
    changes: Sequence[float], clusters: Sequence[Hashable], *, flips: int = 10_000
) -> float:
    """Return the two-sided p value of a permutation test that flips the signs of whole clusters.

    Args:
        changes: one difference per pair.
        clusters: the cluster of each pair.
        flips: number of random sign flips; the p value is at least 1 / (flips + 1).
    """
    import numpy as np

    sums: dict[Hashable, float] = {}
    for change, cluster in zip(changes, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + change
    totals = np.array([value for value in sums.values() if value != 0])
    if not len(totals):
        return 1.0
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    seen, extreme = abs(totals.sum()) - 1e-9, 0
    block = max(1, _BLOCK // len(totals))
    for start in range(0, flips, block):
        size = (min(block, flips - start), len(totals))
        signs = rng.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1
        extreme += int((abs(signs @ totals) >= seen).sum())
    return (extreme + 1) / (flips + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return p values adjusted for multiple tests (Holm 1979, Scand. J. Stat. 6)."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return adjusted


type Formula = Callable[[Sequence[Any]], Mapping[str, Any]]
"""Function from counts to figures by name; a count is a number, or an array of resamples."""


def pooled(counts: Mapping[Hashable, Sequence[float]], formula: Formula) -> dict[str, Estimate]:
    """Return figures of counts summed over clusters, such as an F1, with their intervals.

    The interval is the percentile bootstrap over clusters. Resamples in which a figure is not
    defined (none of the clusters has the class) are left out; a single cluster gives no interval.

    Args:
        counts: the counts of each cluster, in the same order for all.
        formula: takes one array per count and returns the figures elementwise; a figure that is not
            finite is not defined.

    Returns:
        Estimates by name; ``n`` is the number of clusters.
    """
    import numpy as np

    if not counts:
        return {}
    matrix = np.array(list(counts.values()), dtype=float)
    clusters = len(matrix)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = formula(list(matrix.sum(axis=0)))
        resampled = formula(list(_resampled(matrix).T))
    result = {}
    for name, value in values.items():
        spread = np.asarray(resampled[name], dtype=float)
        spread = spread[np.isfinite(spread)]
        ends = (math.nan, math.nan)
        if clusters > 1 and len(spread) and math.isfinite(value):
            low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
            ends = (float(low), float(high))
        exact = float(value) if math.isfinite(value) else math.nan
        result[name] = Estimate(exact, *ends, clusters)
    return result
