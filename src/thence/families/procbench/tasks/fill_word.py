"""Task 18: fill the gaps of a sentence one by one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import shuffled, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.prose import words
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape

_MANY = 200  # steps above which words are short, as every state holds all words


class Question(TypedDict):
    """``sentence`` with gaps such as ``[3]``; ``fillings``: pairs (number, word) of strings."""

    sentence: str
    fillings: list[list[str]]


class FillWord(ExplicitProcedure[Question]):
    """Each step fills one gap."""

    name = "fill_word"
    rank = 18
    summary = "fill the numbered gaps of a sentence with words"
    states = Shape.TEXT

    knobs = (("state", "words of the sentence, gaps included"),)

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return steps, LARGEST

    def initial(self, question: Question) -> str:
        """Return the sentence with all its gaps."""
        return question["sentence"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the sentence after each word is put into its gap."""
        state = question["sentence"]
        for number, word in question["fillings"]:
            state = state.replace(f"[{number}]", word)
            yield state

    def compose(self, rng: Random, steps: int, state: int | None = None) -> Question:
        """Return a sentence with ``steps`` gaps and up to 20 other words."""
        sentence = words(rng, state or steps + within(rng, 1, 20), short=steps > _MANY)
        fillings = []
        for number, place in enumerate(shuffled(rng, range(len(sentence)), steps), 1):
            fillings.append([str(number), sentence[place]])
            sentence[place] = f"[{number}]"
        return {"sentence": " ".join(sentence), "fillings": fillings}

    def parse(self, prompt: str) -> Question:
        """Parse ``Sentence:`` and ``List: [(number, word), ...]``."""
        return {
            "sentence": between(prompt, "Sentence:", "List:"),
            "fillings": tuples(after(prompt, "List:")),
        }


TASK = task(FillWord())
