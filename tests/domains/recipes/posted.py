"""Recipes as people post them, with the steps that each step works with, marked by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_NUMBER = re.compile(r"^(?:\d+[.)]|\*)\s+")


@dataclass(frozen=True)
class Posted:
    """A title, its steps, the pairs (i, j) of steps of which j works with what i left, and the
    lines of its list of ingredients, where one is given ("+ ").
    """

    title: str
    steps: tuple[str, ...]
    uses: frozenset[tuple[int, int]]
    goods: tuple[str, ...] = ()

    @property
    def dependencies(self) -> frozenset[tuple[int, int]]:
        """Pairs of which i must come first, directly or through others."""
        before: list[set[int]] = []
        for j in range(len(self.steps)):
            direct = {i for i in range(j) if (i, j) in self.uses}
            before.append(direct.union(*(before[i] for i in direct)))
        return frozenset((i, j) for j, each in enumerate(before) for i in each)


def posted(name: str = "posted.txt") -> list[Posted]:
    """The recipes of a file beside this module."""
    found: list[tuple[str, list[str], set[tuple[int, int]], list[str]]] = []
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            found.append((line[3:], [], set(), []))
        elif line.startswith("+ "):
            found[-1][3].append(line[2:])
        elif line and not line.startswith(("#", "= ")):  # "= " is a heading between steps
            step, _, marks = line.rpartition(" <-")
            _, steps, uses, _ = found[-1]
            uses |= {(int(mark) - 1, len(steps)) for mark in marks.split()}
            steps.append(_NUMBER.sub("", step))
    return [
        Posted(title, tuple(steps), frozenset(uses), tuple(goods))
        for title, steps, uses, goods in found
    ]
