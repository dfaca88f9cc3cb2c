"""Task 12: append a number and a letter from two sequences that start over at their ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import text, within
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``numbers`` and ``letters``: the sequences; ``times``: the number of pairs to append."""

    numbers: list[int]
    letters: list[str]
    times: int


class Rhythm(ExplicitProcedure[Question]):
    """Each step appends the next number and the next letter."""

    name = "rhythm"
    rank = 12
    summary = "append numbers and letters in turn from two sequences that repeat"
    states = Shape.TEXT

    knobs = (
        ("items", "length of the sequence of numbers; that of letters has one more"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"items": (1, 200), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> str:
        """Return the empty string."""
        return ""

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each pair is appended."""
        state = ""
        pairs = zip(cycle(question["numbers"]), cycle(question["letters"]), strict=False)
        for number, letter in islice(pairs, question["times"]):
            state += f"{number}{letter}"
            yield state

    def compose(
        self, rng: Random, steps: int, items: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return four to six digits, and eight letters out of the first two to five."""
        numbers = [rng.getrandbits(30) % 10 for _ in range(items or within(rng, 4, 6))]
        known = ascii_lowercase[: alphabet or within(rng, 2, 5)]
        letters = list(text(rng, items + 1 if items else 8, known))
        return {"numbers": numbers, "letters": letters, "times": steps}

    def parse(self, prompt: str) -> Question:
        """Parse ``Sequence 1: ...``, ``Sequence 2: ...`` and ``N: ...``."""
        numbers = items(between(prompt, "Sequence 1:", "Sequence 2:"))
        letters = items(between(prompt, "Sequence 2:", "N:"))
        times = int(after(prompt, "N:"))
        return {"numbers": [int(n) for n in numbers], "letters": letters, "times": times}


TASK = task(Rhythm())
