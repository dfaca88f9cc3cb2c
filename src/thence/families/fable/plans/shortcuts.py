"""Shortcuts for plans: which steps name the objects of those asked about, and of the fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.shared.own_part import StepParts, own_part, with_parts
from thence.families.fable.shared.part_waits import part_waits
from thence.families.fable.shared.shortcuts import asked_facts, does

_TRIPS = frozenset({"drive-truck", "move", "sail"})  # actions that take other things along
_NO_DIGITS = {ord(digit): None for digit in "0123456789"}


def shape(text: str) -> str:
    """Return an action or a fact without the identity of its objects: ``on(d, peg)``."""
    return text.translate(_NO_DIGITS).replace("left)", "hand)").replace("right)", "hand)")


def stem(word: str) -> str:
    """Return the kind of one of our objects, such as ``peg`` of ``peg2``."""
    return "hand" if word in ("left", "right") else word.translate(_NO_DIGITS)


@lru_cache(8192)
def terms(text: str) -> tuple[str, ...]:
    """Return the objects of an action or a fact, in their order."""
    _, _, rest = text.rstrip(")").partition("(")
    return tuple(rest.split(", ")) if rest else ()


def _objects(shown: ShownQuestion) -> dict[str, Any]:
    actions = shown.sample.metadata["origin"]["actions"]
    named = [set(terms(action)) for action in actions]
    names = [action.partition("(")[0] for action in actions]
    i, j, fact, count = shown.i, shown.j, shown.fact, len(actions)
    if i is None:
        return {}
    own, between = named[i], shown.between
    what = fact.partition("(")[0]
    held: dict[str, Any] = {
        "predicate and action": (shape(fact), names[i]),
        "order of actions between": tuple(names[k] for k in between),
        "action before i": names[i - 1] if i else None,
        "objects of the next": len(own & named[i + 1]) if i + 1 < count else None,
        "same objects in the next": _same(actions, i, i + 1),
        "objects of the previous": len(own & named[i - 1]) if i else None,
        "same objects in the previous": _same(actions, i, i - 1),
        "steps like i later": sum(bool(own & each) for each in named[i + 1 :]),
        "steps like i earlier": sum(bool(own & each) for each in named[:i]),
        "objects again later": len(own & set().union(*named[i + 1 :])),
        "objects before": len(own & set().union(*named[:i])),
        "between like i": sum(bool(own & named[k]) for k in between),
    }
    if j is not None:
        held["predicate and actions"] = (what, names[i], names[j])
        held["objects of i and j"] = len(own & named[j])
        held["kinds of objects of both"] = " ".join(sorted(map(stem, own & named[j])))
        held["same objects in i and j"] = _same(actions, i, j)
        held["between like j"] = sum(bool(named[j] & named[k]) for k in between)
        held["between like both"] = sum(bool(own & named[j] & named[k]) for k in between)
    if fact:
        held |= _of_fact(set(terms(fact)), named, shown)
    return held


def _of_fact(wanted: set[str], named: list[set[str]], shown: ShownQuestion) -> dict[str, Any]:
    i, between = shown.i or 0, shown.between
    some = [k for k in between if wanted & named[k]]
    every = [k for k in between if wanted <= named[k]]
    return {
        "some of the fact between": len(some),
        "first with some": some[0] - i if some else 0,
        "last with some": some[-1] - i if some else 0,
        "last with all": every[-1] - i if every else 0,
        "some of the fact earlier": sum(bool(wanted & named[k]) for k in shown.before),
        "some of the fact after": sum(bool(wanted & named[k]) for k in shown.after),
        "fact in j": None if shown.j is None else len(wanted & named[shown.j]),
        "fact in the last": len(wanted & named[-1]),
        "fact in the first": len(wanted & named[0]),
    }


def _same(actions: list[str], one: int, other: int) -> Any:
    """Return the place in another step of each object of one, or None where there is no step."""
    if not 0 <= other < len(actions):
        return None
    there = terms(actions[other])
    return tuple(there.index(each) if each in there else None for each in terms(actions[one]))


def _in_queues(shown: ShownQuestion) -> dict[str, Any]:
    queues, waits = shown.values.get("queues") or [], shown.values.get("waits") or []
    held: dict[str, Any] = {"queues": len(queues), "waits": len(waits)}
    i, j = shown.i, shown.j
    if i is None or not queues:
        return held
    facts = asked_facts(shown)
    own = next(queue for queue in queues if i in queue)
    place = own.index(i)
    held["next in the queue"] = does(shown.step(own[place + 1]), facts) if own[place + 1 :] else ""
    held["i waits"] = sum(then == i for _, then in waits)
    held["waits for i"] = sum(first == i for first, _ in waits)
    wanted = set(terms(shown.fact))
    actions = shown.sample.metadata["origin"]["actions"]
    named = {k for k, action in enumerate(actions) if wanted <= set(terms(action))}
    held["named in the queue"] = len(named & set(own[place + 1 :]))
    held["named in other queues"] = len(named - set(own))
    if j is not None:
        there = next(queue for queue in queues if j in queue)
        behind = there.index(j)
        held["same queue"] = own is there
        held["same queue, or named elsewhere"] = (own is there, bool(named - set(own)))
        held["order of i and j"] = (own is there, i < j)
        held["before j in the queue"] = does(shown.step(there[behind - 1]), facts) if behind else ""
        held["j waits"] = sum(then == j for _, then in waits)
        held["waits for j"] = sum(first == j for first, _ in waits)
        held["i before j in queues"] = place < behind
        held["waits between"] = sum(min(i, j) <= a and b <= max(i, j) for a, b in waits)
        held["waits from i's queue"] = sum(
            a in own and b in there and a >= i and b <= j for a, b in waits
        )
    return held


def _sharing(
    shown: ShownQuestion, least: int, names: Collection[str] = ()
) -> tuple[int | None, int | None]:
    """Return the nearest steps before and after i that name so many objects of it.

    Args:
        shown: the question.
        least: how many they name.
        names: of the actions that count; all do where none are given.
    """
    i = shown.i or 0
    actions = shown.sample.metadata["origin"]["actions"]
    own = set(terms(actions[i]))
    alike = [
        k
        for k, each in enumerate(actions)
        if k != i
        and (not names or each.partition("(")[0] in names)
        and len(own.intersection(terms(each))) >= least
    ]
    return max((k for k in alike if k < i), default=None), min(
        (k for k in alike if k > i), default=None
    )


def _bounds(after: int | None, before: int | None) -> dict[str, int | None]:
    """Return the interval between two steps, as an answer: numbered from 1."""
    return {
        "after": None if after is None else after + 1,
        "before": None if before is None else before + 1,
    }


def _beside(back: int, ahead: int) -> Callable[[ShownQuestion], dict[str, int | None]]:
    """Return a guess: so many steps back and so many on; 0 for no end."""

    def guess(shown: ShownQuestion) -> dict[str, int | None]:
        i = shown.i or 0
        after = i - back if back and i >= back else None
        return _bounds(after, i + ahead if ahead and i + ahead < len(shown.steps) else None)

    return guess


GUESSES = [
    *(
        Shortcut(
            f"{back} back, {ahead} on", "the interval that many steps back and on; 0: no end",
            _beside(back, ahead), guess=True,
        )
        for back in range(4)
        for ahead in range(4)
    ),
    Shortcut(
        "nearest alike", "the nearest steps that share an object with i",
        lambda s: _bounds(*_sharing(s, 1)), guess=True,
    ),
    Shortcut(
        "nearest much alike", "the nearest steps that share two objects with i",
        lambda s: _bounds(*_sharing(s, 2)), guess=True,
    ),
    Shortcut(
        "nearest trip", "the nearest steps in which a robot, a truck or the ferry goes elsewhere",
        lambda s: _bounds(*_sharing(s, 0, _TRIPS)), guess=True,
    ),
    Shortcut(
        "nearest trip alike", "the nearest of these that share an object with i",
        lambda s: _bounds(*_sharing(s, 1, _TRIPS)), guess=True,
    ),
    Shortcut(
        "neighbour and alike", "the step before, and the nearest later that shares an object",
        lambda s: _bounds((s.i or 0) - 1 if s.i else None, _sharing(s, 1)[1]), guess=True,
    ),
]  # fmt: skip
"""Guesses of an interval."""

SHORTCUTS = group(
    _objects,
    {
        "predicate and action": "kind of the fact and of action i",
        "predicate and actions": "kind of the fact, of action i and of action j",
        "order of actions between": "the kinds of the actions between, in order",
        "action before i": "kind of the action before i",
        "objects of the next": "objects that i shares with the next step",
        "same objects in the next": "which objects of i the next step names, and where",
        "objects of the previous": "objects that i shares with the step before",
        "same objects in the previous": "which objects of i the step before names, and where",
        "steps like i later": "later steps that name an object of i",
        "steps like i earlier": "earlier steps that name an object of i",
        "objects again later": "objects of i that later steps name",
        "objects before": "objects of i that earlier steps name",
        "between like i": "steps between that name an object of i",
        "objects of i and j": "objects that i and j share",
        "kinds of objects of both": "the kinds of the objects that i and j share",
        "same objects in i and j": "which objects of i step j names, and where",
        "between like j": "steps between that name an object of j",
        "between like both": "steps between that name an object that i and j share",
        "some of the fact between": "steps between that name an object of the fact",
        "first with some": "steps from i to the first of these",
        "last with some": "steps from i to the last of these",
        "last with all": "steps from i to the last that names all objects of the fact",
        "some of the fact earlier": "earlier steps that name an object of the fact",
        "some of the fact after": "steps after both that name an object of the fact",
        "fact in j": "objects of the fact that step j names",
        "fact in the last": "objects of the fact that the last step names",
        "fact in the first": "objects of the fact that the first step names",
    },
)
"""Shortcuts that only plans have."""

QUEUES = group(
    _in_queues,
    {
        "queues": "number of queues",
        "waits": "steps that wait for a step of another queue",
        "next in the queue": "what the next step in the queue of i does to the fact",
        "before j in the queue": "what the step before j in its queue does to the fact",
        "named in the queue": "later steps in the queue of i that name all objects of the fact",
        "named in other queues": "steps in other queues that name all objects of the fact",
        "same queue": "steps i and j stand in one queue",
        "same queue, or named elsewhere": "and whether another queue names the fact",
        "order of i and j": "whether they do, and i comes first in the list",
        "i before j in queues": "i has fewer steps before it in its queue than j",
        "i waits": "steps that step i waits for",
        "waits for i": "steps that wait for step i",
        "j waits": "steps that step j waits for",
        "waits for j": "steps that wait for step j",
        "waits between": "waits of which both steps stand from i to j",
        "waits from i's queue": "waits that lead from the queue of i, after it, to that of j",
    },
)
"""Shortcuts that look at the queues in which steps stand."""


def _parts(shown: ShownQuestion) -> StepParts:
    """Return the queues of a plan; all steps are one where there are none."""
    owner = [0] * len(shown.steps)
    for number, queue in enumerate(shown.values.get("queues") or []):
        for step in queue:
            owner[step] = number
    return StepParts(owner, shown.values.get("waits") or [])


_asked = with_parts(_parts)

OWN_QUEUE = own_part(_asked)
"""Shortcuts that look at what other queues than that of a step do."""

WAITS = part_waits(_asked)
"""Shortcuts that look at waits between queues, and at steps without any."""


def _listed(shown: ShownQuestion) -> dict[str, Any]:
    """Return how the queues lie in the list, and which waits there are beside i and j."""
    owner, waits = _parts(shown)
    i, j = shown.i, shown.j
    awaited, waiting = Counter(a for a, _ in waits), Counter(b for _, b in waits)
    held: dict[str, Any] = {}
    if i is not None:
        held["waited for just before i"] = tuple(bool(awaited[i - back]) for back in (1, 2))
        held["queue of the next"] = i + 1 < len(owner) and owner[i + 1] == owner[i]
    if j is not None:
        own = [k for k, each in enumerate(owner) if each == owner[j]]
        behind = [k for k in own if k < j]
        held["gap before j in its queue"] = min(j - behind[-1], 4) if behind else None
        held["queue of the one after j"] = j + 1 < len(owner) and owner[j + 1] == owner[j]
        held["waits in the queue of j"] = min(sum(waiting[k] for k in own if k <= j), 3)
        held["waits for the queue of j"] = min(sum(awaited[k] for k in own if k >= j), 2)
        held["of the queue of j between"] = min(sum(k in shown.between for k in own), 2)
    return held


LISTED = group(
    _listed,
    {
        "waited for just before i": "which of the two steps listed before i are waited for",
        "queue of the next": "the step listed after i stands in its queue",
        "gap before j in its queue": "how far back the step before j in its queue is listed",
        "queue of the one after j": "the step listed after j stands in its queue",
        "waits in the queue of j": "waits in the queue of j, up to it",
        "waits for the queue of j": "waits for a step of the queue of j, from it on",
        "of the queue of j between": "steps of the queue of j that are listed between",
    },
)
"""Shortcuts that look at how queues lie in the list."""
