"""Task 19: letters deleted from a string, each where it occurs first."""

from __future__ import annotations

from random import Random
from typing import TypedDict

from thence.families.procbench._draws import text
from thence.families.procbench._procedure import Procedure
from thence.families.procbench._published import after, between
from thence.families.procbench._shapes import Shape


class Question(TypedDict):
    """``string``; ``letters``: which to delete, in order."""

    string: str
    letters: list[str]


class DeleteChar(Procedure[Question]):
    """Each step deletes one letter."""

    name = "delete_char"
    rank = 19
    summary = "delete letters from a string, each time the leftmost occurrence"
    states = Shape.TEXT

    def initial(self, question: Question) -> str:
        """The string as given."""
        return question["string"]

    def step(self, question: Question, state: str, index: int) -> str | None:
        """Deletes the leftmost occurrence of the next letter."""
        if index == len(question["letters"]):
            return None
        return state.replace(question["letters"][index], "", 1)

    def compose(self, rng: Random, steps: int) -> Question:
        """Letters of a string that has at least one more; up to 30 where that many will do."""
        string = text(rng, max(6, steps + rng.randint(1, max(5, 30 - steps))))
        return {"string": string, "letters": rng.sample(string, steps)}

    def parse(self, prompt: str) -> Question:
        """``String: ...`` and ``Steps:`` with numbered lines."""
        lines = after(prompt, "Steps:").splitlines()
        return {
            "string": between(prompt, "String:", "Steps:"),
            "letters": [line.partition(".")[2].strip() for line in lines],
        }


TASK = DeleteChar()
