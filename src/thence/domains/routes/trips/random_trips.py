"""Drawing of trips: places near to each other, legs between them, closures, and a sheet of jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from random import Random

from thence.core.parameters import range_text
from thence.core.procedure import Choice, Taken
from thence.domains.routes.router import Router
from thence.domains.routes.synthetic.draft import Landmark
from thence.domains.routes.trips import legs as ways
from thence.domains.routes.trips.dispatcher import DISPATCHER, with_dispatcher
from thence.domains.routes.trips.jobs import on
from thence.domains.routes.trips.legs import Around, Drive, Leg
from thence.domains.routes.trips.sheet import Line, Trip, numbered
from thence.domains.routes.trips.things import Things
from thence.domains.routes.trips.writing import Writer
from thence.errors import ParameterError

CLOSED, SHUT = ("closed", "open"), ("shut", "open")  # the options of a road, of a place
VEHICLES = ("van", "truck")
SMALLEST, USUAL = 4, 56  # fewest steps of a trip, and most of nearly all
LEAST = 14  # steps that a trip is planned with, unless it may have no more
FEWEST, SHORT = 12, 22  # steps of two vehicles at least, and below which one is as common
TRIES, ENOUGH = 200, 20  # plans that are tried, and those that show that none will do
LIKELY = 8  # of these, the plans by which trips could be drawn, as most find no way at all
PATIENCE = 8  # how many sheets are tried for each one where few numbers of steps will do
MOST = 7  # jobs at a stop, on average
MANY, SCENE = 30, 7  # steps from which vehicles meet twice, and what both then do together
ASKS = 0.5  # share of the jobs at a stop after which steps depend on a choice
SIDES = ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3))
"""Numbers of the jobs that depend on the first and on the second option."""


def draw(
    router: Router, rng: Random, low: int = SMALLEST, high: int = USUAL, sheets: int = 1
) -> list[Trip]:
    """Return trips by the same places and legs, on the map of a router; each has its own sheet.

    Args:
        router: finder of ways on the map.
        rng: all chance.
        low: fewest steps.
        high: most steps.
        sheets: number of trips.

    Raises:
        ParameterError: no such trips were found in many tries.
    """
    seen: list[list[int]] = []
    tried = 0
    narrow = high < 2 * low
    enough = 3 * ENOUGH if narrow else ENOUGH
    while tried < TRIES and not (tried >= enough and _hopeless(seen, low, high)):
        tried += 1
        patient = narrow and tried > ENOUGH
        wanted = _planned(rng, low, high, patient=patient)
        found = _sheets(_Drawing(router, rng, wanted), (low, high), sheets, seen, patient=patient)
        if len(found) == sheets:
            return found
    steps = [each for several in seen for each in several]
    told = (
        f"have {min(steps)} to {max(steps)} steps" if steps else "could not be joined by short legs"
    )
    raise ParameterError(
        "steps",
        range_text(low, high),
        f"{tried} trips between places of the map were tried, which {told}; "
        f"{other_steps(low, high)}, or another or larger map (map=SEED, nodes=N, or osm=FILE)",
    )


def other_steps(low: int, high: int) -> str:
    """Return the advice to ask for other numbers of steps, with a span that there is, if wider."""
    wider = min(low, SMALLEST), max(high, USUAL)
    such = f", such as steps={range_text(*wider)}" if wider != (low, high) else ""
    return f"give other numbers of steps{such}"


def _planned(rng: Random, low: int, high: int, *, patient: bool) -> int:
    """Return how many steps to plan a trip with; patiently fewer, as most trips grow on the way."""
    if patient:
        return rng.randint(SMALLEST + (low - SMALLEST) // 2, high)
    return max(rng.randint(max(low, min(LEAST, high)), max(low, high)) for _ in range(2))


def _sheets(
    drawing: _Drawing, span: tuple[int, int], sheets: int, seen: list[list[int]], *, patient: bool
) -> list[Trip]:
    """Return trips of a drawing that have so many steps; patiently with a plan that is mended."""
    found: list[Trip] = []
    if not drawing.plan():
        return found
    left = (PATIENCE if patient else 2) * sheets
    seen.append([])
    while left and len(found) < sheets:
        left -= 1
        trip = drawing.trip()
        steps = len(trip.procedure.steps)
        seen[-1].append(steps)
        if span[0] <= steps <= span[1]:
            found.append(trip)
            left = PATIENCE * sheets if patient else left
        elif patient:
            drawing.wanted += (drawing.rng.randint(*span) - steps) // 2
        elif not found:
            break
    return found


def _hopeless(seen: Sequence[Sequence[int]], low: int, high: int) -> bool:
    """Return whether all plans gave far more or far fewer steps than wanted, if any gave a trip."""
    if not seen:
        return True
    steps = [each for several in seen for each in several]
    far = 3 * max(steps) < 2 * low or 2 * min(steps) > 3 * high
    return far and len(seen) >= LIKELY


class _Drawing:
    def __init__(self, router: Router, rng: Random, wanted: int) -> None:
        self.router, self.rng, self.wanted = router, rng, wanted
        share = 1.0 if wanted < FEWEST else 0.5 if wanted < SHORT else 0.12
        alone = rng.random() < share
        self.vehicles = VEHICLES[:1] if alone else VEHICLES
        self.choices: list[Choice] = []
        self.arounds: dict[tuple[int, int], tuple[str, Around]] = {}  # vehicle, leg

    def plan(self) -> bool:
        """Choose places, legs and what may be closed; return whether there are such places."""
        places = ways.nearby(self.router, self.rng)
        if len(places) < 5 or not self._plan(places):
            return False
        self.city = places[0].city
        self._close()
        self._shut()
        return True

    def trip(self) -> Trip:
        """Return a trip with a sheet of its own."""
        roads = {vehicle: self._roads(k) for k, vehicle in enumerate(self.vehicles)}
        things = Things(self.rng, self.shared, self.names, self.vehicles)
        writer = Writer(self.rng, self.vehicles, things, self.choices, roads)
        self._write(writer)
        lines = writer.lines
        if self.wanted >= SHORT:  # his lines would make it too long
            lines = with_dispatcher(lines, self.rng)
        city = self.city
        count = "a van and a truck" if len(self.vehicles) > 1 else "a van"
        if any(line.vehicle == DISPATCHER for line in lines):
            count += " with a dispatcher"
        goal = f"Rounds of {count} in and near {city}" if city else f"Rounds of {count}"
        used = {name for line in lines for name, _ in line.when}
        choices = [each for each in self.choices if each.name in used]
        needed = {fact for line in lines if line.job for fact in line.job.uses}
        roads = {
            vehicle: [road for road in each if on(road, vehicle) in needed]
            for vehicle, each in roads.items()
        }
        touched = {
            fact
            for line in lines
            if line.job is not None
            for fact in (*line.job.uses, *line.job.defines, *line.job.kills)
        }
        start = [fact for fact in things.start if fact in touched]
        procedure = numbered(goal, lines, roads, start, choices)
        closures = tuple(each.name for each in choices if each.options == CLOSED)
        cleans = frozenset(k for k, line in enumerate(lines) if line.job and line.job.cleans)
        seconds = tuple(line.seconds for line in lines)
        return Trip(procedure, seconds, cleans, roads, closures, city)

    def _plan(self, places: Sequence[Landmark]) -> bool:
        """Choose stops and legs; return whether there are any."""
        rng = self.rng
        if len(self.vehicles) == 1:
            count = 2 if self.wanted < 14 else 3 if self.wanted < 30 else 4
            stops = [list(places[:count])]
        else:
            hubs = list(places[:2])
            stops = [hubs, hubs]
            if self.wanted > 46:
                stops = [[*hubs, places[2]], [*hubs, places[3]][: rng.choice((2, 3))]]
        self.legs: list[list[Leg]] = []
        for each in stops:
            returns = rng.random() < (0.4 if len(each) == 2 and self.wanted > 30 else 0.15)
            found = ways.course(self.router, rng.sample(each, len(each)), returns=returns)
            if found is None:
                return False
            self.legs.append(found)
        self.names = list(dict.fromkeys(place.name for each in stops for place in each))
        both = [p.name for p in stops[0] if all(p in other for other in stops[1:])]
        self.shared = both
        marked = "map" in self.router.map.source or "seed" in self.router.map.source
        self.state = places[0].state if marked else ""
        return True

    def _sign(self, road: str) -> str:
        return re.sub(rf"^{self.state} (?=\d)", "SR ", road) if self.state else road

    def _close(self) -> None:
        """Choose roads that may be closed; each leg that takes one has a way around it."""
        rng = self.rng
        wanted = rng.choice((0, 1, 1)) if self.wanted >= SHORT else rng.choice((0, 0, 1))
        every = [(v, k) for v, each in enumerate(self.legs) for k in range(len(each))]
        roads = [road for v, k in every for road in ways.closable(self.legs[v][k])]
        for road in rng.sample(roads, len(roads))[:4]:
            if len(self.choices) >= wanted:
                return
            on_it = [at for at in every if road in self.legs[at[0]][at[1]].names()]
            found = {at: ways.around(self.router, self.legs[at[0]][at[1]], road) for at in on_it}
            closed = {each.name for each in self.choices}
            good = {at: each for at, each in found.items() if each is not None}
            if len(good) < len(found) or not self.arounds.keys().isdisjoint(good):
                continue
            if self._sign(road) in closed or any(_names(each) & closed for each in good.values()):
                continue
            self.choices.append(Choice(self._sign(road), CLOSED))
            self.arounds |= {at: (self._sign(road), each) for at, each in good.items()}

    def _shut(self) -> None:
        """Choose places whose office may be shut."""
        wanted = (2 if self.wanted >= SHORT else self.rng.choice((0, 1, 1))) - len(self.choices)
        for place in self.rng.sample(self.shared, len(self.shared))[: max(wanted, 0)]:
            self.choices.append(Choice(f"the office at {place}", SHUT))

    def _roads(self, vehicle: int) -> list[str]:
        """Return the roads that a vehicle is clearly on, twice or more where there are such."""
        drives: list[Drive] = []
        for k, leg in enumerate(self.legs[vehicle]):
            stretches = list(leg.stretches)
            if (vehicle, k) in self.arounds:
                stretches += self.arounds[vehicle, k][1].other
            drives += [ways.drive(stretch, self.state) for stretch in stretches]
        if any(" to stay on " in each.text for each in drives):
            return []
        clear: dict[str, int] = {}
        for each in drives:
            if each.stops:
                for road in each.clear:
                    if any(sign.isdigit() for sign in road):
                        continue  # bins stand in streets, not along a numbered road
                    clear[road] = clear.get(road, 0) + 1
        for each in drives:
            for road in list(clear):
                named = re.search(rf"\b{re.escape(road)}\b", each.text) is not None
                if named and road not in each.clear:
                    del clear[road]
        again = sorted(road for road, count in clear.items() if count > 1)
        once = sorted(road for road, count in clear.items() if count == 1)
        return [
            *self.rng.sample(again, min(2, len(again))),
            *self.rng.sample(once, min(1, len(once))),
        ][:2]

    # Writing ----------------------------------------------------------------------------------

    def _write(self, writer: Writer) -> None:
        count = sum(len(each.stretches) for legs in self.legs for each in legs)
        count += sum(len(legs) + 1 for legs in self.legs)
        count += sum(1 + len(each.other) for _, each in self.arounds.values())
        self.meetings = self._meetings()
        count += SCENE * len(self.meetings)
        stops = sum(len(legs) + 1 for legs in self.legs)
        self.each = min(max(0.8, (self.wanted - count) * 0.75 / stops), MOST)
        tours = [self._tour(writer, vehicle) for vehicle in range(len(self.vehicles))]
        left = [2 * len(legs) + 1 for legs in self.legs]
        while any(left):
            held = set(self.meetings.values())
            drawn = [v for v, each in enumerate(left) if v not in held for _ in range(each)]
            vehicle = self.rng.choice(drawn)
            left[vehicle] = next(tours[vehicle])
        writer.finish()

    def _meetings(self) -> dict[str, int | None]:
        """Return the places at which both vehicles will be at once, and who waits there."""
        if len(self.vehicles) == 1 or self.wanted < SHORT:
            return {}
        count = 2 if self.wanted > MANY else 1
        return dict.fromkeys(self.rng.sample(self.shared, min(count, len(self.shared))))

    def _tour(self, writer: Writer, vehicle: int) -> Iterator[int]:
        """Write what a vehicle does, one part after another; yield how many are left."""
        legs, name = self.legs[vehicle], self.vehicles[vehicle]
        last = 2 * len(legs)
        for part in range(last + 1):
            if part % 2:
                self._leg(writer, vehicle, part // 2)
                yield last - part
                continue
            place = legs[0].start if part == 0 else legs[part // 2 - 1].stop
            writer.arrive(name, place.name, first=part == 0)
            number = int(self.each * self.rng.choice((0.6, 1.0, 1.4)) + self.rng.random())
            if part:
                number = max(number, 1)  # no vehicle arrives for nothing
            if place.name in self.meetings:
                self._jobs(writer, vehicle, part // 2, number // 2)
                number -= number // 2
                if not any(waiting is not None for waiting in self.meetings.values()):
                    self.meetings[place.name] = vehicle
                    yield last - part + 1
                elif self.meetings.pop(place.name) is not None:
                    writer.meet(place.name)
            self._jobs(writer, vehicle, part // 2, number)
            yield last - part

    def _jobs(self, writer: Writer, vehicle: int, stop: int, number: int) -> None:
        name, known = self.vehicles[vehicle], self._known(vehicle, stop)
        while number > 0:
            writer.stop(name)
            number -= 1
            if known and (number > 0 or self.wanted > LEAST) and self.rng.random() < ASKS:
                sides = self.rng.choice(SIDES)
                number -= sum(sides)
                self._branch(writer, name, self.rng.choice(known), sides)

    def _known(self, vehicle: int, number: int) -> list[Choice]:
        """Return the choices that a vehicle has met when it is at a stop: places and roads."""
        legs = self.legs[vehicle][:number]
        seen = [self.legs[vehicle][0].start.name, *(leg.stop.name for leg in legs)]
        roads = {self.arounds[vehicle, k][0] for k in range(number) if (vehicle, k) in self.arounds}
        offices = {f"the office at {place}" for place in seen}
        return [choice for choice in self.choices if choice.name in offices | roads]

    def _branch(self, writer: Writer, name: str, choice: Choice, sides: tuple[int, int]) -> None:
        line = writer.add(Line(name, choice=choice))
        for option, count in zip(choice.options, sides, strict=True):
            held: list[Line] = []
            for _ in range(count):
                held += writer.stop(name, ((choice.name, option),))
            line.branches[option] = held
        if not any(line.branches.values()):
            writer.lines.remove(line)

    def _leg(self, writer: Writer, vehicle: int, number: int) -> None:
        leg, name = self.legs[vehicle][number], self.vehicles[vehicle]
        drives = [ways.drive(each, self.state) for each in leg.stretches]
        if (vehicle, number) not in self.arounds:
            self._along(writer, name, drives)
            return
        road, found = self.arounds[vehicle, number]
        drives = [
            replace(each, seconds=found.seconds.get(k, each.seconds))
            for k, each in enumerate(drives)
        ]
        other = [ways.drive(each, self.state) for each in found.other]
        rest = drives[found.last :]
        begins = [*(other or rest)[:1], *drives[found.first :][:1]]
        told = [each for each in begins if " after " in each.text]
        self._along(writer, name, drives[: found.first], rest=told)
        choice = next(each for each in self.choices if each.name == road)
        line = writer.add(Line(name, choice=choice))
        for option, held in zip(CLOSED, (other, drives[found.first : found.last]), strict=True):
            line.branches[option] = self._along(writer, name, held, ((road, option),), rest)
        self._along(writer, name, rest)

    def _along(
        self,
        writer: Writer,
        name: str,
        drives: Sequence[Drive],
        when: tuple[Taken, ...] = (),
        rest: Sequence[Drive] = (),
    ) -> list[Line]:
        """Write driving steps with jobs by the road; none before a turn that is told by length."""
        found: list[Line] = []
        for drive, after in zip_longest(drives, [*drives[1:], *rest[:1]][: len(drives)]):
            found.append(writer.drive(name, drive, when))
            may_stop = after is None or " after " not in after.text
            if may_stop and self.rng.random() < (0.6 if when else 0.2):
                found += writer.by_the_road(name, drive, when)
        return found


def _names(around: Around) -> set[str]:
    return {name for each in around.other for name in each.roads}
