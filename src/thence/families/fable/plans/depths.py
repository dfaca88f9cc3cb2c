"""How many questions about plans are still wanted of each answer and depth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thence.families.fable.shared.blocks import DEEP_CLASS

DEEP = 3  # links of a deep question; of a pair both are, or neither
_OF_DEPTH = (42, 70, 84, 45, 32, 30), (14, 28, 56, 50, 38, 36)
"""Pairs of a block, by links from 1 to DEEP_CLASS, about plans that work and about others."""
_SHALLOW = (45, 70, 35, 0, 0, 0), (6, 12, 26, 45, 55, 25)
_OF_SHALLOW = {
    "concurrency": ((58, 98, 117, 63, 44, 42), (19, 39, 78, 70, 53, 50)),
    "live_variables": ((35, 60, 60, 25, 25, 25), (8, 16, 30, 45, 45, 25)),
    "very_busy_expressions": _SHALLOW,
    "type_state": ((45, 70, 30, 0, 0, 0), (6, 12, 60, 45, 55, 25)),
    "taint": ((15, 25, 20, 10, 5, 5), (20, 40, 40, 30, 30, 15)),
}
"""The same where a plan that works gives few deep questions, or, of concurrency, more are needed
so that what is seen at a glance tells less."""
FEW_DEEP_ANALYSES = frozenset(_OF_SHALLOW)
"""Analyses of which such plans give few deep questions, or concurrency."""
_OF_ASKED_DEPTH = 40  # the same where depths are asked for
_SPARE = 0.35  # of these a block can do without


class Depths:
    """The questions that are still wanted of each answer and depth.

    Args:
        span: the least and the greatest depth that are asked for, or None.
        name: name of the analysis.
        works: whether they are about plans that work.
    """

    def __init__(self, span: Sequence[int] | None, name: str, *, works: bool) -> None:
        self._deepest = span[1] if span else DEEP_CLASS
        numbers = enumerate(_OF_SHALLOW.get(name, _OF_DEPTH)[not works], 1)
        wanted = {deep: number for deep, number in numbers if number}
        if span:
            wanted = dict.fromkeys(range(span[0], span[1] + 1), _OF_ASKED_DEPTH)
        self._wanted, self._left = wanted, (dict(wanted), dict(wanted))
        self._spare = {deep: _SPARE * number for deep, number in wanted.items()}

    @property
    def are_full(self) -> bool:
        """Whether there are enough of each depth."""
        return all(side[deep] <= left for side in self._left for deep, left in self._spare.items())

    def matched(self, no: Iterable[int], yes: Iterable[int]) -> list[tuple[int, int]]:
        """Return pairs of a depth of a No and one of a Yes: both are deep, or neither."""
        left = [each for each in no if self._wants(0, each)]
        found = []
        for deep in sorted(yes, reverse=True):
            near = [each for each in left if (each < DEEP) == (deep < DEEP)]
            if near and self._wants(1, deep):
                found.append((min(near, key=lambda each: abs(each - deep)), deep))
                left.remove(found[-1][0])
        return found

    @property
    def least(self) -> int:
        """The least depth of a Yes that is wanted; one that is too great where there is none."""
        return min(
            (deep for deep, left in self._left[1].items() if left > 0), default=self._deepest + 1
        )

    def lacking(self, deep: int) -> float:
        """Return which share of the questions with a Yes of a depth is lacking."""
        deep = min(deep, self._deepest)
        return self._left[1].get(deep, 0) / self._wanted.get(deep, 1)

    def can_match(self, yes: Iterable[int]) -> bool:
        """Return whether a Yes of one of some depths, and a No that goes with it, are wanted."""
        kinds = {each < DEEP for each, left in self._left[0].items() if left > 0}
        return any(self._wants(1, deep) and (deep < DEEP) in kinds for deep in yes)

    def count(self, *depths: int) -> None:
        """Count a question with a No and one with a Yes."""
        for side, deep in zip(self._left, depths, strict=True):
            side[min(deep, self._deepest)] -= 1

    def _wants(self, side: int, deep: int) -> bool:
        return self._left[side].get(min(deep, self._deepest), 0) > 0
