"""Legs of a trip: ways from stop to stop, and the ways around roads that may be closed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from random import Random

from thence.domains.routes.narrative import Stretch
from thence.domains.routes.reading import plain, read
from thence.domains.routes.router import NoRoute, Router, rough_distance
from thence.domains.routes.synthetic.draft import Landmark

MOST = 5  # driving steps of a leg
NEAR, ROUND = 300.0, 6  # metres between two stops at least, places to choose stops from
_SPENT = re.compile(r" or \d+(?:-\d+)? seconds")
_LONG = re.compile(r"\b(\d{5,}) meters")


@dataclass(frozen=True, slots=True)
class Drive:
    """Driving step.

    Attributes:
        text: its sentence, without a time.
        roads: the names of the road that it leads onto, without a compass direction at the end.
        clear: those of them that the road bears all along, and that nothing else in it names.
        seconds: least and most that it takes.
        stops: whether one can stop on the stretch after it.
    """

    text: str
    roads: tuple[str, ...]
    clear: frozenset[str]
    seconds: tuple[int, int]
    stops: bool


@dataclass(frozen=True, slots=True)
class Leg:
    """Way from a stop to the next one.

    Attributes:
        start: the stop that it begins at.
        stop: the stop that it ends at.
        stretches: its driving steps, as the router has them.
        points: of its shape.
    """

    start: Landmark
    stop: Landmark
    stretches: tuple[Stretch, ...]
    points: tuple[tuple[float, float], ...]

    @property
    def seconds(self) -> float:
        """Seconds that it takes."""
        return sum(each.seconds for each in self.stretches)

    def names(self) -> set[str]:
        """Return the names of all roads in its sentences and along its stretches."""
        return {name for each in self.stretches for name in _named(each)}


@dataclass(frozen=True, slots=True)
class Around:
    """Way around a closed road: both ways between where they part and where they meet again.

    Attributes:
        first: the number of the leg's first stretch that is not on both ways.
        last: that of the next one that is on both ways again.
        other: the stretches of the way around between the two.
        seconds: least and most over both ways that a stretch on both takes, by its number.
    """

    first: int
    last: int
    other: tuple[Stretch, ...]
    seconds: Mapping[int, tuple[int, int]] = field(default_factory=dict)


def leg(router: Router, start: Landmark, stop: Landmark) -> Leg | None:
    """Return the leg between two stops; None where there is none that is short."""
    try:
        stretches, points = router.drive(start, stop)
    except NoRoute:
        return None
    return Leg(start, stop, stretches, points) if 1 <= len(stretches) <= MOST else None


def nearby(router: Router, rng: Random) -> list[Landmark]:
    """Return places near to each other, in random order; no two have the same name."""
    places = router.map.landmarks
    middle = rng.choice(places)
    ordered = sorted(places, key=lambda each: rough_distance(middle, each))
    found: dict[str, Landmark] = {}
    for each in ordered:
        if each.name in found or each.state != middle.state:
            continue
        if all(rough_distance(each, other) >= NEAR for other in found.values()):
            found[each.name] = each
        if len(found) == ROUND:
            break
    return rng.sample(list(found.values()), len(found))


def course(
    router: Router, places: Sequence[Landmark], *, returns: bool = False
) -> list[Leg] | None:
    """Return the legs of the fastest order of some stops that begins at the first of them."""
    best: list[Leg] | None = None
    for order in permutations(places[1:]):
        stops = [places[0], *order, *([places[0]] if returns else [])]
        found = [leg(router, a, b) for a, b in pairwise(stops)]
        legs = [each for each in found if each is not None]
        if len(legs) == len(found) and (best is None or _total(legs) < _total(best)):
            best = legs
    return best


def _total(legs: Sequence[Leg]) -> float:
    return sum(each.seconds for each in legs)


def closable(leg: Leg) -> list[str]:
    """Return the roads of a leg that may be found closed on the way."""
    return [
        each.roads[0]
        for each in leg.stretches[1:]
        if each.roads and not each.highway and plain(each.roads[0]) == each.roads[0]
    ]


def around(router: Router, leg: Leg, road: str) -> Around | None:
    """Return the way around a road of a leg; None where there is no short one that leaves later."""
    number = next((k for k, each in enumerate(leg.stretches) if road in _named(each)), None)
    if number is None:
        return None
    low, high = leg.stretches[number].shape
    closed = leg.points[(low + high) // 2]
    try:
        other, _ = router.drive(leg.start, leg.stop, closed)
    except NoRoute:
        return None
    if len(other) > MOST or any(road in _named(each) for each in other):
        return None
    first = 0
    while first < min(number, len(other)) and _same(leg.stretches[first], other[first]):
        first += 1
    tail = 0
    while (
        tail < min(len(leg.stretches), len(other)) - first
        and _same(leg.stretches[-1 - tail], other[-1 - tail])
    ):  # fmt: skip
        tail += 1
    last = len(leg.stretches) - tail
    inside = {name for stretch in leg.stretches[first:last] for name in _named(stretch)}
    if first == 0 or last - tail < 0 or road not in inside:
        return None
    between = other[first : len(other) - tail]
    alike = [each for each in between[:1] if each.text == leg.stretches[first].text]
    on_both = (*leg.stretches[:first], *leg.stretches[last:])
    if alike or any(road in _named(each) for each in on_both):
        return None  # ways whose first sentences are alike would seem to part later
    return Around(first, last, between, _seconds(leg.stretches, other, first, last))


def _seconds(
    way: Sequence[Stretch], detour: Sequence[Stretch], first: int, last: int
) -> dict[int, tuple[int, int]]:
    """Return the least and most over both ways that each stretch on both of them takes."""
    found: dict[int, tuple[int, int]] = {}
    for number in (*range(first), *range(last, len(way))):
        place = number if number < first else number + len(detour) - len(way)
        one, other = _rounded(way[number].seconds), _rounded(detour[place].seconds)
        found[number] = min(one[0], other[0]), max(one[1], other[1])
    return found


def _same(one: Stretch, other: Stretch) -> bool:
    """Return whether two stretches are told alike; the one may go on further than the other."""
    return one.text == other.text and one.roads == other.roads


def _rounded(seconds: float) -> tuple[int, int]:
    low = max(1, round(seconds * 0.9))
    return low, max(low + 1, round(seconds * 1.1))


def _named(stretch: Stretch) -> set[str]:
    sentence = read(stretch.text)
    names = (*(sentence.roads or ()), *sentence.passed, *stretch.roads)
    return {plain(name) for name in names}


def drive(stretch: Stretch, state: str) -> Drive:
    """Return the driving step of a stretch; a state's own roads are called state routes.

    Args:
        stretch: of the router's answer.
        state: the postal code that marks the roads of a made-up state; empty for a real one.
    """
    text = _SPENT.sub("", stretch.text)
    if state:
        text = re.sub(rf"\b{state} (?=\d)", "SR ", text)
    sentence = read(text)
    text = _LONG.sub(lambda found: f"{int(found[1]) / 1000:.1f} kilometers", text)
    roads = tuple(dict.fromkeys(map(plain, sentence.roads or ())))
    along = {plain(re.sub(rf"^{state} (?=\d)", "SR ", name) if state else name)
             for name in stretch.roads}  # fmt: skip
    clear = frozenset(roads) & along if not sentence.passed else frozenset()
    stops = bool(roads) and not stretch.highway and not re.search(r"\b(?:ramp|exit)\b", text)
    return Drive(text, roads, clear, _rounded(stretch.seconds), stops)
