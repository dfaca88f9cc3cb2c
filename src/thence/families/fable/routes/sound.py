"""Sound questions about trips: any step, fact and order of an order sheet, by the analyses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from operator import itemgetter
from random import Random
from typing import Any

from thence.core.graph import members
from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis, conflicts
from thence.dataflow.flow import Role
from thence.dataflow.questions import Witness
from thence.dataflow.strategies import answered
from thence.domains.routes.trips.sheet import Trip
from thence.families.fable.routes import times, words
from thence.families.fable.routes.trip_cases import Asked, TripCase
from thence.families.fable.routes.trip_reasons import OF_TRIPS
from thence.families.fable.shared.analyses import EVERY, INTERVALS, carried_out
from thence.families.fable.shared.blocks import DEEP_CLASS, flow_question
from thence.families.fable.shared.candidate_turns import Kind, in_turns
from thence.families.fable.shared.chains import one_order_shows
from thence.families.fable.shared.divided_reasons import quick_reason
from thence.families.fable.shared.domain import Case, Instance, Quota
from thence.families.fable.shared.traits import Traits

DISPATCHED = 64  # trips with a dispatcher that are enough to ask about these alone
_KNOWN = 40  # candidates of a trip of which it is worked out what they need
_LOOKED = 2400  # candidates of all trips that are made into questions
_MORE_KNOWN: Mapping[str, int] = {"reaching_definitions": 100, "available_expressions": 64}
_MORE_LOOKED: Mapping[str, int] = dict.fromkeys((*_MORE_KNOWN, "very_busy_expressions"), 3600)
"""The same where few candidates of some depths look as those with the other answer do."""

_GLANCED = ("live_variables", "reaching_definitions")
"""Analyses of which a glance at the sheet tells some answers; the others are looked for."""


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a sound question from procedure and question alone."""
    if name == INTERVALS:
        return times.bounds(procedure, question["i"], question["j"])
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question.get("sanitizers", [])
    return "Yes" if analysis(name).decide(Flow(procedure), **asked).answer else "No"


