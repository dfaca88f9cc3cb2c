"""From a router's manoeuvres to the steps of a route, in FABLE's normal form.

A roundabout's entering and leaving are one step. A turn onto a road without a name says after which
length and time it comes, with the router's time less and plus a tenth; so does the last stretch,
which leads to the destination.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ENTER, LEAVE = 26, 27  # Valhalla's numbers of manoeuvres
ARRIVE = (4, 5, 6)
_UNNAMED = re.compile(
    r"(?:Turn (?:left|right)|Bear (?:left|right)|Make a sharp (?:left|right)"
    r"|Make a (?:left|right) U-turn|Take the (?:exit|ramp) on the (?:left|right))\.\Z"
)
_ONTO = re.compile(r"Exit the roundabout(?: onto (.+?))?\.(?: Continue on (.+)\.)?\Z")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Step of a route with what the router tells of the stretch of road after it.

    Attributes:
        text: its sentence.
        roads: the names that the road bears all along the stretch.
        seconds: how long the manoeuvre and the stretch take.
        shape: the first and the last point of the stretch in the shape of the leg.
        highway: whether it has a motorway or a road like it, on which one cannot stop.
    """

    text: str
    roads: tuple[str, ...]
    seconds: float
    shape: tuple[int, int]
    highway: bool


def stretches(manoeuvres: Sequence[Mapping[str, Any]]) -> list[Stretch]:
    """Return the steps of a leg up to the last stretch, its arrival left out."""
    found: list[Stretch] = []
    texts, roads = steps(manoeuvres)
    inside, place = False, 0
    for each in manoeuvres:
        kind, ends = (
            each["type"],
            (each.get("begin_shape_index", 0), each.get("end_shape_index", 0)),
        )
        if kind in ARRIVE:
            break
        if kind == LEAVE and inside:
            last = found.pop()
            ends, seconds = (last.shape[0], ends[1]), last.seconds + each["time"]
            highway = last.highway or bool(each.get("highway"))
            place -= 1
        else:
            seconds, highway = each["time"], bool(each.get("highway"))
        found.append(Stretch(texts[place], roads[place], seconds, ends, highway))
        place += 1
        inside = kind == ENTER
    return found


def steps(manoeuvres: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the sentences of a route, from the ``maneuvers`` of one leg of Valhalla's answer.

    Args:
        manoeuvres: with ``type``, ``instruction``, ``length`` in kilometres, ``time`` in seconds.

    Returns:
        The sentences, and for each the names that the road bears all along the stretch after it.
    """
    texts: list[str] = []
    roads: list[tuple[str, ...]] = []
    metres = seconds = 0.0  # of the stretch before the manoeuvre
    inside = False
    for each in manoeuvres:
        text, kind = each["instruction"], each["type"]
        if kind == LEAVE and inside and texts:
            texts[-1] = through_roundabout(texts[-1], text)
            roads[-1] = tuple(each.get("street_names", ()))
            metres += each["length"] * 1000
            seconds += each["time"]
            inside = False
            continue
        if kind in ARRIVE:
            if round(metres) > 0:
                texts.append(f"Continue for {length_and_time(metres, seconds)}.")
                roads.append(())
        elif _UNNAMED.match(text):
            text = f"{text[:-1]} after {length_and_time(metres, seconds)}."
        texts.append(text)
        roads.append(tuple(each.get("street_names", ())))
        inside = kind == ENTER
        metres, seconds = each["length"] * 1000, each["time"]
    return texts, roads


def through_roundabout(entering: str, leaving: str) -> str:
    """Return one sentence for a roundabout, from those for its entry and its exit."""
    found = _ONTO.match(leaving)
    road = (found[2] or found[1]) if found else None
    if road is None or " onto " in entering:
        return entering
    sign = entering.find(" toward ")
    cut = sign if sign >= 0 else len(entering) - 1
    return f"{entering[:cut]} onto {road}{entering[cut:]}"


def length_and_time(metres: float, seconds: float) -> str:
    """Return length and time as a step states them: ``937 meters or 77-94 seconds``."""
    low, high = round(seconds * 0.9), round(seconds * 1.1)
    time = f"{low}-{high}" if low != high else f"{low}"
    return f"{round(metres)} meters or {time} seconds"
