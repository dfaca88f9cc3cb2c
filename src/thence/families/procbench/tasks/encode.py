"""Task 7: run-length encoding of a string of zeros and ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """The string to encode: zeros and ones."""

    string: str


class Encode(ExplicitProcedure[Question]):
    """Each step encodes one run of equal characters."""

    name = "encode"
    rank = 7
    summary = "encode the runs of a string of zeros and ones by their lengths"
    states = Shape.TEXTS

    knobs = (("piece", "characters of the longest runs"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 3, 500

    def initial(self, question: Question) -> str:
        """Return the empty string, the published state before any encoding."""
        return ""

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the list after each run is appended: its character, ``_`` and its length."""
        state: list[str] = []
        for run in question["string"].replace("01", "0 1").replace("10", "1 0").split():
            state = [*state, f"{run[0]}_{len(run)}"]
            yield state

    def compose(self, rng: Random, steps: int, piece: int | None = None) -> Question:
        """Return runs of one to nine characters; a single run may have up to 49."""
        bits, longest = rng.getrandbits, piece or (9 if steps > 1 else 49)
        lengths = [1 + bits(30) % longest for _ in range(steps)]
        first = bits(1)
        runs = ["01"[(first + place) % 2] * length for place, length in enumerate(lengths)]
        return {"string": "".join(runs)}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...``."""
        return {"string": after(prompt, "String:")}


TASK = task(Encode())
