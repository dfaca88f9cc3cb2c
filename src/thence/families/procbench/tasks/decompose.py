"""Task 11: replace one letter by two, by rules, from the left end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import batched, chain
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import shuffled, within
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between
from thence.families.procbench.shapes import Shape

_LETTERS = frozenset(ascii_lowercase)


class Question(TypedDict):
    """``rules``: a letter and its two replacements; ``string``: lower-case letters."""

    rules: list[list[str]]
    string: str


class Decompose(ExplicitProcedure[Question]):
    """Each step replaces the leftmost letter that has a rule."""

    name = "decompose"
    rank = 11
    summary = "replace letters of a string with two others by rules until none applies"
    states = Shape.TEXT

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each replacement of the leftmost letter that has a rule."""
        rules, state = dict(question["rules"]), question["string"]
        plain = "".join({*state, *chain(*rules.values())} - rules.keys())
        while rest := state.lstrip(plain):
            state = state[: -len(rest)] + rules[rest[0]] + rest[1:]
            yield state

    def compose(self, rng: Random, steps: int) -> Question:
        """Return letters with a rule, as many as there are steps, among letters without one.

        Rules produce only letters without a rule, like the published rules.
        """
        pool = shuffled(rng, ascii_lowercase, within(rng, 12, 18))
        ruled = rng.choices(pool, k=steps)
        keys = dict.fromkeys(ruled)
        plain = sorted(_LETTERS - keys.keys())
        made = map("".join, batched(rng.choices(plain, k=2 * len(keys)), 2))
        letters = ruled + rng.choices(plain, k=within(rng, 5, 15))
        return {
            "rules": [[key, pair] for key, pair in zip(keys, made, strict=True)],
            "string": "".join(shuffled(rng, letters)),
        }

    def parse(self, prompt: str) -> Question:
        """Parse ``characters: ...``, then ``rules:`` and one ``a -> bc`` per line."""
        lines = after(prompt, "rules:").splitlines()
        rules = [[part.strip() for part in line.split("->")] for line in lines]
        return {"rules": rules, "string": between(prompt, "characters:", "rules:")}


TASK = task(Decompose())
