"""Random strings, numbers and permutations for several tasks.

A number below n is drawn as ``rng.getrandbits(30) % n``, in less than half the time of
``int(rng.random() * n)``: 30 bits are one digit of Python's integers. For n up to some thousands,
the probabilities differ by at most a few millionths. Another way to draw would change every sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from random import Random
from string import ascii_lowercase, digits

ALPHANUMERIC = ascii_lowercase + digits


def text(rng: Random, length: int, alphabet: str = ascii_lowercase) -> str:
    """Return a random text of a given length."""
    table, skipped = _bytes(alphabet)
    drawn = b""
    while len(drawn) < length:
        drawn += rng.randbytes(length + length // 4 + 16).translate(table, skipped)
    return drawn[:length].decode("ascii")


def piece_length(steps: int, longest: int) -> int:
    """Return the length of a piece that is appended at each of ``steps`` steps.

    States that grow by a piece per step have about steps * steps * piece / 2 characters in all. So
    pieces are shorter in longer questions, and a thousand steps stay within a few megabytes.
    """
    return max(1, min(longest, 500 // steps))


def texts(rng: Random, lengths: Sequence[int], alphabet: str = ascii_lowercase) -> list[str]:
    """Return random texts of these lengths, cut from one draw, which is cheaper than one by one."""
    return cut(text(rng, sum(lengths), alphabet), lengths)


def cut(string: str, lengths: Sequence[int]) -> list[str]:
    """Return the pieces of a string that have these lengths and add up to all of it."""
    ends = zip(lengths, accumulate(lengths), strict=True)
    return [string[end - length : end] for length, end in ends]


@cache
def _bytes(alphabet: str) -> tuple[bytes, bytes]:
    """Return the character for every byte, and the bytes to skip so that all are equally likely."""
    size = len(alphabet)
    characters = [alphabet[byte % size] for byte in range(256)]
    return "".join(characters).encode("ascii"), bytes(range(256 - 256 % size, 256))


def within(rng: Random, low: int, high: int) -> int:
    """Return a number from ``low`` to ``high``; faster than ``rng.randint``."""
    return low + rng.getrandbits(30) % (high - low + 1)


def split_length(rng: Random, steps: int) -> int:
    """Return the length of a string that is cut at ``steps`` positions."""
    return within(rng, max(5, steps + 1), max(30, steps + 5))


def shuffled[T](rng: Random, items: Iterable[T], count: int | None = None) -> list[T]:
    """Return ``count`` of the items (all by default) in random order.

    It is faster than ``rng.shuffle`` and ``rng.sample``.
    """
    left, bits = list(items), rng.getrandbits
    size = len(left)
    stop = 0 if count is None else size - count
    return [left.pop(bits(30) % many) for many in range(size, stop, -1)]


@cache
def others(alphabet: str) -> Mapping[str, str]:
    """Return the rest of an alphabet for each of its characters."""
    return {character: alphabet.replace(character, "") for character in alphabet}
