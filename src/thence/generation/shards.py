"""Shards of a set of samples, which several machines make or ask without knowing of each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from thence.errors import ParameterError

_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shards, which together hold each sample once.

    Attributes:
        number: from 1 to ``count``.
        count: of all shards.
    """

    number: int
    count: int

    @classmethod
    def of(cls, text: object) -> Shard | None:
        """Return the shard of ``I/N``; None where there is no text.

        Raises:
            ParameterError: the text is something else.
        """
        if text is None:
            return None
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text) if isinstance(text, str) else None
        shard = cls(*map(int, found.groups())) if found else cls(0, 0)
        if not 1 <= shard.number <= shard.count <= _MOST:
            reason = f"must be I/N, the I-th of N shards from 1 to at most {_MOST:,}, such as 2/8"
            raise ParameterError("shard", text, reason)
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def ranges(self, sizes: Mapping[str, int]) -> dict[str, range]:
        """Return by task the range of its samples that the shard holds; tasks without any not.

        The tasks lie end to end, and each shard is a stretch of the same length.
        """
        total, start = sum(sizes.values()), 0
        low, high = (total * each // self.count for each in (self.number - 1, self.number))
        found = {}
        for name, size in sizes.items():
            first, last = max(low - start, 0), min(high - start, size)
            if first < last:
                found[name] = range(first, last)
            start += size
        return found

    def lines[T](self, every: Iterable[T]) -> Iterable[T]:
        """Yield the items of a file that the shard holds: each N-th."""
        for place, each in enumerate(every):
            if place % self.count == self.number - 1:
                yield each
