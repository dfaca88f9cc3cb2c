"""The arithmetic of planning, against numbers worked out by hand, exact sums and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from thence.core.power import (
    Assumptions,
    cluster_size,
    design_effect,
    detectable,
    discordance_by_correlation,
    half_width,
    measured_effect,
    needed,
)
from thence.core.statistics import mcnemar, sign_flips


def test_needed_by_hand() -> None:
    # z = 1.959964 and 0.841621; 20% of the questions part the two, 15% to 5%:
    # 1.959964 * sqrt(.2) + 0.841621 * sqrt(.2 - .01) = 0.876523 + 0.366852 = 1.243375
    # without a correction (1.243375 / .1)**2 = 154.6; with it ((1.243375 + sqrt(1.545981 + .4))
    # / .2)**2 = (2.638364 / .2)**2 = 174.02
    assert needed(0.1, 0.2) == 175
    assert needed(0.1, 0.2, effect=3.0) == math.ceil(3 * 174.024)
    # the same with z = 2.575829 and 1.281552: (1.151946 + 0.558613 + 1.824436) / .2 = 17.674975
    assert needed(0.1, 0.2, level=0.01, power=0.9) == math.ceil(17.674975**2)


def test_discordance_by_hand() -> None:
    # two models that are independent of each other: .46
    assert discordance_by_correlation(0.6, 0.7, 0.0) == pytest.approx(0.46)
    # correlated by a half: .46 - sqrt(.24 * .21)
    assert discordance_by_correlation(0.6, 0.7, 0.5) == pytest.approx(0.46 - 0.2244994)
    # .7 and .7 alike in everything
    assert discordance_by_correlation(0.7, 0.7, 1.0) == pytest.approx(0.0)
    assert Assumptions(accuracy=0.6, correlation=0.5).expected_discordance(0.1) == pytest.approx(
        discordance_by_correlation(0.6, 0.5, 0.5)
    )
    assert Assumptions(discordance=0.05).expected_discordance(0.1) == 0.1


def test_half_widths_and_design_effects_by_hand() -> None:
    # Wilson at one half: z / (2 * sqrt(n + z * z))
    for n, effect in ((10, 1.0), (400, 1.0), (400, 4.0)):
        hand = 1.959964 / (2 * math.sqrt(n / effect + 3.841459))
        assert half_width(0.5, n, effect) == pytest.approx(hand, abs=1e-6)
    assert design_effect(11, 0.06) == pytest.approx(1.6)
    assert design_effect(1, 0.9) == 1.0
    assert cluster_size([1, 1, 4]) == pytest.approx(18 / 6)
    assert cluster_size([]) == 1.0


def test_detectable_is_the_inverse_of_needed() -> None:
    for assumed in (Assumptions(), Assumptions(accuracy=0.9), Assumptions(discordance=0.2)):
        least = detectable(500, assumed, 1.5)
        assert needed(least, assumed.expected_discordance(least), effect=1.5) == 500
    assert math.isnan(detectable(4, Assumptions()))


@pytest.mark.parametrize(("difference", "discordance"), [(0.03, 0.1), (0.1, 0.2), (0.05, 0.4)])
def test_the_exact_test_has_the_power(difference: float, discordance: float) -> None:
    """Sum over all numbers of discordant pairs: the exact test over as many questions."""
    n = needed(difference, discordance)
    better = (discordance + difference) / (2 * discordance)
    found = 0.0
    for pairs in range(n + 1):
        weight = binom.pmf(pairs, n, discordance)
        if weight < 1e-9:
            continue
        most = next((k for k in range(pairs // 2, -1, -1) if mcnemar(k, pairs - k) < 0.05), -1)
        rejected = binom.cdf(most, pairs, better) + binom.sf(pairs - most - 1, pairs, better)
        found += weight * (rejected if most >= 0 else 0.0)
    assert 0.79 < found < 0.82


def test_the_test_by_procedures_has_the_power_in_a_simulation() -> None:
    """Draw the outcomes of clusters of 8 with a correlation of 0.2, and test by sign flips."""
    size, icc, difference, discordance = 8, 0.2, 0.1, 0.25
    n = needed(difference, discordance, effect=design_effect(size, icc))
    base = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    rng, found, tried, effects = np.random.default_rng(5), 0, 300, []
    clusters = np.repeat(np.arange(round(n / size)), size)
    for _ in range(tried):
        shares = rng.dirichlet([share * (1 / icc - 1) for share in base], len(clusters) // size)
        counts = [rng.multinomial(size, each) for each in shares]
        changes = np.concatenate([np.repeat([1.0, -1.0, 0.0], each) for each in counts])
        found += sign_flips(changes.tolist(), clusters.tolist(), flips=999) < 0.05
        effects.append(measured_effect(changes, clusters))
    assert 0.75 < found / tried < 0.88
    assert np.mean(effects) == pytest.approx(design_effect(size, icc), rel=0.05)


def test_measured_effect_by_hand() -> None:
    # deviations -.5 and .5; sums by cluster -1 and 1: (2 * 2) / (1 * 4 / 3) of 4 values
    assert measured_effect(np.array([0.0, 0.0, 1.0, 1.0]), [1, 1, 2, 2]) == pytest.approx(3.0)
    assert measured_effect(np.array([0.0, 1.0, 0.0, 1.0]), [1, 1, 2, 2]) == 1.0
    assert measured_effect(np.array([1.0, 1.0]), [1, 2]) == 1.0
