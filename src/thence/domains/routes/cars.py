"""Procedures of five cars' routes in one list, with steps that do not depend on each other.

A single route is a chain in which every step depends on the one before it. Cars that wait for each
other here and there give independent steps as well. Of two cars a look at one wait tells whether a
step of one comes before a step of the other. Of three it may take two waits or more. Of five, each
of two cars may have waited for yet another one since, so that a wait tells little of their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import TYPE_CHECKING

from thence.core.graph import Graph
from thence.core.procedure import Procedure, Step

if TYPE_CHECKING:
    from random import Random

    from thence.domains.routes.router import Route, Router

_WAIT = re.compile(r"Wait here until (Car \d) has (?:done this: (.*)|arrived)")
_THERE = "at the end"
_ARRIVED = re.compile(r"You have arrived\b|Your destination\b")
_TRIPS = (3, 2)  # cars of each
MOST = 9  # steps of a car, on the average of a trip, without waits
_WAITS = (15, 16, 17, 18)

type Line = tuple[int, str]  # whose step, and its text; of a wait the text is empty


def procedures(rng: Random, *, seed: int = 0, nodes: int = 20_000) -> Iterator[Procedure]:
    """Yield distinct procedures of five cars without end; no step names another by its number.

    Args:
        rng: all chance.
        seed: of the made-up map.
        nodes: of the made-up map, about.

    Raises:
        MissingExtra: Valhalla or osmium is not installed.
    """
    from thence.domains.routes import router

    chosen = router.synthetic(seed, nodes)
    seen: set[tuple[str, ...]] = set()
    while True:
        trips = [_trip(chosen, cars, rng) for cars in _TRIPS]
        routes = [route.steps for route in chain(*trips)]
        told = tuple(chain(*routes))
        if told in seen:
            continue
        seen.add(told)
        lines, waits = _mixed(routes, rng)
        if any(lines.count(lines[target]) > 1 for target in waits.values()):
            continue  # a wait names a step by its words, which must be of one step alone
        yield _joined(goal([trip[0].goal for trip in trips]), lines, waits)


def _trip(chosen: Router, cars: int, rng: Random) -> Sequence[Route]:
    """Return routes of some cars between two places, of few steps on the average."""
    while True:
        found = rng.sample(chosen.draw(rng), cars)
        if sum(len(route.steps) for route in found) <= cars * MOST:
            return found


def strands(procedure: Procedure) -> list[frozenset[str]]:
    """Return for each step the car that does it, and what it does or waits for, by its words."""
    texts = [step.text for step in procedure.steps]
    return [frozenset((text.partition(":")[0], _told(text))) for text in texts]


def _told(text: str) -> str:
    """Return what a step does, or what it waits for, in the same words."""
    if wait := _WAIT.search(text):
        return f"{wait[1]}: {wait[2] or _THERE}"
    car, _, done = text.partition(": ")
    return f"{car}: {_THERE}" if _ARRIVED.match(done) else text


def goal(trips: Sequence[str]) -> str:
    """Return the goal of all cars: each trip, and the cars that make it."""
    number = count(1)
    told = []
    for trip, cars in zip(trips, _TRIPS, strict=True):
        first, *_, last = islice(number, cars)
        told.append(f"{trip}, with cars {first} {'to' if cars > 2 else 'and'} {last}")
    return "; ".join(told)


def _mixed(routes: Sequence[Sequence[str]], rng: Random) -> tuple[list[Line], dict[int, int]]:
    """Return routes in one list, each in its order, and the step that each wait is for.

    A car waits for the last step of another one that it does not know to be done already. With
    earlier steps fewer pairs without an order have waits between them, so that these would tell.
    """
    left = {car: list(steps) for car, steps in enumerate(routes, 1)}
    lines: list[Line] = []
    waits: dict[int, int] = {}
    known: dict[int, dict[int, int]] = {car: {} for car in left}  # by car, the last line of each
    then: list[dict[int, int]] = []  # the same after each line
    total = sum(map(len, routes))
    places = range(total // 6, total - 2)
    marks = sorted(rng.sample(places, min(rng.choice(_WAITS), len(places))))
    done, car = 0, rng.choice(list(left))

    def write(text: str) -> None:
        known[car][car] = len(lines)
        then.append(dict(known[car]))
        lines.append((car, text))

    while any(left.values()):
        for _ in range(rng.choice((1, 1, 2, 3))):
            if not left[car]:
                break
            theirs = [
                k
                for k, (other, text) in enumerate(lines)
                if other != car and text and k > known[car].get(other, -1)
            ]
            if marks and done >= marks[0] and theirs:
                marks.pop(0)
                target = waits[len(lines)] = theirs[-1]
                for other, last in then[target].items():
                    known[car][other] = max(last, known[car].get(other, -1))
                write("")
            write(left[car].pop(0))
            done += 1
        car = rng.choice([each for each in left if each != car])
    return lines, waits


def _joined(goal_: str, lines: Sequence[Line], waits: Mapping[int, int]) -> Procedure:
    """Return the procedure of a mixed list: each car's steps in order, tied by the waits."""
    last: dict[int, int] = {}
    edges: list[tuple[int, int]] = []
    steps: list[Step] = []
    targets = set(waits.values())
    for number, (car, manoeuvre) in enumerate(lines):
        text = manoeuvre
        before = (f"car {car} after step {last[car] + 1}",) if car in last else ()
        uses, defines = list(before), [f"car {car} after step {number + 1}"]
        if number in waits:
            other, awaited = lines[waits[number]]
            text = f"Wait here until Car {other} has done this: {awaited}"
            if _ARRIVED.match(awaited):
                text = f"Wait here until Car {other} has arrived."
            uses.append(f"step {waits[number] + 1} done")
            edges.append((waits[number], number))
        if number in targets:
            defines.append(f"step {number + 1} done")
        if car in last:
            edges.append((last[car], number))
        last[car] = number
        steps.append(Step(f"Car {car}: {text}", tuple(uses), tuple(defines), before))
    order = Graph(len(steps), edges).transitive_reduction()
    return Procedure(goal_, tuple(steps), tuple(order), ())
