"""Routes between the landmarks of a map, found by Valhalla, in three wordings a pair."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import batched
from math import cos, pi
from random import Random
from threading import Lock
from typing import Any

from thence.core.parameters import range_text
from thence.domains.routes import narrative, tiles
from thence.domains.routes.synthetic.draft import METRES_PER_DEGREE, Landmark
from thence.domains.routes.tiles import Tiles
from thence.errors import FileError, ParameterError, UsageError

type Point = tuple[float, float]  # degrees to the north and to the east

FEW = "few manoeuvres"
COSTINGS: Mapping[str, Mapping[str, Any]] = {  # what a route is chosen by
    "default": {},
    "avoid highways": {"use_highways": 0.0},
    FEW: {"maneuver_penalty": 1000},
    "distance": {"shortest": True},
    "residential": {
        "top_speed": 45,
        "use_living_streets": 1.0,
        "use_highways": 0.0,
        "maneuver_penalty": 0,
    },
}
WINDING = "residential"  # whose routes have the most steps
LONG = 30  # steps that few other routes have
FARTHEST = 150_000.0  # metres between the ends of a route
KEPT = 8_192  # routes that a router remembers
WORDINGS = 3  # distinct texts that a pair must have
TRIES = 400  # pairs of places whose routes are looked at
LOOKED_AT = 20  # times as many pairs that may be passed over as too near or too far
ENOUGH = 40  # of these pairs, where all have far more or far fewer steps than wanted
UNREACHABLE = (170, 171, 442)  # Valhalla's errors for places that no road joins


@dataclass(frozen=True, slots=True)
class Route:
    """Way from a landmark to another.

    Attributes:
        start: where it begins.
        stop: where it ends.
        costing: what it was chosen by; a key of COSTINGS.
        steps: its sentences in order, in FABLE's normal form.
        roads: for each the names that the road bears all along the stretch after it.
    """

    start: Landmark
    stop: Landmark
    costing: str
    steps: tuple[str, ...]
    roads: tuple[tuple[str, ...], ...]

    @property
    def goal(self) -> str:
        """Return the goal: ``NAME (CITY, STATE) to NAME (CITY, STATE)``."""
        return f"{self.start.label} to {self.stop.label}"


class NoRoute(UsageError):
    """No road leads from one place to another."""


class Router:
    """Finder of routes on one map, by Valhalla.

    Args:
        map_: tiles and landmarks.

    Raises:
        FileError: tiles that this Valhalla cannot read.
    """

    def __init__(self, map_: Tiles) -> None:
        self.map = map_
        config = map_.folder / "valhalla.json"
        package = tiles.valhalla()
        try:
            if not config.is_file():
                text = json.dumps(tiles.search_settings(map_))
                part = config.with_name(f".valhalla.{id(self)}.json")
                part.write_text(text, encoding="utf-8")
                part.replace(config)
            self._actor = package.Actor(str(config))
        except (OSError, RuntimeError, ValueError) as error:
            raise FileError(
                f"{map_.folder}: tiles that Valhalla {package.__version__} cannot read ({error}); "
                "delete the folder, and they are built again"
            ) from error
        self._error = package.ValhallaError
        self._lock = Lock()  # an actor serves one thread at a time
        self.route = lru_cache(KEPT)(self._route)
        self.drive = lru_cache(KEPT)(self._drive)

    def _route(self, start: Landmark, stop: Landmark, costing: str) -> Route:
        """Return the way from one place to another under one costing.

        Raises:
            NoRoute: there is none.
        """
        leg = self._leg(start, stop, costing)
        texts, roads = narrative.steps(leg["maneuvers"])
        return Route(start, stop, costing, tuple(texts), tuple(roads))

    def _drive(
        self, start: Landmark, stop: Landmark, closed: Point | None = None
    ) -> tuple[tuple[narrative.Stretch, ...], tuple[Point, ...]]:
        """Return a short way from one place to another, and the points of its shape.

        Args:
            start: where it begins.
            stop: where it ends.
            closed: a point of a road that cannot be used.

        Raises:
            NoRoute: there is none.
        """
        more: dict[str, Any] = {"shape_format": "polyline6"}
        if closed is not None:
            more["exclude_locations"] = [{"lat": closed[0], "lon": closed[1]}]
        leg = self._leg(start, stop, FEW, more)
        return tuple(narrative.stretches(leg["maneuvers"])), _points(leg["shape"])

    def _leg(
        self, start: Landmark, stop: Landmark, costing: str, more: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        request = {
            "locations": [
                {"lat": place.latitude, "lon": place.longitude} for place in (start, stop)
            ],
            "costing": "auto",
            "costing_options": {"auto": dict(COSTINGS[costing])},
            "units": "kilometers",
            "language": "en-US",
            "directions_type": "instructions",
            "shape_format": "no_shape",
            **(more or {}),
        }
        try:
            with self._lock:
                answer = json.loads(self._actor.route(json.dumps(request)))
        except (self._error, RuntimeError) as error:
            if getattr(error, "code", None) in UNREACHABLE:
                raise NoRoute(
                    f"no route from {start.label} to {stop.label} ({error}); "
                    "take places that a road joins, or another map"
                ) from error
            raise FileError(
                f"{self.map.folder}: tiles that Valhalla cannot read ({error}); "
                "delete the folder, and they are built again"
            ) from error
        leg: dict[str, Any] = answer["trip"]["legs"][0]
        return leg

    def wordings(self, start: Landmark, stop: Landmark, order: Sequence[str]) -> list[Route]:
        """Return at most three routes of different text, the costings tried in order.

        Raises:
            NoRoute: there is none.
        """
        found: list[Route] = []
        for costing in order:
            route = self.route(start, stop, costing)
            if all(route.steps != other.steps for other in found):
                found.append(route)
            if len(found) == WORDINGS:
                break
        return found

    def draw(self, rng: Random, low: int = 4, high: int = 56) -> list[Route]:
        """Return three routes of different text between two random places.

        Args:
            rng: all chance.
            low: fewest steps of the first of them.
            high: most steps of the first of them.

        Raises:
            UsageError: the map holds no such pair, or none was found in many tries.
        """
        places, seen, tried, joined = self.map.landmarks, list[int](), 0, False
        reach = rng.choices(REACHES, _shares(low, high))[0]
        for attempt in range(LOOKED_AT * TRIES):
            start, stop = rng.sample(range(len(places)), 2)
            one, other = places[start], places[stop]
            away = rough_distance(one, other)
            if one.state != other.state or not 600 < away <= FARTHEST or one.name == other.name:
                continue
            bound = attempt < TRIES // 2 or 0 < tried < TRIES // 2
            if bound and not reach.near < away <= reach.far:
                continue
            tried += 1
            order = rng.sample(list(COSTINGS), len(COSTINGS))
            try:
                if low > LONG:  # one costing tells whether the pair is worth the others
                    order.sort(key=lambda name: name != WINDING)
                    steps = len(self.route(one, other, WINDING).steps)
                    if not low <= steps <= high:
                        order = [WINDING]
                found = self.wordings(one, other, order)
            except NoRoute:
                found = []
            joined = joined or bool(found)
            if len(found) == min(WORDINGS, len(order)):
                counts = [len(each.steps) for each in found]
                if len(found) > 1 and any(low <= count <= high for count in counts):
                    return sorted(found, key=lambda each: not low <= len(each.steps) <= high)
                seen = [min(seen + counts), max(seen + counts)]
            hopeless = bool(seen) and (low > 2 * seen[1] or 2 * high < seen[0])
            if tried >= TRIES or (hopeless and tried >= ENOUGH):
                break
        raise self._no_pair(tried, seen, (low, high), joined=joined)

    def _no_pair(
        self, tried: int, seen: Sequence[int], wanted: tuple[int, int], *, joined: bool
    ) -> UsageError:
        """Return the error where no pair of places was found."""
        tried_ = f"any two of the {len(self.map.landmarks)} places of the map that were tried"
        if not joined:
            return NoRoute(f"no route between {tried_}; give a map whose roads join them")
        if not seen:
            return UsageError(
                f"there are not {WORDINGS} routes of different text between {tried_}; "
                "give a map with more roads"
            )
        return ParameterError(
            "steps",
            range_text(*wanted),
            f"{tried} pairs of places of the map were tried, whose routes have {seen[0]} to "
            f"{seen[1]} steps; give other numbers of steps, or another or larger map (map=SEED, "
            "nodes=N, or osm=FILE)",
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """Range of distances between the ends of a route.

    Attributes:
        near: metres at least.
        far: metres at most.
        share: how common it is.
        steps: fewest and most that such a route is likely to have.
    """

    near: float
    far: float
    share: int
    steps: tuple[int, int]


REACHES = (  # with shares that give routes of 17 steps on average, as published
    Reach(600.0, 3_000.0, 6, (4, 18)),
    Reach(600.0, FARTHEST, 5, (5, 45)),
    Reach(90_000.0, FARTHEST, 7, (8, 500)),
)


def _shares(low: int, high: int) -> list[int]:
    """Return how common each reach is for routes of so many steps."""
    found = [
        each.share if low <= each.steps[1] and each.steps[0] <= high else 0 for each in REACHES
    ]
    return found if any(found) else [each.share for each in REACHES]


def _points(shape: str) -> tuple[Point, ...]:
    """Return the points of a shape in Google's polyline format, with six digits."""
    totals, found, value, shift = [0, 0], list[int](), 0, 0
    for sign in shape.encode():
        part = sign - 63
        value |= (part & 31) << shift
        shift += 5
        if part < 32:
            totals[len(found) % 2] += ~(value >> 1) if value & 1 else value >> 1
            found.append(totals[len(found) % 2])
            value = shift = 0
    return tuple((north / 1e6, east / 1e6) for north, east in batched(found, 2))


def rough_distance(one: Landmark, other: Landmark) -> float:
    """Return about how many metres two places are apart; for comparisons only."""
    north = (one.latitude - other.latitude) * METRES_PER_DEGREE[0]
    scale = cos(one.latitude * pi / 180)
    east = (one.longitude - other.longitude) * METRES_PER_DEGREE[0] * scale
    return float((north * north + east * east) ** 0.5)


@lru_cache(maxsize=4)
def synthetic(seed: int, nodes: int) -> Router:
    """Return the router of a made-up map, which is kept while the process lives."""
    return Router(tiles.synthetic(seed, nodes))


@lru_cache(maxsize=4)
def extract(content: str) -> Router:
    """Return the router of an OpenStreetMap extract that `tiles.extract` has prepared."""
    return Router(tiles.prepared(content))
