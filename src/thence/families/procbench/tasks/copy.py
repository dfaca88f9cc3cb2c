"""Task 5: append whole strings one after the other in a given order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import ALPHANUMERIC, texts, within
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``strings``, and the 0-based ``indices`` of the strings to append."""

    strings: list[str]
    indices: list[int]


class Copy(ExplicitProcedure[Question]):
    """Each step appends one string."""

    name = "copy"
    rank = 5
    summary = "append strings in the order that a list of indices gives"
    states = Shape.TEXT

    knobs = (
        ("items", "number of strings"),
        ("piece", "characters of each string"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"items": (2, 200), "piece": (1, 200)}[knob]

    def initial(self, question: Question) -> str:
        """Return the empty string."""
        return ""

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each append."""
        state = ""
        for which in question["indices"]:
            state += question["strings"][which]
            yield state

    def compose(
        self, rng: Random, steps: int, items: int | None = None, piece: int | None = None
    ) -> Question:
        """Return 5 to 25 strings of 5 to 20 characters; of 3 to 6 in very long questions."""
        bits = rng.getrandbits
        longest = max(6, min(20, 500 // steps))
        shortest = min(5, longest // 2)
        if piece:
            shortest = longest = piece
        count = items or within(rng, 5, 25)
        lengths = [within(rng, shortest, longest) for _ in range(count)]
        strings = texts(rng, lengths, ALPHANUMERIC)
        return {"strings": strings, "indices": [bits(30) % len(strings) for _ in range(steps)]}

    def parse(self, prompt: str) -> Question:
        """Parse ``Strings: [...]`` and ``Indices: [...]``."""
        strings = items(between(prompt, "Strings:", "Indices:"))
        return {"strings": strings, "indices": [int(i) for i in items(after(prompt, "Indices:"))]}


TASK = task(Copy())
