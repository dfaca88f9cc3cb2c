"""Task 1: selection sort by swapping, one state per swap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench.draws import shuffled, text, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after
from thence.families.procbench.shapes import Shape


class Question(TypedDict):
    """The string to sort: lower-case letters."""

    string: str


class Sort(ExplicitProcedure[Question]):
    """Each step swaps the smallest letter of the unsorted rest to the front of the rest."""

    name = "sort"
    rank = 1
    summary = "sort a string by swapping two characters at a time"
    states = Shape.TEXT

    knobs = (
        ("state", "characters of the string"),
        ("alphabet", "different letters that may occur, of which the last occurs once"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (steps + 1, LARGEST), "alphabet": (4, 26)}[knob]

    def initial(self, question: Question) -> str:
        """Return the string as given."""
        return question["string"]

    def execute(self, question: Question) -> Iterator[str]:
        """Yield the string after each swap of the smallest remaining letter into its position.

        Positions that hold their letter already take no step.
        """
        letters = list(question["string"])
        # Once the front is sorted, the smallest letter of the rest is the next in sorted order.
        for place, smallest in enumerate(sorted(letters)):
            letter = letters[place]
            if letter != smallest:
                letters[letters.index(smallest, place)] = letter
                letters[place] = smallest
                yield "".join(letters)

    def compose(
        self, rng: Random, steps: int, state: int | None = None, alphabet: int | None = None
    ) -> Question:
        """Return a question made by undoing ``steps`` swaps on a sorted string, from its end.

        A swap that brings a letter to ``place`` from a later position is undone with any later
        position before the letter's next occurrence. There is such a position as long as the right
        neighbour holds another letter, which a swap undone there ensures. So positions are skipped
        only where a new letter begins, and the last letter is unique.
        """
        bits = rng.getrandbits
        top = alphabet - 1 if alphabet else 12 + bits(30) % 14
        if state:
            return {"string": _spread(rng, steps, state, top)}
        spare = 1 + bits(30) % 3
        letters = sorted(text(rng, steps + spare, ascii_lowercase[:top]))
        different = dict.fromkeys(letters)
        passing = shuffled(rng, different, min(spare, len(different)))
        passed = [letters.index(letter) for letter in passing]
        letters.append(ascii_lowercase[top])
        nearest = {letters[-1]: len(letters) - 1}  # next position of each letter to the right
        undone = 0
        for place in range(len(letters) - 2, -1, -1):
            letter = letters[place]
            if place in passed or undone == steps:
                nearest[letter] = place
                continue
            beyond = nearest.get(letter, len(letters))  # at least two positions away
            partner = place + 1 + bits(30) % (beyond - place - 1)
            letters[place], letters[partner] = letters[partner], letter
            nearest[letters[place]], nearest[letter] = place, partner
            undone += 1
        return {"string": "".join(letters)}

    def parse(self, prompt: str) -> Question:
        """Parse ``String: ...``."""
        return {"string": after(prompt, "String:")}


def _spread(rng: Random, steps: int, size: int, top: int) -> str:
    """Return a string of a size that ``steps`` swaps sort, which are spread over all of it.

    Of each run of equal letters the last ones are moved away, by undoing swaps from the end. The
    right neighbour of such a letter is then another one, so there is a position to move it to.
    """
    letters = [*sorted(text(rng, size - 1, ascii_lowercase[:top])), ascii_lowercase[top]]
    moved = Counter(letters[place] for place in shuffled(rng, range(size - 1), steps))
    nearest = {letters[-1]: size - 1}  # next position of each letter to the right
    for place in range(size - 2, -1, -1):
        letter = letters[place]
        if moved[letter] > 0:
            moved[letter] -= 1
            beyond = nearest.get(letter, size)
            partner = within(rng, place + 1, beyond - 1)
            letters[place], letters[partner] = letters[partner], letter
            nearest[letters[place]], nearest[letter] = place, partner
        else:
            nearest[letter] = place
    return "".join(letters)


TASK = task(Sort())
