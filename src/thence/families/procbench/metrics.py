"""ProcBench's four metrics (Fujisawa et al. 2024, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

METRICS = ("pa", "sm", "fm", "pml")
COUNTS = ("pml",)


def prefix_match_length(truth: Sequence[Any], predicted: Sequence[Any]) -> int:
    """Return PML, the length of the longest common prefix of two sequences of states."""
    for length, (expected, actual) in enumerate(zip(truth, predicted, strict=False)):
        if expected != actual:
            return length
    return min(len(truth), len(predicted))


def metrics(truth: Sequence[Any], predicted: Sequence[Any]) -> Mapping[str, float]:
    """Return all four metrics of a prediction.

    Args:
        truth: the intermediate states followed by the final state; never empty.
        predicted: the predicted states in the same canonical form; empty where nothing was read.

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
