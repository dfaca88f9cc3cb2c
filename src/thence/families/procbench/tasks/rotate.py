"""Task 17: rotate parts of a string by one position."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import text, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``string``; ``ranges``: pairs (start, end), 0-based, the end excluded."""

    string: str
    ranges: list[list[int]]


class Rotate(ExplicitProcedure[Question]):
    """Each step rotates one range to the right."""

    name = "rotate"
    rank = 17
    summary = "rotate parts of a string to the right by one place"
    states = Shape.TEXT

    knobs = (
        ("state", "characters of the string"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (2, LARGEST), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after the last character of each range moves to the range's front."""
        state = question["string"]
        for start, end in question["ranges"]:
            part = state[start:end]
            state = state[:start] + part[-1:] + part[:-1] + state[end:]
            yield state

    def compose(
        self, rng: Random, steps: int, state: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return five to fourteen letters, and ranges of two letters or more."""
        bits, length = rng.getrandbits, state or within(rng, 5, 14)
        ranges = []
        for _ in range(steps):
            start = bits(30) % (length - 1)
            ranges.append([start, start + 2 + bits(30) % (length - start - 1)])
        return {"string": text(rng, length, ascii_lowercase[: alphabet or 26]), "ranges": ranges}

    def parse(self, prompt: str) -> Question:
        """Parse ``String:`` and ``Indices: (m, n), ...``."""
        pairs = tuples(after(prompt, "Indices:"))
        return {
            "string": between(prompt, "String:", "Indices:"),
            "ranges": [[int(start), int(end)] for start, end in pairs],
        }


TASK = task(Rotate())
