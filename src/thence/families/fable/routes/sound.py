"""Sound questions about trips: any step, fact and order of an order sheet, by the analyses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import product
from random import Random
from typing import Any

from thence.core.graph import bitset, members
from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis
from thence.dataflow.flow import Role
from thence.domains.routes.trips.sheet import Trip
from thence.families.fable.routes import times, words
from thence.families.fable.routes.surface import thing
from thence.families.fable.shared.analyses import EVERY, INTERVALS, carried_out
from thence.families.fable.shared.chains import can_happen
from thence.families.fable.shared.domain import Case, Instance

AHEAD = (0.0, 1.0, 3.0)  # how far candidates come ahead whose answer orders or options may decide
TURNS, EACH = 3, 5  # rounds over the trips of a block, and questions of each that are looked at
MANY = frozenset({"reaching_definitions", "available_expressions", INTERVALS})
"""Analyses with so many candidates that twice as many are looked at."""

type Asked = dict[str, Any]


class TripCase:
    """A trip as a case, with its flow and the words of its sheet.

    Args:
        trip: the trip.
        source: JSON values that tell where it is from.
    """

    def __init__(self, trip: Trip, source: Mapping[str, Any]) -> None:
        self.trip = trip
        self.flow = Flow(trip.procedure)
        self.clock = Flow(trip.timed)
        self.case = Case(trip.procedure, source)
        self.timed = Case(trip.timed, source)
        self.reading = words.reading(trip)
        self.rules = words.told(trip)

    def promise(self, asked: Asked, *, kills: bool) -> int:
        """Return how likely it is that options (2), or orders (1), decide a question.

        They may where a step with options, or one of the other vehicle, ends or makes anew what is
        asked about, and no step that is always carried out does so on the way.

        Args:
            asked: the question.
            kills: whether making anew ends nothing.
        """
        i, j = asked.get("i"), asked.get("j")
        if i is None:
            return 0
        facts = [asked["fact"]] if asked.get("fact") else self._about(i, j)
        return max((self._promise(fact, i, j, kills=kills) for fact in facts), default=0)

    def _promise(self, fact: str, i: int, j: int | None, *, kills: bool) -> int:
        flow = self.flow
        ends = flow.mask(Role.KILL, fact) | (0 if kills else flow.mask(Role.DEFINE, fact))
        ends &= ~(1 << i)
        way = flow.descendants[i]
        sure = ends & way & ~self._optional
        if j is not None:
            way &= flow.ancestors[j]
            if sure & way:
                return 0
        elif sure:
            way &= (sure & -sure) - 1  # the first that is always carried out ends all
        if ends & way:
            return 2
        return int(any(self._races(k, i, j) for k in members(ends)))

    def _about(self, i: int | None, j: int | None) -> set[str]:
        made = set(self.flow.steps[i].defines) if i is not None else set()
        return made | set(self.flow.steps[j].uses) if j is not None else made

    def _races(self, k: int, i: int, j: int | None) -> bool:
        if self._vehicles[k] == self._vehicles[i if j is None else j]:
            return False
        flow = self.flow
        return not flow.precedes(k, i) and (j is None or not flow.precedes(j, k))

    @cached_property
    def _vehicles(self) -> list[str]:
        return [times.vehicle(self.flow, step) for step in range(len(self.flow))]

    @cached_property
    def _optional(self) -> int:
        """The steps that depend on an option."""
        return bitset(k for k, step in enumerate(self.flow.steps) if step.when)

    def touched(self, step: int) -> set[str]:
        """Return the facts that a step needs, makes true or ends."""
        held = self.flow.steps[step]
        return {*held.uses, *held.defines, *held.kills}

    def acts(self, step: int) -> bool:
        """Return whether a step needs or changes anything."""
        return bool(self.touched(step))

    def rarely(self, i: int, j: int) -> bool:
        """Return whether a pair is one of the few of a common kind that are asked about."""
        return (7 * i + 3 * j) % 8 == 0


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a sound question from procedure and question alone."""
    if name == INTERVALS:
        return times.bounds(procedure, question["i"], question["j"])
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question.get("sanitizers", [])
    return "Yes" if analysis(name).decide(Flow(procedure), **asked).answer else "No"


