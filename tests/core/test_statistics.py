from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from thence.core import statistics
from thence.core.statistics import EMPTY, Estimate, estimates, finite, pooled, wilson


def estimate(
    values: Sequence[float], clusters: Sequence[object] | None = None, *, count: bool = False
) -> Estimate:
    return estimates({"x": values}, clusters, ["x"] if count else [])["x"]


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_what_scipy_makes_of_it(given: tuple[int, int]) -> None:
    successes, n = given
    theirs = binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson(successes, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_right_and_wrong_answers_that_share_nothing_get_wilsons() -> None:
    values = [1, 0, 1, 1, 0, 1, 1]
    for clusters in (None, "abcdefg"):
        assert estimate(values, clusters) == Estimate(5 / 7, *wilson(5, 7), 7)


def test_what_is_no_finite_number_is_none() -> None:
    assert [*map(finite, (0.0, -1.5, math.nan, math.inf, -math.inf))] == [
        0.0,
        -1.5,
        None,
        None,
        None,
    ]


def clustered(rng: Random, clusters: int, size: int) -> tuple[list[float], list[int]]:
    """Right and wrong answers about procedures that are easy or hard, half of each on average."""
    values, labels = [], []
    for label in range(clusters):
        easy = rng.random() < 0.5
        values += [float(rng.random() < (0.9 if easy else 0.1)) for _ in range(size)]
        labels += [label] * size
    return values, labels


def naive_bootstrap(
    values: Sequence[float], labels: Sequence[int], rng: Random
) -> tuple[float, float]:
    members: dict[int, list[float]] = {}
    for value, label in zip(values, labels, strict=True):
        members.setdefault(label, []).append(value)
    means = []
    for _ in range(4000):
        drawn = [x for label in rng.choices(list(members), k=len(members)) for x in members[label]]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return means[100], means[-101]


@pytest.mark.parametrize("seed", range(3))
def test_the_bootstrap_is_what_a_naive_one_makes_of_it(seed: int) -> None:
    rng = Random(seed)
    values, labels = clustered(rng, 25, 4)
    keep = [rng.random() < 0.7 for _ in values]  # clusters of unequal size
    values = [value for value, kept in zip(values, keep, strict=True) if kept]
    labels = [label for label, kept in zip(labels, keep, strict=True) if kept]
    ours = estimate(values, labels)
    assert ours.value == pytest.approx(sum(values) / len(values))
    low, high = naive_bootstrap(values, labels, rng)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.03)


def test_intervals_cover_the_truth_of_clustered_answers_only_if_clusters_count() -> None:
    rng, repeats = Random(7), 300
    covered, blind = 0, 0
    for _ in range(repeats):
        values, labels = clustered(rng, 30, 10)
        ours, ignorant = estimate(values, labels), estimate(values)
        covered += ours.low <= 0.5 <= ours.high
        blind += ignorant.low <= 0.5 <= ignorant.high
    assert 0.90 <= covered / repeats <= 0.98
    assert blind / repeats < 0.70


def test_values_between_0_and_1_get_a_bootstrap_that_covers() -> None:
    rng, covered = Random(3), 0
    for _ in range(300):
        found = estimate([rng.betavariate(2, 3) for _ in range(40)])
        covered += found.low <= 0.4 <= found.high
    assert 0.90 <= covered / 300 <= 0.98


metric = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5)), min_size=1, max_size=30)


@given(metric)
def test_the_same_scores_print_the_same_interval_and_it_holds_the_value(
    given: list[tuple[float, int]],
) -> None:
    values, labels = zip(*given, strict=True)
    found = estimate(values, labels)
    assert found == estimate(values, [f"procedure {label}" for label in labels])
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9
    assert found.low >= 0 - 1e-9
    assert found.high <= 1 + 1e-9


