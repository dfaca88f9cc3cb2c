"""Procedures of two cars' routes in one list, with steps that do not depend on each other.

A single route is a chain in which every step depends on the one before it. Two cars that wait for
each other here and there give independent steps as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thence.core.graph import Graph
from thence.core.procedure import Procedure, Step

if TYPE_CHECKING:
    from random import Random

_ARRIVED = re.compile(r"You have arrived\b|Your destination\b")
MOST = 30  # steps of both cars, without waits

type Line = tuple[int, str]  # whose step, and its text; of a wait the text is empty


def procedures(rng: Random, *, seed: int = 0, nodes: int = 20_000) -> Iterator[Procedure]:
    """Yield distinct procedures of two cars without end; no step names another by its number.

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
        one, other = rng.sample(chosen.draw(rng), 2)
        if len(one.steps) + len(other.steps) > MOST or (*one.steps, *other.steps) in seen:
            continue
        seen.add((*one.steps, *other.steps))
        lines, waits = _mixed(one.steps, other.steps, rng)
        if any(lines.count(lines[target]) > 1 for target in waits.values()):
            continue  # a wait names a step by its words, which must be of one step alone
        yield _joined(goal(one.goal), lines, waits)


def strand(step: Step) -> str:
    """Return the car that does a step."""
    return step.text.partition(":")[0]


def goal(of_one: str) -> str:
    """Return the goal of two cars that make the same trip by different roads."""
    return f"{of_one}, with two cars on different routes"


def _mixed(
    first: Sequence[str], second: Sequence[str], rng: Random
) -> tuple[list[Line], dict[int, int]]:
    """Return two routes in one list, each in its order, and the step that each wait is for."""
    left = {1: list(first), 2: list(second)}
    lines: list[Line] = []
    waits: dict[int, int] = {}
    car = rng.choice((1, 2))
    total = len(first) + len(second)
    marks = sorted(rng.sample(range(total // 4, total - 2), rng.choice((1, 2, 2, 3))))
    done = 0
    while left[1] or left[2]:
        for _ in range(rng.choice((1, 1, 2, 3))):
            if not left[car]:
                break
            theirs = [k for k, (other, text) in enumerate(lines) if other != car and text]
            if marks and done >= marks[0] and len(theirs) > 1:
                marks.pop(0)
                waits[len(lines)] = rng.choice(theirs[-6:])
                lines.append((car, ""))
            lines.append((car, left[car].pop(0)))
            done += 1
        car = 3 - car
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
            awaited = lines[waits[number]][1]
            text = f"Wait here until Car {3 - car} has done this: {awaited}"
            if _ARRIVED.match(awaited):
                text = f"Wait here until Car {3 - car} has arrived."
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
