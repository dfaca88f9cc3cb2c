"""Plans of crews that hand packages on to one another.

In the plan of one crew a look at two steps tells their order: a truck that is loaded at one place
and unloaded at another is driven between. Of two crews it does not tell. A step of one comes before
a step of the other only where a package is handed on in between, which other steps do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from random import Random
from typing import NamedTuple

from thence.core.graph import Edge, Graph, members
from thence.core.procedure import Pair, Procedure, Step
from thence.dataflow import conflicts
from thence.domains.plans.generate import ENGLISH, PlanParameters, SolvedPlan, random_plan
from thence.domains.plans.pddl import Atom

_PLACES = ("s1", "s2", "s3")
_CREW = PlanParameters(
    ("driverlog",),
    {
        "driverlog": {
            "drivers": (1, 1),
            "trucks": (1, 1),
            "packages": (2, 3),
            "places": (len(_PLACES),) * 2,
        }
    },
    (5, 12),
)
_CREWS = (2, 2, 3)  # of as many plans
_MOST = 24  # steps of all crews
_FEWEST = 2  # packages that are handed on
_STAYS = 0.5  # how often the next step is one of the same crew
_MOVERS = ("driver", "truck")
_NAME = re.compile(r"\b(?:driver|truck|package)\d+\b")

type Handing = tuple[tuple[int, str], tuple[int, str]]
"""A crew and its name of a package, and the crew that takes it on and its own name of it."""


def procedures(rng: Random) -> Iterator[Procedure]:
    """Yield distinct procedures of two or three crews, in English, without end.

    Raises:
        MissingExtra: the planner is not installed.
    """
    seen = set[tuple[Atom, ...]]()
    while True:
        plans = [random_plan(_CREW, rng) for _ in range(rng.choice(_CREWS))]
        relay = Relay(plans, rng)
        fits = sum(len(plan.actions) for plan in plans) <= _MOST and len(relay.handed) >= _FEWEST
        plan = relay.plan() if fits else None
        if plan is None or plan.actions in seen or _reopens(plan):
            continue
        seen.add(plan.actions)
        yield plan.procedure(ENGLISH)


def _reopens(plan: SolvedPlan) -> bool:
    """Return whether a package is taken away again from where it has to be in the end."""
    loaded = {(each[1], each[3]) for each in plan.actions if each[0] == "load-truck"}
    return any(atom[1:] in loaded for atom in plan.goal)


def strands(procedure: Procedure) -> list[frozenset[str]]:
    """Return for each step its crew, by the name of its truck, and the package that it is about.

    What ties two steps that share one of them is said by their words.
    """
    named = [_NAME.findall(" ".join((*step.uses, *step.defines))) for step in procedure.steps]
    crew: dict[str, str] = {}
    for names in named:
        drivers, trucks = ([name for name in names if name.startswith(kind)] for kind in _MOVERS)
        if drivers and trucks:
            crew[drivers[0]] = trucks[0]
    return [frozenset(crew.get(name, name) for name in names) for names in named]


def firm_links(procedure: Procedure) -> list[Pair]:
    """Return the pairs of conflicting steps that keep their order in every order that works.

    An order works where each step finds what it needs and the end is the same. A load that stands
    at the second visit to a place might as well be done at the first: conflicting steps keep their
    order in the listed plan, but another order of them may work, too.
    """
    before = _always_before(procedure.steps)
    numbered = combinations(enumerate(procedure.steps), 2)
    return [(i, j) for (i, one), (j, other) in numbered
            if before[j] >> i & 1 and conflicts(one, other)]  # fmt: skip


def _always_before(steps: Sequence[Step]) -> list[int]:
    """Return for each step those that come before it in every order that works, as a bit set."""
    every = (1 << len(steps)) - 1
    start, end = _ends(steps)
    found: dict[_State, list[_State]] = {}
    todo = [_State(0, start)]
    while todo:
        state = todo.pop()
        if state not in found:
            found[state] = [
                _State(state.done | 1 << k, state.facts - {*step.kills} | {*step.defines})
                for k, step in enumerate(steps)
                if not state.done >> k & 1 and state.facts.issuperset(step.uses)
            ]
            todo += found[state]
    working = {_State(every, end)}  # from which the end can be reached
    before = [every] * len(steps)
    for state in sorted(found, key=lambda each: -each.done.bit_count()):
        if state in working or not working.isdisjoint(found[state]):
            working.add(state)
            for k in members(state.done):
                before[k] &= state.done
    return before


class _State(NamedTuple):
    """The steps that are done, as a bit set, and the facts that hold then."""

    done: int
    facts: frozenset[str]


def _ends(steps: Sequence[Step]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the facts that some steps need from the start, and those that hold at their end."""
    start, held = set[str](), set[str]()
    for step in steps:
        start |= {*step.uses} - held
        held |= {*step.uses}
        held -= {*step.kills}
        held |= {*step.defines}
    return frozenset(start), frozenset(held)


