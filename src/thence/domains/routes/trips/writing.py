"""Writing of an order sheet: jobs that find what they need, under every option, as it is listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from thence.core.procedure import Choice, Taken
from thence.domains.routes.trips import jobs
from thence.domains.routes.trips.jobs import Job
from thence.domains.routes.trips.legs import Drive
from thence.domains.routes.trips.sheet import Line

WEIGHTS: Mapping[str, float] = {
    "load": 5, "unload": 4, "use": 3, "fresh": 1.5, "pass": 3, "clean": 1, "take": 4, "give": 4,
    "spend": 2, "drop": 2, "open": 2,
}  # fmt: skip
WAITS = (0.3, 0.6, 0.9)  # shares of the jobs before which a vehicle waits for the other's
ROADSIDE = ("Fill", "Wash", "Open the drain", "Take down", "Read the job")  # done by any road
MEETS = 0.3  # share of the arrivals at which a vehicle waits for one of the other's last steps
SECONDS = (30, 240)  # that a job takes


class Writer:
    """Order sheet that is being written, with what holds under each combination of options.

    Args:
        rng: all chance.
        vehicles: their names.
        things: what each place and vehicle has; see `Things`.
        choices: on which lines may depend.
        roads: of each vehicle, the roads about which the facts tell.
    """

    def __init__(
        self,
        rng: Random,
        vehicles: Sequence[str],
        things: Things,
        choices: Sequence[Choice],
        roads: Mapping[str, Sequence[str]],
    ) -> None:
        self.lines: list[Line] = []
        self._rng, self._vehicles, self._things, self._roads = rng, vehicles, things, roads
        names = [choice.name for choice in choices]
        every = product(*(choice.options for choice in choices))
        self._worlds = [dict(zip(names, each, strict=True)) for each in every]
        self._held = [set(things.start) for _ in self._worlds]
        self._seen = dict.fromkeys(vehicles, -1)  # the last line of the other that each waited for
        self._last: dict[str, set[str]] = {vehicle: set() for vehicle in vehicles}
        self._waits = rng.choice(WAITS)
        self._here: dict[str, str] = {}
        self._fresh: dict[str, set[str]] = {}  # of each vehicle, the facts made at this stop

    def add(self, line: Line) -> Line:
        """Write a line, which then has its effects."""
        _, defines, kills = line.effects(self._roads.get(line.vehicle, ()))
        for place in self._under(line.when):
            self._held[place].difference_update(kills)
            self._held[place].update(defines)
        self.lines.append(line)
        return line

    def _under(self, when: Iterable[Taken]) -> list[int]:
        wanted = set(when)
        return [place for place, world in enumerate(self._worlds) if wanted <= world.items()]

    def arrive(self, vehicle: str, place: str, *, first: bool = False) -> None:
        """Write where a vehicle starts or arrives."""
        self._here[vehicle] = place
        self._fresh[vehicle] = set()
        self.add(Line(vehicle, f"{'Start' if first else 'Arrive'} at {place}."))
        if not first and self._rng.random() < MEETS:
            self._meet(vehicle)

    def drive(self, vehicle: str, drive: Drive, when: tuple[Taken, ...] = ()) -> Line:
        """Write a driving step."""
        return self.add(Line(vehicle, drive.text, drive=drive, when=when, seconds=drive.seconds))

    def by_the_road(self, vehicle: str, drive: Drive, when: tuple[Taken, ...]) -> list[Line]:
        """Write a job on the road after a driving step, where one may stop; or none."""
        if not drive.stops:
            return []
        found = [job for job in self._things.anywhere(vehicle) if job.text.startswith(ROADSIDE)]
        roads = self._roads.get(vehicle, ())
        bins = [jobs.of_road(road, vehicle) for road in roads if road in drive.clear]
        job = self._pick(vehicle, found + 2 * bins, when)
        return [] if job is None else [self._do(vehicle, job, when)]

    def stop(self, vehicle: str, when: tuple[Taken, ...] = ()) -> list[Line]:
        """Write one job where a vehicle is, with a wait before it now and then."""
        here = self._here[vehicle]
        found = [*self._things.anywhere(vehicle), *self._things.at(vehicle, here)]
        found += [jobs.of_road(road, vehicle) for road in self._roads.get(vehicle, ())]
        job = self._pick(vehicle, found, when)
        if job is None:
            return []
        if not when and self._rng.random() < self._waits:
            self._wait(vehicle, job)
        return [self._do(vehicle, job, when)]

    def _do(self, vehicle: str, job: Job, when: tuple[Taken, ...]) -> Line:
        low = self._rng.randrange(*SECONDS, 5)
        seconds = (low, low + self._rng.randrange(10, 61, 5))
        self._fresh[vehicle].update(job.defines)
        self._last[vehicle] = {*job.uses, *job.defines, *job.kills}
        return self.add(Line(vehicle, job.text, job=job, when=when, seconds=seconds))

    def _pick(self, vehicle: str, found: Sequence[Job], when: tuple[Taken, ...]) -> Job | None:
        worlds = [self._held[place] for place in self._under(when)]
        latest = [line.text for line in self.lines[-6:] if line.vehicle == vehicle]
        fit, weights = [], []
        for job in found:
            if job.text in latest or not all(held.issuperset(job.uses) for held in worlds):
                continue
            if not job.uses and job.kills and not any(held & {*job.kills} for held in worlds):
                continue  # nothing to end
            if job.kind in {"load", "unload"} and not self._fresh[vehicle].isdisjoint(job.uses):
                continue  # not at the stop at which it was unloaded, or loaded
            weight = WEIGHTS[job.kind]
            if len(self._vehicles) > 1 and " at " in "".join((*job.uses, *job.defines, *job.kills)):
                weight *= 2  # what both may have to do with
            if job.kind in {"fresh", "open"} and all(held & {*job.defines} for held in worlds):
                weight /= 2
            if not self._last[vehicle].isdisjoint((*job.uses, *job.defines, *job.kills)):
                weight *= 2.5  # so that what is made is also used, ended and made anew
            fit.append(job)
            weights.append(weight)
        return self._rng.choices(fit, weights)[0] if fit else None

    def _meet(self, vehicle: str) -> None:
        """Write a wait for one of the last steps of the other vehicle, if there is one."""
        recent = [
            place
            for place, line in enumerate(self.lines)
            if line.vehicle != vehicle and not line.when and (line.job or line.drive)
        ][-3:]
        later = [place for place in recent if place > self._seen[vehicle]]
        if later:
            place = self._rng.choice(later)
            self._seen[vehicle] = place
            self.add(Line(vehicle, target=self.lines[place]))

    def _wait(self, vehicle: str, job: Job) -> None:
        """Write a wait for the last line of the other vehicle that a job has to come after."""
        own = {*job.uses, *job.defines, *job.kills}
        for place in range(len(self.lines) - 1, self._seen[vehicle], -1):
            line = self.lines[place]
            if line.vehicle == vehicle or line.job is None or line.when:
                continue
            if own & {*line.job.defines, *line.job.kills} or {*job.kills} & {*line.job.uses}:
                self._seen[vehicle] = place
                self.add(Line(vehicle, target=line))
                return


class Things:
    """Movable things of a trip (crates, tanks, lists, tickets, gates) and where they are.

    Attributes:
        start: the facts that hold at first.
    """

    def __init__(self, rng: Random, shared: Sequence[str], places: Sequence[str]) -> None:
        self.start: list[str] = []
        self._loads: list[str] = []
        self._own: list[str] = []
        self._placed: dict[str, list[str]] = {place: [] for place in places}
        kinds = rng.sample(("loads", "water", "water", "list", "gate", "ticket"), 6)
        for kind in dict.fromkeys(kinds[: rng.choice((3, 3, 4))]):
            if kind == "loads":
                names = [*jobs.CRATES, jobs.TRAILER]
                self._loads = rng.sample(names, rng.choice((1, 2, 2)))
                self.start += [jobs.lies(each, rng.choice(shared)) for each in self._loads]
            elif kind == "water":
                self._own += [jobs.FRONT, jobs.REAR]
                self._place(rng, jobs.CISTERN, shared, rng.choice((1, 2)))
            elif kind == "list":
                self._own.append(jobs.LIST)
                self._place(rng, jobs.BOARD, shared, rng.choice((1, 2)))
            elif kind == "ticket":
                self._own.append(jobs.TICKET)
            else:
                self._place(rng, jobs.GATE, shared, rng.choice((1, 2)))

    def _place(self, rng: Random, hold: str, shared: Sequence[str], count: int) -> None:
        for place in rng.sample(shared, min(count, len(shared))):
            self._placed[place].append(hold)
            if rng.random() < 0.4:
                self.start.append(jobs.kept(hold, place))

    def anywhere(self, vehicle: str) -> list[Job]:
        """Return the jobs that a vehicle can do wherever it may stop."""
        return self._with(vehicle, None)

    def at(self, vehicle: str, place: str) -> list[Job]:
        """Return the jobs of a vehicle that belong to a place."""
        found = [job for each in self._loads for job in jobs.of_thing(each, vehicle, place)]
        for hold in self._placed[place]:
            found += jobs.of_place(hold, place)
        with_place = self._with(vehicle, place)
        known = {job.text for job in self._with(vehicle, None)}
        return found + [job for job in with_place if job.text not in known]

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
