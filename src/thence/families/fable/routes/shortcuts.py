"""Shortcuts for trips: vehicles, waits, options and the thing that is asked about around a step."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.routes.surface import thing, times, waits
from thence.families.fable.shared.own_part import StepParts, own_part, with_parts
from thence.families.fable.shared.part_waits import part_waits

_STEP = re.compile(r"(?:(?:Van|Truck|Dispatcher): )?(\w+)(?: (left|right|water|the \w+))?")
_ENDS = ("drain", "Close", "Pour", "Hand in", "Throw", "Wipe", "Unload", "Leave")


class _Sheet(NamedTuple):
    """Features of the steps of a sheet that no question changes.

    Attributes:
        jobs: what is done in each step.
        who: the vehicle of each step.
        ends: the steps that seem to end something.
        waits: the steps that are waits.
        hydrants: the steps at a hydrant.
        awaited: the steps that a vehicle waits for.
        choices: number of steps that tell which steps to take.
    """

    jobs: list[str]
    who: list[str]
    ends: set[int]
    waits: list[int]
    hydrants: list[int]
    awaited: set[int]
    choices: int


@lru_cache(1 << 9)
def _sheet(texts: tuple[str, ...]) -> _Sheet:
    found = [_STEP.match(text) for text in texts]
    return _Sheet(
        jobs=[" ".join(filter(None, each.groups())) if each else "" for each in found],
        who=[text.partition(":")[0] for text in texts],
        ends={k for k, text in enumerate(texts) if any(word in text for word in _ENDS)},
        waits=_saying("Wait ", texts),
        hydrants=_saying("hydrant", texts),
        awaited={awaited for awaited, _ in waits(texts)},
        choices=sum(text.find("If ") in (0, 5, 7) for text in texts),
    )


def _saying(words: str, texts: tuple[str, ...]) -> list[int]:
    """Return the steps whose texts have some words."""
    return [k for k, text in enumerate(texts) if words in text]


def _trip(shown: ShownQuestion) -> dict[str, Any]:
    texts = tuple(str(step["text"]) for step in shown.steps)
    i, j = shown.i, shown.j
    if j is None and i is None:
        return {}
    at = j if i is None else i
    if at is None:
        return {}
    sheet = _sheet(texts)
    jobs, who = sheet.jobs, sheet.who
    about = thing(shown.fact) or thing(texts[at])
    named = _saying(about, texts) if about else []
    ended = [k for k in named if k in sheet.ends]
    own = [k for k in named if who[k] == who[at]]
    between, before, after = shown.between, shown.before, shown.after
    options = [k for k, step in enumerate(shown.steps) if step.get("when")]
    told = {
        "thing": about,
        "job i": jobs[at],
        "job j": jobs[j] if j is not None else None,
        "job after i": jobs[at + 1] if at + 1 < len(jobs) else None,
        "job before j": jobs[j - 1] if j else None,
        "same vehicle": who[at] == who[j] if j is not None else None,
        "vehicle i": who[at],
        "option i": at in options,
        "option j": j in options if j is not None else None,
        "choices": sheet.choices,
        "awaited i": None if i is None else i in sheet.awaited,
        "awaited j": None if j is None else j in sheet.awaited,
        "jobs between": sum(bool(shown.steps[k]["uses"]) for k in between),
    }
    for where, places in {"before": before, "between": between, "after": after}.items():
        told |= {
            f"waits {where}": sum(k in places for k in sheet.waits),
            f"options {where}": sum(k in places for k in options),
            f"thing {where}": sum(k in places for k in named),
            f"ends {where}": sum(k in places for k in ended),
            f"thing of the vehicle {where}": sum(k in places for k in own),
            f"hydrants {where}": sum(k in places for k in sheet.hydrants),
        }
    return told


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


@lru_cache(1 << 9)
def _parts_of(texts: tuple[str, ...]) -> StepParts:
    who = [text.partition(":")[0] for text in texts]
    owner = [each if each in ("Van", "Truck", "Dispatcher") else "" for each in who]
    return StepParts(owner, waits(texts))


asked_parts = with_parts(lambda shown: _parts_of(tuple(str(step["text"]) for step in shown.steps)))

"""Returns a question with the vehicles of its steps, and who waits for whom."""

OWN_STEPS = own_part(asked_parts)
"""Shortcuts that look at what the other vehicle does."""

WAITS = part_waits(asked_parts)
"""Shortcuts that look at waits of one vehicle for the other."""
