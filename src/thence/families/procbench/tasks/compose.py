"""Task 10: two neighbouring letters become one, by rules, from the right end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from string import ascii_lowercase
from typing import Any, TypedDict

from thence.families.procbench.draws import shuffled, text, within
from thence.families.procbench.procedure import Procedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

FREE_RULES = 30  # beyond these, a letter that some rule makes gets no further one
REUSE = 0.08

_HALVES = ascii_lowercase[:13], ascii_lowercase[13:]

# Of a letter that is the left one of its pair, a capital here, the pair that is put in its place
# has to be of the other half.
_PAIRS = [[left.upper() + right for left in half for right in half] for half in _HALVES]
_MAKERS = dict.fromkeys(_HALVES[0] + _HALVES[1].upper(), _PAIRS[0])  # of each letter
_MAKERS |= dict.fromkeys(_HALVES[1] + _HALVES[0].upper(), _PAIRS[1])


class Question(TypedDict):
    """``rules``: two letters and the one that replaces them; ``letters``: the initial list."""

    rules: list[list[str]]
    letters: list[str]


class Compose(Procedure[Question]):
    """Each step replaces the rightmost pair of neighbours for which there is a rule."""

    name = "compose"
    rank = 10
    summary = "merge neighbouring letters of a list by rules until none applies"
    states = Shape.TEXTS

    def initial(self, question: Question) -> list[str]:
        """The list as given."""
        return question["letters"]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Replaces the rightmost pair for which there is a rule.

        Pairs further right stay as they were, without a rule, so the next search begins with what
        was put in the pair's place and its new neighbour.
        """
        rules, state = dict(question["rules"]), question["letters"]
        place = len(state) - 1
        while place > 0:
            made = rules.get(state[place - 1] + state[place])
            if made is None:
                place -= 1
            else:
                state = [*state[: place - 1], made, *state[place + 1 :]]
                yield state
                place = min(place, len(state) - 1)

    def compose(self, rng: Random, steps: int) -> Question:
        """Undoes ``steps`` replacements on a final list, each at a random letter.

        No other pair can match on the way, as the alphabet has two halves: the two letters of a
        rule are of the same half, and letters that come to lie side by side without being a pair
        are of different halves. So the final list alternates between the halves. A letter of it,
        or the right letter of a pair, differs in half from what will lie on its right; the pair
        that is put in its place keeps its half. The left letter of a pair is of the same half as
        the right one; the pair that is put in its place has to be of the other.

        Until the letters get their names, in the end, left letters of pairs are capitals, and the
        halves those of the alphabet.
        """
        random, bits = rng.random, rng.getrandbits
        size = within(rng, max(8, steps + 3), max(30, steps + 6)) - steps
        letters = [""] * size
        letters[::2] = text(rng, (size + 1) // 2, _HALVES[0])
        letters[1::2] = text(rng, size // 2, _HALVES[1])
        rules: dict[str, str] = {}  # by their pairs, less than half of all there are
        makers: dict[str, list[str]] = {}
        for done in range(steps):
            place = bits(30) % (size + done)
            letter = letters[place]
            known = makers.setdefault(letter, [])
            if known and (len(rules) >= FREE_RULES or random() < REUSE):
                pair = known[bits(30) % len(known)]
            else:
                pair = _without_rule(rng, _MAKERS[letter], rules)
                rules[pair] = pair + letter
                known.append(pair)
            letters[place : place + 1] = pair
        short = min(steps, 25)
        for _ in range(within(rng, 1 + short // 8, 2 + short // 4)):
            pair = _without_rule(rng, _PAIRS[bits(1)], rules)
            rules[pair] = pair + ascii_lowercase[bits(30) % 26]
        named = str.maketrans(ascii_lowercase, "".join(shuffled(rng, ascii_lowercase)))
        listed = "".join(shuffled(rng, rules.values())).lower().translate(named)
        return {
            "rules": [[listed[at : at + 2], listed[at + 2]] for at in range(0, len(listed), 3)],
            "letters": list("".join(letters).lower().translate(named)),
        }

    def shown(self, question: Question) -> Mapping[str, Any]:
        """The question, with the three letters of each rule in a row."""
        return {**question, "rules": list(map("".join, question["rules"]))}

    def parse(self, prompt: str) -> Question:
        """``Rules:`` and one ``a, b -> c`` a line, then ``Initial state: ...``."""
        rules = []
        for line in between(prompt, "Rules:", "Initial state:").splitlines():
            pair, _, made = line.partition("->")
            rules.append(["".join(items(pair)), made.strip()])
        return {"rules": rules, "letters": items(after(prompt, "Initial state:"))}


def _without_rule(rng: Random, pairs: Sequence[str], rules: Mapping[str, str]) -> str:
    """One of some pairs, of which less than half have a rule."""
    while (pair := pairs[rng.getrandbits(30) % len(pairs)]) in rules:
        pass
    return pair


TASK = task(Compose())
