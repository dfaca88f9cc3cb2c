"""Task 22: move a mark along a ring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypedDict

from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``array``: an ``x`` among hyphens; ``moves``: distances, to the left if below 0."""

    array: str
    moves: list[int]


class MoveCyclic(ExplicitProcedure[Question]):
    """Each step is one move."""

    name = "move_cyclic"
    rank = 22
    summary = "move a mark left and right along an array whose ends are joined"
    states = Shape.TEXT

    knobs = (("state", "positions of the array"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 2, LARGEST

    def initial(self, question: Question) -> str:
        """Return the array as given."""
        return question["array"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the array after each move."""
        array = question["array"]
        length, place = len(array), array.index("x")
        for move in question["moves"]:
            place = (place + move) % length
            yield _array(length, place)

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return an array of 10 to 50 positions, and moves that go around at most once."""
        length = state or rng.choice((10, 20, 30, 40, 50))
        bits = rng.getrandbits
        moves = [(1 + bits(30) % length) * (1 if bits(1) else -1) for _ in range(steps)]
        return {"array": _array(length, bits(30) % length), "moves": moves}

    def shown(self, question: Question) -> Mapping[str, Any]:
        """Return the question with the direction and distance of each move as ``told``."""
        told = [("right" if move > 0 else "left", abs(move)) for move in question["moves"]]
        return {**question, "told": told}

    def parse(self, prompt: str) -> Question:
        """Parse ``Initial array:`` and ``Operations: [(right, 8), (left, 3)]``."""
        moves = []
        for direction, distance in tuples(after(prompt, "Operations:")):
            moves.append({"right": 1, "left": -1}[direction] * int(distance))
        return {"array": between(prompt, "Initial array:", "Operations:"), "moves": moves}


def _array(length: int, place: int) -> str:
    return "-" * place + "x" + "-" * (length - place - 1)


TASK = task(MoveCyclic())
