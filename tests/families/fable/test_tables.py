"""The paper's tables from scored replies, and the statistics behind them."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import pytest

from thence.dataflow import ANALYSES as DATAFLOW
from thence.families.fable.shared import paper_figures as published
from thence.families.fable.shared.analyses import ANALYSES, REASONING
from thence.families.fable.shared.welch import incomplete_beta, two_tailed, welch


def density(x, freedom):
    """Of Student's t."""
    return math.exp(
        math.lgamma((freedom + 1) / 2)
        - math.lgamma(freedom / 2)
        - 0.5 * math.log(freedom * math.pi)
        - (freedom + 1) / 2 * math.log1p(x * x / freedom)
    )


@pytest.mark.parametrize("freedom", [1.0, 2.5, 7.0, 13.9, 40.0])
@pytest.mark.parametrize("t", [0.0, 0.1, 0.7, 1.3, 2.6, 6.0])
def test_p_is_the_area_of_both_tails(t, freedom):
    slices = 4000
    inner = sum(  # Simpson's rule from 0 to t
        density(t * k / slices, freedom) * (1 if k in (0, slices) else 4 if k % 2 else 2)
        for k in range(slices + 1)
    ) * (t / slices / 3)
    assert two_tailed(t, freedom) == pytest.approx(1 - 2 * inner, abs=1e-9)


def test_welch_of_samples_that_cannot_be_compared_is_none():
    assert welch([1.0], [1.0, 2.0]) is None
    assert welch([1.0, 1.0], [2.0, 2.0]) is None
    assert incomplete_beta(2, 3, 0.0) == 0
    assert incomplete_beta(2, 3, 1.0) == 1
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
