"""Choosing questions so that nothing but the truth tells Yes from No.

Instances of one procedure after another are pooled until some key of cues has both answers. One
such key is taken by chance, and only then the instance with the wanted answer. The wanted answer
has no part in which key is taken, so every cue has the same distribution for Yes and for No.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from thence.families.fable.shared.domain import Case, Cue, Instance, Unaskable

PATIENCE = 40  # cases within which all cues must match; after that the last ones are given up
_MOST_CASES = 400  # without any instance at all

SIDES = ("No", "Yes")
"""The answers of a question that is no interval."""

type Asked = tuple[Case, Instance]


def matched(
    cases: Iterator[Case],
    ask: Callable[[Case], Sequence[Instance]],
    wanted: str,
    rng: Random,
) -> Asked:
    """A question with the wanted answer whose cues a question with the other answer shares.

    Args:
        cases: procedures, one after another.
        ask: the questions of a procedure.
        wanted: ``Yes`` or ``No``.
        rng: for the choice of key and question; used alike whichever answer is wanted.

    Raises:
        Unaskable: no two questions with different answers were found.
    """
    pool: list[Asked] = []
    held: dict[tuple[Cue, ...], dict[str, list[Asked]]] = {}
    for _, case in zip(range(PATIENCE), cases, strict=False):
        for instance in ask(case):
            pool.append((case, instance))
            held.setdefault(instance.cues, {}).setdefault(instance.answer, []).append(pool[-1])
        if found := _pick(held, wanted, rng):
            return found
    longest = max((len(instance.cues) for _, instance in pool), default=0)
    for kept in range(longest - 1, -1, -1):
        coarser: dict[tuple[Cue, ...], dict[str, list[Asked]]] = {}
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
    held: dict[tuple[Cue, ...], dict[str, list[Asked]]], wanted: str, rng: Random
) -> Asked | None:
    keys = [key for key, answers in held.items() if len(answers) > 1]
    if not keys:
        return None
    key, place = rng.choice(keys), rng.random()
    asked = held[key][wanted]
    return asked[int(place * len(asked))]


def first(cases: Iterator[Case], ask: Callable[[Case], Sequence[Instance]], rng: Random) -> Asked:
    """A question by chance, of the first procedure that has one.

    Raises:
        Unaskable: none of many procedures has one.
    """
    for _, case in zip(range(_MOST_CASES), cases, strict=False):
        instances = ask(case)
        if instances:
            return case, rng.choice(instances)
    raise Unaskable(f"no question about any of {_MOST_CASES} procedures")


# Many at once -----------------------------------------------------------------------------------

_ROUNDS = 3  # how often each question of those chosen is chosen anew
_SPARES = 4  # pairs beyond those wanted
_TELLING = 40  # how much more a cue counts that tells the answer of all questions there are
_LEAST = 1  # what each cue counts
_AGAIN = 1_000_000  # what it costs to ask about a procedure twice

type Twins = tuple[Asked, Asked]
"""A question whose answer is No and one whose answer is Yes."""


def twins(asked: Sequence[Asked], count: int, rng: Random) -> list[Twins]:
    """Pairs of questions of different procedures, chosen together so that no cue leans.

    Of every value of every cue in `Instance.leanings` the questions with a Yes should have as many
    as those with a No. One question after another is exchanged for that which brings these numbers
    closest together, those of telling cues before all. Where there are too few procedures, some are
    asked about again.

    Args:
        asked: the questions that there are, half of them with either answer.
        count: pairs wanted; a few spare ones follow, which lean no more.
        rng: all chance.
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
    """Questions by their places, a No at each even one and a Yes at each odd one."""

    def __init__(self, asked: Sequence[Asked], rng: Random) -> None:
        self.chosen: dict[int, int] = {}
        self._rng = rng
        self._cases = [id(case) for case, _ in asked]
        self._used = Counter[int]()
        values: dict[tuple[int, Cue], int] = {}
        self._cues = [
            [values.setdefault(told, len(values)) for told in enumerate(instance.leanings)]
            for _, instance in asked
        ]
        sides = [SIDES.index(instance.answer) for _, instance in asked]
        self.sides = [[k for k, own in enumerate(sides) if own == side] for side in range(2)]
        in_all = [0] * len(values)
        for side, cues in zip(sides, self._cues, strict=True):
            for value in cues:
                in_all[value] += 2 * side - 1
        told = Counter[int]()  # by cue: how many more answers are right that go by it
        for (cue, _), value in values.items():
            told[cue] += abs(in_all[value])
        self._weights = [_LEAST + _TELLING * told[cue] // len(asked) for cue, _ in values]
        self._leaning = [0] * len(values)  # by value of a cue: how many more Yes than No, weighted

    def choose(self, place: int) -> None:
        """Takes the question that leans most to the other side of what all others lean to."""
        if place in self.chosen:
            self._put(place, self.chosen[place], -1)
        sign, leaning = 2 * (place % 2) - 1, self._leaning.__getitem__
        chance = self._rng.random
        best = min(
            (
                sign * sum(map(leaning, self._cues[k])) + _AGAIN * self._used[self._cases[k]],
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
