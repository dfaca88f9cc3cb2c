"""Shortcuts that look at the steps next to those asked about: do they need the fact, or end it?

They are for domains whose steps say themselves what they need. What a step of a recipe works with
is told by the steps before it, so that recipes have other shortcuts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any

from thence.core.shortcuts import ShownQuestion, group

ROLES = ("uses", "kills", "defines")
_NEAR = {
    "next": ("i", 1, "the step after i"),
    "second next": ("i", 2, "the second step after i"),
    "previous": ("i", -1, "the step before i"),
    "before j": ("j", -1, "the step before j"),
    "at j": ("j", 0, "step j"),
    "after j": ("j", 1, "the step after j"),
}


def asked_facts(shown: ShownQuestion) -> set[str]:
    """Return the fact that is asked about; where there is none, what step i makes."""
    fact = shown.values.get("fact")
    at = shown.step(shown.i)
    return {fact} if fact else set(at["defines"]) if at else set()


def does(step: Mapping[str, Any] | None, facts: set[str]) -> str | None:
    """Return what a step does to some facts, such as ``uses kills``."""
    if step is None:
        return None
    return " ".join(role for role in ROLES if not facts.isdisjoint(step[role]))


def conflict(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether a step ends what the other needs or makes, or makes what it needs."""
    return any(
        not {*one["kills"]}.isdisjoint((*other["uses"], *other["defines"]))
        or not {*one["defines"]}.isdisjoint(other["uses"])
        for one, other in permutations((a, b))
    )


def exclude(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether the conditions of two steps never hold together."""
    chosen = dict(a.get("when") or ())
    return any(chosen.get(choice, option) != option for choice, option in b.get("when") or ())


def _near(shown: ShownQuestion) -> dict[str, Any]:
    facts = asked_facts(shown)
    places = {"i": shown.i, "j": shown.j}
    held: dict[str, Any] = {
        name: does(shown.step(places[which], ahead), facts)
        for name, (which, ahead, _) in _NEAR.items()
    }
    soon = [held["next"], held["second next"]]
    held["needed soon"] = any("uses" in (each or "") for each in soon)
    held["ended soon"] = any("kills" in (each or "") for each in soon)
    last = shown.step(len(shown.steps) - 1)
    held["at the end"] = does(last, facts)
    held["facts of i"] = len(facts)
    at, ahead = shown.step(shown.i), shown.step(shown.i, 1)
    held["next needs i"] = at and ahead and not set(at["defines"]).isdisjoint(ahead["uses"])
    there, behind = shown.step(shown.j), shown.step(shown.j, -1)
    held["j needs previous"] = (
        there and behind and not set(behind["defines"]).isdisjoint(there["uses"])
    )
    return held


NEAR = group(
    _near,
    {
        **{
            name: f"what {where} does to the fact: uses, ends or makes it"
            for name, (_, _, where) in _NEAR.items()
        },
        "needed soon": "one of the next two steps needs the fact",
        "ended soon": "one of the next two steps ends the fact",
        "at the end": "what the last step does to the fact",
        "facts of i": "number of facts that step i makes",
        "next needs i": "the next step needs what step i makes",
        "j needs previous": "step j needs what the step before it makes",
    },
)
"""Shortcuts that look at no more than two steps beside those asked about."""


@lru_cache(1 << 10)
def _alike(texts: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many steps have each text."""
    return Counter(texts)


def _nearest(shown: ShownQuestion) -> dict[str, Any]:
    facts, steps = asked_facts(shown), shown.steps
    sure = [not step.get("when") for step in steps]
    alike = _alike(tuple(str(step["text"]) for step in steps))
    held: dict[str, Any] = {}
    for name, place in (("i", shown.i), ("j", shown.j)):
        if place is None:
            continue
        held[f"option at {name}"] = not sure[place]
        held[f"said twice at {name}"] = alike[str(steps[place]["text"])] > 1
        same = steps[place].get("when")
        held[f"condition of {name}"] = sum(step.get("when") == same for step in steps) - 1
    between = shown.between
    held["conditions between"] = min(sum(not sure[k] for k in between), 4)
    ended = sum(
        not facts.isdisjoint((*steps[k]["kills"], *steps[k]["defines"])) for k in between if sure[k]
    )
    back = shown.i is not None and shown.j is not None and shown.j < shown.i
    held["surely ended between"] = None if back and shown.fact else ended
    if shown.i is not None:
        later = ((does(steps[k], facts), sure[k]) for k in range(shown.i + 1, len(steps)))
        events = [each for each in later if each[0]]
        held["nearest after i"] = events[0] if events else None
        held["two after i"] = tuple(what for what, _ in events[:2])
        held["three after i"] = tuple(what for what, _ in events[:3])
        held["ends after i"] = min(sum("kills" in what for what, _ in events if what), 3)
        before = [each for k in range(shown.i) if (each := does(steps[k], facts))]
        held["last before i"] = (
            before[-1] if before else None,
            not facts.isdisjoint(shown.values.get("start") or ()),
        )
    if shown.j is not None:
        early = ((does(steps[k], facts), sure[k]) for k in range(shown.j - 1, -1, -1))
        held["nearest before j"] = next((each for each in early if each[0]), None)
    return held


NEAREST = group(
    _nearest,
    {
        **{
            f"{what} {name}": f"{text} {name}"
            for name in ("i", "j")
            for what, text in {
                "option at": "an option decides whether this step is carried out: step",
                "said twice at": "another step has the words of step",
                "condition of": "other steps under the condition of step",
            }.items()
        },
        "conditions between": "steps between that depend on an option",
        "surely ended between": "steps between that end or make the fact under all options; "
        "none where a fact is asked about and step j stands before step i",
        "nearest after i": "what the next step with the fact does, and whether under an option",
        "two after i": "what the next two steps with the fact do",
        "three after i": "what the next three steps with the fact do",
        "ends after i": "steps after i that end the fact",
        "last before i": "what the last step with the fact before i does, and whether it is given",
        "nearest before j": "what the last step with the fact before j does, and whether so",
    },
)
"""Shortcuts that look at the nearest steps with the fact, and at conditions."""


def _checks(shown: ShownQuestion) -> dict[str, Any]:
    checked = list(shown.values.get("sanitizers") or ())
    step = shown.step(checked[0]) if checked else None
    if step is None:
        return {}
    held: dict[str, Any] = {
        "checked steps": len(checked),
        "checked under an option": bool(step.get("when")),
        "checked between": checked[0] in shown.between,
    }
    for name, place in (("i", shown.i), ("j", shown.j)):
        held[f"checked from {name}"] = None if place is None else checked[0] - place
    return held


CHECKED = group(
    _checks,
    {
        "checked steps": "number of steps that make safe",
        "checked from i": "steps from i to the one that makes safe",
        "checked from j": "steps from j to the one that makes safe",
        "checked under an option": "an option decides whether that step is carried out",
        "checked between": "that step stands between",
    },
)
"""Shortcuts that look at the steps that make safe, for taint where the prompt names them."""
