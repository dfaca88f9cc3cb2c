"""Task 13: candidates compared with a target, one by one, up to the one that equals it."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench._draws import text
from thence.families.procbench._procedure import Procedure
from thence.families.procbench._published import after, between, items
from thence.families.procbench._shapes import Shape


class Question(TypedDict):
    """``target``, and the ``candidates``, one of which equals it: lower-case letters."""

    target: str
    candidates: list[str]


class Compare(Procedure[Question]):
    """Each step finds what one candidate and the target have in common at their beginning."""

    name = "compare"
    rank = 13
    summary = "compare strings with a target until one equals it"
    states = Shape.TEXT
    final = Shape.TEXTS

    def initial(self, question: Question) -> list[str]:
        """Nothing compared yet; it was published as a list with an empty string."""
        return [""]

    def step(self, question: Question, state: str | list[str], index: int) -> str | None:
        """What the target and the next candidate both begin with, up to the first equal one."""
        target, candidates = question["target"], question["candidates"]
        if index == len(candidates) or (index and candidates[index - 1] == target):
            return None
        pairs = enumerate(zip(target, candidates[index], strict=False))
        return target[: next((place for place, (is_, due) in pairs if is_ != due), None)]

    def conclude(self, question: Question, states: list[str]) -> list[str]:
        """All states, the target among them, which is no intermediate state."""
        final = list(states)
        states.pop()
        return final

    def compose(self, rng: Random, steps: int) -> Question:
        """Candidates that share at least their first letter with the target, as published."""
        target = text(rng, min(max(3, steps + 1), 30))
        candidates = [_candidate(rng, target) for _ in range(steps - 1)]
        candidates.append(target)
        for _ in range(rng.randrange(10)):
            again = rng.random() < 0.15
            candidates.append(target if again else _candidate(rng, target))
        return {"target": target, "candidates": candidates}

    def parse(self, prompt: str) -> Question:
        """``Target: ...`` and ``Candidate: a, b, c``."""
        target = between(prompt, "Target:", "Candidate:")
        return {"target": target, "candidates": items(after(prompt, "Candidate:"))}


def _candidate(rng: Random, target: str) -> str:
    """A string as long as the target that departs from it somewhere after the first letter."""
    place = rng.randrange(1, len(target))
    other = rng.choice(ascii_lowercase.replace(target[place], ""))
    return target[:place] + other + text(rng, len(target) - place - 1)


TASK = Compare()
