"""Random material that several tasks draw from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random
from string import ascii_lowercase, digits

ALPHANUMERIC = ascii_lowercase + digits


def text(rng: Random, length: int, alphabet: str = ascii_lowercase) -> str:
    """A random text of some length."""
    return texts(rng, [length], alphabet)[0]


def piece_length(steps: int, longest: int) -> int:
    """How long a piece may be that is appended at each of ``steps`` steps.

    States that grow by a piece a step take about steps * steps * piece / 2 characters in all; so
    pieces shrink as questions get longer, so that a thousand steps stay within a few megabytes.
    """
    return max(1, min(longest, 500 // steps))


def texts(rng: Random, lengths: Sequence[int], alphabet: str = ascii_lowercase) -> list[str]:
    """Random texts of these lengths, cut from one draw: much cheaper than one at a time."""
    table, left_over = _bytes(alphabet)
    total, drawn = sum(lengths), b""
    while len(drawn) < total:
        drawn += rng.randbytes(total + total // 4 + 16).translate(table, left_over)
    string = drawn.decode("ascii")
    pairs = zip(lengths, accumulate(lengths), strict=True)
    return [string[end - length : end] for length, end in pairs]


@cache
def _bytes(alphabet: str) -> tuple[bytes, bytes]:
    """The character of every byte, and the bytes to leave out to draw all of them equally often."""
    size = len(alphabet)
    characters = [alphabet[byte % size] for byte in range(256)]
    return "".join(characters).encode("ascii"), bytes(range(256 - 256 % size, 256))


def split_length(rng: Random, steps: int) -> int:
    """How long a string is to be that is cut at ``steps`` places."""
    return rng.randint(max(5, steps + 1), max(30, steps + 5))


def order(rng: Random, count: int) -> list[int]:
    """The numbers from 0 to ``count`` - 1 in a random order; several times as fast as shuffling."""
    random = rng.random
    keys = [random() for _ in range(count)]
    return sorted(range(count), key=keys.__getitem__)
