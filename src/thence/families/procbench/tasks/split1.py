"""Task 8: cut a string at positions counted in the whole string."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import shuffled, split_length, text
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``string``, and the 0-based ``positions`` of the characters to cut in front of."""

    string: str
    positions: list[int]


class Split1(ExplicitProcedure[Question]):
    """Each step cuts one piece in two."""

    name = "split1"
    rank = 8
    summary = "cut a string at positions counted in the original string"
    states = Shape.TEXTS

    knobs = (("state", "characters of the string"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return steps + 1, LARGEST

    def initial(self, question: Question) -> list[str]:
        """Return a list with the whole string."""
        return [question["string"]]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the pieces after each cut in front of a position."""
        state, starts, length = self.initial(question), [0], len(question["string"])
        for position in question["positions"]:
            if not 0 <= position < length:
                raise ValueError(f"position {position} lies outside the string")
            beyond = bisect(starts, position)
            piece, before = state[beyond - 1], position - starts[beyond - 1]
            state = [*state[: beyond - 1], piece[:before], piece[before:], *state[beyond:]]
            starts.insert(beyond, position)
            yield state

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return a random string and distinct positions within it."""
        length = state or split_length(rng, steps)
        positions = shuffled(rng, range(1, length), steps)
        return {"string": text(rng, length), "positions": positions}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...`` and ``Positions: a, b, c``."""
        positions = [int(item) for item in items(after(prompt, "Positions:"))]
        return {"string": between(prompt, "String:", "Positions:"), "positions": positions}


TASK = task(Split1())