def ask(
    name: str, trips: Sequence[TripCase], rng: Random, deepest: int = DEEP_CLASS
) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some trips, one of each kind in turn.

    Args:
        name: of the analysis.
        trips: to ask about.
        rng: all chance.
        deepest: the number of links from which questions are of one kind.
    """
    make = _interval if name == INTERVALS else partial(_instance, name)
    if name == "concurrency":  # between two vehicles alone one wait tells the order
        dispatched = [trip for trip in trips if words.has_dispatcher(trip.trip)]
        trips = dispatched if len(dispatched) >= DISPATCHED else trips
    drawn = (each for trip in trips for each in _drawn(name, trip, rng, deepest))
    for (trip, asked), _ in islice(in_turns(drawn, rng), _MORE_LOOKED.get(name, _LOOKED)):
        found = make(trip, asked)
        if found is not None:
            yield (trip.timed if name == INTERVALS else trip.case), found


def _drawn(
    name: str, trip: TripCase, rng: Random, deepest: int
) -> Iterator[tuple[TripCase, Kind, tuple[TripCase, Asked]]]:
    """Yield some candidates of a trip with their kinds: what they need, and how far they go."""
    for asked in _mixed(trip, list(_CANDIDATES[name](trip)), rng)[: _MORE_KNOWN.get(name, _KNOWN)]:
        span = name == INTERVALS
        kind = _span(trip, asked, deepest) if span else _kind(name, trip, asked, deepest)
        if kind is not None:
            yield trip, kind, (trip, asked)


def _kind(name: str, trip: TripCase, asked: Asked, deepest: int) -> Kind:
    """Return what a question needs, and how far it goes; of two steps also what they share."""
    far = min(trip.parts.links(asked), deepest)
    found = (*trip.parts.of(name, asked), far, _about_one_thing(name, trip, asked))
    if name in _GLANCED:
        tied = trip.waits_of_both(asked["i"], asked["j"]) if "j" in asked else ()
        return *found, trip.glance(asked), tied
    if name == "available_expressions":
        return *found, *trip.ends(asked)
    if name != "concurrency":
        return found
    i, j = asked["i"], asked["j"]
    apart = trip.touched[i].isdisjoint(trip.touched[j])
    return *found, apart, *trip.waits_of_both(i, j), trip.chain(i, j)


def _mixed(trip: TripCase, every: Sequence[Asked], rng: Random) -> list[Asked]:
    """Return questions in random order, near and far steps, with and without options, in turn."""
    ranked = []
    seen: Counter[tuple[int, bool]] = Counter()
    for asked in rng.sample(every, len(every)):
        far = abs((asked.get("j") or 0) - (asked["i"] or 0)).bit_length()
        kind = far, trip.may_depend(asked)
        seen[kind] += 1
        ranked.append((seen[kind], asked))
    ranked.sort(key=itemgetter(0))
    return [asked for _, asked in ranked]


def _span(trip: TripCase, asked: Asked, deepest: int) -> Kind | None:
    """Return whether a time goes from a vehicle to the other, and about how many steps it has.

    None where it is enough to add up what a vehicle does.
    """
    i, j = asked["i"], asked["j"]
    flow = trip.clock
    inside = flow.ancestors[j] & (flow.descendants[i] if i is not None else -1)
    steps = list(members(inside & times.timed(flow)))
    whose = times.vehicles(flow)
    crosses = any(whose[k] != whose[j] for k in steps)
    varies = any(flow.steps[k].when for k in steps)
    return (
        (crosses, varies, min(len(steps), deepest)) if crosses or varies or not steps[1:] else None
    )


def _instance(name: str, trip: TripCase, asked: Asked) -> Instance | None:
    taint = name == "taint"
    if taint:
        if not one_order_shows(trip.flow, flow_question(asked)):
            return None  # each link can hold, but not all of them in one order
        answer = analysis(name).decide(trip.flow, **asked).answer
    else:
        answer = answered(trip.flow, name, flow_question(asked))
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
    if taint:
        question["sanitizers"] = asked["sanitizers"]
    return Instance(
        question,
        "Yes" if answer else "No",
        "",
        flow=trip.flow,
        reasons=partial(_explained, name, trip.trip.procedure, asked),
        traits=Traits(
            trip.flow,
            name,
            flow_question(asked),
            depth=(lambda: trip.parts.depth(asked)) if taint else None,
            reason=lambda: quick_reason(trip.parts, name, asked, OF_TRIPS),
            needs=lambda: trip.parts.needs(name, asked),
        ),
        quotas=frozenset(_quotas(name, trip, asked)),
    )


def _explained(name: str, procedure: Procedure, asked: Asked) -> tuple[str, Witness]:
    """Return explanation and witness, worked out anew, so that no analysis is kept for them."""
    flow = Flow(procedure)
    return words.explained(flow, analysis(name).decide(flow, **asked), asked)


def _quotas(name: str, trip: TripCase, asked: Asked) -> Iterator[Quota]:
    """Yield what at least a share of the questions with an answer should have."""
    if _about_one_thing(name, trip, asked):
        yield Quota("about one thing", 0.5 if name == "concurrency" else 0.3)


def _about_one_thing(name: str, trip: TripCase, asked: Asked) -> bool:
    """Return whether step j needs the fact, or two steps are about things of one kind."""
    fact, j = asked.get("fact"), asked.get("j")
    if fact is not None and j is not None:
        return trip.flow.does(j, Role.USE, fact)
    if name != "concurrency":
        return False
    return trip.things[asked["i"]] == trip.things[asked["j"]]


def _scope(name: str, trip: Trip, asked: Asked) -> str:
    """Return in which orders and under which options a question is asked."""
    steps = carried_out(name, asked)
    named = f"{steps[0]} is" if len(steps) == 1 else f"{steps[0]} and {steps[1]} are"
    orders = name != "concurrency"  # which asks about its orders in words of its own
    return words.scope(trip, "every" if name in EVERY else "some", named, orders=orders)


def _interval(trip: TripCase, asked: Asked) -> Instance | None:
    i, j = asked["i"], asked["j"]
    steps = f"Step {j + 1} is" if i is None else f"Step {i + 1} and Step {j + 1} are"
    scope = words.scope(trip.trip, "options", steps, orders=False)
    begin = "the van and the truck set out" if words.is_two(trip.trip) else "the van sets out"
    told = {"reading": words.reading(trip.trip, timed=True), "scope": scope, "begin": begin}
    return times.instance(trip.clock, i, j, told)


# Candidates -------------------------------------------------------------------------------------


def _definitions(trip: TripCase) -> Iterator[Asked]:
    for i, step in enumerate(trip.flow.steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _lasting(trip: TripCase, *, ended: bool = True) -> Iterator[Asked]:
    """Yield definitions, fewer of those whose fact the next step needs, or plainly no step does.

    Args:
        trip: the trip.
        ended: whether this goes for facts that are ended, too, and not only made anew.
    """
    for each in _definitions(trip):
        after = each["i"] + 1
        near = after < len(trip.flow) and trip.flow.does(after, Role.USE, each["fact"])
        over = trip.is_plainly_over(each["i"], each["fact"], ended=ended)
        if over and (after + len(each["fact"])) % 6:
            continue
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
    """Yield those whose step is listed later, as none is available in most of the others.

    There are few of those with a step between that ends the fact, of which hardly any is.
    """
    for each in _definitions_and_steps(trip):
        i, j = each["i"], each["j"]
        if j > i and (not trip.is_ended_between(i, j, each["fact"]) or trip.rarely(i, j)):
            yield each


def _made_and_needed(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs what it makes true, and some that need less."""
    steps = trip.flow.steps
    for i, j in product(range(len(steps)), repeat=2):
        made = [fact for fact in steps[i].defines if fact in steps[j].uses]
        ended = trip.rarely(i, j) and any(fact in steps[j].uses for fact in steps[i].kills)
        if i == j or not (made or ended):
            continue
        if any(trip.is_mended(fact, i, j) for fact in made):
            continue  # without step i nothing is there to mend
        if not trip.flow.precedes(j, i) and trip.flow.is_possible(i, j):
            yield {"i": i, "j": j}


