"""Task 11: replace one letter by two, by rules, from the left end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import shuffled, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between
from thence.families.procbench.shapes import Shape

_LONGEST = 4  # steps that one letter and what comes of it take


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
    version = "2-0"
    knobs = (
        ("state", "letters of the string before the first step"),
        ("rules", "number of rules"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (steps, LARGEST), "rules": (1, 20)}[knob]

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

    def compose(
        self, rng: Random, steps: int, state: int | None = None, rules: int | None = None
    ) -> Question:
        """Return letters whose replacements take ``steps`` in all, among letters without a rule.

        Half of the rules, but the first, produce a letter that has an earlier rule: so about every
        third step replaces a letter that a step before it put in.
        """
        bits = rng.getrandbits
        letters = shuffled(rng, ascii_lowercase)
        count = rules or min(steps, within(rng, 6, 14))
        keys, plain = letters[:count], letters[count:]
        takes: dict[str, int] = {}  # steps that a letter and what comes of it take
        made: dict[str, str] = {}
        for key in keys:
            pair = rng.choices(plain, k=2)
            earlier = [letter for letter, each in takes.items() if each < min(_LONGEST, steps)]
            if earlier and (bits(1) or len(made) == 1):
                pair[bits(1)] = earlier[bits(30) % len(earlier)]
            takes[key] = 1 + sum(takes.get(letter, 0) for letter in pair)
            made[key] = "".join(pair)
        ruled: list[str] = []
        left = steps
        while left:
            fitting = [key for key in keys if takes[key] <= left]
            if not ruled and len(fitting) > 1:
                fitting = [key for key in fitting if takes[key] > 1] or fitting
            ruled.append(fitting[bits(30) % len(fitting)])
            left -= takes[ruled[-1]]
        used = dict.fromkeys(ruled)
        for key in reversed(keys):  # a rule produces letters of earlier rules alone
            if key in used:
                used |= dict.fromkeys(letter for letter in made[key] if letter in made)
        more = state - len(ruled) if state else within(rng, 5, 15)
        named = keys if rules else used
        return {
            "rules": [[key, made[key]] for key in shuffled(rng, named)],
            "string": "".join(shuffled(rng, ruled + rng.choices(plain, k=more))),
        }

    def parse(self, prompt: str) -> Question:
        """Parse ``characters: ...``, then ``rules:`` and one ``a -> bc`` per line."""
        lines = after(prompt, "rules:").splitlines()
        rules = [[part.strip() for part in line.split("->")] for line in lines]
        return {"rules": rules, "string": between(prompt, "characters:", "rules:")}


TASK = task(Decompose())
