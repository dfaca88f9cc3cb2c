"""Task 23: find the character a number of positions further along a ring."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import ALPHANUMERIC, shuffled, within
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

_LONGEST = 32  # characters, plus up to four; there are 36 in all


class Question(TypedDict):
    """``string`` of distinct characters; ``start``: one of them; ``number``: the distance."""

    string: str
    start: str
    number: int


class FindCyclic(ExplicitProcedure[Question]):
    """Each step moves one character on; the final state is the character without its number."""

    name = "find_cyclic"
    rank = 23
    summary = "find the character some places to the right in a string whose ends are joined"
    states = Shape.TEXTS
    final = Shape.TEXT

    knobs = (("state", "characters of the string"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 2, len(ALPHANUMERIC)

    def initial(self, question: Question) -> list[str]:
        """Return the start character and the number."""
        return [question["start"], str(question["number"])]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the next character to the right with the number that is left."""
        string = question["string"]
        place = string.index(question["start"])
        for number in range(question["number"] - 1, -1, -1):
            place = (place + 1) % len(string)
            yield [string[place], str(number)]

    def conclude(self, question: Question, states: list[list[str]]) -> str:
        """Return the last character without its number, 0."""
        return states.pop()[0]

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return about as many characters as there are steps; longer walks go around the ring."""
        length = state or max(3, min(steps, _LONGEST) + within(rng, 0, 4))
        string = "".join(shuffled(rng, ALPHANUMERIC, length))
        return {"string": string, "start": rng.choice(string), "number": steps}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...`` and ``Command: ['start', 'number']``."""
        start, number = (item.strip("'\"") for item in items(after(prompt, "Command:")))
        string = between(prompt, "String:", "Command:")
        return {"string": string, "start": start, "number": int(number)}


TASK = task(FindCyclic())
