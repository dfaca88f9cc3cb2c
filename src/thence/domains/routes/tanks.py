"""Routes of a watering truck, whose tanks are filled and emptied on the way.

Two routes are made that differ in two stops alone: with a filling left out, a later stop finds its
tank full in one of them and empty in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from thence.core.procedure import Procedure, Step
from thence.domains.routes.lowering import LoweredRoute

TANKS: Sequence[str] = ("front", "rear")
FILL, POUR, SAMPLE = "fill", "pour", "sample"
_TEXTS = {
    FILL: "Stop and fill the {} tank at the hydrant.",
    POUR: "Stop and pour all the water of the {} tank on the trees.",
    SAMPLE: "Stop and take a sample of the water in the {} tank.",
}
_TRIES = 12  # programs of stops for a route
_TOGETHER = 3  # most stops in a row

type Stop = tuple[str, str]  # what is done to which tank


@dataclass(frozen=True, slots=True)
class TankTwins:
    """Twin routes of a truck that differ in two of its stops.

    Attributes:
        full: without the filling, the later stop still finds its tank full.
        empty: without it, the tank is empty.
        fills: the step that fills a tank.
        needs: the later step, which needs it full.
    """

    full: Procedure
    empty: Procedure
    fills: int
    needs: int


def with_tanks(route: LoweredRoute, rng: Random) -> TankTwins | None:
    """Add the stops of a truck to a route; each works as long as none is left out.

    Returns:
        None where the route is too short, or no such pair was found by chance.
    """
    drives = len(route.sentences)
    if drives < 6:
        return None
    for _ in range(_TRIES):
        stops = _program(rng.randint(7, 14), rng)
        found = _exchange(stops, rng)
        if found is None:
            continue
        other, fills, needs = found
        full, empty = (stops, other) if _finds(stops, fills, needs) else (other, stops)
        places = _places(len(stops), drives, rng)
        where = [place + number for number, place in enumerate(places)]
        return TankTwins(
            _driven(route, full, places),
            _driven(route, empty, places),
            where[fills],
            where[needs],
        )
    return None


def _program(count: int, rng: Random) -> list[Stop]:
    full = dict.fromkeys(TANKS, False)
    stops: list[Stop] = []
    for _ in range(count):
        tank = rng.choice(TANKS)
        kind = rng.choices((FILL, POUR, SAMPLE), (4, 4, 2))[0] if full[tank] else FILL
        full[tank] = kind != POUR
        stops.append((kind, tank))
    return stops


def _skipped(stops: Sequence[Stop], without: int | None = None) -> list[int]:
    """Return the stops that find their tank empty where one stop is left out."""
    full: set[str] = set()
    found = []
    for number, (kind, tank) in enumerate(stops):
        if number == without:
            continue
        if kind == FILL:
            full.add(tank)
        elif tank not in full:
            found.append(number)
        elif kind == POUR:
            full.discard(tank)
    return found


def _finds(stops: Sequence[Stop], fills: int, needs: int) -> bool:
    return needs not in _skipped(stops, fills)


def _exchange(stops: Sequence[Stop], rng: Random) -> tuple[list[Stop], int, int] | None:
    """Return the stops with two of them changed, and a filling and a need that this affects.

    Two stops between these change their tanks, or one of them and one elsewhere, of the same tank,
    change places: all tanks and all that is done to them are named as often as before.
    """
    places = range(len(stops))
    pairs = [
        (i, j)
        for i, j in combinations(places, 2)
        if stops[i][0] == FILL and stops[j][0] != FILL and stops[i][1] == stops[j][1]
    ]
    for i, j in rng.sample(pairs, len(pairs)):
        changes = [
            (p, q)
            for p in range(i + 1, j)
            for q in places
            if q not in (i, j) and (stops[p][0] == FILL) != (stops[q][0] == FILL)
        ]
        for p, q in rng.sample(changes, len(changes)):
            other = list(stops)
            if i < q < j:
                other[p], other[q] = (stops[p][0], stops[q][1]), (stops[q][0], stops[p][1])
            elif stops[p][1] == stops[q][1]:
                other[p], other[q] = stops[q], stops[p]
            if not _skipped(other) and _finds(other, i, j) != _finds(stops, i, j):
                return other, i, j
    return None


def _places(count: int, drives: int, rng: Random) -> list[int]:
    """Return the drive before which each stop comes, no more than a few in a row."""
    free = [place for place in range(1, drives - 1) for _ in range(_TOGETHER)]
    while len(free) < count:
        free += range(1, drives - 1)
    return sorted(rng.sample(free, count))


def _driven(route: LoweredRoute, stops: Sequence[Stop], places: Sequence[int]) -> Procedure:
    steps: list[Step] = []
    after: dict[int, list[Stop]] = {}
    for stop, place in zip(stops, places, strict=True):
        after.setdefault(place, []).append(stop)
    for number, sentence in enumerate(route.sentences):
        steps += [_step(*stop) for stop in after.get(number, ())]
        here = (f"place {number}",) if number else ()
        steps.append(Step(sentence.text, here, (f"place {number + 1}",), here))
    goal = f"{route.procedure.goal}, with a watering truck"
    order = tuple((k, k + 1) for k in range(len(steps) - 1))
    return Procedure(goal, tuple(steps), order, ())


def _step(kind: str, tank: str) -> Step:
    fact, text = (f"{tank} tank full",), _TEXTS[kind].format(tank)
    if kind == FILL:
        return Step(text, (), fact)
    return Step(text, fact, (), fact if kind == POUR else ())
