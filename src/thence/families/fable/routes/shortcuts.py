"""Shortcuts for routes: manoeuvres, roads, stops, tanks and phrases around a step."""

from __future__ import annotations

import re
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.routes.surface import times

_STEP = re.compile(r"(?:Car \d: )?(\w+)(?: (left|right))?")
_TURNS = frozenset(("Turn", "Bear", "Make", "Keep", "Take"))
_KEPT = ("drive on along", "stay on")
_BACK = ("come back", "back onto", "returns to", "back to")


def _way(shown: ShownQuestion) -> dict[str, Any]:
    texts = [str(step["text"]) for step in shown.steps]
    found = [_STEP.match(text) for text in texts]
    kinds = [" ".join(filter(None, each.groups())) if each else "" for each in found]
    i, j = shown.i, shown.j
    if i is None:
        return {}
    low = i if j is None else min(i, j)
    between = shown.between
    inside = [texts[k] for k in between]
    road = shown.values.get("road", "tank" if "tank" in texts[low] else "Wait here")
    named = [road in text for text in texts]
    turns = [kind.partition(" ")[0] in _TURNS for kind in kinds]
    tank = next((each for each in ("front tank", "rear tank") if each in texts[low]), None)
    return {
        "manoeuvre i": kinds[i],
        "manoeuvre j": kinds[j] if j is not None else None,
        "manoeuvre after i": kinds[i + 1] if i + 1 < len(kinds) else None,
        "kept in the next": bool(texts[i + 1 : i + 2]) and _any(_KEPT, texts[i + 1]),
        "kept between": any(_any(_KEPT, text) for text in inside),
        "back before": any(_any(_BACK, texts[k]) for k in shown.before),
        "back between": any(_any(_BACK, text) for text in inside),
        "detour before": sum("etour" in texts[k] or "closed" in texts[k] for k in shown.before),
        "detour between": sum("etour" in text or "closed" in text for text in inside),
        "filled between": bool(tank) and any("fill" in x and str(tank) in x for x in inside),
        "same tank between": sum(str(tank) in text for text in inside),
        "waits between": sum("Wait here" in text for text in inside),
        "same car": texts[i][:6] == texts[j][:6] if j is not None else None,
        "turns between": sum(turns[k] for k in between),
        "stops between": sum(kinds[k] == "Stop" for k in between),
        "road between": sum(named[k] for k in between),
        "turns elsewhere between": sum(turns[k] and not named[k] for k in between),
        "road before": sum(named[k] for k in shown.before),
        "road after": sum(named[k] for k in shown.after),
        "numbered road": any(sign.isdigit() for sign in road),
    }


def _any(phrases: tuple[str, ...], text: str) -> bool:
    return any(phrase in text.lower() for phrase in phrases)


def _time(back: int, ahead: int) -> Any:
    """Return a guess: the times of steps i to j, moved by so many steps at each end, added up."""

    def guess(shown: ShownQuestion) -> list[int] | None:
        if shown.i is None or shown.j is None:
            return None
        texts = [str(step["text"]) for step in shown.steps]
        return times(texts, shown.i + back, shown.j + ahead)

    return guess


SHORTCUTS = group(
    _way,
    {
        "manoeuvre i": "the manoeuvre of step i",
        "manoeuvre j": "the manoeuvre of step j",
        "manoeuvre after i": "the manoeuvre of the next step",
        "kept in the next": "the next step says to drive on along, or stay on, a road",
        "kept between": "a step between says to drive on along, or stay on, a road",
        "back before": "a step before comes back to a road",
        "back between": "a step between comes back to a road",
        "detour before": "steps before that name a closed road or a detour",
        "detour between": "steps between that name a closed road or a detour",
        "filled between": "the tank of step i is filled between",
        "same tank between": "steps between that name the tank of step i",
        "waits between": "cars that wait between",
        "same car": "steps i and j are of the same car",
        "turns between": "turns between",
        "stops between": "stops between",
        "road between": "steps between that name the road",
        "turns elsewhere between": "turns between onto other roads",
        "road before": "steps before that name the road",
        "road after": "steps after that name the road",
        "numbered road": "the road has a number",
    },
)
"""Shortcuts that only routes have."""

SUMS = [
    Shortcut(f"times of {name}", f"the times that {name} state, added up", _time(*ends), guess=True)
    for name, ends in {
        "the steps after i to j": (1, 0),
        "steps i to before j": (0, -1),
        "the steps between": (1, -1),
    }.items()
]
"""Guesses of a time that passes."""
