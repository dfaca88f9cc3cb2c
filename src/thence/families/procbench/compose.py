"""Task 10: two neighbouring letters become one, by rules, from the right end."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase
from typing import TypedDict

from thence.families.procbench._procedure import Procedure
from thence.families.procbench._published import after, between, items
from thence.families.procbench._shapes import Shape

FREE_RULES = 30  # beyond these, letters that have a rule already get no further one
REUSE = 0.08
HALF = len(ascii_lowercase) // 2


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

    def step(self, question: Question, state: list[str], index: int) -> list[str] | None:
        """Searches from the right end, as after every replacement, and replaces what it finds."""
        rules = dict(question["rules"])
        for place in range(len(state) - 1, 0, -1):
            made = rules.get(state[place - 1] + state[place])
            if made is not None:
                return [*state[: place - 1], made, *state[place + 1 :]]
        return None

    def compose(self, rng: Random, steps: int) -> Question:
        """Undoes ``steps`` replacements on a final list, each at a random letter.

        The alphabet has two halves. Every rule's letters are of the same half, and neighbours that
        no rule may replace are of different halves. So the final list alternates between them. Its
        letters, and all right letters of pairs, rest until what is left of them is worked off: they
        are of another half than the neighbour on their right, and so are the letters of the pair
        that is put in the place of one, but for the left one, which has the right one as its
        neighbour. A left letter is of the same half as that; the pair in its place must not be.
        """
        shuffled = "".join(rng.sample(ascii_lowercase, len(ascii_lowercase)))
        halves = shuffled[:HALF], shuffled[HALF:]
        total = rng.randint(max(8, steps + 3), max(30, steps + 10))
        letters = [rng.choice(halves[place % 2]) for place in range(total - steps)]
        rests = [True] * len(letters)
        rules: dict[str, str] = {}
        pairs: dict[tuple[str, bool], list[str]] = {}
        for _ in range(steps):
            place = rng.randrange(len(letters))
            letter, rest = letters[place], rests[place]
            known = pairs.setdefault((letter, rest), [])
            if known and (len(rules) >= FREE_RULES or rng.random() < REUSE):
                pair = rng.choice(known)
            else:
                pair = _unused(rng, halves[(letter in halves[0]) != rest], rules)
                rules[pair] = letter
                known.append(pair)
            letters[place : place + 1] = pair
            rests[place : place + 1] = False, True
        size = min(steps, 25)
        for _ in range(rng.randint(1 + size // 8, 2 + size // 4)):
            pair = _unused(rng, halves[rng.randrange(2)], rules)
            rules[pair] = rng.choice(ascii_lowercase)
        listed = [[pair, made] for pair, made in rules.items()]
        rng.shuffle(listed)
        return {"rules": listed, "letters": letters}

    def parse(self, prompt: str) -> Question:
        """``Rules:`` and one ``a, b -> c`` a line, then ``Initial state: ...``."""
        rules = []
        for line in between(prompt, "Rules:", "Initial state:").splitlines():
            pair, _, made = line.partition("->")
            rules.append(["".join(items(pair)), made.strip()])
        return {"rules": rules, "letters": items(after(prompt, "Initial state:"))}


def _unused(rng: Random, half: str, rules: dict[str, str]) -> str:
    """A pair of letters without a rule: the next such one from a random pair on."""
    start = rng.randrange(HALF * HALF)
    for number in range(start, start + HALF * HALF):
        pair = half[number // HALF % HALF] + half[number % HALF]
        if pair not in rules:
            return pair
    raise AssertionError("there are more pairs than rules")


TASK = Compose()
