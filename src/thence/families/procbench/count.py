"""Task 3: letters times digits of each string, and their sum."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase, digits
from typing import Any, TypedDict

from thence.families.procbench._draws import text
from thence.families.procbench._procedure import Procedure
from thence.families.procbench._published import after, items
from thence.families.procbench._shapes import Shape


class Question(TypedDict):
    """Strings of lower-case letters and at most three digits each."""

    strings: list[str]


class Count(Procedure[Question]):
    """One row a string; the final state is the sum of the rows' products."""

    name = "count"
    rank = 3
    summary = "multiply each string's number of letters by the number its digits form; sum up"
    states = Shape.TEXTS
    final = Shape.NUMBER

    def initial(self, question: Question) -> str:
        """The sum of nothing, as a string, as it was published."""
        return "0"

    def step(self, question: Question, state: Any, index: int) -> list[str] | None:
        """The row of the next string: string, letters, number, product."""
        if index == len(question["strings"]):
            return None
        string = question["strings"][index]
        number = "".join(character for character in string if character.isdigit())
        letters, value = len(string) - len(number), int(number or 0)
        return [string, str(letters), str(value), str(letters * value)]

    def conclude(self, question: Question, states: list[list[str]]) -> int:
        """The sum of the products."""
        return sum(int(row[3]) for row in states)

    def compose(self, rng: Random, steps: int) -> Question:
        """One string fewer than there are states, as the sum is a state of its own."""
        return {"strings": [_string(rng) for _ in range(steps - 1)]}

    def parse(self, prompt: str) -> Question:
        """``Strings:`` and a list of quoted strings."""
        return {"strings": [item.strip("'\"") for item in items(after(prompt, "Strings:"))]}


def _string(rng: Random) -> str:
    length = rng.randint(4, 9)
    letters = list(text(rng, length, ascii_lowercase))
    for place in rng.sample(range(length), rng.choice((0, 1, 1, 2, 2, 3))):
        letters[place] = rng.choice(digits)
    return "".join(letters)


TASK = Count()
