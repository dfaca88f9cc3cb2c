"""Task 6: replace every character of a string by its partner."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import ALPHANUMERIC, others, shuffled, text
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``pairs``: a character and its replacement; ``string``: letters and digits."""

    pairs: list[list[str]]
    string: str


class Substitute(ExplicitProcedure[Question]):
    """Each step replaces one character and moves on."""

    name = "substitute"
    rank = 6
    summary = "replace the characters of a string by those that they are paired with"
    states = Shape.TEXT

    knobs = (("rules", "number of pairs, which is that of different characters"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return 2, len(ALPHANUMERIC)

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each character is replaced once; one without a pair stays."""
        instead = dict(reversed(question["pairs"]))
        done, rest = "", question["string"]
        while rest:
            done += instead.get(rest[0], rest[0])
            rest = rest[1:]
            yield done + rest

    def compose(self, rng: Random, steps: int, rules: int | None = None) -> Question:
        """Return a random string, and one pair for each character in it."""
        bits, instead = rng.getrandbits, others(ALPHANUMERIC)
        known = "".join(shuffled(rng, ALPHANUMERIC, rules)) if rules else ALPHANUMERIC
        string = text(rng, steps, known)
        every = shuffled(rng, dict.fromkeys(known if rules else string))
        pairs = [[old, instead[old][bits(30) % 35]] for old in every]
        return {"pairs": pairs, "string": string}

    def parse(self, prompt: str) -> Question:
        """Parse ``Pairs:`` and one ``(a, b)`` per line, then ``String: ...``."""
        pairs = tuples(between(prompt, "Pairs:", "String:"))
        return {"pairs": pairs, "string": after(prompt, "String:")}


TASK = task(Substitute())
