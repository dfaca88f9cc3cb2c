"""Task 15: expand a run-length code piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after
from thence.families.procbench.shapes import Shape

_LONGEST_PIECE = 6  # characters of a published piece: runs up to 9,999


class Question(TypedDict):
    """Pieces such as ``0x4``: a character, ``x``, the number of its repetitions."""

    pieces: list[str]


class Decode(ExplicitProcedure[Question]):
    """Each step appends one run."""

    name = "decode"
    rank = 15
    summary = "expand a run-length code of zeros and ones"
    states = Shape.TEXT

    knobs = (("piece", "characters of the longest runs"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 3, 500

    def initial(self, question: Question) -> str:
        """Return the empty string."""
        return ""

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each appended run."""
        state = ""
        for piece in question["pieces"]:
            state += piece[0] * int(piece[2:])
            yield state

    def compose(self, rng: Random, steps: int, piece: int | None = None) -> Question:
        """Return alternating runs of zeros and ones, up to nine long."""
        bits = rng.getrandbits
        turn = bits(1)
        lengths = [1 + bits(30) % (piece or 9) for _ in range(steps)]
        return {"pieces": [f"{(turn + place) % 2}x{long}" for place, long in enumerate(lengths)]}

    def parse(self, prompt: str) -> Question:
        """Parse ``Sentence:`` and the pieces; runs that would fill the memory are refused."""
        pieces = after(prompt, "Sentence:").split()
        if any(len(piece) > _LONGEST_PIECE for piece in pieces):
            raise ValueError("a run is longer than any published one")
        return {"pieces": pieces}


TASK = task(Decode())