def test_many_equal_scores_get_the_interval_that_drawing_each_of_them_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = Random(5)
    values = [rng.choice((0, 0.25, 0.5, 1)) for _ in range(2000)]
    pairs = [place // 2 if place < 1000 else place for place in range(2000)]
    for clusters in (None, pairs):
        kinds = estimate(values, clusters)
        with monkeypatch.context() as patch:
            patch.setattr(statistics, "_WORTH", 1e9)
            each = estimate(values, clusters)
        width = each.high - each.low
        assert kinds.value == each.value
        assert (kinds.low, kinds.high) != (each.low, each.high)  # both ways were gone
        assert kinds.low == pytest.approx(each.low, abs=0.1 * width)
        assert kinds.high == pytest.approx(each.high, abs=0.1 * width)


@given(st.lists(st.tuples(st.sampled_from((0.0, 0.5, 1.0)), st.integers(0, 3)), min_size=1))
def test_kinds_are_the_different_rows_and_how_often_each_comes(
    rows: list[tuple[float, int]],
) -> None:
    kinds, often = statistics._kinds(np.array(rows, dtype=float))
    assert Counter(rows) == dict(zip(map(tuple, kinds.tolist()), often.tolist(), strict=True))


@given(metric, st.integers(0, 9))
def test_arrays_are_taken_as_lists_are(given: list[tuple[float, int]], shift: int) -> None:
    values, labels = zip(*given, strict=True)
    arrays = estimates({"x": np.array(values)}, np.array(labels) * 7 - shift)["x"]
    assert arrays == estimate(values, labels)


def test_columns_together_are_what_they_are_alone() -> None:
    values, labels = clustered(Random(0), 10, 3)
    other = [value / 2 for value in values]
    both = estimates({"a": values, "b": other}, labels)
    assert list(both) == ["a", "b"]
    assert both == {"a": estimate(values, labels), "b": estimate(other, labels)}


def test_of_nothing_there_is_no_figure() -> None:
    assert estimates({"a": [], "b": []}) == {"a": EMPTY, "b": EMPTY}
    assert math.isnan(EMPTY.value)
    assert EMPTY.interval() is None


@pytest.mark.parametrize("value", [0.0, 0.1, 0.5, 1.0])
def test_one_value_is_one_trial(value: float) -> None:
    found = estimate([value], ["a"])
    assert found == Estimate(value, *wilson(value, 1), 1)
    assert found.interval() == [found.low, found.high]


@pytest.mark.parametrize("value", [0.0, 0.1, 0.3, 2 / 3, 1.0])
@pytest.mark.parametrize("labels", ["abbccc", "aabbcc", "abcdef", "aaaaaa"])
def test_where_all_agree_each_cluster_is_one_trial(value: float, labels: str) -> None:
    found, clusters = estimate([value] * 6, labels), len(set(labels))
    assert (found.low, found.high) == pytest.approx(wilson(value * clusters, clusters))
    assert found.n == 6


def test_repeats_of_one_question_do_not_narrow_the_interval() -> None:
    once = estimate([1, 0, 1, 1, 0, 1], "abcdef")
    often = estimate([1, 0, 1, 1, 0, 1] * 50, "abcdef" * 50)
    assert often.high - often.low > 0.8 * (once.high - once.low)


def test_counts_are_no_shares() -> None:
    assert estimate([3.0, 3.0, 3.0], count=True).interval() is None
    assert estimate([1.0, 1.0, 1.0], count=True).interval() is None
    found = estimate([float(n) for n in range(20)], count=True)
    assert found.low < found.value == 9.5 < found.high


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=20))
def test_pooled_figures_follow_from_the_sums(pairs: list[tuple[int, int]]) -> None:
    counts = {place: (min(a, b), b) for place, (a, b) in enumerate(pairs)}
    found = pooled(
        counts, lambda sums: {"share": sums[0] / sums[1], "none": sums[0] / (0 * sums[1])}
    )
    share = sum(a for a, _ in counts.values()) / sum(b for _, b in counts.values())
    assert found["share"].value == pytest.approx(share)
    assert found["share"].n == len(pairs)
    assert math.isnan(found["none"].low)
    if len(pairs) == 1:
        assert math.isnan(found["share"].low)
    else:
        assert 0 <= found["share"].low <= found["share"].high <= 1


def test_the_interval_of_a_pooled_share_is_that_of_the_bootstrap_over_clusters() -> None:
    rng = Random(3)
    rows = [
        (cluster, float(rng.random() < 0.3 + cluster / 100))
        for cluster in range(40)
        for _ in range(5)
    ]
    counts: dict[int, list[float]] = {}
    for cluster, value in rows:
        held = counts.setdefault(cluster, [0.0, 0.0])
        held[0] += value
        held[1] += 1
    pooled_share = pooled(counts, lambda sums: {"share": sums[0] / sums[1]})["share"]
    plain = estimates({"share": [v for _, v in rows]}, [c for c, _ in rows])["share"]
    assert pooled_share.value == pytest.approx(plain.value)
    assert pooled_share.low == pytest.approx(plain.low, abs=0.02)
    assert pooled_share.high == pytest.approx(plain.high, abs=0.02)


def test_nothing_to_pool_gives_nothing() -> None:
    assert pooled({}, lambda sums: {"share": sums[0]}) == {}