def ask(name: str, trips: Sequence[TripCase], rng: Random) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some trips, a few of each in turn."""
    drawn = [_drawn(name, trip, rng) for trip in trips]
    make = _interval if name == INTERVALS else partial(_instance, name)
    for turn in range(TURNS * (1 + (name in MANY))):
        for trip, held in zip(trips, drawn, strict=True):
            for asked in held[turn * EACH : (turn + 1) * EACH]:
                found = make(trip, asked)
                if found is not None:
                    yield (trip.timed if name == INTERVALS else trip.case), found


def _drawn(name: str, trip: TripCase, rng: Random) -> list[Asked]:
    """Return the candidates of a trip, those ahead by chance where options or orders may matter."""
    drawn = []
    for asked in _CANDIDATES[name](trip):
        promise = trip.promise(asked, kills=name == "available_expressions")
        drawn.append((rng.random() - AHEAD[promise] * rng.random(), asked))
    drawn.sort(key=lambda each: each[0])
    return [asked for _, asked in drawn]


def _instance(name: str, trip: TripCase, asked: Asked) -> Instance | None:
    verdict = analysis(name).decide(trip.flow, **asked)
    if name == "taint" and verdict.answer and not can_happen(trip.flow, verdict.witness):
        return None  # each link can hold, but not all of them in one order
    fact = asked.get("fact")
    question: dict[str, Any] = {
        "kind": name,
        "i": asked.get("i"),
        "j": asked.get("j"),
        "fact": fact,
        "form": "sound",
        "reading": trip.reading,
        "rules": trip.rules,
        "start": list(trip.flow.procedure.start or ()),
        "scope": _scope(name, trip.trip, asked),
    }
    if name == "taint":
        question["sanitizers"] = asked["sanitizers"]
    return Instance(
        question,
        "Yes" if verdict.answer else "No",
        "",
        flow=trip.flow,
        reasons=lambda: words.explained(trip.flow, verdict, asked),
        quotas=frozenset({"about one thing"} if _about_one_thing(name, trip, asked) else ()),
    )


def _about_one_thing(name: str, trip: TripCase, asked: Asked) -> bool:
    """Return whether step j needs the fact, or two steps are about things of one kind.

    Half of the questions should be so, whatever their answer.
    """
    fact, j = asked.get("fact"), asked.get("j")
    if fact is not None and j is not None:
        return trip.flow.does(j, Role.USE, fact)
    if name != "concurrency":
        return False
    one, other = (thing(trip.flow.steps[asked[key]].text) for key in ("i", "j"))
    return one == other


def _scope(name: str, trip: Trip, asked: Asked) -> str:
    """Return in which orders and under which options a question is asked."""
    steps = carried_out(name, asked)
    named = f"{steps[0]} is" if len(steps) == 1 else f"{steps[0]} and {steps[1]} are"
    found = words.scope(trip, "every" if name in EVERY else "some", named)
    if name == "concurrency":  # its orders are asked about in words of their own
        return found.replace(", in some permitted order,", ",", 1).rstrip(",").replace(", ,", ",")
    return found


def _interval(trip: TripCase, asked: Asked) -> Instance | None:
    i, j = asked["i"], asked["j"]
    if not times.is_fixed(trip.clock, i, j):
        return None
    steps = f"Step {j + 1} is" if i is None else f"Step {i + 1} and Step {j + 1} are"
    scope = words.scope(trip.trip, "options", steps).rstrip(",")
    found = times.instance(trip.clock, i, j, {"reading": trip.reading, "scope": scope})
    traits = found.traits or {}
    if traits["reason"] == "one_way" and traits["depth"] > 1:
        return None  # adding up what a vehicle does would be enough
    return found


# Candidates -------------------------------------------------------------------------------------


def _definitions(trip: TripCase) -> Iterator[Asked]:
    for i, step in enumerate(trip.flow.steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _lasting(trip: TripCase, *, ended: bool = True) -> Iterator[Asked]:
    """Yield definitions, fewer of those whose fact the very next step needs.

    Args:
        trip: the trip.
        ended: whether all are among them whose fact that step ends or makes anew.
    """
    for each in _definitions(trip):
        after = each["i"] + 1
        near = after < len(trip.flow) and each["fact"] in trip.touched(after)
        if near and ended:
            near = trip.flow.does(after, Role.USE, each["fact"])
        if not near or (after + len(each["fact"])) % 4 == 0:
            yield each


def _definitions_and_steps(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of a definition and another step that does something, few of them before it."""
    flow = trip.flow
    others = [j for j in range(len(flow)) if trip.acts(j)]
    for each in _definitions(trip):
        for j in others:
            if j != each["i"] and (not flow.precedes(j, each["i"]) or trip.rarely(each["i"], j)):
                yield {**each, "j": j}


