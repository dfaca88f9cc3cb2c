"""ProcBench's four metrics (Fujisawa et al. 2024, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import eq, indexOf
from typing import Any

METRICS = ("pa", "sm", "fm", "pml")
COUNTS = ("pml",)


def prefix_match_length(truth: Sequence[Any], predicted: Sequence[Any]) -> int:
    """PML: the length of the longest equal prefix of two sequences of states."""
    try:
        return indexOf(map(eq, truth, predicted), False)  # noqa: FBT003
    except ValueError:  # the shorter is how the longer begins
        return min(len(truth), len(predicted))


def metrics(truth: Sequence[Any], predicted: Sequence[Any]) -> Mapping[str, float]:
    """All four metrics of a prediction.

    Args:
        truth: the intermediate states followed by the final state; never empty.
        predicted: likewise, in the same canonical form; empty where nothing was read.

    Returns:
        ``pa``: PML / max(N, M), from 0 to 1; ``sm``: 1 where pa is 1; ``fm``: 1 where the last
        states are equal; ``pml``: from 0 to N.
    """
    matched, longer = prefix_match_length(truth, predicted), max(len(truth), len(predicted))
    return {
        "pa": matched / longer,
        "sm": 1.0 if matched == longer else 0.0,
        "fm": 1.0 if predicted and truth[-1] == predicted[-1] else 0.0,
        "pml": float(matched),
    }