class Relay:
    """Crews, each with a plan of its own, and the packages that they hand on.

    A package that one crew unloads last becomes the one that another loads first, so that the two
    places become one. Packages are handed on in random order as far as the plans permit, up to as
    many as there are crews, or one more.

    Args:
        plans: of Driverlog, each with one driver and one truck, at the same number of places.
        rng: all chance.

    Attributes:
        handed: which packages are handed on, by crew and its own name of each.
    """

    def __init__(self, plans: Sequence[SolvedPlan], rng: Random) -> None:
        self._plans, self._rng = plans, rng
        self._first = [
            sum(len(plan.actions) for plan in plans[:crew]) for crew in range(len(plans))
        ]
        self._links: list[Edge] = []
        for first, plan in zip(self._first, plans, strict=True):
            self._links += pairwise(range(first, first + len(plan.actions)))
        self._places: list[dict[str, str]] = [{} for _ in plans]
        self.handed: list[Handing] = []
        self._loaded = [_steps_of("load-truck", plan.actions[::-1]) for plan in plans]
        self._unloaded = [_steps_of("unload-truck", plan.actions) for plan in plans]
        possible = [
            ((one, given), (other, taken))
            for one, other in permutations(range(len(plans)), 2)
            for given in self._unloaded[one]
            for taken in self._loaded[other]
        ]
        most = len(plans) + rng.randint(0, 1)
        for handing in rng.sample(possible, len(possible)):
            if len(self.handed) < most:
                self._hand_on(handing)

    def _hand_on(self, handing: Handing) -> None:
        """Hand a package on, unless it is already, or the places or the order forbid it.

        It must not be brought back to where it was loaded first.
        """
        (one, given), (other, taken) = handing
        unload, load = self._unloaded[one][given], self._loaded[other][taken]
        if any(has[0] == (one, given) or has[1] == (other, taken) for has in self.handed):
            return
        place = self._shared(one, unload[-1], other, load[-1])
        if place is None:
            return
        link = self._number(one, unload), self._number(other, load)
        if Graph(self._count, [*self._links, link]).topological_order() is None:
            return
        mine = {**self._places[one], unload[-1]: place}
        theirs = {**self._places[other], load[-1]: place}
        start, end = self._loaded[one][given][-1], self._unloaded[other][taken][-1]
        apart = [(a, b) for a in self._names_of(mine, start) for b in self._names_of(theirs, end)
                 if a != b]  # fmt: skip
        if not apart:
            return
        mine[start], theirs[end] = self._rng.choice(apart)
        self._links.append(link)
        self.handed.append(handing)
        self._places[one], self._places[other] = mine, theirs

    def _names_of(self, places: Mapping[str, str], place: str) -> Sequence[str]:
        """Return the names that a crew's place can have, beside those that others have."""
        if place in places:
            return [places[place]]
        return [name for name in _PLACES if name not in places.values()]

    def _shared(self, one: int, here: str, other: int, there: str) -> str | None:
        """Return the name of a place of one crew and of another, or None where they are two."""
        mine, theirs = self._places[one], self._places[other]
        known, named = mine.get(here), theirs.get(there)
        if known and named:
            return known if known == named else None
        if known or named:
            others = (theirs if known else mine).values()
            return next((name for name in (known, named) if name and name not in others), None)
        taken = {*mine.values(), *theirs.values()}
        return next((name for name in _PLACES if name not in taken), None)

    @property
    def _count(self) -> int:
        return sum(len(plan.actions) for plan in self._plans)

    def _number(self, crew: int, action: Atom) -> int:
        """Return the number of an action among those of all crews, one crew after the other."""
        actions = self._plans[crew].actions
        if action[0] == "load-truck":
            return self._first[crew] + actions.index(action)
        return self._first[crew] + len(actions) - 1 - actions[::-1].index(action)

    def plan(self) -> SolvedPlan:
        """Return the plan of all crews, in a permitted order; only each crew's own is optimal."""
        names = self._names()
        actions = [
            _renamed(action, names[crew])
            for crew, plan in enumerate(self._plans)
            for action in plan.actions
        ]
        given = {giver for giver, _ in self.handed}
        goal = {
            _renamed(atom, names[crew])
            for crew, plan in enumerate(self._plans)
            for atom in plan.goal
            if (crew, atom[1]) not in given and atom[1] in names[crew]
        }
        shown = tuple(actions[place] for place in self._mixed())
        return SolvedPlan(self._plans[0].domain, tuple(sorted(goal)), shown)

    def _names(self) -> list[dict[str, str]]:
        """Return for each crew the new names of what its steps name."""
        rng, crews = self._rng, range(len(self._plans))
        names: list[dict[str, str]] = [{} for _ in crews]
        for crew, places in enumerate(self._places):
            free = [name for name in _PLACES if name not in places.values()]
            other = [name for name in _PLACES if name not in places]
            names[crew] |= places | dict(zip(other, rng.sample(free, len(free)), strict=True))
        for kind in _MOVERS:
            for crew, number in zip(crews, rng.sample(crews, len(crews)), strict=True):
                names[crew][f"{kind}1"] = f"{kind}{number + 1}"
        taken_on = {taker: giver for giver, taker in self.handed}
        first = [key for key in self._packages() if key not in taken_on]
        numbers = {key: number for number, key in enumerate(rng.sample(first, len(first)), 1)}
        for key in self._packages():
            source = key
            while source in taken_on:
                source = taken_on[source]
            names[key[0]][key[1]] = f"package{numbers[source]}"
        return names

    def _packages(self) -> list[tuple[int, str]]:
        """Return the crew and the name of each package that is moved."""
        return [
            (crew, name)
            for crew, plan in enumerate(self._plans)
            for name in sorted(_steps_of("load-truck", plan.actions))
        ]

    def _mixed(self) -> list[int]:
        """Return the numbers of all actions in a random permitted order, often some of one crew."""
        waits = Graph(self._count, self._links).predecessors
        left = [
            list(range(first, first + len(plan.actions)))
            for first, plan in zip(self._first, self._plans, strict=True)
        ]
        found: list[int] = []
        crew = 0
        while any(left):
            ready = [
                each for each, steps in enumerate(left) if steps and {*waits[steps[0]]} <= {*found}
            ]
            if crew not in ready or self._rng.random() >= _STAYS:
                crew = self._rng.choice(ready)
            found.append(left[crew].pop(0))
        return found


def _steps_of(kind: str, actions: Sequence[Atom]) -> dict[str, Atom]:
    """Return the last of some actions of a kind for each package."""
    return {action[1]: action for action in actions if action[0] == kind}


def _renamed(atom: Atom, names: Mapping[str, str]) -> Atom:
    return (atom[0], *(names.get(term, term) for term in atom[1:]))
