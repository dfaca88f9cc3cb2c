"""Task 18: the gaps of a sentence, filled one by one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypedDict

from thence.families.procbench.draws import shuffled, within
from thence.families.procbench.procedure import Procedure, task
from thence.families.procbench.prose import words
from thence.families.procbench.published_questions import after, between, tuples
from thence.families.procbench.shapes import Shape

_MANY = 200  # steps above which words are short: a state holds every word, and there are as many


class Question(TypedDict):
    """``sentence`` with gaps such as ``[3]``; ``fillings``: pairs (number, word), both strings."""

    sentence: str
    fillings: list[list[str]]


class FillWord(Procedure[Question]):
    """Each step fills one gap."""

    name = "fill_word"
    rank = 18
    summary = "fill the numbered gaps of a sentence with words"
    states = Shape.TEXT

    def initial(self, question: Question) -> str:
        """The sentence with all its gaps."""
        return question["sentence"]

    def execute(self, question: Question) -> Iterator[str]:
        """Puts the next word into its gap."""
        state = question["sentence"]
        for number, word in question["fillings"]:
            state = state.replace(f"[{number}]", word)
            yield state

    def compose(self, rng: Random, steps: int) -> Question:
        """Takes ``steps`` words out of a sentence that has up to 20 more of them."""
        sentence = words(rng, steps + within(rng, 1, 20), short=steps > _MANY)
        fillings = []
        for number, place in enumerate(shuffled(rng, range(len(sentence)), steps), 1):
            fillings.append([str(number), sentence[place]])
            sentence[place] = f"[{number}]"
        return {"sentence": " ".join(sentence), "fillings": fillings}

    def parse(self, prompt: str) -> Question:
        """``Sentence:`` and ``List: [(number, word), ...]``."""
        return {
            "sentence": between(prompt, "Sentence:", "List:"),
            "fillings": tuples(after(prompt, "List:")),
        }


TASK = task(FillWord())
