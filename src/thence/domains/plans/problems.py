"""Random problems of the built-in domains, written as PDDL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random

from thence.domains.plans.lowering import built_in_domain
from thence.domains.plans.pddl import Atom, PddlProblem, parse_problem

type Range = tuple[int, int]
type Road = tuple[str, str]

_RENAMED = 5  # places of a network whose names are all tried

SIZES: Mapping[str, Mapping[str, Range]] = {
    "hanoi": {"disks": (3, 4)},
    "gripper": {"balls": (1, 4), "rooms": (2, 3)},
    "ferry": {"cars": (1, 4), "shores": (2, 4)},
    "driverlog": {"drivers": (1, 2), "trucks": (1, 2), "packages": (1, 3), "places": (2, 3)},
}
"""For each domain what there is of, and how many by default: fewest and most."""

MOST: Mapping[str, int] = {
    "disks": 6, "balls": 8, "rooms": 8, "cars": 8, "shores": 8,
    "drivers": 4, "trucks": 4, "packages": 6, "places": 6,
}  # fmt: skip
"""How many one may ask for; more would keep the planner busy for minutes."""

LEAST: Mapping[str, int] = {"rooms": 2, "shores": 2, "places": 2}
"""How few; one where nothing is said."""

Objects = Mapping[str, Sequence[str]]  # type -> names
Draft = tuple[Objects, list[Atom], list[Atom]]  # objects, init, goal


def random_problem(
    kind: str, sizes: Mapping[str, Range], rng: Random
) -> tuple[PddlProblem, PddlProblem]:
    """Return a random problem whose goal does not hold at the start, and its base.

    The base has the same objects and the same facts that never change, and depends on nothing
    else; see `Planner.plan`.

    Args:
        kind: one of BUILT_IN_DOMAINS.
        sizes: fewest and most of what SIZES names for it.
        rng: all chance.

    Raises:
        ValueError: a size is so small that no problem has anything to do.
    """
    counts = {name: rng.randint(*sizes[name]) for name in SIZES[kind]}
    for _ in range(100):
        objects, init, goal = _DRAFTS[kind](counts, rng)
        if not set(goal) <= set(init):
            problem = parse_problem(_problem_text(kind, objects, init, goal), built_in_domain(kind))
            return problem, _base(kind, objects, init)
    raise ValueError(f"no problem of {kind} with {counts} has anything to do")


def _problem_text(kind: str, objects: Objects, init: Sequence[Atom], goal: Sequence[Atom]) -> str:
    def atoms(each: Iterable[Atom]) -> str:
        return " ".join(f"({' '.join(atom)})" for atom in each)

    held = " ".join(f"{' '.join(names)} - {type_}" for type_, names in objects.items())
    return (
        f"(define (problem {kind})\n  (:domain {kind})\n  (:objects {held})\n"
        f"  (:init {atoms(init)})\n  (:goal (and {atoms(goal)})))\n"
    )


def _base(kind: str, objects: Objects, init: Sequence[Atom]) -> PddlProblem:
    """Return the base: everything is at the first place and wanted at the last."""
    fixed = [atom for atom in init if atom[0] not in built_in_domain(kind).fluent]
    start, goal = _BASE_STATES[kind](objects)
    return _parsed(kind, _problem_text(kind, objects, [*start, *fixed], goal))


@lru_cache(4000)
def _parsed(kind: str, text: str) -> PddlProblem:
    return parse_problem(text, built_in_domain(kind))


def _names(stem: str, count: int) -> list[str]:
    return [f"{stem}{number}" for number in range(1, count + 1)]


def _elsewhere(here: str, places: Sequence[str], rng: Random) -> str:
    """Return the place of a goal, now and then the present one."""
    others = [place for place in places if place != here]
    return rng.choice(others) if rng.random() < 0.85 else here


# Domains ----------------------------------------------------------------------------------------


def _hanoi(counts: Mapping[str, int], rng: Random) -> Draft:
    disks, pegs = _names("d", counts["disks"]), _names("peg", 3)  # the smallest disk first

    def state() -> list[Atom]:
        """Return a random arrangement: each disk on a random peg, the larger below."""
        tops = {peg: peg for peg in pegs}
        on = []
        for disk in reversed(disks):  # the first is the smallest
            peg = rng.choice(pegs)
            on.append(("on", disk, tops[peg]))
            tops[peg] = disk
        return [*reversed(on), *(("clear", top) for top in tops.values())]

    fits = [("fits", disk, peg) for disk in disks for peg in pegs]
    fits += [("fits", small, large) for place, large in enumerate(disks) for small in disks[:place]]
    goal = [atom for atom in state() if atom[0] == "on"]
    return {"disk": disks, "peg": pegs}, state() + fits, goal


def _gripper(counts: Mapping[str, int], rng: Random) -> Draft:
    balls, rooms = _names("ball", counts["balls"]), _names("room", counts["rooms"])
    hands = ["left", "right"]
    start = {ball: rng.choice(rooms) for ball in balls}
    init: list[Atom] = [("at-robby", rng.choice(rooms)), *(("free", hand) for hand in hands)]
    init += [("at", ball, room) for ball, room in start.items()]
    goal: list[Atom] = [("at", ball, _elsewhere(room, rooms, rng)) for ball, room in start.items()]
    if rng.random() < 0.25:
        goal.append(("at-robby", rng.choice(rooms)))
    return {"ball": balls, "room": rooms, "hand": hands}, init, goal


def _ferry(counts: Mapping[str, int], rng: Random) -> Draft:
    cars, shores = _names("c", counts["cars"]), _names("l", counts["shores"])
    start = {car: rng.choice(shores) for car in cars}
    init: list[Atom] = [("at-ferry", rng.choice(shores)), ("empty-ferry",)]
    init += [("at", car, shore) for car, shore in start.items()]
    goal: list[Atom] = [("at", car, _elsewhere(shore, shores, rng)) for car, shore in start.items()]
    if rng.random() < 0.25:
        goal.append(("at-ferry", rng.choice(shores)))
    return {"car": cars, "shore": shores}, init, goal


def _driverlog(counts: Mapping[str, int], rng: Random) -> Draft:
    places, trucks = _names("s", counts["places"]), _names("truck", counts["trucks"])
    drivers, packages = _names("driver", counts["drivers"]), _names("package", counts["packages"])
    start = {mover: rng.choice(places) for mover in [*drivers, *trucks, *packages]}
    init: list[Atom] = [("at", mover, place) for mover, place in start.items()]
    init += [("empty", truck) for truck in trucks]
    links, paths = _canonical_roads(places, _roads(places, rng), _roads(places, rng))
    init += [("link", *pair) for pair in links] + [("path", *pair) for pair in paths]
    goal: list[Atom] = [("at", each, _elsewhere(start[each], places, rng)) for each in packages]
    goal += [
        ("at", mover, rng.choice(places)) for mover in [*drivers, *trucks] if rng.random() < 0.2
    ]
    objects = {"place": places, "truck": trucks, "driver": drivers, "package": packages}
    return objects, init, goal


def _roads(places: Sequence[str], rng: Random) -> list[Road]:
    """Return both directions of the roads of a random connected network."""
    order = rng.sample(places, len(places))
    pairs = [(rng.choice(order[:number]), order[number]) for number in range(1, len(order))]
    for place, one in enumerate(places):
        pairs += [
            (one, other)
            for other in places[place + 1 :]
            if (one, other) not in pairs and (other, one) not in pairs and rng.random() < 0.4
        ]
    return [way for one, other in pairs for way in ((one, other), (other, one))]


def _canonical_roads(places: Sequence[str], *networks: Sequence[Road]) -> list[list[Road]]:
    """Return networks with their places renamed, so that those of one shape become equal.

    What has the same roads shares its base, which costs more to make than a plan. Names tell
    nothing here: those of a plan are dealt out anew.
    """
    orders = list(permutations(places)) if len(places) <= _RENAMED else [tuple(places)]
    renamed = (dict(zip(places, order, strict=True)) for order in orders)
    return min([sorted((names[a], names[b]) for a, b in roads) for roads in networks]
               for names in renamed)  # fmt: skip


def _tower(objects: Objects) -> tuple[list[Atom], list[Atom]]:
    disks, (first, *others) = objects["disk"], objects["peg"]
    start = [("on", disk, under) for disk, under in zip(disks, [*disks[1:], first], strict=True)]
    goal: list[Atom] = [
        ("on", disk, under) for disk, under in zip(disks, [*disks[1:], others[-1]], strict=True)
    ]
    return [*start, *(("clear", top) for top in (disks[0], *others))], goal


def _all_balls(objects: Objects) -> tuple[list[Atom], list[Atom]]:
    first, last = objects["room"][0], objects["room"][-1]
    start: list[Atom] = [("at-robby", first), *(("free", hand) for hand in objects["hand"])]
    start += [("at", ball, first) for ball in objects["ball"]]
    return start, [("at", ball, last) for ball in objects["ball"]]


def _all_cars(objects: Objects) -> tuple[list[Atom], list[Atom]]:
    first, last = objects["shore"][0], objects["shore"][-1]
    start: list[Atom] = [("at-ferry", first), ("empty-ferry",)]
    start += [("at", car, first) for car in objects["car"]]
    return start, [("at", car, last) for car in objects["car"]]


def _all_packages(objects: Objects) -> tuple[list[Atom], list[Atom]]:
    first, last = objects["place"][0], objects["place"][-1]
    movers = [*objects["driver"], *objects["truck"], *objects["package"]]
    start: list[Atom] = [("at", mover, first) for mover in movers]
    start += [("empty", truck) for truck in objects["truck"]]
    return start, [("at", package, last) for package in objects["package"]]


_BASE_STATES: Mapping[str, Callable[[Objects], tuple[list[Atom], list[Atom]]]] = {
    "hanoi": _tower,
    "gripper": _all_balls,
    "ferry": _all_cars,
    "driverlog": _all_packages,
}
_DRAFTS: Mapping[str, Callable[[Mapping[str, int], Random], Draft]] = {
    "hanoi": _hanoi,
    "gripper": _gripper,
    "ferry": _ferry,
    "driverlog": _driverlog,
}
