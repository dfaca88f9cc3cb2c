"""Numbers of questions for planning: half-widths, power of a paired test, needed sizes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from thence.core.statistics import Numbers, wilson

_STEPS = 60  # of a bisection, which halves the interval each time


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions about two models and their questions, with the test's error rates.

    Attributes:
        accuracy: accuracy of the first model; one half needs most questions.
        correlation: correlation of the right answers of two models over the questions.
        discordance: share of questions that one of two models alone answers rightly, where it is
            assumed; None for what follows from accuracy and correlation.
        cluster_size: questions about one procedure; None for as many as the tasks have.
        icc: correlation of the right answers of one model within a procedure.
        power: probability that the test finds a difference that is there.
        level: probability that the two-sided test finds a difference that is not there.
    """

    accuracy: float = 0.5
    correlation: float = 0.2
    discordance: float | None = None
    cluster_size: float | None = None
    icc: float = 0.06
    power: float = 0.8
    level: float = 0.05

    def expected_discordance(self, difference: float) -> float:
        """Return the share of questions that one of two models alone is expected to have right.

        The second model's accuracy lies to the side of one half, where more questions are needed.
        """
        if self.discordance is not None:
            return max(self.discordance, difference)
        first = self.accuracy
        second = first - difference if first > 0.5 else first + difference
        return max(
            difference,
            discordance_by_correlation(first, min(1.0, max(0.0, second)), self.correlation),
        )

    def effect(self, cluster_size: float) -> float:
        """Return the design effect of questions of which so many share a procedure."""
        return design_effect(self.cluster_size or cluster_size, self.icc)


def discordance_by_correlation(first: float, second: float, correlation: float) -> float:
    """Return the share of questions that one of two models of these accuracies alone has right.

    Args:
        first: accuracy of one model.
        second: accuracy of the other.
        correlation: of their right answers over the questions.
    """
    spread = math.sqrt(first * (1 - first) * second * (1 - second))
    return first * (1 - second) + second * (1 - first) - 2 * correlation * spread


def design_effect(cluster_size: float, icc: float) -> float:
    """Return the factor by which clusters enlarge the variance of a mean (Kish 1965, section 5.4).

    Args:
        cluster_size: questions of a cluster; of unequal clusters the mean over the questions.
        icc: correlation within a cluster.
    """
    return max(1.0, 1 + (cluster_size - 1) * icc)


def cluster_size(sizes: Iterable[int]) -> float:
    """Return the mean over the questions of the size of their clusters; 1 for no question."""
    held = list(sizes)
    return sum(size * size for size in held) / (sum(held) or 1) or 1.0


def half_width(accuracy: float, n: float, effect: float = 1.0) -> float:
    """Return half the length of the 95% interval (Wilson) of an accuracy.

    Args:
        accuracy: the accuracy.
        n: number of questions, above 0.
        effect: their design effect; as many independent questions are n divided by it.
    """
    low, high = wilson(accuracy * n / effect, n / effect)
    return (high - low) / 2


def needed(
    difference: float,
    discordance: float,
    *,
    power: float = 0.8,
    level: float = 0.05,
    effect: float = 1.0,
) -> int:
    """Return the number of questions with which a paired test finds a difference.

    McNemar's test (Miettinen 1968, Biometrics 24; Connor 1987, Biometrics 43), with the correction
    for continuity that the exact test needs, times the design effect.

    Args:
        difference: difference of the accuracies, above 0.
        discordance: share of questions that one model alone answers rightly, at least the
            difference.
        power: probability of finding the difference.
        level: two-sided level of the test.
        effect: design effect of the questions.
    """
    normal = NormalDist()
    both = normal.inv_cdf(1 - level / 2) * math.sqrt(discordance) + normal.inv_cdf(
        power
    ) * math.sqrt(max(0.0, discordance - difference * difference))
    root = (both + math.sqrt(both * both + 4 * difference)) / (2 * difference)
    return math.ceil(effect * root * root - 1e-9)


def detectable(n: float, assumed: Assumptions, effect: float = 1.0) -> float:
    """Return the least difference that a paired test over n questions finds; NaN for none.

    Args:
        n: number of questions.
        assumed: the assumptions.
        effect: design effect of the questions.
    """
    low, high = 0.0, max(assumed.accuracy, 1 - assumed.accuracy)
    if assumed.discordance is not None:
        high = 1.0

    def enough(difference: float) -> bool:
        least = needed(
            difference,
            assumed.expected_discordance(difference),
            power=assumed.power,
            level=assumed.level,
            effect=effect,
        )
        return least <= n

    if not enough(high):
        return math.nan
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def measured_effect(values: Numbers, clusters: Sequence[Hashable] | Numbers) -> float:
    """Return the design effect of some values: their mean's variance by clusters and without.

    It is 1 where the values do not differ, or one cluster holds all of them, and never below 1.

    Args:
        values: one number per question, such as 1 for a right answer or a difference of two.
        clusters: the cluster of each question.
    """
    import numpy as np

    _, member = np.unique(np.asarray(clusters), return_inverse=True)
    count, centred = int(member.max(initial=-1)) + 1, values - values.mean()
    alone = float((centred**2).sum())
    if count < 2 or not alone:
        return 1.0
    together = float((np.bincount(member, weights=centred) ** 2).sum()) * count / (count - 1)
    return max(1.0, together / (alone * len(values) / (len(values) - 1)))


def measured_discordance(changes: Numbers) -> float:
    """Return the share of questions that one of two models alone has right, with one pair more.

    Few pairs that agree do not show that all others would.

    Args:
        changes: by question, the second model's score less the first's.
    """
    return (float(abs(changes).sum()) + 1) / (len(changes) + 2)
