"""Task 4: count short substrings in ten strings, with a running total per string."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
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

    def compose(self, rng: Random, steps: int) -> Question:
        """Return random strings, each with up to two of the substrings inserted."""
        bits = rng.getrandbits
        lengths = [3 + bits(30) % 6 for _ in range(STRINGS)]
        every = texts(rng, [2] * steps + lengths)
        substrings, strings = every[:steps], every[steps:]
        for which in range(STRINGS):
            for _ in range(bits(1) + bits(1)):
                string = strings[which]
                place = bits(30) % (len(string) + 1)
                substring = substrings[bits(30) % steps]
                strings[which] = string[:place] + substring + string[place:]
        return {"strings": strings, "substrings": substrings}

    def parse(self, prompt: str) -> Question:
        """Parse ``Strings: [...]`` and ``Substrings: [...]``."""
        strings = items(between(prompt, "Strings:", "Substrings:"))
        return {"strings": strings, "substrings": items(after(prompt, "Substrings:"))}


TASK = task(Search())
