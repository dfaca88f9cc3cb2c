"""Choice of questions in which only the truth separates Yes from No.

Instances of one procedure after another are pooled until some key of cues has both answers. One
such key is drawn first, and only then an instance with the wanted answer. The wanted answer does
not influence the key, so every cue has the same distribution for Yes and for No.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from thence.families.fable.shared.domain import Case, Cue, Instance, Unaskable

PATIENCE = 40  # cases within which all cues must match; after these, the last cues are dropped
_MOST_CASES = 400  # maximal number of cases without any instance

SIDES = ("No", "Yes")
"""The answers of a Yes/No question."""

type Candidate = tuple[Case, Instance]


def matched(
    cases: Iterator[Case],
    ask: Callable[[Case], Sequence[Instance]],
    wanted: str,
    rng: Random,
) -> Candidate:
    """Return a question with the wanted answer whose cues a question with the other answer shares.

    Args:
        cases: procedures, one after another.
        ask: returns the questions about a procedure.
        wanted: ``Yes`` or ``No``.
        rng: draws key and question, in the same way for both answers.

    Raises:
        Unaskable: no two questions with different answers were found.
    """
    pool: list[Candidate] = []
    held: dict[tuple[Cue, ...], dict[str, list[Candidate]]] = {}
    for _, case in zip(range(PATIENCE), cases, strict=False):
        for instance in ask(case):
            pool.append((case, instance))
            held.setdefault(instance.cues, {}).setdefault(instance.answer, []).append(pool[-1])
        if found := _pick(held, wanted, rng):
            return found
    longest = max((len(instance.cues) for _, instance in pool), default=0)
    for kept in range(longest - 1, -1, -1):
        coarser: dict[tuple[Cue, ...], dict[str, list[Candidate]]] = {}
        for asked in pool:
            key = asked[1].cues[:kept]
            coarser.setdefault(key, {}).setdefault(asked[1].answer, []).append(asked)
        if found := _pick(coarser, wanted, rng):
            return found
    if not pool:
        raise Unaskable(f"no question about any of {PATIENCE} procedures")
    why = f"{len(pool)} questions of {PATIENCE} procedures, all with one answer"
    raise Unaskable(why, len(pool))


def _pick(
    held: dict[tuple[Cue, ...], dict[str, list[Candidate]]], wanted: str, rng: Random
) -> Candidate | None:
    keys = [key for key, answers in held.items() if len(answers) > 1]
    if not keys:
        return None
    key, place = rng.choice(keys), rng.random()
    asked = held[key][wanted]
    return asked[int(place * len(asked))]


def first(
    cases: Iterator[Case], ask: Callable[[Case], Sequence[Instance]], rng: Random
) -> Candidate:
    """Return a random question about the first procedure that has one.

    Raises:
        Unaskable: none of many procedures has one.
    """
    for _, case in zip(range(_MOST_CASES), cases, strict=False):
        instances = ask(case)
        if instances:
            return case, rng.choice(instances)
    raise Unaskable(f"no question about any of {_MOST_CASES} procedures")


# Many at once -----------------------------------------------------------------------------------

_ROUNDS = 3  # passes in which every question is chosen again
_SPARES = 4  # extra pairs
_PREDICTIVE = 40  # additional weight of a cue that predicts the answer of every question
_LEAST = 1  # weight of every cue
_REPEATED = 1_000_000  # cost of a second question about the same procedure

type Twins = tuple[Candidate, Candidate]
"""A question whose answer is No and one whose answer is Yes."""


def twins(asked: Sequence[Candidate], count: int, rng: Random) -> list[Twins]:
    """Return pairs of questions about different procedures, chosen together so that no cue leans.

    For every value of every cue in `Instance.leanings` there should be as many questions with a Yes
    as with a No. One question after another is exchanged for the one that balances these numbers
    best, with the highest weight on predictive cues. With too few procedures, some are used again.

    Args:
        asked: the available questions, with both answers.
        count: number of pairs; a few spare pairs follow, which are balanced too.
        rng: the source of all randomness.
    """
    choice = _Choice(asked, rng)
    if not all(choice.sides):
        return []
    wanted, every = 2 * count, 2 * (count + _SPARES)
    for places in (range(wanted), range(wanted, every)):
        order = list(places)
        for _ in range(_ROUNDS):
            for place in order:
                choice.choose(place)
            rng.shuffle(order)
    found = [asked[choice.chosen[place]] for place in range(every)]
    return list(zip(found[::2], found[1::2], strict=True))


class _Choice:
    """Chosen questions by index: a No at each even index and a Yes at each odd one."""

    def __init__(self, asked: Sequence[Candidate], rng: Random) -> None:
        self.chosen: dict[int, int] = {}
        self._rng = rng
        self._cases = [id(case) for case, _ in asked]
        self._used = Counter[int]()
        values: dict[tuple[int, Cue], int] = {}
        self._cues = [
            [values.setdefault(value, len(values)) for value in enumerate(instance.leanings)]
            for _, instance in asked
        ]
        sides = [SIDES.index(instance.answer) for _, instance in asked]
        self.sides = [[k for k, own in enumerate(sides) if own == side] for side in range(2)]
        in_all = [0] * len(values)
        for side, cues in zip(sides, self._cues, strict=True):
            for value in cues:
                in_all[value] += 2 * side - 1
        predicted = Counter[int]()  # by cue: how far its values separate Yes from No
        for (cue, _), value in values.items():
            predicted[cue] += abs(in_all[value])
        self._weights = [_LEAST + _PREDICTIVE * predicted[cue] // len(asked) for cue, _ in values]
        self._leaning = [0] * len(values)  # by cue value: weighted surplus of Yes over No

    def choose(self, place: int) -> None:
        """Choose the question that best offsets the leanings of all other questions."""
        if place in self.chosen:
            self._put(place, self.chosen[place], -1)
        sign, leaning = 2 * (place % 2) - 1, self._leaning.__getitem__
        chance = self._rng.random
        best = min(
            (
                sign * sum(map(leaning, self._cues[k])) + _REPEATED * self._used[self._cases[k]],
                chance(),
                k,
            )
            for k in self.sides[place % 2]
        )[2]
        self._put(place, best, 1)
        self.chosen[place] = best

    def _put(self, place: int, question: int, times: int) -> None:
        sign = times * (2 * (place % 2) - 1)
        for value in self._cues[question]:
            self._leaning[value] += sign * self._weights[value]
        self._used[self._cases[question]] += times
