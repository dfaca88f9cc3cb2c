"""Movable things and holds of a trip, and the jobs that they give at each place."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thence.domains.routes.trips import jobs
from thence.domains.routes.trips.jobs import Job

ONE_MAKER = 0.4  # share of the cisterns, boards and gates that only one vehicle fills or opens


class Things:
    """Movable things of a trip (crates, keys, tanks, lists, tickets, gates) and where they are.

    Attributes:
        start: the facts that hold at first.
    """

    def __init__(
        self, rng: Random, shared: Sequence[str], places: Sequence[str], vehicles: Sequence[str]
    ) -> None:
        self.start: list[str] = []
        self._vehicles = vehicles
        self._known: dict[tuple[str, str | None], list[Job]] = {}  # by vehicle and place
        self._makers: dict[str, Sequence[str]] = {}  # of what belongs to a place
        self._loads: list[str] = []
        self._own: list[str] = []
        self._placed: dict[str, list[str]] = {place: [] for place in places}
        first = rng.choice(("water", "water", "water", "list", "loads"))
        kinds = [first, *rng.sample(("loads", "water", "list", "gate", "gate", "ticket"), 6)]
        for kind in list(dict.fromkeys(kinds))[: rng.choice((2, 2, 3))]:
            if kind == "loads":
                names = [*jobs.CRATES, jobs.KEY, jobs.TRAILER]
                self._loads = rng.sample(names, rng.choice((1, 2, 2)))
                self.start += [jobs.lies(each, rng.choice(shared)) for each in self._loads]
            elif kind == "water":
                self._own += [jobs.FRONT, jobs.REAR]
                self._place(rng, jobs.CISTERN, shared, 2)
            elif kind == "list":
                self._own.append(jobs.LIST)
                self._place(rng, jobs.BOARD, shared, 2)
            elif kind == "ticket":
                self._own.append(jobs.TICKET)
            else:
                self._place(rng, jobs.GATE, shared, 2)

    def _place(self, rng: Random, hold: str, shared: Sequence[str], count: int) -> None:
        for place in rng.sample(shared, min(count, len(shared))):
            self._placed[place].append(hold)
            one = [rng.choice(self._vehicles)] if rng.random() < ONE_MAKER else self._vehicles
            self._makers[jobs.kept(hold, place)] = one
            if rng.random() < 0.4:
                self.start.append(jobs.kept(hold, place))

    def anywhere(self, vehicle: str) -> list[Job]:
        """Return the jobs that a vehicle can do wherever it may stop."""
        if (vehicle, None) not in self._known:
            self._known[vehicle, None] = self._with(vehicle, None)
        return self._known[vehicle, None]

    def at(self, vehicle: str, place: str) -> list[Job]:
        """Return the jobs of a vehicle that belong to a place."""
        if (vehicle, place) not in self._known:
            self._known[vehicle, place] = self._at(vehicle, place)
        return self._known[vehicle, place]

    def _at(self, vehicle: str, place: str) -> list[Job]:
        found = [job for each in self._loads for job in jobs.of_thing(each, vehicle, place)]
        for hold in self._placed[place]:
            found += jobs.of_place(hold, place)
        with_place = self._with(vehicle, place)
        known = {job.text for job in self.anywhere(vehicle)}
        found += [job for job in with_place if job.text not in known]
        others = {fact for fact, makers in self._makers.items() if vehicle not in makers}
        return [job for job in found if others.isdisjoint(job.defines)]

    def placed(self, place: str) -> list[str]:
        """Return the facts that cisterns and boards of a place are filled and its gate is open."""
        return [jobs.kept(hold, place) for hold in self._placed[place]]

    def makers(self, fact: str) -> Sequence[str]:
        """Return the vehicles that make such a fact true."""
        return self._makers[fact]

    def _with(self, vehicle: str, place: str | None) -> list[Job]:
        found: list[Job] = []
        placed = self._placed.get(place, []) if place is not None else []
        for own in self._own:
            if own in jobs.TANKS:
                other = jobs.REAR if own == jobs.FRONT else jobs.FRONT
                cistern = place if jobs.CISTERN in placed else None
                found += jobs.of_tank(own, other, vehicle, cistern)
            elif own == jobs.LIST:
                found += jobs.of_list(vehicle, place if jobs.BOARD in placed else None)
            else:
                found += jobs.of_ticket(vehicle)
        return found
