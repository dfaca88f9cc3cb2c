"""Task 9: cut a string at positions counted within its pieces."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import shuffled, split_length, text
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``string``; ``cuts``: pairs (index of a piece, number of characters to cut off)."""

    string: str
    cuts: list[list[int]]


class Split2(ExplicitProcedure[Question]):
    """Each step cuts one piece in two."""

    name = "split2"
    rank = 9
    summary = "cut a string into pieces at positions counted within the pieces"
    states = Shape.TEXTS

    knobs = (("state", "characters of the string"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return steps + 1, LARGEST

    def initial(self, question: Question) -> list[str]:
        """Return a list with the whole string."""
        return [question["string"]]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the pieces after each cut."""
        state = self.initial(question)
        for which, place in question["cuts"]:
            piece = state[which]
            state = [*state[:which], piece[:place], piece[place:], *state[which + 1 :]]
            yield state

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return a random string and distinct cuts, each counted within its piece."""
        length = state or split_length(rng, steps)
        made, cuts = [0], []
        for position in shuffled(rng, range(1, length), steps):
            beyond = bisect(made, position)
            cuts.append([beyond - 1, position - made[beyond - 1]])
            made.insert(beyond, position)
        return {"string": text(rng, length), "cuts": cuts}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...`` and ``Indices: (i, j), (k, l)``."""
        pairs = tuples(after(prompt, "Indices:"))
        cuts = [[int(number) for number in pair] for pair in pairs]
        return {"string": between(prompt, "String:", "Indices:"), "cuts": cuts}


TASK = task(Split2())
