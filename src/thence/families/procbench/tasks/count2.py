"""Task 14: count the letters of a sentence word by word."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.prose import words
from thence.families.procbench.published_questions import after
from thence.families.procbench.shapes import Shape

_PLACES = {letter: place for place, letter in enumerate(ascii_lowercase)}


class Question(TypedDict):
    """The words of a sentence, in order."""

    words: list[str]


class Count2(ExplicitProcedure[Question]):
    """Each step adds the letters of one word to 26 running counts."""

    name = "count2"
    rank = 14
    summary = "keep count of all 26 letters over the words of a sentence"
    states = Shape.NUMBERS

    def initial(self, question: Question) -> list[int]:
        """Return 26 zeros."""
        return [0] * len(ascii_lowercase)

    def execute(self, question: Question) -> Iterator[list[int]]:
        """Yield the counts after each word, in upper or lower case; digits are not counted."""
        counts = self.initial(question)
        for word in question["words"]:
            for letter in word.lower():
                if letter in _PLACES:
                    counts[_PLACES[letter]] += 1
            yield counts.copy()

    def compose(self, rng: Random, steps: int) -> Question:
        """Return a sentence with one word per step."""
        return {"words": words(rng, steps)}

    def parse(self, prompt: str) -> Question:
        """Parse ``Sentence:`` and the words."""
        return {"words": after(prompt, "Sentence:").split()}


TASK = task(Count2())
