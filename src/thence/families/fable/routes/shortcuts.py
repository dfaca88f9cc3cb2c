"""Shortcuts for trips: vehicles, waits, options and the thing that is asked about around a step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.routes.surface import thing, times

_STEP = re.compile(r"(?:(?:Van|Truck): )?(\w+)(?: (left|right|water|the \w+))?")
_ENDS = ("drain", "Close", "Pour", "Hand in", "Throw", "Wipe", "Unload", "Leave")


def _trip(shown: ShownQuestion) -> dict[str, Any]:
    texts = [str(step["text"]) for step in shown.steps]
    i, j = shown.i, shown.j
    if j is None and i is None:
        return {}
    at = j if i is None else i
    if at is None:
        return {}
    found = [_STEP.match(text) for text in texts]
    kinds = [" ".join(filter(None, each.groups())) if each else "" for each in found]
    who = [text.partition(":")[0] for text in texts]
    about = thing(shown.fact) or thing(texts[at])
    named = [about in text if about else False for text in texts]
    between, before, after = shown.between, shown.before, shown.after
    options = [bool(step.get("when")) for step in shown.steps]
    told = {
        "thing": about,
        "job i": kinds[at],
        "job j": kinds[j] if j is not None else None,
        "job after i": kinds[at + 1] if at + 1 < len(kinds) else None,
        "job before j": kinds[j - 1] if j else None,
        "same vehicle": who[at] == who[j] if j is not None else None,
        "vehicle i": who[at],
        "option i": options[at],
        "option j": options[j] if j is not None else None,
        "choices": sum(text.find("If ") in (0, 5, 7) for text in texts),
        "awaited i": _is_awaited(i, texts),
        "awaited j": _is_awaited(j, texts),
        "jobs between": sum(bool(shown.steps[k]["uses"]) for k in between),
    }
    for where, places in {"before": before, "between": between, "after": after}.items():
        inside = [texts[k] for k in places]
        told |= {
            f"waits {where}": sum("Wait " in text for text in inside),
            f"options {where}": sum(options[k] for k in places),
            f"thing {where}": sum(named[k] for k in places),
            f"ends {where}": sum(named[k] and _ends(texts[k]) for k in places),
            f"thing of the vehicle {where}": sum(named[k] and who[k] == who[at] for k in places),
            f"hydrants {where}": sum("hydrant" in text for text in inside),
        }
    return told


def _is_awaited(step: int | None, texts: Sequence[str]) -> bool | None:
    if step is None:
        return None
    return any(text.endswith(f" has done step {step + 1}.") for text in texts)


def _ends(text: str) -> bool:
    return any(word in text for word in _ENDS)


def _time(ahead: int, *, own: bool = False) -> Any:
    """Return a guess: the times of the steps from i, or the start, to so many after j, added up."""

    def guess(shown: ShownQuestion) -> list[int] | None:
        if shown.j is None:
            return None
        texts = [str(step["text"]) for step in shown.steps]
        if own:
            who = texts[shown.j].partition(":")[0]
            texts = [text if text.partition(":")[0] == who else "" for text in texts]
        first = -1 if shown.i is None else shown.i
        return times(texts, first + 1, shown.j + ahead)

    return guess


_WHERE = {"before": "before the steps asked about", "between": "between, or after the only one",
          "after": "after the steps asked about"}  # fmt: skip

SHORTCUTS = group(
    _trip,
    {
        "thing": "the kind of thing that is asked about",
        "job i": "what is done in step i",
        "job j": "what is done in step j",
        "job after i": "what is done in the next step",
        "job before j": "what is done before step j",
        "same vehicle": "steps i and j are of the same vehicle",
        "vehicle i": "the vehicle of step i",
        "option i": "step i depends on an option",
        "option j": "step j depends on an option",
        "choices": "number of steps that tell which steps to take",
        "awaited i": "a vehicle waits for step i",
        "awaited j": "a vehicle waits for step j",
        "jobs between": "jobs between that need something",
        **{
            f"{name} {where}": f"{text} {place}"
            for where, place in _WHERE.items()
            for name, text in {
                "waits": "waits",
                "options": "steps that depend on an option",
                "thing": "steps that name the thing",
                "ends": "steps that seem to end it",
                "thing of the vehicle": "steps of the same vehicle that name the thing",
                "hydrants": "hydrants",
            }.items()
        },
    },
)
"""Shortcuts that only routes have."""

SUMS = [
    Shortcut("all times", "the times of all steps from i to j, added up", _time(0), guess=True),
    Shortcut("times before j", "the same without step j", _time(-1), guess=True),
    Shortcut(
        "own times", "the times of the vehicle of step j, added up", _time(0, own=True), guess=True
    ),
]
"""Guesses of a time that passes."""
