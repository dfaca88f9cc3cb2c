"""Map while it is drawn: points, ways between them, landmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from thence.domains.routes.synthetic.geometry import Array, Point

ORIGIN = (40.0, -89.0)  # latitude and longitude of the plane's origin, degrees
UNITS_PER_DEGREE = 10_000_000  # OpenStreetMap's resolution
METRES_PER_DEGREE = (111_132.0, 85_390.0)  # to the north, to the east, there


@dataclass(frozen=True, slots=True)
class Way:
    """Road, or another line, through points.

    Attributes:
        nodes: numbers of its points, from 0.
        tags: as OpenStreetMap has them.
    """

    nodes: Sequence[int]
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Landmark:
    """Place at which routes start and end.

    Attributes:
        name: as on a sign.
        city: the town that it is in or near.
        state: postal code; empty where unknown.
        kind: airport, hospital, historic, government or landmark.
        latitude: degrees.
        longitude: degrees.
    """

    name: str
    city: str
    state: str
    kind: str
    latitude: float
    longitude: float

    @property
    def label(self) -> str:
        """Return the place as a goal names it: ``NAME (CITY, STATE)``."""
        where = ", ".join(part for part in (self.city, self.state) if part)
        return f"{self.name} ({where})" if where else self.name


@dataclass
class MapDraft:
    """Map that is being drawn.

    Attributes:
        points: place of every node, in metres.
        tags: of the few nodes that have some.
        ways: roads.
        landmarks: node, name, city and kind of each.
        state: name and postal code.
        towns: name and middle of each.
    """

    state: tuple[str, str]
    points: list[Point] = field(default_factory=list)
    tags: dict[int, dict[str, str]] = field(default_factory=dict)
    ways: list[Way] = field(default_factory=list)
    landmarks: list[tuple[int, str, str, str]] = field(default_factory=list)
    towns: list[tuple[str, Point]] = field(default_factory=list)

    def node(self, point: Point) -> int:
        """Add a point and return its number."""
        self.points.append(point)
        return len(self.points) - 1

    def way(self, nodes: Sequence[int], **tags: str) -> None:
        """Add a road; ``_`` in the name of a tag stands for ``:``, empty tags are left out."""
        kept = {name.replace("_", ":"): value for name, value in tags.items() if value}
        if len(nodes) > 1:
            self.ways.append(Way(tuple(nodes), kept))

    def units(self) -> Array:
        """Return latitude and longitude of all nodes in OpenStreetMap's resolution."""
        east, north = np.array(self.points, dtype=float).reshape(-1, 2).T
        latitude = ORIGIN[0] + north / METRES_PER_DEGREE[0]
        longitude = ORIGIN[1] + east / METRES_PER_DEGREE[1]
        both = np.stack((latitude, longitude), axis=1)
        return np.rint(both * UNITS_PER_DEGREE).astype(np.int64)

    def degrees(self) -> list[list[float]]:
        """Return latitude and longitude of all nodes, as the map's file has them."""
        found: list[list[float]] = (self.units() / UNITS_PER_DEGREE).tolist()
        return found

    def places(self) -> list[Landmark]:
        """Return the landmarks with their places on the globe."""
        degrees = self.degrees()
        return [
            Landmark(name, city, self.state[1], kind, *degrees[node])
            for node, name, city, kind in self.landmarks
        ]

    def connected(self) -> MapDraft:
        """Return the largest connected part of the map, the directions of streets aside."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        count = len(self.points)
        steps = [pair for way in self.ways for pair in pairwise(way.nodes)]
        joined = coo_array((np.ones(len(steps)), np.array(steps).T), (count, count))
        parts = connected_components(joined, directed=False)[1]
        kept = (parts == np.bincount(parts).argmax()).tolist()
        ways = [way for way in self.ways if kept[way.nodes[0]]]
        marks = [mark for mark in self.landmarks if kept[mark[0]]]
        return MapDraft(self.state, self.points, self.tags, ways, marks, self.towns)
