"""Choosing questions so that nothing but the truth tells Yes from No.

Instances of one procedure after another are pooled until some key of cues has both answers. One
such key is taken by chance, and only then the instance with the wanted answer. The wanted answer
has no part in which key is taken, so every cue has the same distribution for Yes and for No.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from thence.families.fable._domain import Case, Cue, Instance

PATIENCE = 40  # cases within which all cues must match; after that the last ones are given up
_MOST_CASES = 400  # without any instance at all

type Asked = tuple[Case, Instance]


class Unaskable(ValueError):
    """No question with two answers was found in many procedures."""


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
    raise Unaskable(f"{len(pool)} questions of {PATIENCE} procedures, all with one answer")


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
