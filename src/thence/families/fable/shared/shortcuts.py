"""Shortcuts that look at the steps next to those asked about: do they need the fact, or end it?

They are for domains whose steps say themselves what they need. What a step of a recipe works with
is told by the steps before it, so that recipes have other shortcuts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.core.shortcuts import ShownQuestion, group

_ROLES = ("uses", "kills", "defines")
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
    return " ".join(role for role in _ROLES if not facts.isdisjoint(step[role]))


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
    checked = list(shown.values.get("sanitizers") or ())
    if checked and f"Step {checked[0] + 1} is checked" not in shown.text:
        checked = []  # routes do not say which steps cut the road off
    held["checked steps"] = len(checked)
    held["checked from i"] = checked[0] - shown.i if checked and shown.i is not None else None
    held["checked from j"] = checked[0] - shown.j if checked and shown.j is not None else None
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
        "checked steps": "number of steps that make safe",
        "checked from i": "steps from i to the one that makes safe",
        "checked from j": "steps from j to the one that makes safe",
    },
)
"""Shortcuts that look at no more than two steps beside those asked about."""
