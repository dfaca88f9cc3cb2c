"""Task 13: compare candidates with a target one by one, until one is equal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import others, text
from thence.families.procbench.metrics import prefix_match_length
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

AGAIN = 0.15  # probability that a candidate after the first equal one is equal, too


class Question(TypedDict):
    """``target``, and the ``candidates``, at least one of which equals it: lower-case letters."""

    target: str
    candidates: list[str]


class Compare(ExplicitProcedure[Question]):
    """Each step finds the common prefix of the target and one candidate."""

    name = "compare"
    rank = 13
    summary = "compare strings with a target until one equals it"
    states = Shape.TEXT
    final = Shape.TEXTS

    knobs = (
        ("state", "characters of each string"),
        ("alphabet", "different letters that may occur"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (2, 500), "alphabet": (2, 26)}[knob]

    def initial(self, question: Question) -> list[str]:
        """Return a list with an empty string, the published state before any comparison."""
        return [""]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the common prefix of the target and each candidate, up to the first equal one."""
        target = question["target"]
        for candidate in question["candidates"]:
            yield target[: prefix_match_length(target, candidate)]
            if candidate == target:
                return

    def conclude(self, question: Question, states: list[str]) -> list[str]:
        """Return all states, the target among them, which is not an intermediate state."""
        final = list(states)
        states.pop()
        return final

    def compose(
        self, rng: Random, steps: int, state: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return candidates that share at least their first letter with the target."""
        known = ascii_lowercase[: alphabet or 26]
        random, bits, instead = rng.random, rng.getrandbits, others(known)
        target = text(rng, state or min(max(3, steps + 1), 30), known)
        length = len(target)
        places = [1 + bits(30) % (length - 1) for _ in range(steps - 1 + bits(30) % 10)]
        candidates, drawn = [], text(rng, length * len(places), known)
        for begin, place in zip(range(0, len(drawn), length), places, strict=True):
            other = instead[target[place]][bits(30) % (len(known) - 1)]
            rest = drawn[begin + place + 1 : begin + length]
            candidates.append(target[:place] + other + rest)
        candidates.insert(steps - 1, target)
        for place in range(steps, len(candidates)):
            if random() < AGAIN:
                candidates[place] = target
        return {"target": target, "candidates": candidates}

    def parse(self, prompt: str) -> Question:
        """Parse ``Target: ...`` and ``Candidate: a, b, c``."""
        target = between(prompt, "Target:", "Candidate:")
        return {"target": target, "candidates": items(after(prompt, "Candidate:"))}


TASK = task(Compare())