def _contaminations(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of a step and another that may need what comes of it, in some order or other."""
    flow, cleans = trip.flow, sorted(trip.trip.cleans)
    for i in range(len(flow)):
        reached = trip.parts.hops(i) if i not in cleans and _spreads(flow, i) else ()
        for j in sorted(reached):
            if not flow.precedes(j, i) or trip.rarely(i, j):
                yield {"i": i, "j": j, "sanitizers": cleans}


def _spreads(flow: Flow, i: int) -> bool:
    """Return whether what a step makes true can be unsafe: water, a list or a thing."""
    return not any(
        part in fact
        for fact in flow.steps[i].defines
        for part in ("the gate at ", " has a day ticket", "the van is on ", "the truck is on ")
    )


def _pairs(trip: TripCase) -> Iterator[Asked]:
    """Yield pairs of steps of different vehicles: tied, with a fact in common, or past a wait."""
    flow, whose = trip.flow, times.vehicles(trip.flow)
    for i, j in product(range(len(flow)), repeat=2):
        if whose[i] == whose[j] or not (trip.acts(i) and trip.acts(j)):
            continue
        if (5 * i + j) % 24 and not flow.is_possible(i, j):
            continue
        tied = flow.precedes(i, j) or flow.precedes(j, i)
        shares = not trip.touched[i].isdisjoint(trip.touched[j])
        found = conflicts(flow.steps[i], flow.steps[j]) if shares else ()
        ended = all(Role.KILL in {each.first, each.second} for each in found)
        if found and (tied or not ended) and not trip.rarely(i, j):
            continue  # kills decide too few of the others
        if not found and not trip.chain(i, j) and (5 * i + 3 * j) % (2 if shares else 6):
            continue  # a glance at the waits shows that none ties them
        passes = not tied and any(trip.waits_of_both(i, j))
        alike = trip.things[i] == trip.things[j]  # at two places, say
        some = (tied and (i + 2 * j) % 4 == 0) or trip.rarely(i, j)
        if shares or passes or alike or some or trip.waits_at_once(i, j):
            yield {"i": i, "j": j}


def _times(trip: TripCase) -> Iterator[Asked]:
    timed = list(members(times.timed(trip.clock)))
    starts: list[int | None] = [None, *timed]
    for i, j in product(starts, timed):
        if (i is None or i < j) and times.is_fixed(trip.clock, i, j):
            yield {"i": i, "j": j}


_CANDIDATES: Mapping[str, Callable[[TripCase], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_later,
    "very_busy_expressions": _lasting,
    "live_variables": partial(_lasting, ended=False),  # else kills would decide too few
    INTERVALS: _times,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
