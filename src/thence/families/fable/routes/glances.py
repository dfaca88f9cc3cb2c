"""Glances at trips: waits that may tie two steps, and what each vehicle does with the fact.

Each looks at the parts that a chain or an answer would need, one beside the other. None follows
them from step to step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.routes.shortcuts import asked_parts
from thence.families.fable.shared.own_part import PartQuestion
from thence.families.fable.shared.shortcuts import conflict, does

_THIRD = "Dispatcher"
_FAR = (1, 2, 5, 11)  # steps beyond which a wait is told as one of a class


def _chain(asked: PartQuestion, i: int, j: int) -> Any:
    """Return whether waits can lead from the earlier to the later step, and how far on they begin.

    There is a wait for the one's vehicle, or two of which the dispatcher has one, or none. Of
    these, the last wait of the later step's vehicle tells how many steps after the earlier one
    the go-ahead stands that it is for; none leads on where that stands before it.
    """
    low, high = sorted((i, j))
    owner, waits = asked.owner, asked.waits
    if owner[low] == owner[high]:
        return "same"
    into = [(b, a) for a, b in waits if owner[b] == owner[high] and b <= high]
    if any(owner[a] == owner[low] and a >= low for _, a in into):
        return "wait"
    out = any(owner[a] == owner[low] and a >= low and owner[b] == _THIRD for a, b in waits)
    ahead = [(b, a) for b, a in into if owner[a] == _THIRD]
    if not (out and ahead):
        return "none"
    after = max(ahead)[1] - low
    return sum(after >= each for each in _FAR) or "none"


def _ends(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    """Return what ends the fact between i and j, or elsewhere after j, beside options and waits."""
    between = [k for k in asked.ending if min(i, j) < k < max(i, j)]
    later = [k for k in asked.ending if k > j and asked.owner[k] != asked.owner[j]]
    waited = any(a >= j and asked.owner[a] == asked.owner[j] for a, _ in asked.waits)
    return {
        "ends between, and options": (
            any(not asked.steps[k].get("when") for k in between),
            bool(between),
            bool(asked.steps[j].get("when")),
        ),
        "ended later elsewhere": (bool(between), bool(later), waited),
    }


def _next(asked: PartQuestion, i: int) -> dict[str, Any]:
    """Return what i's part does to the fact next, and what other parts do to it at all."""
    own = next((k for k in asked.own(asked.naming, i) if k > i), None)
    told = None if own is None else (asked.does[own], bool(asked.steps[own].get("when")))
    others = [k for k in asked.naming if asked.owner[k] != asked.owner[i]]
    used = any(k in asked.using for k in others)
    ended = any(k in asked.ending for k in others)
    waits = any(a >= i and asked.owner[a] == asked.owner[i] for a, _ in asked.waits)
    return {
        "next in its part, and users": (told, used),
        "next in its part, and ends": (told and told[0], ended, waits),
        "made elsewhere, not used": any(k in asked.making for k in others) and not used,
    }


def _before(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    """Return what was done last, before i, to what i makes, and before j to what j needs."""
    steps, made, needs = asked.steps, {*asked.steps[i]["defines"]}, {*asked.steps[j]["uses"]}
    last = next((k for k in range(i - 1, -1, -1) if does(steps[k], made)), None)
    told = None if last is None else (
        does(steps[last], made),
        bool(steps[last].get("when")),
        asked.owner[last] == asked.owner[i],
    )  # fmt: skip
    others = (k for k in range(j - 1, -1, -1) if asked.owner[k] != asked.owner[j])
    lately = next((role for k in others if (role := does(steps[k], needs))), None)
    return {"last with what i makes": told, "last elsewhere with what j needs": lately}


def _look(shown: ShownQuestion) -> dict[str, Any]:
    asked = asked_parts(shown)
    i, j = asked.i, asked.j
    if i is None:
        return {}
    if j is None:
        return _next(asked, i)
    held = {
        "chain of waits": _chain(asked, i, j),
        "conflict": conflict(asked.steps[i], asked.steps[j]),
    }
    return held | _ends(asked, i, j) | _before(asked, i, j)


_GLANCES = group(
    _look,
    {
        "chain of waits": "whether waits may lead from the earlier step's vehicle to the later's, "
        "be it through the dispatcher, and how far after the earlier step they begin",
        "conflict": "one of the two ends what the other needs or makes, or makes what it needs",
        "ends between, and options": "whether a step between ends the fact, whether one does so "
        "under all options, and whether j depends on one",
        "ended later elsewhere": "whether a step between ends it, whether another vehicle does so "
        "after j, and whether anyone waits for j's vehicle from j on",
        "next in its part, and users": "what the next step of i's vehicle with the fact does, and "
        "whether it depends on an option and the other vehicle needs the fact",
        "next in its part, and ends": "what that step does, whether another vehicle ends the fact, "
        "and whether anyone waits for i's vehicle from i on",
        "made elsewhere, not used": "the other vehicle makes the fact and never needs it",
        "last with what i makes": "what was done last, before i, to what i makes, whether under an "
        "option, and whether by its vehicle",
        "last elsewhere with what j needs": "what the other vehicle did last, before j, to what j "
        "needs",
    },
)  # fmt: skip
_OF: Mapping[str, Sequence[str]] = {
    "concurrency": ("chain of waits", "conflict"),
    "reaching_definitions": ("chain of waits",),
    "available_expressions": (
        "chain of waits", "ends between, and options", "ended later elsewhere",
    ),
    "live_variables": ("next in its part, and users", "made elsewhere, not used"),
    "very_busy_expressions": ("next in its part, and users", "next in its part, and ends"),
    "type_state": ("last with what i makes", "last elsewhere with what j needs"),
}  # fmt: skip


def glances(analysis: str) -> list[Shortcut]:
    """Return the looks at waits, ends and other vehicles that tell of an analysis."""
    return [each for each in _GLANCES if each.name in _OF.get(analysis, ())]
