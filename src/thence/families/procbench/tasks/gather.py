"""Task 2: append substrings of several strings one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import ALPHANUMERIC, piece_length, texts
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items, tuples
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``strings``; ``picks``: triples (index of a string, start, length), all 0-based."""

    strings: list[str]
    picks: list[list[int]]


class Gather(ExplicitProcedure[Question]):
    """Each step appends one substring."""

    name = "gather"
    rank = 2
    summary = "append substrings picked out of several strings"
    states = Shape.TEXT

    knobs = (
        ("items", "number of strings"),
        ("piece", "characters of each piece"),
        ("alphabet", "different characters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"items": (2, 200), "piece": (1, 200), "alphabet": (2, len(ALPHANUMERIC))}[knob]

    def initial(self, question: Question) -> str:
        """Return the empty string."""
        return ""

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each appended substring."""
        state = ""
        for which, start, length in question["picks"]:
            state += question["strings"][which][start : start + length]
            yield state

    def compose(
        self,
        rng: Random,
        steps: int,
        items: int | None = None,
        piece: int | None = None,
        alphabet: int | None = None,
    ) -> Question:
        """Return ten to fifteen strings, and picks that lie within them."""
        bits = rng.getrandbits
        least = piece or 5
        lengths = [least + bits(30) % 6 for _ in range(items or 10 + bits(30) % 6)]
        strings = texts(rng, lengths, ALPHANUMERIC[-alphabet:] if alphabet else ALPHANUMERIC)
        longest = piece_length(steps, 7)
        picks, count = [], len(strings)
        for _ in range(steps):
            which = bits(30) % count
            start = bits(30) % (lengths[which] - piece + 1 if piece else lengths[which])
            length = piece or 1 + bits(30) % min(longest, lengths[which] - start)
            picks.append([which, start, length])
        return {"strings": strings, "picks": picks}

    def parse(self, prompt: str) -> Question:
        """Parse ``Strings: [...]`` and ``Sets of Numbers: [(N, i, n), ...]``."""
        strings = items(between(prompt, "Strings:", "Sets of Numbers:"))
        triples = tuples(after(prompt, "Sets of Numbers:"))
        return {"strings": strings, "picks": [[int(number) for number in row] for row in triples]}


TASK = task(Gather())