def _definitions_and_later(trip: TripCase) -> Iterator[Asked]:
    """Yield those whose step is listed later, as none is available in most of the others."""
    return (each for each in _definitions_and_steps(trip) if each["j"] > each["i"])


def _made_and_needed(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs what it makes true, and some that need less."""
    steps = trip.flow.steps
    for i, j in product(range(len(steps)), repeat=2):
        if i == j or trip.flow.precedes(j, i) or not steps[j].uses:
            continue
        made = not {*steps[i].defines}.isdisjoint(steps[j].uses)
        if made or (not {*steps[i].kills}.isdisjoint(steps[j].uses) and trip.rarely(i, j)):
            yield {"i": i, "j": j}


def _contaminations(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of a step and another that may need what comes of it, in some order or other."""
    flow, cleans = trip.flow, sorted(trip.trip.cleans)
    for i in range(len(flow)):
        reached = _reached(flow, i) if i not in cleans and _spreads(flow, i) else set()
        for j in range(len(flow)):
            needs = not reached.isdisjoint(flow.steps[j].uses)
            if j != i and needs and (not flow.precedes(j, i) or trip.rarely(i, j)):
                yield {"i": i, "j": j, "sanitizers": cleans}


def _spreads(flow: Flow, i: int) -> bool:
    """Return whether what a step makes true can be unsafe: water, a list or a thing."""
    return not any(
        part in fact
        for fact in flow.steps[i].defines
        for part in ("the gate at ", " has a day ticket", "the van is on ", "the truck is on ")
    )


def _reached(flow: Flow, i: int) -> set[str]:
    """Return the facts that come of what a step makes, whatever the order."""
    found = set(flow.steps[i].defines)
    while True:
        more = {
            fact for step in flow.steps if not found.isdisjoint(step.uses) for fact in step.defines
        }
        if more <= found:
            return found
        found |= more


def _pairs(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of steps of different vehicles: tied, with a fact in common, or past a wait."""
    flow = trip.flow
    waits = [k for k, step in enumerate(flow.steps) if "Wait until" in step.text]
    for i, j in product(range(len(flow)), repeat=2):
        if times.vehicle(flow, i) == times.vehicle(flow, j) or not (trip.acts(i) and trip.acts(j)):
            continue
        tied = flow.precedes(i, j) or flow.precedes(j, i) or not flow.is_possible(i, j)
        passes = any(min(i, j) < k < max(i, j) for k in waits) and (i + j) % 3 == 0
        shares = not trip.touched(i).isdisjoint(trip.touched(j))
        if shares or passes or (tied and (i + 2 * j) % 4 == 0) or trip.rarely(i, j):
            yield {"i": i, "j": j}


def _times(trip: TripCase) -> Iterator[Asked]:
    steps = trip.trip.timed.steps
    timed = [k for k, step in enumerate(steps) if step.seconds and step.seconds[1]]
    starts: list[int | None] = [None, *timed]
    for i, j in product(starts, timed):
        if i is None or i < j:
            yield {"i": i, "j": j}


_CANDIDATES: Mapping[str, Callable[[TripCase], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_later,
    "very_busy_expressions": _lasting,
    "live_variables": partial(_lasting, ended=False),
    INTERVALS: _times,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
