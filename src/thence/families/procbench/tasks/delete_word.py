"""Task 20: delete words from a sentence, each at its first occurrence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import shuffled, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.prose import words
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """``sentence``: words with single spaces; ``words``: the words to delete, in order."""

    sentence: str
    words: list[str]


class DeleteWord(ExplicitProcedure[Question]):
    """Each step deletes one word."""

    name = "delete_word"
    rank = 20
    summary = "delete words from a sentence, each time the leftmost occurrence"
    states = Shape.TEXT

    knobs = (("state", "words of the sentence"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return steps + 1, LARGEST

    def initial(self, question: Question) -> str:
        """Return the sentence as given."""
        return question["sentence"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the sentence after the leftmost whole word that equals each word is deleted."""
        state = f" {question['sentence']} "
        for word in question["words"]:
            state = state.replace(f" {word} ", " ", 1)
            yield state[1:-1]

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return words of a sentence that has up to 20 more words.

        A third of them are taken from words that occur again, as words or within other words.
        """
        every = words(rng, state or steps + within(rng, 1, 20))
        sentence = " ".join(every)
        mixed = shuffled(rng, range(len(every)))
        again = (place for place in mixed if sentence.count(every[place]) > 1)
        some = islice(again, (steps + 2) // 3)
        chosen = set(islice(dict.fromkeys([*some, *mixed]), steps))
        return {"sentence": sentence, "words": [every[place] for place in mixed if place in chosen]}

    def parse(self, prompt: str) -> Question:
        """Parse ``Sentence:`` and ``Words: [...]``."""
        return {
            "sentence": between(prompt, "Sentence:", "Words:"),
            "words": items(after(prompt, "Words:")),
        }


TASK = task(DeleteWord())
