"""Recipes as people post them, with the steps that each step works with, marked by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_NUMBER = re.compile(r"^(?:\d+[.)]|\*)\s+")


@dataclass(frozen=True)
class Posted:
    """A title, its steps, and the pairs (i, j) of steps of which j works with what i left."""

    title: str
    steps: tuple[str, ...]
    uses: frozenset[tuple[int, int]]

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
    found: list[tuple[str, list[str], set[tuple[int, int]]]] = []
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            found.append((line[3:], [], set()))
        elif line and not line.startswith("#"):
            step, _, marks = line.rpartition(" <-")
            _, steps, uses = found[-1]
            uses |= {(int(mark) - 1, len(steps)) for mark in marks.split()}
            steps.append(_NUMBER.sub("", step))
    return [Posted(title, tuple(steps), frozenset(uses)) for title, steps, uses in found]
