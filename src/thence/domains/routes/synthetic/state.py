"""Map of one state, drawn from a seed."""

from __future__ import annotations

import itertools
from math import sqrt
from random import Random

from thence.domains.routes.synthetic import county_roads, landmarks, motorways, names
from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import (
    Point,
    along,
    crossings,
    distance,
    minus,
    right_of,
)
from thence.domains.routes.synthetic.highways import Highways, neighbours
from thence.domains.routes.synthetic.motorways import Motorway
from thence.domains.routes.synthetic.town import Town

WIDTH, HEIGHT = 122_000.0, 80_000.0  # metres; no two towns are more than 150 km apart
SIZES = (  # of towns, in streets across, at 20,000
    *(86, 58, 52, 46, 34, 31, 29, 27, 25, 23, 21, 19),
    *(14, 13, 13, 12, 12, 11, 11, 10, 10, 10),
)


def draw_state(seed: int, nodes: int = 20_000) -> MapDraft:
    """Return the map of a state: towns, highways between them, two motorways, landmarks.

    Args:
        seed: any number; the same one gives the same map on every machine.
        nodes: about how many points the map is to have, 1,000 or more.
    """
    rng = Random(f"map {seed} {nodes}")
    state, code, mark = rng.choice(names.STATES)
    draft = MapDraft((state, code))
    centres = _centres(rng, _sizes(nodes))
    links = neighbours([centre for centre, _ in centres])
    titles = rng.sample(list(names.TOWNS), len(centres))
    towns = []
    for number, (centre, size) in enumerate(centres):
        near = [titles[a + b - number] for a, b in links if number in {a, b}]
        towns.append(Town(rng, titles[number], centre, size, near))
    highways = Highways(draft, rng, towns, links, mark)
    highways.plan()
    for town in towns:
        town.add_roundabouts(0.1)
    west_east, south_north = _motorways(rng, towns)
    for motorway in (west_east, south_north):
        motorways.cut_streets(motorway, towns)
    highways.draw()
    for motorway in (west_east, south_north):
        motorways.draw_carriageways(draft, motorway)
        for crossing in motorway.crossings:
            motorways.draw_interchange(draft, motorway, crossing)
    if west_east.forks:
        motorways.draw_junction(draft, west_east, south_north)
    county_roads.draw_all(draft, rng, towns, highways.waypoints, max(12, nodes // 36))
    landmarks.draw_all(draft, rng, towns)
    for town in towns:
        town.draw(draft)
    draft.towns = [(town.name, town.centre) for town in towns]
    return draft.connected()


def _sizes(nodes: int) -> list[int]:
    share = sqrt(nodes / 20_000)
    sizes = [max(9, round(size * share)) for size in SIZES]
    return sizes if nodes >= 6_000 else sizes[:8]


def _centres(rng: Random, sizes: list[int]) -> list[tuple[Point, int]]:
    """Return the places of the towns: the largest near the middle, none too near another."""
    found = [((rng.uniform(-9_000, 9_000), rng.uniform(-7_000, 7_000)), sizes[0])]
    apart = 21_000.0
    while len(found) < len(sizes):
        for _ in range(200):
            place = (rng.uniform(-WIDTH / 2, WIDTH / 2), rng.uniform(-HEIGHT / 2, HEIGHT / 2))
            if all(distance(place, other) > apart for other, _ in found):
                found.append((place, sizes[len(found)]))
                break
        else:
            apart *= 0.9
    return found


def _motorways(rng: Random, towns: list[Town]) -> list[Motorway]:
    """Return a motorway from west to east and one from south to north, past the largest towns."""
    found: list[Motorway] = []
    numbers = [rng.choice((64, 70, 74, 76, 80, 84, 90)), rng.choice((35, 55, 65, 71, 75, 77, 79))]
    titles = rng.sample(list(names.MOTORWAY_NAMES), len(names.MOTORWAY_NAMES))
    for axis in (0, 1):
        served = [towns[0]]
        for town in towns[1:6]:
            off = minus(town.centre, towns[0].centre)
            if abs(off[axis]) > 1.3 * abs(off[1 - axis]):
                served.append(town)
        served.sort(key=lambda town: town.centre[axis])
        ahead: Point = (1.0, 0.0) if axis == 0 else (0.0, 1.0)
        controls: list[Point] = []
        for town in served:
            side = rng.choice((-1, 1)) * rng.uniform(0.32, 0.6) * town.radius
            controls.append(along(town.centre, right_of(ahead), side))
        for end, sign in ((0, -1), (-1, 1)):
            past = along(controls[end], ahead, sign * 14_000)
            controls.insert(0 if end == 0 else len(controls), past)
        line = motorways.smooth_line(controls)
        ends = [(_nearest_mark(line.points, line.marks, town.centre), town.name) for town in served]
        found.append(
            Motorway(
                f"I {numbers[axis]}",
                titles[axis] if rng.random() < 0.5 else "",
                line,
                ("East", "West") if axis == 0 else ("North", "South"),
                ends,
            )
        )
    _mark_crossing(*found)
    return found


def _nearest_mark(points: list[Point], marks: list[float], place: Point) -> float:
    return min(zip(points, marks, strict=True), key=lambda pair: distance(pair[0], place))[1]


def _mark_crossing(*roads: Motorway) -> None:
    """Mark where two motorways cross first."""
    lines = [list(itertools.pairwise(road.line.points)) for road in roads]
    for *pieces, share, other in crossings(*lines):
        for road, piece, far in zip(roads, pieces, (share, other), strict=True):
            marks = road.line.marks
            road.forks.append(marks[piece] + far * (marks[piece + 1] - marks[piece]))
        return
