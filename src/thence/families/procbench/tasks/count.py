"""Task 3: multiply the number of letters of each string by its number; sum up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import digits
from typing import TypedDict

from thence.families.procbench.draws import cut, text
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, items
from thence.families.procbench.shapes import Shape

_NO_DIGITS = bytes(set(range(256)) - set(digits.encode()))
_DIGITS = (0, 1, 1, 2, 2, 3)  # numbers of digits in a string, equally likely


class Question(TypedDict):
    """Strings of lower-case letters and at most three digits each."""

    strings: list[str]


class Count(ExplicitProcedure[Question]):
    """Each step makes one row per string; the final state is the sum of the rows' products."""

    name = "count"
    rank = 3
    summary = "multiply each string's number of letters by the number its digits form; sum up"
    states = Shape.TEXTS
    final = Shape.NUMBER

    knobs = (("piece", "characters of each string"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 1, 200

    def initial(self, question: Question) -> str:
        """Return the published initial state, "0" as a string."""
        return "0"

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the row of each string: string, letters, number, product."""
        for string in question["strings"]:
            number = string.encode().translate(None, _NO_DIGITS)
            letters, value = len(string) - len(number), int(number or 0)
            yield [string, str(letters), str(value), str(letters * value)]

    def conclude(self, question: Question, states: list[list[str]]) -> int:
        """Return the sum of the products."""
        return sum(int(row[3]) for row in states)

    def most(self, steps: int) -> int | None:
        """Return one for N = 1: the question without strings."""
        return 1 if steps == 1 else None

    def compose(self, rng: Random, steps: int, piece: int | None = None) -> Question:
        """Return one string fewer than there are states, as the sum is a state of its own."""
        bits = rng.getrandbits
        lengths = [piece or 4 + bits(30) % 6 for _ in range(steps - 1)]
        letters, start = list(text(rng, sum(lengths))), 0
        for length in lengths:
            for _ in range(_DIGITS[bits(30) % len(_DIGITS)]):
                letters[start + bits(30) % length] = digits[bits(30) % 10]
            start += length
        return {"strings": cut("".join(letters), lengths)}

    def parse(self, prompt: str) -> Question:
        """Parse ``Strings:`` and a list of quoted strings."""
        return {"strings": [item.strip("'\"") for item in items(after(prompt, "Strings:"))]}


TASK = task(Count())
