"""Motorways of the made-up map: two carriageways, numbered exits, signs, interchanges."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import (
    Point,
    Polyline,
    beside,
    crossings,
    curve,
    distance,
    dot,
    minus,
    right_of,
    unit,
)
from thence.domains.routes.synthetic.highways import STEP
from thence.domains.routes.synthetic.town import ARTERIAL, COLLECTOR, LOCAL, Cell, Edge, Town

MILE = 1_609.344
LANE = 15.0  # metres from the middle to a carriageway
RAMP = 430.0  # metres along the motorway that a ramp takes
APART = 1_900.0  # metres between interchanges at least


@dataclass(slots=True)
class Crossing:
    """Interchange of a motorway with the main road of a town that passes under it."""

    mark: float
    town: Town
    edge: Edge
    share: float


@dataclass
class Motorway:
    """Motorway of two carriageways.

    Attributes:
        ref: such as ``I 74``.
        name: an official name, or empty.
        line: its middle.
        directions: how its two carriageways are signed, such as East and West.
        ends: towns that it is signed towards, forwards and backwards, by length along it.
        crossings: interchanges with streets.
        forks: marks of interchanges with other motorways.
    """

    ref: str
    name: str
    line: Polyline
    directions: tuple[str, str]
    ends: Sequence[tuple[float, str]]
    crossings: list[Crossing] = field(default_factory=list)
    forks: list[float] = field(default_factory=list)
    nodes: dict[tuple[int, float], int] = field(default_factory=dict)

    def towards(self, side: int, mark: float) -> str:
        """Return the next town in a direction."""
        ahead = [
            (abs(place - mark), town)
            for place, town in self.ends
            if (place - mark) * (1, -1)[side] > 4_000
        ]
        return min(ahead)[1] if ahead else ""

    def signed(self, side: int) -> str:
        """Return number and direction as on signs, such as ``I 74 East``."""
        return f"{self.ref} {self.directions[side]}"

    def at(self, side: int, mark: float) -> tuple[Point, Point]:
        """Return a place on a carriageway, and the direction of travel there."""
        point, direction = self.line.place(mark)
        if side:
            direction = -direction[0], -direction[1]
        return beside(point, direction, 0.0, LANE), direction


def smooth_line(controls: Sequence[Point]) -> Polyline:
    """Return a smooth line through some points."""
    points: list[Point] = []
    for number in range(len(controls) - 1):
        a, b = controls[number], controls[number + 1]
        before, after = controls[max(0, number - 1)], controls[min(len(controls) - 1, number + 2)]
        piece = curve(a, unit(minus(b, before)), b, unit(minus(after, a)), STEP)
        points += piece if not points else piece[1:]
    return Polyline(points)


def cut_streets(motorway: Motorway, towns: Sequence[Town]) -> None:
    """End local streets at a motorway, and find where main roads pass under it."""
    found: list[Crossing] = []
    marks = motorway.line.marks
    pieces = list(itertools.pairwise(motorway.line.points))
    for town in towns:
        reach = 2 * town.radius + STEP
        by = [distance(point, town.centre) < reach for point in motorway.line.points]
        near = [number for number in range(len(pieces)) if by[number] or by[number + 1]]
        streets = list(town.streets) if near else []
        spans = [(town.place(a), town.place(b)) for a, b in streets]
        for k, street, far, share in crossings([pieces[number] for number in near], spans):
            edge, piece = streets[street], near[k]
            rank = town.streets[edge].rank if edge in town.streets else COLLECTOR
            if rank == LOCAL:
                del town.streets[edge]
            elif rank == ARTERIAL and not town.rings.keys() & set(edge):
                mark = marks[piece] + far * (marks[piece + 1] - marks[piece])
                found.append(Crossing(mark, town, edge, share))
    found.sort(key=lambda crossing: crossing.mark)
    taken = list(motorway.forks)
    for crossing in found:
        far = RAMP * 2 < crossing.mark < motorway.line.length - RAMP * 2
        if far and all(abs(crossing.mark - mark) > APART for mark in taken):
            taken.append(crossing.mark)
            motorway.crossings.append(crossing)


def exit_number(mark: float) -> str:
    """Return the number of an exit, which counts miles from the beginning."""
    return str(1 + int(mark / MILE))


def draw_carriageways(draft: MapDraft, motorway: Motorway) -> None:
    """Draw both carriageways, with a node wherever a ramp begins or ends."""
    special = [crossing.mark + off for crossing in motorway.crossings for off in (-RAMP, RAMP)] + [
        mark + off for mark in motorway.forks for off in (-2.3 * RAMP, 2.3 * RAMP)
    ]
    marks = sorted({*special, 0.0, motorway.line.length})
    for side in (0, 1):
        run = []
        for a, b in itertools.pairwise(marks):
            run.append(_node(draft, motorway, side, a))
            pieces = max(1, round((b - a) / STEP))
            for piece in range(1, pieces):
                place = a + (b - a) * piece / pieces
                run.append(draft.node(motorway.at(side, place)[0]))
        run.append(_node(draft, motorway, side, marks[-1]))
        draft.way(
            run if side == 0 else run[::-1],
            highway="motorway",
            oneway="yes",
            ref=motorway.signed(side),
            name=motorway.name,
            maxspeed="105",
        )


def _node(draft: MapDraft, motorway: Motorway, side: int, mark: float) -> int:
    if (side, mark) not in motorway.nodes:
        motorway.nodes[side, mark] = draft.node(motorway.at(side, mark)[0])
    return motorway.nodes[side, mark]


def draw_interchange(draft: MapDraft, motorway: Motorway, crossing: Crossing) -> None:
    """Draw the four ramps between a motorway and a main road."""
    town, (a, b) = crossing.town, crossing.edge
    ends: tuple[Cell, Cell] = (town.beyond(a, b), town.beyond(b, a))
    street = town.streets[crossing.edge]
    number = exit_number(crossing.mark)
    for side in (0, 1):
        sign = (1, -1)[side]
        middle_point, direction = motorway.at(side, crossing.mark)
        aside = right_of(direction)
        cell = max(ends, key=lambda end: dot(aside, minus(town.place(end), middle_point)))
        terminal = town.node(draft, cell)
        off = motorway.nodes[side, crossing.mark - sign * RAMP]
        on = motorway.nodes[side, crossing.mark + sign * RAMP]
        draft.tags[off] = {"highway": "motorway_junction", "ref": number}
        bow = draft.node(beside(middle_point, direction, -0.45 * RAMP, 48.0))
        draft.way(
            [off, bow, terminal],
            highway="motorway_link",
            oneway="yes",
            destination=town.name if street.refs else street.name,
            destination_ref_to=";".join(street.refs),
            maxspeed="60",
        )
        bow = draft.node(beside(middle_point, direction, 0.45 * RAMP, 48.0))
        draft.way(
            [terminal, bow, on],
            highway="motorway_link",
            oneway="yes",
            destination=motorway.towards(side, crossing.mark),
            destination_ref=motorway.signed(side),
            maxspeed="60",
        )


def draw_junction(draft: MapDraft, one: Motorway, other: Motorway) -> None:
    """Draw the ramps between two motorways at their first crossing."""
    for road, crossed in ((one, other), (other, one)):
        for side in (0, 1):
            _draw_fork(draft, road, side, crossed)


def _draw_fork(draft: MapDraft, road: Motorway, side: int, other: Motorway) -> None:
    """Draw the ramps from a carriageway of a motorway to both of another one."""
    mark, place = road.forks[0], other.forks[0]
    sign = (1, -1)[side]
    point, direction = road.at(side, mark)
    aside = right_of(direction)
    off = road.nodes[side, mark - sign * 2.3 * RAMP]
    number = exit_number(mark)
    draft.tags[off] = {"highway": "motorway_junction", "ref": number}
    fork = draft.node(beside(point, direction, -1.6 * RAMP, 42.0))
    draft.tags[fork] = {"highway": "motorway_junction"}
    rightward = 0 if dot(other.at(0, place)[1], aside) > 0 else 1
    draft.way(
        [off, fork],
        highway="motorway_link",
        oneway="yes",
        destination_ref=other.ref,
        maxspeed="80",
    )
    for target, letter in ((rightward, "A"), (1 - rightward, "B")):
        onto = other.nodes[target, place + (1, -1)[target] * 2.3 * RAMP]
        if letter == "A":
            bows = [(-0.9, 150.0), (-0.55, 330.0)]
        else:
            bows = [(-0.7, 60.0), (0.05, 40.0), (0.35, -120.0)]
        path = [
            draft.node(beside(point, direction, ahead * RAMP, off_line)) for ahead, off_line in bows
        ]
        draft.way(
            [fork, *path, onto],
            highway="motorway_link",
            oneway="yes",
            junction_ref=number + letter,
            destination=other.towards(target, place),
            destination_ref=other.signed(target),
            maxspeed="70",
        )
