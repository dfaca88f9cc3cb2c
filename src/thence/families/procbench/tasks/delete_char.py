"""Task 19: delete letters from a string, each at its first occurrence."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import shuffled, text, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``string``; ``letters``: the letters to delete, in order."""

    string: str
    letters: list[str]


class DeleteChar(ExplicitProcedure[Question]):
    """Each step deletes one letter."""

    name = "delete_char"
    rank = 19
    summary = "delete letters from a string, each time the leftmost occurrence"
    states = Shape.TEXT

    knobs = (
        ("state", "characters of the string"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (steps + 1, LARGEST), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after the leftmost occurrence of each letter is deleted."""
        state = question["string"]
        for letter in question["letters"]:
            state = state.replace(letter, "", 1)
            yield state

    def compose(
        self, rng: Random, steps: int, state: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return letters of a string that has at least one more; up to 30 letters if possible."""
        length = state or max(6, steps + within(rng, 1, max(5, 30 - steps)))
        string = text(rng, length, ascii_lowercase[: alphabet or 26])
        return {"string": string, "letters": shuffled(rng, string, steps)}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...`` and ``Steps:`` with numbered lines."""
        lines = after(prompt, "Steps:").splitlines()
        return {
            "string": between(prompt, "String:", "Steps:"),
            "letters": [line.partition(".")[2].strip() for line in lines],
        }


TASK = task(DeleteChar())
