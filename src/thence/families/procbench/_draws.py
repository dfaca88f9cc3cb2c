"""Random material that several tasks draw from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from string import ascii_lowercase, digits

ALPHANUMERIC = ascii_lowercase + digits


def text(rng: Random, length: int, alphabet: str = ascii_lowercase) -> str:
    """A random text of some length."""
    return "".join(rng.choices(alphabet, k=length))


def piece_length(steps: int, longest: int) -> int:
    """How long a piece may be that is appended at each of ``steps`` steps.

    States that grow by a piece a step take about steps * steps * piece / 2 characters in all; so
    pieces shrink as questions get longer, so that a thousand steps stay within a few megabytes.
    """
    return max(1, min(longest, 500 // steps))


def texts(rng: Random, lengths: Sequence[int], alphabet: str = ascii_lowercase) -> list[str]:
    """Random texts of these lengths."""
    drawn = text(rng, sum(lengths), alphabet)
    pairs = zip(lengths, accumulate(lengths), strict=True)
    return [drawn[end - length : end] for length, end in pairs]


def split_length(rng: Random, steps: int) -> int:
    """How long a string is to be that is cut at ``steps`` places."""
    return rng.randint(max(5, steps + 1), max(30, steps + 5))
