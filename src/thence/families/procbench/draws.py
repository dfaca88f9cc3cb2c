"""Random material that several tasks draw from.

A number below n is drawn as ``rng.getrandbits(30) % n``, in less than half the time of
``int(rng.random() * n)``: 30 bits are one digit of Python's integers. For our n, at most some
thousands, no number is more likely than another by more than a few in a million.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from random import Random
from string import ascii_lowercase, digits

ALPHANUMERIC = ascii_lowercase + digits


def text(rng: Random, length: int, alphabet: str = ascii_lowercase) -> str:
    """A random text of some length."""
    table, left_over = _bytes(alphabet)
    drawn = b""
    while len(drawn) < length:
        drawn += rng.randbytes(length + length // 4 + 16).translate(table, left_over)
    return drawn[:length].decode("ascii")


def piece_length(steps: int, longest: int) -> int:
    """How long a piece may be that is appended at each of ``steps`` steps.

    States that grow by a piece a step take about steps * steps * piece / 2 characters in all; so
    pieces shrink as questions get longer, so that a thousand steps stay within a few megabytes.
    """
    return max(1, min(longest, 500 // steps))


def texts(rng: Random, lengths: Sequence[int], alphabet: str = ascii_lowercase) -> list[str]:
    """Random texts of these lengths, cut from one draw: much cheaper than one at a time."""
    return cut(text(rng, sum(lengths), alphabet), lengths)


def cut(string: str, lengths: Sequence[int]) -> list[str]:
    """A string's pieces of these lengths, which make up all of it."""
    ends = zip(lengths, accumulate(lengths), strict=True)
    return [string[end - length : end] for length, end in ends]


@cache
def _bytes(alphabet: str) -> tuple[bytes, bytes]:
    """The character of every byte, and the bytes to leave out to draw all of them equally often."""
    size = len(alphabet)
    characters = [alphabet[byte % size] for byte in range(256)]
    return "".join(characters).encode("ascii"), bytes(range(256 - 256 % size, 256))


def within(rng: Random, low: int, high: int) -> int:
    """A number from ``low`` to ``high``; less to do than in ``rng.randint``."""
    return low + rng.getrandbits(30) % (high - low + 1)


def split_length(rng: Random, steps: int) -> int:
    """How long a string is to be that is cut at ``steps`` places."""
    return within(rng, max(5, steps + 1), max(30, steps + 5))


def shuffled[T](rng: Random, items: Iterable[T], count: int | None = None) -> list[T]:
    """So many of the items, all if not given, in a random order.

    Less to do than in ``rng.shuffle`` and ``rng.sample``.
    """
    left, bits = list(items), rng.getrandbits
    size = len(left)
    stop = 0 if count is None else size - count
    return [left.pop(bits(30) % many) for many in range(size, stop, -1)]


@cache
def others(alphabet: str) -> Mapping[str, str]:
    """What an alphabet holds beside each of its characters."""
    return {character: alphabet.replace(character, "") for character in alphabet}
