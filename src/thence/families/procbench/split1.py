"""Task 8: a string cut at positions that are counted in the whole string."""

from __future__ import annotations

from random import Random
from typing import TypedDict

from thence.families.procbench._draws import split_length, text
from thence.families.procbench._procedure import Procedure
from thence.families.procbench._published import after, between, items
from thence.families.procbench._shapes import Shape


class Question(TypedDict):
    """``string``, and the ``positions`` of the characters to cut in front of, from 0."""

    string: str
    positions: list[int]


class Split1(Procedure[Question]):
    """Each step cuts one piece in two."""

    name = "split1"
    rank = 8
    summary = "cut a string at positions counted in the original string"
    states = Shape.TEXTS

    def initial(self, question: Question) -> list[str]:
        """The string in one piece."""
        return [question["string"]]

    def step(self, question: Question, state: list[str], index: int) -> list[str] | None:
        """Cuts the piece that holds the next position in front of it."""
        if index == len(question["positions"]):
            return None
        rest = question["positions"][index]
        for which, piece in enumerate(state):
            if rest < len(piece):
                return [*state[:which], piece[:rest], piece[rest:], *state[which + 1 :]]
            rest -= len(piece)
        raise ValueError("a position lies beyond the end of the string")

    def compose(self, rng: Random, steps: int) -> Question:
        """A random string and distinct positions within it."""
        length = split_length(rng, steps)
        positions = rng.sample(range(1, length), steps)
        return {"string": text(rng, length), "positions": positions}

    def parse(self, prompt: str) -> Question:
        """``String: ...`` and ``Positions: a, b, c``."""
        positions = [int(item) for item in items(after(prompt, "Positions:"))]
        return {"string": between(prompt, "String:", "Positions:"), "positions": positions}


TASK = Split1()
