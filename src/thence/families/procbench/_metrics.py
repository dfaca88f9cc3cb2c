"""ProcBench's four metrics (Fujisawa et al. 2024, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress, count
from operator import ne
from typing import Any

METRICS = ("pa", "sm", "fm", "pml")
COUNTS = ("pml",)


def prefix_match_length(truth: Sequence[Any], predicted: Sequence[Any]) -> int:
    """PML: the length of the longest equal prefix of two sequences of states."""
    different = compress(count(), map(ne, truth, predicted))
    return next(different, min(len(truth), len(predicted)))


@cache
def perfect(length: int) -> Mapping[str, float]:
    """The metrics of a right answer of so many states; the same object each time."""
    return {"pa": 1.0, "sm": 1.0, "fm": 1.0, "pml": float(length)}


def metrics(truth: Sequence[Any], predicted: Sequence[Any]) -> Mapping[str, float]:
    """All four metrics of a prediction.

    Args:
        truth: the intermediate states followed by the final state; never empty.
        predicted: likewise, in the same canonical form; empty where nothing was read.

    Returns:
        ``pa``: PML / max(N, M), from 0 to 1; ``sm``: 1 where pa is 1; ``fm``: 1 where the last
        states are equal; ``pml``: from 0 to N.
    """
    matched = prefix_match_length(truth, predicted)
    longer = max(len(truth), len(predicted))
    if matched == longer:
        return perfect(longer)
    accuracy = matched / longer
    final = bool(predicted) and truth[-1] == predicted[-1]
    return {"pa": accuracy, "sm": 0.0, "fm": float(final), "pml": float(matched)}
