"""Task 23: a character some places on, along a ring."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import ALPHANUMERIC, shuffled, within
from thence.families.procbench.procedure import Procedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

_LONGEST = 32  # characters, before up to four more; there are 36 in all


class Question(TypedDict):
    """``string`` of distinct characters; ``start``: one of them; ``number``: how far to go."""

    string: str
    start: str
    number: int


class FindCyclic(Procedure[Question]):
    """Each step goes one character on; the final state is the character without its number."""

    name = "find_cyclic"
    rank = 23
    summary = "find the character some places to the right in a string whose ends are joined"
    states = Shape.TEXTS
    final = Shape.TEXT

    def initial(self, question: Question) -> list[str]:
        """The character to start from and the number."""
        return [question["start"], str(question["number"])]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """The next character to the right, and a number smaller by one."""
        string = question["string"]
        place = string.index(question["start"])
        for number in range(question["number"] - 1, -1, -1):
            place = (place + 1) % len(string)
            yield [string[place], str(number)]

    def conclude(self, question: Question, states: list[list[str]]) -> str:
        """The last character; its number, 0, is left out."""
        return states.pop()[0]

    def compose(self, rng: Random, steps: int) -> Question:
        """About as many characters as there are steps; longer ways go around the string."""
        length = max(3, min(steps, _LONGEST) + within(rng, 0, 4))
        string = "".join(shuffled(rng, ALPHANUMERIC, length))
        return {"string": string, "start": rng.choice(string), "number": steps}

    def parse(self, prompt: str) -> Question:
        """``String: ...`` and ``Command: ['start', 'number']``."""
        start, number = (item.strip("'\"") for item in items(after(prompt, "Command:")))
        string = between(prompt, "String:", "Command:")
        return {"string": string, "start": start, "number": int(number)}


TASK = task(FindCyclic())
