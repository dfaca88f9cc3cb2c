"""Routes between the landmarks of a map, through Valhalla, in three wordings a pair."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi
from random import Random
from typing import Any

from thence.domains.routes import narrative, tiles
from thence.domains.routes._draft import METRES_PER_DEGREE, Landmark
from thence.domains.routes.tiles import Tiles
from thence.errors import FileError, UsageError

COSTINGS: Mapping[str, Mapping[str, Any]] = {  # what a route is chosen by
    "default": {},
    "avoid highways": {"use_highways": 0.0},
    "few manoeuvres": {"maneuver_penalty": 1000},
    "distance": {"shortest": True},
    "residential": {
        "top_speed": 45,
        "use_living_streets": 1.0,
        "use_highways": 0.0,
        "maneuver_penalty": 0,
    },
}
FARTHEST = 150_000.0  # metres between the ends of a route
KEPT = 8_192  # routes that a router remembers
WORDINGS = 3  # distinct texts that a pair must have
TRIES = 400
UNREACHABLE = (170, 171, 442)  # Valhalla's errors for places that no road joins


@dataclass(frozen=True, slots=True)
class Route:
    """One way from a landmark to another.

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
        """``NAME (CITY, STATE) to NAME (CITY, STATE)``."""
        return f"{self.start.label} to {self.stop.label}"


class NoRoute(UsageError):
    """No road leads from one place to the other."""


class Router:
    """Asks Valhalla for routes on one map.

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
                text = json.dumps(tiles.searching(map_))
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
        self.route = lru_cache(KEPT)(self._route)

    def _route(self, start: Landmark, stop: Landmark, costing: str) -> Route:
        """The way from one place to another under one costing.

        Raises:
            NoRoute: there is none.
        """
        leg = self._leg(start, stop, costing)
        texts, roads = narrative.steps(leg["maneuvers"])
        return Route(start, stop, costing, tuple(texts), tuple(roads))

    def _leg(self, start: Landmark, stop: Landmark, costing: str) -> dict[str, Any]:
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
        }
        try:
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
        """Routes of different text between two places, three at most, costings tried in order.

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
        """Three routes of different text between two places taken by chance.

        Args:
            rng: all chance.
            low: fewest steps of each.
            high: most steps of each.

        Raises:
            UsageError: the map holds no such pair, or none was found in many tries.
        """
        places = self.map.landmarks
        reach, joined = rng.choices(REACHES, SHARES)[0], False
        for attempt in range(TRIES):
            start, stop = rng.sample(range(len(places)), 2)
            one, other = places[start], places[stop]
            away = apart(one, other)
            if one.state != other.state or not 600 < away <= FARTHEST or one.name == other.name:
                continue
            if attempt < TRIES // 2 and not reach[0] < away <= reach[1]:
                continue
            try:
                found = self.wordings(one, other, rng.sample(list(COSTINGS), len(COSTINGS)))
            except NoRoute:
                continue
            joined = True
            if len(found) == WORDINGS and all(low <= len(each.steps) <= high for each in found):
                return found
        if not joined:
            raise NoRoute(
                f"no route between any two of the {len(places)} places of the map that were tried; "
                "give a map whose roads join them"
            )
        raise UsageError(
            f"{TRIES} pairs of places of the map were tried, and none has {WORDINGS} different "
            f"routes of {low} to {high} steps; give a larger map, or other --set steps=LOW-HIGH"
        )


REACHES = ((600.0, 3_000.0), (600.0, FARTHEST), (90_000.0, FARTHEST))  # metres between the ends
SHARES = (6, 5, 7)  # how common each is, so that routes have 17 steps on average, as published


def apart(one: Landmark, other: Landmark) -> float:
    """Metres between two places, about; only compared, never printed."""
    north = (one.latitude - other.latitude) * METRES_PER_DEGREE[0]
    scale = cos(one.latitude * pi / 180)
    east = (one.longitude - other.longitude) * METRES_PER_DEGREE[0] * scale
    return float((north * north + east * east) ** 0.5)


@lru_cache(maxsize=4)
def synthetic(seed: int, nodes: int) -> Router:
    """The router of a map that a seed makes; kept while the process lives."""
    return Router(tiles.synthetic(seed, nodes))


@lru_cache(maxsize=4)
def extract(content: str) -> Router:
    """The router of an OpenStreetMap extract that `tiles.extract` has prepared."""
    return Router(tiles.prepared(content))
