"""Task 10: merge two neighbouring letters into one, by rules, from the right end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from string import ascii_lowercase
from typing import Any, TypedDict

from thence.families.procbench.draws import shuffled, text, within
from thence.families.procbench.knobs import LARGEST
from thence.families.procbench.procedure import ExplicitProcedure, task
from thence.families.procbench.published_questions import after, between, items
from thence.families.procbench.shapes import Shape

FREE_RULES = 30  # with as many rules, a letter that a rule produces gets no further rule
REUSE = 0.08
_RULES = 150  # fewer than half of the pairs, which are those of two halves of the alphabet

_HALVES = ascii_lowercase[:13], ascii_lowercase[13:]

# A left letter of a pair, a capital here, is replaced by a pair of the other half.
_PAIRS = [[left.upper() + right for left in half for right in half] for half in _HALVES]
_MAKERS = dict.fromkeys(
    _HALVES[0] + _HALVES[1].upper(), _PAIRS[0]
)  # pairs that may replace each letter
_MAKERS |= dict.fromkeys(_HALVES[1] + _HALVES[0].upper(), _PAIRS[1])


class Question(TypedDict):
    """``rules``: two letters and their replacement; ``letters``: the initial list."""

    rules: list[list[str]]
    letters: list[str]


class Compose(ExplicitProcedure[Question]):
    """Each step replaces the rightmost pair of neighbours that has a rule."""

    name = "compose"
    rank = 10
    summary = "merge neighbouring letters of a list by rules until none applies"
    states = Shape.TEXTS

    knobs = (
        ("state", "letters of the list before the first step"),
        ("rules", "number of rules"),
    )

    def bounds(self, knob: str, steps: int) -> tuple[int, int]:
        """Return the least and the greatest value of a knob."""
        return {"state": (steps + 2, LARGEST), "rules": (min(steps, len(_MAKERS)), _RULES)}[knob]

    def initial(self, question: Question) -> list[str]:
        """Return the list as given."""
        return question["letters"]

    def execute(self, question: Question) -> Iterator[list[str]]:
        """Yield the list after each replacement of the rightmost pair that has a rule.

        Pairs further right keep their letters and have no rule, so the next search begins with the
        new letter and its right neighbour.
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

    def compose(
        self, rng: Random, steps: int, state: int | None = None, rules: int | None = None
    ) -> Question:
        """Return a question made by undoing ``steps`` replacements on a final list.

        No other pair can match on the way, as the alphabet has two halves: the two letters of a
        rule are of the same half, and neighbours that are not a pair are of different halves. So
        the final list alternates between the halves. A letter of it, or the right letter of a pair,
        differs in half from its later right neighbour; the pair that replaces it keeps its half.
        The left letter of a pair is of the same half as the right one; the pair that replaces it
        has to be of the other half.

        Until the letters are renamed at the end, left letters of pairs are capitals, and the halves
        are those of the alphabet.
        """
        random, bits = rng.random, rng.getrandbits
        size = (state or within(rng, max(8, steps + 3), max(30, steps + 6))) - steps
        letters = [""] * size
        letters[::2] = text(rng, (size + 1) // 2, _HALVES[0])
        letters[1::2] = text(rng, size // 2, _HALVES[1])
        made: dict[str, str] = {}  # rules by pair; fewer than half of all pairs have one
        makers: dict[str, list[str]] = {}
        for done in range(steps):
            place = bits(30) % (size + done)
            letter = letters[place]
            known = makers.setdefault(letter, [])
            if known and (rules or len(made) >= FREE_RULES or random() < REUSE):
                pair = known[bits(30) % len(known)]
            else:
                pair = _without_rule(rng, _MAKERS[letter], made)
                made[pair] = pair + letter
                known.append(pair)
            letters[place : place + 1] = pair
        short = min(steps, 25)
        more = rules - len(made) if rules else within(rng, 1 + short // 8, 2 + short // 4)
        for _ in range(more):
            pair = _without_rule(rng, _PAIRS[bits(1)], made)
            made[pair] = pair + ascii_lowercase[bits(30) % 26]
        named = str.maketrans(ascii_lowercase, "".join(shuffled(rng, ascii_lowercase)))
        listed = "".join(shuffled(rng, made.values())).lower().translate(named)
        return {
            "rules": [[listed[at : at + 2], listed[at + 2]] for at in range(0, len(listed), 3)],
            "letters": list("".join(letters).lower().translate(named)),
        }

    def shown(self, question: Question) -> Mapping[str, Any]:
        """Return the question, with the three letters of each rule joined."""
        return {**question, "rules": list(map("".join, question["rules"]))}

    def parse(self, prompt: str) -> Question:
        """Parse ``Rules:`` and one ``a, b -> c`` per line, then ``Initial state: ...``."""
        rules = []
        for line in between(prompt, "Rules:", "Initial state:").splitlines():
            pair, _, made = line.partition("->")
            rules.append(["".join(items(pair)), made.strip()])
        return {"rules": rules, "letters": items(after(prompt, "Initial state:"))}


def _without_rule(rng: Random, pairs: Sequence[str], rules: Mapping[str, str]) -> str:
    """Return one of some pairs; fewer than half of them have a rule."""
    while (pair := pairs[rng.getrandbits(30) % len(pairs)]) in rules:
        pass
    return pair


TASK = task(Compose())
