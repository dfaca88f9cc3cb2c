"""Parser of a route step: its roads, stated time and stated length.

Everything is read from the sentence alone, so that published routes and our own are read alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SIDES = ("North", "South", "East", "West", "north", "south", "east", "west")
_SECONDS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))? seconds")
_METRES = re.compile(r"(\d{1,9}) meters")
_RAMP = re.compile(
    r"(?:\A|.* )[Tt]ake the (.*?) ?(ramp|exit)(?: on the (?:left|right))?\Z", re.DOTALL
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\Z")
_DRIVE = re.compile(r"Drive \w+ on (.+)\Z", re.DOTALL)
_ARRIVED = ("You have arrived", "Your destination", "You will arrive")
_ONTO = (" to stay on ", " onto ", "Continue on ")
_CONTINUED = ". Continue on "
_LONGEST = 2_000  # characters of a sentence that are looked at


@dataclass(frozen=True, slots=True)
class Sentence:
    """Parsed sentence of a step.

    Attributes:
        text: as written.
        roads: the names of the road after the step, as printed; empty if it is unnamed, None if the
            step does not change the road (``Continue for ...``, the arrival).
        passed: names of a road that is left again within the step.
        toward: names on the sign of the step.
        stays: whether it says that the driver stays on a road.
        seconds: shortest and longest stated time.
        metres: stated length.
    """

    text: str
    roads: tuple[str, ...] | None
    passed: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    stays: bool = False
    seconds: tuple[int, int] | None = None
    metres: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the road, also without a final compass direction."""
        return variants(self.roads or ())


def read(text: str) -> Sentence:
    """Parse the sentence of a step."""
    body = text.strip()[:_LONGEST].rstrip(".")
    time, length = _SECONDS.search(body), _METRES.search(body)
    seconds = (int(time[1]), int(time[2] or time[1])) if time else None
    metres = int(length[1]) if length else None
    if body.startswith("Continue for") or body.startswith(_ARRIVED):
        return Sentence(text, None, seconds=seconds, metres=metres)
    head, found, last = body.rpartition(_CONTINUED)
    head = head if found else body
    head, _, sign = head.partition(" toward ")
    roads = _road(head)
    passed: tuple[str, ...] = ()
    if found:
        onward = split(last)
        passed = tuple(name for name in roads if name not in variants(onward))
        roads = onward
    stays = " to stay on " in head
    return Sentence(text, roads, passed, split(sign), stays, seconds, metres)


def _road(head: str) -> tuple[str, ...]:
    for word in _ONTO:
        before, found, name = head.partition(word)
        if found and (word != "Continue on " or not before):
            return split(name)
    ramp = _RAMP.match(head)
    if ramp:
        return () if _ORDINAL.match(ramp[1]) else split(ramp[1])
    _, found, name = head.partition(" to take ")
    if found:
        return split(name)
    drive = _DRIVE.match(head)
    return split(drive[1]) if drive else ()


def split(names: str) -> tuple[str, ...]:
    """Return the names of a road, separated by slashes."""
    return tuple(name for part in names.split("/") if (name := part.strip()))


def variants(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return distinct names, each as written and without a final compass direction."""
    found: dict[str, None] = {}
    for name in names:
        found[name] = None
        found[plain(name)] = None
    return tuple(found)


def plain(name: str) -> str:
    """Return a road's name without its final compass direction: ``I 93`` for ``I 93 South``."""
    head, _, last = name.rpartition(" ")
    return head if head and last in SIDES else name
