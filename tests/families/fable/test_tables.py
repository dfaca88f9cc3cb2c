"""The paper's tables from scored replies, and the statistics behind them."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest
import scipy.stats

from thence.dataflow import ANALYSES as DATAFLOW
from thence.families.fable.shared import paper_figures as published
from thence.families.fable.shared.analyses import ANALYSES, REASONING
from thence.families.fable.shared.welch import welch


@pytest.mark.parametrize("seed", range(10))
def test_welch_is_the_test_of_scipy(seed):
    rng = Random(seed)
    left, right = (
        [rng.gauss(place, 1 + 2 * place) for _ in range(rng.randint(2, 9))] for place in (0, 1)
    )
    found = scipy.stats.ttest_ind(left, right, equal_var=False)
    assert welch(left, right) == (pytest.approx(found.statistic), pytest.approx(found.pvalue))


def test_welch_of_samples_that_cannot_be_compared_is_none():
    assert welch([1.0], [1.0, 2.0]) is None
    assert welch([1.0, 1.0], [2.0, 2.0]) is None
    t, p = welch([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])
    assert (t, p) == (pytest.approx(-1.2247, abs=1e-4), pytest.approx(0.2879, abs=1e-4))


def test_the_analyses_are_those_of_the_data_flow_package():
    assert list(ANALYSES) == list(DATAFLOW)
    assert {name: held.reasoning for name, held in DATAFLOW.items()} == dict(REASONING)


def test_the_paper_s_gains_follow_from_its_table_6_and_most_of_its_means_too():
    wrong = []
    for model, domains in published.ACCURACY.items():
        for domain, row in domains.items():
            mean, spread = published.MEANS[model][domain]
            if abs(fmean(row) - mean) > 0.1:
                wrong.append((model, domain))
            assert len(row) == len(ANALYSES)
            assert 0 < stdev(row) < 50
            assert spread > 0
    # those that `DOUBTS` names
    assert wrong == [
        (published.GRANITE, "routes"),
        (published.GRANITE, "recipes"),
        (published.LLAMA, "plans"),
        (published.LLAMA, "recipes"),
    ]
