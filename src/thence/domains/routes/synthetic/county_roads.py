"""County roads of the made-up map, from hamlet to hamlet between the highways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from random import Random

from thence.domains.routes.synthetic import names
from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import Point, Warp, curve, dot, minus, unit
from thence.domains.routes.synthetic.highways import neighbours
from thence.domains.routes.synthetic.town import Town

STEP = 950.0  # metres between the points of a county road
FARTHEST = 8_000.0  # metres between the ends of one
EVERY = 9  # points of a highway from one crossing to the next, about
STRAIGHT = 0.8  # cosine of the sharpest bend in which a road keeps its name
LEFT_OUT = 0.2  # share of the roads that were never built


@dataclass(slots=True)
class Place:
    """Hamlet, or point of a highway or town, at which county roads meet.

    Attributes:
        point: where it is.
        node: on the map.
        owner: the highway that it lies on, or the town; None for a hamlet.
        roads: direction of each county road from here, and its tags; None once it goes on.
    """

    point: Point
    node: int
    owner: object = None
    roads: list[tuple[Point, dict[str, str]]] = field(default_factory=list)


type Road = tuple[tuple[Place, Place], list[Point], dict[str, str]]  # ends, course and tags


def draw_all(
    draft: MapDraft,
    rng: Random,
    towns: Sequence[Town],
    waypoints: Sequence[tuple[int, int]],
    count: int,
) -> None:
    """Draw the county roads.

    Args:
        draft: with the highways.
        rng: all chance.
        towns: from whose free gates county roads begin.
        waypoints: nodes of the highways in the country, and whose they are.
        count: of hamlets.
    """
    places: list[Place] = []
    skip = 0
    for node, road in waypoints:
        skip -= 1
        if skip <= 0:
            places.append(Place(draft.points[node], node, road))
            skip = rng.randint(EVERY - 4, EVERY + 4)
    for town in towns:
        for gate in town.gates:
            if gate.cell not in town.busy:
                node = town.node(draft, gate.cell)
                places.append(Place(draft.points[node], node, town.name))
    _settle(draft, rng, towns, places, count)
    roads: list[Road] = []
    pool = names.rural(rng)
    numbers = names.NamePool(rng, [str(number) for number in range(1, max(1_000, count))])
    for a, b in neighbours([place.point for place in places], FARTHEST):
        one, other = places[a], places[b]
        if one.owner is not None and one.owner == other.owner:
            continue
        if rng.random() >= LEFT_OUT:
            roads.append(_road(rng, (pool, numbers), (one, other)))
    _draw(draft, Warp(rng, 5_000.0, 240.0), roads)


def _settle(
    draft: MapDraft, rng: Random, towns: Sequence[Town], places: list[Place], count: int
) -> None:
    """Add hamlets between the towns, none too near to another place."""
    low, high = (
        tuple(pick(town.centre[axis] for town in towns) for axis in (0, 1)) for pick in (min, max)
    )
    apart = 0.62 * sqrt((high[0] - low[0]) * (high[1] - low[1]) / max(count, 1))
    wide = [(*town.centre, (1.5 * town.radius + 800) * (1.5 * town.radius + 800)) for town in towns]
    squares: dict[tuple[int, int], list[Point]] = {}

    def note(point: Point) -> None:
        x, y = int(point[0] // apart), int(point[1] // apart)
        for i in (x - 1, x, x + 1):
            for j in (y - 1, y, y + 1):
                squares.setdefault((i, j), []).append(point)

    for place in places:
        note(place.point)
    for _ in range(6 * count):
        x, y = rng.uniform(low[0], high[0]), rng.uniform(low[1], high[1])
        near = squares.get((int(x // apart), int(y // apart)), ())
        if any((x - a) * (x - a) + (y - b) * (y - b) < apart * apart for a, b in near):
            continue
        if any((x - a) * (x - a) + (y - b) * (y - b) < size for a, b, size in wide):
            continue
        note((x, y))
        places.append(Place((x, y), draft.node((x, y))))
        count -= 1
        if not count:
            return


def _road(
    rng: Random, pools: tuple[names.NamePool, names.NamePool], ends: tuple[Place, Place]
) -> Road:
    """Return a road; it may go straight on from another one under the same name."""
    one, other = ends
    heading = unit(minus(other.point, one.point))
    outs = heading, (-heading[0], -heading[1])
    tags: dict[str, str] | None = None
    leave: list[Point] = []
    for place, out in zip(ends, outs, strict=True):
        onward = [
            (dot(out, back), number)
            for number, (back, held) in enumerate(place.roads)
            if held and dot(out, back) < -STRAIGHT
        ]
        if tags is None and onward and place.owner is None and rng.random() < 0.25:
            back, tags = place.roads[min(onward)[1]]
            place.roads[min(onward)[1]] = back, {}
            leave.append(unit((out[0] - back[0], out[1] - back[1])))
            continue
        lean = rng.uniform(-0.45, 0.45)
        leave.append(unit((out[0] - lean * out[1], out[1] + lean * out[0])))
    tags = tags or _tags(rng, *pools)
    for place, out in zip(ends, leave, strict=True):
        place.roads.append((out, tags))
    points = curve(one.point, leave[0], other.point, (-leave[1][0], -leave[1][1]), STEP)
    return ends, points, tags


def _draw(draft: MapDraft, warp: Warp, roads: Sequence[Road]) -> None:
    """Put roads on the map, all bent at once except at their ends."""
    shares = []
    for _, points, _ in roads:
        last = len(points) - 1
        shares += [min(1.0, min(k, last - k) / 2) for k in range(last + 1)]
    bent = iter(warp.bend_points([point for _, points, _ in roads for point in points], shares))
    for (one, other), points, tags in roads:
        inner = [draft.node(point) for point in list(islice(bent, len(points)))[1:-1]]
        draft.way([one.node, *inner, other.node], **tags)


def _tags(rng: Random, pool: names.NamePool, numbers: names.NamePool) -> dict[str, str]:
    chance = rng.random()
    if chance < 0.16:
        return {"highway": "unclassified", "maxspeed": "56"}
    if chance < 0.42:
        number = numbers.take()
        name = f"County Road {number}"
        return {"highway": "tertiary", "name": name, "ref": f"CR {number}", "maxspeed": "72"}
    return {"highway": "tertiary", "name": pool.take(), "maxspeed": "72"}
