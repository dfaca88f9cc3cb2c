"""Task 21: add to a number and multiply it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

_LARGE = 2 * 10**11  # values from here on are multiplied by 1 only


class Question(TypedDict):
    """``number``; ``operations`` such as ``add 8`` and ``multiply by 5``."""

    number: int
    operations: list[str]


class Cumulate(ExplicitProcedure[Question]):
    """Each step is one operation."""

    name = "cumulate"
    rank = 21
    summary = "add to a number and multiply it"
    states = Shape.NUMBER

    def initial(self, question: Question) -> int:
        """Return the number as given."""
        return question["number"]

    def execute(self, question: Question) -> Iterator[int]:
        """Yield the number after each operation."""
        number = question["number"]
        for written in question["operations"]:
            operation, _, operand = written.rpartition(" ")
            if operation == "add":
                number += int(operand)
            elif operation == "multiply by":
                number *= int(operand)
            else:
                raise ValueError(f"unknown operation '{operation}'")
            yield number

    def compose(self, rng: Random, steps: int) -> Question:
        """Return additions of 0 to 9 and multiplications by 1 to 5; values stay below 10**12."""
        bits = rng.getrandbits
        number = value = 1 + bits(30) % 9
        operations = []
        for _ in range(steps):
            if bits(1):
                added = bits(30) % 10
                operations.append(f"add {added}")
                value += added
            else:
                factor = 1 + bits(30) % 5 if value < _LARGE else 1
                operations.append(f"multiply by {factor}")
                value *= factor
        return {"number": number, "operations": operations}

    def parse(self, prompt: str) -> Question:
        """Parse ``N = ...`` and ``Operations: [Add 8, Multiply 5]``."""
        operations = [item.lower() for item in items(after(prompt, "Operations:"))]
        return {
            "number": int(between(prompt, "N =", "Operations:")),
            "operations": [item.replace("multiply", "multiply by") for item in operations],
        }


TASK = task(Cumulate())
