"""Named places of the made-up map, each at the end of a drive without a name."""

from __future__ import annotations

from random import Random

from thence.domains.routes.synthetic import names
from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import (
    Point,
    along,
    curve,
    distance,
    minus,
    right_of,
    unit,
)
from thence.domains.routes.synthetic.town import Cell, Town


def draw_all(draft: MapDraft, rng: Random, towns: list[Town]) -> None:
    """Draw the named places of every town; larger towns have more."""
    saints = names.NamePool(rng, names.SAINTS)
    for number, town in enumerate(towns):
        weight = max(1, town.columns // 14)
        village = town.columns < 16 and number > 5
        if number < 4 or (not village and rng.random() < 0.3):
            _airport(draft, rng, town, number == 0)
        hospitals = 1 - village + (weight > 2) + (weight > 4) * 2
        wanted = [("hospital", _hospital(rng, town, saints, k)) for k in range(hospitals)]
        wanted += [("government", name) for name in _public(rng, town)[: 1 + weight]]
        wanted += [("historic", _historic(rng)) for _ in range(1 + weight)]
        wanted += [("landmark", name) for name in _sights(rng, town)[: 1 + weight]]
        cells = _corners(town)
        taken: list[Point] = []
        for kind, name in wanted:
            for cell in rng.sample(cells, min(12, len(cells))):
                point = town.place(cell)
                if all(distance(point, other) > 350 for other in taken):
                    taken.append(point)
                    _drive(draft, rng, town, cell, (name, kind))
                    break


def _corners(town: Town) -> list[Cell]:
    """Return the cells at which three or four streets meet without a roundabout."""
    found: dict[Cell, int] = {}
    for a, b in town.streets:
        found[a] = found.get(a, 0) + 1
        found[b] = found.get(b, 0) + 1
    return [cell for cell, count in found.items() if count > 2 and cell not in town.rings]


def _drive(draft: MapDraft, rng: Random, town: Town, cell: Cell, mark: tuple[str, str]) -> None:
    """Draw a place at the end of a drive from a street, which may have turns and side lanes.

    A drive may also have no length: then the place lies by the street itself.
    """
    ways = [other for other in town.around(cell) if other not in town.rings]
    if not ways:
        return
    start, stop = (town.node(draft, end) for end in sorted((cell, rng.choice(ways))))
    if (start, stop) in town.gaps:
        return
    a, b = draft.points[start], draft.points[stop]
    heading = unit(minus(b, a))
    aside = right_of(heading)
    if rng.random() < 0.5:
        aside = -aside[0], -aside[1]
    # The drive leaves from a node of its own in the street, drawn into the way later.
    gap = along(a, heading, distance(a, b) * 0.5)
    gate = draft.node(gap)
    town.gaps[start, stop] = gate
    legs = rng.choice((0, 0, 0, 1, 1, 2, 3))
    nodes, heads = [gate], aside
    point = gap
    for leg in range(legs):
        size = rng.uniform(24, 90)
        point = along(point, heads, size)
        nodes.append(draft.node(point))
        if leg < legs - 1:  # a lane goes straight on, so that the turn is one
            beyond = draft.node(along(point, heads, rng.uniform(25, 60)))
            draft.way([nodes[-1], beyond], highway="service", maxspeed="20")
            turn = right_of(heads)
            heads = turn if rng.random() < 0.5 else (-turn[0], -turn[1])
    if legs:
        draft.way(nodes, highway="service", maxspeed="20")
    draft.landmarks.append((nodes[-1], mark[0], town.name, mark[1]))


def _airport(draft: MapDraft, rng: Random, town: Town, large: bool) -> None:
    free = [gate for gate in town.gates if gate.cell not in town.busy]
    if not free:
        return
    gate = rng.choice(free)
    town.busy.append(gate.cell)
    out = town.outward(gate)
    start = town.place(gate.cell)
    lean = rng.uniform(-0.5, 0.5)
    far = unit((out[0] - lean * out[1], out[1] + lean * out[0]))
    stop = along(start, far, rng.uniform(1_300, 2_800))
    points = curve(start, out, stop, far, 180.0)
    nodes = [town.node(draft, gate.cell), *(draft.node(point) for point in points[1:])]
    draft.way(nodes, highway="secondary", name="Airport Road", maxspeed="64")
    aside = right_of(far)
    corner = draft.node(along(stop, aside, 160.0))
    door = draft.node(along(draft.points[corner], far, 90.0))
    ahead = draft.node(along(stop, far, 140.0))
    draft.way([nodes[-1], corner], highway="tertiary", name="Terminal Drive", maxspeed="40")
    draft.way([nodes[-1], ahead], highway="service", maxspeed="25")
    draft.way([corner, door], highway="service", maxspeed="25")
    kind = "International" if large else rng.choice(("Regional", "Municipal", "County"))
    draft.landmarks.append((door, f"{town.name} {kind} Airport", town.name, "airport"))


def _hospital(rng: Random, town: Town, saints: names.NamePool, number: int) -> str:
    if number == 0:
        return f"{town.name} {rng.choice(('Memorial Hospital', 'General Hospital'))}"
    if number == 1:
        return f"{town.name} Community Hospital"
    saint = saints.take() if rng.random() < 0.8 else town.name
    if saint not in names.SAINTS:
        saint = town.name
    return f"{saint} Medical Center"


def _public(rng: Random, town: Town) -> list[str]:
    first = [f"{town.name} City Hall", f"{town.name} Public Library"]
    rest = [f"{town.name} Post Office", f"{town.name} Police Department", "County Courthouse"]
    return first + rng.sample(rest, 3)


def _historic(rng: Random) -> str:
    kind = rng.choice(("House", "House", "House", "Mill", "Farmstead", "Tavern", "Homestead"))
    return f"{rng.choice(names.GIVEN)} {rng.choice(names.PEOPLE[20:])} {kind}"


def _sights(rng: Random, town: Town) -> list[str]:
    last = rng.choice(names.PEOPLE[36:])
    found = [
        f"{town.name} Art Museum",
        f"{last} Theater",
        f"{town.name} Historical Museum",
        f"{rng.choice(names.PEOPLE[36:])} Botanical Garden",
        f"{town.name} Union Station",
        f"{rng.choice(names.PEOPLE[36:])} Memorial Stadium",
    ]
    return rng.sample(found, len(found))
