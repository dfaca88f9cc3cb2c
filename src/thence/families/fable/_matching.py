"""Choosing questions so that nothing but the truth tells Yes from No.

Instances of one procedure after another are pooled until some key of cues has both answers. One
such key is taken by chance, and only then the instance with the wanted answer. The wanted answer
has no part in which key is taken, so every cue has the same distribution for Yes and for No.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from thence.families.fable._domain import Case, Cue, Instance

PATIENCE = 40  # cases within which all cues must match; after that the last ones are given up
_MOST_CASES = 400  # without any instance at all

SIDES = ("No", "Yes")
"""The answers of a question that is no interval."""

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


# Many at once -----------------------------------------------------------------------------------

_SAME = (4, 3, 2, 1)  # how many of the first cues two questions must share, at first and at last
_LOOKED_AT = 40  # questions of each answer among which those most alike are looked for
_OF_A_GROUP = 20  # pairs with the same first cue
_FAR = 3  # how much cues that are words, or numbers far apart, tell two questions apart
_FIRST = 4  # what differing in the second cue costs besides; in each further one a little less
_LEAN = 8.0  # what it costs to make the cues lean further to one answer
_WEIGHTS = (1, 3, 3, 2)  # how much the first cues count there, a further one as much as the first

type Twins = tuple[Asked, Asked]
"""A question whose answer is No and one whose answer is Yes, alike in their cues."""


def twins(asked: Sequence[Asked], count: int, rng: Random) -> list[Twins]:
    """Pairs of questions of different procedures, as alike in their cues as can be found.

    The first cue of the two is always the same, the next ones wherever enough are found. What else
    differs in one pair is made up for by the others, so that no cue is commoner with one answer in
    all. The first ``count`` pairs share no procedure.

    Args:
        asked: the questions that there are.
        count: pairs wanted without a procedure in common; other ones follow as spares.
        rng: all chance.
    """
    chosen, spare, used = list[Twins](), list[Twins](), set[int]()
    leaning = Counter[tuple[int, Cue]]()  # by cue and its value: how many more Yes than No
    for same in _SAME:
        left = _alike([each for each in asked if id(each[0]) not in used], same, rng)
        spare += [pair for _, pair in left[:count]]
        while left and len(chosen) < count:
            best = min(left, key=lambda each: each[0] + _LEAN * _more(leaning, each[1]))[1]
            chosen.append(best)
            used |= _cases(best)
            leaning.update(_told(best[1]))
            leaning.subtract(_told(best[0]))
            left = [each for each in left if used.isdisjoint(_cases(each[1]))]
    unused = [pair for pair in spare if used.isdisjoint(_cases(pair))]
    return chosen + (unused or spare)


def _alike(asked: Sequence[Asked], same: int, rng: Random) -> list[tuple[int, Twins]]:
    """Pairs with how much their cues differ, the most alike first, those that tie by chance."""
    groups: dict[tuple[Cue, ...], dict[str, list[Asked]]] = {}
    for each in asked:
        groups.setdefault(each[1].cues[:same], {}).setdefault(each[1].answer, []).append(each)
    found: list[tuple[int, float, Twins]] = []
    for held in groups.values():
        if len(held) > 1:
            sides = [rng.sample(held[side], min(len(held[side]), _LOOKED_AT)) for side in SIDES]
            found += _closest(sides[0], sides[1], rng)
    found.sort(key=lambda each: each[:2])
    return [(apart, pair) for apart, _, pair in found]


def _cases(pair: Twins) -> set[int]:
    return {id(case) for case, _ in pair}


def _told(asked: Asked) -> list[tuple[int, Cue]]:
    return list(enumerate(asked[1].cues))


def _more(leaning: Mapping[tuple[int, Cue], int], pair: Twins) -> int:
    """How much more the cues would lean to one answer with a pair than they do now."""
    more = 0
    for told, other in zip(_told(pair[1]), _told(pair[0]), strict=True):
        if told != other:
            place = told[0]
            further = abs(leaning[told] + 1) - abs(leaning[told])
            further += abs(leaning[other] - 1) - abs(leaning[other])
            more += further * (_WEIGHTS[place] if place < len(_WEIGHTS) else 1)
    return more


def _closest(
    no: Sequence[Asked], yes: Sequence[Asked], rng: Random
) -> list[tuple[int, float, Twins]]:
    """The best pairs of a group, each question in one at most; the second best a little worse."""
    every = sorted(
        (
            (_apart(one[1].cues, other[1].cues), rng.random(), (one, other))
            for one in no
            for other in yes
            if one[0] is not other[0]
        ),
        key=lambda each: each[:2],
    )
    found, used = list[tuple[int, float, Twins]](), set[int]()
    for apart, chance, pair in every:
        both = {id(pair[0][1]), id(pair[1][1])}
        if not used & both and len(found) < _OF_A_GROUP:
            found.append((apart + len(found), chance, pair))
            used |= both
    return found


def _apart(one: Sequence[Cue], other: Sequence[Cue]) -> int:
    """How much the cues of two questions differ, the first left out."""
    apart = 0
    for place, (a, b) in enumerate(zip(one[1:], other[1:], strict=True)):
        if a != b:
            near = isinstance(a, int) and isinstance(b, int)
            apart += min(abs(int(a) - int(b)), _FAR) if near else _FAR
            apart += max(0, _FIRST - place)
    return apart
