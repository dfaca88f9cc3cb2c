"""Surface cues of a plan question, for shortcuts that do not track the facts.

`cues` match the questions about a user's own plan one by one. `leanings` are counted when many
questions are selected together (see `matching.twins`): the positions and names of the steps in
question, in which a plan and its twin agree, and the positions of the objects, in which they
differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

from thence.families.fable.shared.domain import Cue

_NO_DIGITS = {ord(digit): None for digit in "0123456789"}
_NONE = -1  # where there is no such step

type Asked = dict[str, Any]


class Seen:
    """The surface of a plan in one of its orders.

    Attributes:
        kind: kind of the plan.
        names: names of its actions, without the numbers of objects.
        terms: the objects of each action, in their order.
        objects: the objects of each action, as sets.
    """

    def __init__(self, kind: str, actions: Sequence[str]) -> None:
        self.kind = kind
        self.names = [shape(action) for action in actions]
        self.terms = [terms(action) for action in actions]
        self.objects = [frozenset(held) for held in self.terms]
        self._mentioning: dict[str, list[int]] = {}

    def mentions(self, fact: str, low: int, high: int) -> int:
        """Return the number of steps in [low, high) that name every object of a fact."""
        return sum(low <= k < high for k in self.naming(fact))

    def naming(self, fact: str) -> list[int]:
        """Return the steps that name every object of a fact."""
        found = self._mentioning.get(fact)
        if found is None:
            wanted = frozenset(terms(fact))
            found = [k for k, held in enumerate(self.objects) if wanted <= held]
            self._mentioning[fact] = found
        return found


def cues(view: Seen, asked: Asked) -> tuple[Cue, ...]:
    """Return the cues for matching questions one by one, the most predictive first."""
    i, j, fact, number = asked["i"], asked.get("j"), asked.get("fact"), len(view.names)
    who = [view.names[i]] if fact is None else [view.names[i], shape(fact)]
    if j is None:
        said = partial(view.mentions, str(fact))
        told = said(i + 1, number), said(i, i + 1), said(0, i)
        return view.kind, _ahead(view, asked), " ".join(who), number - i, *told, i, int(i == 0)
    who.append(view.names[j])
    low, high = min(i, j), max(i, j)
    shared = " ".join(sorted(map(stem, view.objects[i] & view.objects[j])))
    pair, place = (view.kind, " ".join(who), j - i, shared), (low, number - high, number)
    between = " ".join(sorted({name.partition("(")[0] for name in view.names[low + 1 : high]}))
    if fact is not None:
        said = partial(view.mentions, fact)
        there = said(j, j + 1), said(low + 1, high), said(i, i + 1), said(high + 1, number)
        kind, what, apart, *rest = pair
        ahead = _ahead(view, asked)
        return kind, ahead, apart, what, *rest, *there, between, *place, said(0, low)
    if "sanitizers" in asked:
        (k,) = asked["sanitizers"]
        return *pair, view.names[k], k - i, between, *place
    return *pair, between, *place


def _ahead(view: Seen, asked: Asked) -> str:
    """Return the distances to the first and to the last later mention of a fact."""
    found = [k - asked["i"] for k in view.naming(str(asked["fact"])) if k > asked["i"]]
    return f"{found[0]}-{found[-1]}" if found else ""


def leanings(view: Seen, asked: Asked) -> tuple[Cue, ...]:
    """Return all cues to balance one by one, each as frequent with Yes as with No."""
    i, j, fact = asked["i"], asked.get("j"), asked.get("fact")
    (checked,) = asked.get("sanitizers") or (None,)
    told = [place for place in (i, j, checked) if place is not None]
    names = [name.partition("(")[0] for name in view.names]
    what = "" if fact is None else shape(fact)
    found: list[Cue] = [view.kind, len(names), names[0], names[-1], what]
    found.append(" ".join([what, *(names[place] for place in told)]))
    for place in told:
        found += _place(view, names, place)
    for a, b in combinations(told, 2):
        found += _between(view, names, a, b)
    if fact is not None:
        found += _of_fact(view, names, asked)
    return tuple(found)


def _place(view: Seen, names: Sequence[str], place: int) -> list[Cue]:
    """Return the cues of a step's position and of the objects shared with its neighbours."""
    number, own = len(names), view.objects[place]
    ahead = [len(own & held) for held in view.objects[place + 1 :]]
    behind = [len(own & held) for held in view.objects[:place][::-1]]
    found: list[Cue] = [place, number - place, 4 * place // number, names[place]]
    for near, shared in ((place + 1, ahead), (place - 1, behind)):
        there = bool(shared)
        found += [
            names[near] if there else "",
            shared[0] if there else _NONE,
            _coinciding(view, place, near) if there else "",
            sum(map(bool, shared)),
            sum(shared),
            next((k for k, number in enumerate(shared, 1) if number), 0),
        ]
    for others in (view.objects[place + 1 :], view.objects[:place]):
        found.append(len(own & frozenset().union(*others)))
    return found


def _between(view: Seen, names: Sequence[str], a: int, b: int) -> list[Cue]:
    """Return the cues of two steps: distance, shared objects, and those of steps between them."""
    low, high = min(a, b), max(a, b)
    one, other, middle = view.objects[a], view.objects[b], view.objects[low + 1 : high]
    return [
        b - a,
        " ".join(names[low + 1 : high]),
        len(one & other),
        _coinciding(view, a, b),
        sum(bool(held & one) for held in middle),
        sum(bool(held & other) for held in middle),
        sum(bool(held & one) and bool(held & other) for held in middle),
        sum(bool(held & one & other) for held in middle),
        sum(len(held & one) + len(held & other) for held in middle),
    ]


def _coinciding(view: Seen, a: int, b: int) -> str:
    """Return the pairs of argument positions at which two steps have the same object."""
    there = view.terms[b]
    return " ".join(str(there.index(each)) if each in there else "-" for each in view.terms[a])


def _of_fact(view: Seen, names: Sequence[str], asked: Asked) -> list[Cue]:
    """Return the cues of the steps that name all objects, or some objects, of a fact."""
    i, j = asked["i"], asked.get("j")
    wanted = frozenset(terms(asked["fact"]))
    some = [len(wanted & held) for held in view.objects]
    every = view.naming(asked["fact"])
    later = [k for k in every if k > i]
    some_later = [k for k, number in enumerate(some) if number and k > i]
    some_before = [k for k, number in enumerate(some) if number and k < i]
    found: list[Cue] = [
        later[0] - i if later else 0,
        later[-1] - i if later else 0,
        len(later),
        len(every),
        " ".join(names[k] for k in later),
        names[later[0]] if later else "",
        some_later[0] - i if some_later else 0,
        names[some_later[0]] if some_later else "",
        len(some_later),
        len(some_before),
        some[i + 1] if i + 1 < len(some) else _NONE,
        some[i - 1] if i else _NONE,
        some[0],
        some[-1],
        len(wanted & frozenset().union(*view.objects[i + 1 :])),
    ]
    if j is not None:
        low, high = min(i, j), max(i, j)
        inside = [k for k in every if low < k < high]
        near = [k for k in range(low + 1, high) if some[k]]
        found += [
            some[j],
            some[j - 1] if j else _NONE,
            len(inside),
            " ".join(names[k] for k in inside),
            len(near),
            near[0] - low if near else 0,
            high - near[-1] if near else 0,
            sum(k > high for k in every),
        ]
    return found


def shape(text: str) -> str:
    """Return an action or a fact without the identity of its objects: ``on(d, peg)``."""
    return text.translate(_NO_DIGITS).replace("left)", "hand)").replace("right)", "hand)")


def stem(word: str) -> str:
    """Return the kind of one of our objects, such as ``peg`` of ``peg2``."""
    return "hand" if word in ("left", "right") else word.translate(_NO_DIGITS)


def terms(text: str) -> tuple[str, ...]:
    """Return the objects of an action or a fact, in their order."""
    _, _, rest = text.rstrip(")").partition("(")
    return tuple(rest.split(", ")) if rest else ()
