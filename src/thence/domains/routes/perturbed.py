"""Routes with something done to them: stops by the way, detours, a tank to fill, a second car.

A route as it stands is one chain in which every step needs all before it. These changes give
questions about what a step relies on an answer that is not always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from thence.domains.routes.lowering import Lowered, lower
from thence.kernel.graph import Graph
from thence.kernel.procedure import Procedure, Step

STOPS: Sequence[str] = (
    "gas station",
    "rest area",
    "coffee shop",
    "bakery",
    "drugstore",
    "farm stand",
    "mailbox",
    "picnic area",
    "convenience store",
    "viewpoint",
)
TANKS: Sequence[str] = ("front", "rear")


def with_stops(
    goal: str,
    texts: Sequence[str],
    roads: Sequence[Sequence[str]],
    rng: Random,
    share: float,
) -> Lowered:
    """A route with stops after some of its steps, from which the driver goes on along the road.

    Args:
        goal: of the route.
        texts: its steps.
        roads: see `lower`.
        rng: all chance.
        share: the chance of a stop, and of another one after it.
    """
    steps: list[str] = []
    names: list[Sequence[str]] = []
    stops: list[int] = []
    for number, text in enumerate(texts):
        steps.append(text)
        names.append(roads[number])
        while 0 < number < len(texts) - 2 and rng.random() < share:
            stops.append(len(steps))
            place = rng.choice(STOPS)
            side = rng.choice(("left", "right"))
            steps.append(f"Stop at the {place} on the {side}, then drive on along the same road.")
            names.append(())
    return lower(goal, steps, stops, names)


@dataclass(frozen=True, slots=True)
class Detours:
    """A route with signed detours.

    Attributes:
        procedure: steps in a total order; facts are places only.
        entered: road -> the step that leads onto it.
        around: step -> the road that its detour goes around.
    """

    procedure: Procedure
    entered: dict[str, int]
    around: dict[int, str]


def with_detours(route: Lowered, rng: Random) -> Detours | None:
    """Puts steps into a route at which detours around some of its roads come back to it.

    Returns:
        None where the route has fewer than three roads that can be told apart.
    """
    seen: dict[str, int] = {}
    again: set[str] = set()
    for number, step in enumerate(route.procedure.steps):
        for name in (route.sentences[number].roads or ())[:1]:
            fact = f"on {name}"
            if fact in step.defines and name not in seen:
                seen[name] = number
            else:
                again.add(name)
    roads = [name for name in seen if name not in again and seen[name] > 0]
    count = len(route.procedure.steps)
    if len(roads) < 3 or count < 7:
        return None
    chosen = rng.sample(roads, min(len(roads), rng.choice((3, 3, 4))))
    places = sorted(rng.sample(range(2, count - 1), min(rng.choice((2, 3, 4)), count - 3)))
    inserted: dict[int, tuple[str, str]] = {}
    for place in places:
        closed, via = rng.sample(chosen, 2)
        inserted[place] = (closed, via)
    texts: list[str] = []
    around: dict[int, str] = {}
    entered: dict[str, int] = {}
    starts = {number: name for name, number in seen.items() if name in chosen}
    for number, step in enumerate(route.procedure.steps):
        if number in inserted:
            closed, via = inserted[number]
            around[len(texts)] = closed
            texts.append(
                f"Here the signed detour around {closed}, which runs by {via}, "
                "comes back to this route."
            )
        if number in starts:
            entered[starts[number]] = len(texts)
        texts.append(step.text)
    steps = [
        Step(
            text,
            (f"place {number}",) if number else (),
            (f"place {number + 1}",),
            (f"place {number}",) if number else (),
        )
        for number, text in enumerate(texts)
    ]
    return Detours(Procedure.total(route.procedure.goal, steps), entered, around)


@dataclass(frozen=True, slots=True)
class Tanks:
    """A watering truck's route.

    Attributes:
        procedure: steps in a total order; facts are full tanks and places.
        fills: steps that fill a tank, with its fact.
        needs: steps that need a full tank, with its fact.
    """

    procedure: Procedure
    fills: dict[int, str]
    needs: dict[int, str]


def with_tanks(route: Lowered, rng: Random) -> Tanks | None:
    """Makes a route that of a truck whose tanks are filled and emptied by the way.

    Every step finds what it needs as long as none is left out. None where the route is too short.
    """
    drives = route.procedure.steps
    if len(drives) < 6:
        return None
    full = dict.fromkeys(TANKS, False)
    steps: list[Step] = []
    fills: dict[int, str] = {}
    needs: dict[int, str] = {}
    for number, drive in enumerate(drives):
        place = (f"place {number}",) if number else ()
        steps.append(Step(drive.text, place, (f"place {number + 1}",), place))
        if number >= len(drives) - 2:
            continue
        while rng.random() < 0.5:
            tank = rng.choice(TANKS)
            fact, chance = f"{tank} tank full", rng.random()
            if not full[tank] or chance < 0.4:
                fills[len(steps)] = fact
                full[tank] = True
                text = f"Stop and fill the {tank} tank at the hydrant."
                steps.append(Step(text, (), (fact,)))
            elif chance < 0.75:
                needs[len(steps)] = fact
                full[tank] = False
                text = f"Stop and pour all the water of the {tank} tank on the trees."
                steps.append(Step(text, (fact,), (), (fact,)))
            else:
                needs[len(steps)] = fact
                text = f"Stop and take a sample of the water in the {tank} tank."
                steps.append(Step(text, (fact,)))
    goal = f"{route.procedure.goal}, with a watering truck"
    order = tuple((k, k + 1) for k in range(len(steps) - 1))
    return Tanks(Procedure(goal, tuple(steps), order, ()), fills, needs)


@dataclass(frozen=True, slots=True)
class Cars:
    """The routes of two cars in one list.

    Attributes:
        procedure: in the order of the text each car keeps its own, and waits tie the two.
        car: for each step whose it is, 1 or 2.
        waits: step -> the other car's step that it waits for.
    """

    procedure: Procedure
    car: tuple[int, ...]
    waits: dict[int, int]


def two_cars(goal: str, first: Sequence[str], second: Sequence[str], rng: Random) -> Cars:
    """Mixes two routes at random, each in its order, with waits of one car for the other."""
    left = {1: list(first), 2: list(second)}
    lines: list[tuple[int, str]] = []
    waits: dict[int, int] = {}
    car = rng.choice((1, 2))
    total = len(first) + len(second)
    marks = sorted(rng.sample(range(total // 4, total - 2), rng.choice((1, 2))))
    done = 0
    while left[1] or left[2]:
        for _ in range(rng.choice((1, 1, 2, 3))):
            if not left[car]:
                break
            theirs = [place for place, (whose, _) in enumerate(lines) if whose != car]
            if marks and done >= marks[0] and len(theirs) > 1:
                marks.pop(0)
                target = rng.choice(theirs[-6:])
                waits[len(lines)] = target
                text = f"Wait here until Car {3 - car} has done Step {target + 1}."
                lines.append((car, text))
            lines.append((car, left[car].pop(0)))
            done += 1
        car = 3 - car
    return _joined(goal, lines, waits)


def _joined(goal: str, lines: Sequence[tuple[int, str]], waits: dict[int, int]) -> Cars:
    last: dict[int, int] = {}
    edges: list[tuple[int, int]] = []
    steps: list[Step] = []
    targets = set(waits.values())
    for number, (car, text) in enumerate(lines):
        before = (f"car {car} after step {last[car] + 1}",) if car in last else ()
        uses, defines = list(before), [f"car {car} after step {number + 1}"]
        if number in waits:
            uses.append(f"step {waits[number] + 1} done")
            edges.append((waits[number], number))
        if number in targets:
            defines.append(f"step {number + 1} done")
        if car in last:
            edges.append((last[car], number))
        last[car] = number
        steps.append(Step(f"Car {car}: {text}", tuple(uses), tuple(defines), before))
    order = Graph(len(steps), edges).transitive_reduction()
    procedure = Procedure(goal, tuple(steps), tuple(order), ())
    return Cars(procedure, tuple(car for car, _ in lines), waits)
