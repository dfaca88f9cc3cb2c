"""Task 4: count short substrings in ten strings, with a running total per string."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import texts
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

STRINGS = 10


class Question(TypedDict):
    """``strings``, and the ``substrings`` to count in each of them."""

    strings: list[str]
    substrings: list[str]


class Search(ExplicitProcedure[Question]):
    """Each step adds the counts of one substring to a list of totals, one per string."""

    name = "search"
    rank = 4
    summary = "count substrings in several strings, keeping a total for each string"
    states = Shape.NUMBERS
    version = "2-0"

    knobs = (
        ("items", "number of strings"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"items": (1, 200), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> list[int]:
        """Return a zero for each string."""
        return [0] * len(question["strings"])

    def execute(self, question: Question) -> Iterator[list[int]]:
        """Yield the totals after each substring is counted in every string, without overlaps."""
        state, strings = self.initial(question), question["strings"]
        for substring in question["substrings"]:
            state = [
                total + string.count(substring)
                for total, string in zip(state, strings, strict=True)
            ]
            yield state

    def compose(
        self, rng: Random, steps: int, items: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return random strings, into which seven of eight substrings are inserted.

        A quarter of these are inserted twice. So most steps change a total, and some change none.
        """
        bits, known = rng.getrandbits, ascii_lowercase[: alphabet or 26]
        count = items or STRINGS
        lengths = [3 + bits(30) % 6 for _ in range(count)]
        every = texts(rng, [2] * steps + lengths, known)
        substrings, strings = every[:steps], [list(string) for string in every[steps:]]
        for substring in substrings:
            for _ in range((bits(3) > 0) * (1 + (bits(2) == 0))):
                parts = strings[bits(30) % count]  # an inserted substring is not cut by another
                parts.insert(bits(30) % (len(parts) + 1), substring)
        return {"strings": list(map("".join, strings)), "substrings": substrings}

    def parse(self, prompt: str) -> Question:
        """Parse ``Strings: [...]`` and ``Substrings: [...]``."""
        strings = items(between(prompt, "Strings:", "Substrings:"))
        return {"strings": strings, "substrings": items(after(prompt, "Substrings:"))}


TASK = task(Search())
