"""Recipes as people post them, with the steps that each step works with, marked by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

_NUMBER = re.compile(r"^(?:\d+[.)]|\*)\s+")


@dataclass(frozen=True)
class Posted:
    """A title, its steps, the pairs (i, j) of steps of which j works with what i left, the lines of
    its list of ingredients, where one is given ("+ "), and pairs on which cooks may differ ("3?").
    """

    title: str
    steps: tuple[str, ...]
    uses: frozenset[tuple[int, int]]
    goods: tuple[str, ...] = ()
    doubtful: frozenset[tuple[int, int]] = frozenset()

    @property
    def dependencies(self) -> frozenset[tuple[int, int]]:
        """Pairs of which i must come first, directly or through others."""
        return self._closed(self.uses)

    @property
    def possible(self) -> frozenset[tuple[int, int]]:
        """The same where what is doubtful counts, too."""
        return self._closed(self.uses | self.doubtful)

    def _closed(self, uses: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        before: list[set[int]] = []
        for j in range(len(self.steps)):
            direct = {i for i in range(j) if (i, j) in uses}
            before.append(direct.union(*(before[i] for i in direct)))
        return frozenset((i, j) for j, each in enumerate(before) for i in each)


def posted(name: str = "posted.txt") -> list[Posted]:
    """The recipes of a file beside this module."""
    found: list[Posted] = []
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            found.append(Posted(line[3:], (), frozenset()))
        elif line.startswith("+ "):
            found[-1] = replace(found[-1], goods=(*found[-1].goods, line[2:]))
        elif line and not line.startswith(("#", "= ")):  # "= " is a heading between steps
            found[-1] = _with_step(found[-1], line)
    return found


def _with_step(recipe: Posted, line: str) -> Posted:
    step, _, marks = line.rpartition(" <-")
    sure = {mark for mark in marks.split() if not mark.endswith("?")}
    maybe = {mark.rstrip("?") for mark in marks.split()} - sure
    j = len(recipe.steps)
    return replace(
        recipe,
        steps=(*recipe.steps, _NUMBER.sub("", step)),
        uses=recipe.uses | {(int(mark) - 1, j) for mark in sure},
        doubtful=recipe.doubtful | {(int(mark) - 1, j) for mark in maybe},
    )
