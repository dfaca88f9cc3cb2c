"""Writing of an order sheet: jobs that find what they need, under every option, as it is listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product, zip_longest
from random import Random

from thence.core.procedure import Choice, Taken, never_both
from thence.domains.routes.trips import jobs
from thence.domains.routes.trips.job_durations import Durations
from thence.domains.routes.trips.jobs import Job
from thence.domains.routes.trips.legs import Drive
from thence.domains.routes.trips.sheet import Line
from thence.domains.routes.trips.things import Things

WEIGHTS: Mapping[str, float] = {
    "load": 5, "unload": 5, "use": 2.5, "fresh": 1.5, "pass": 5, "clean": 3.5, "take": 6,
    "give": 6, "spend": 2, "drop": 3, "open": 2,
}  # fmt: skip
CHANGING = 4.0  # how much more often a job that depends on an option changes what holds
LATELY, ELSEWHERE = 5.0, 0.2  # of jobs with two facts, and how often one is another from then on
AT_ONCE = 0.3  # how often a job has to do with what the one before it made
SHARED = 4.0  # how much more often one has to do with a place, where there are two vehicles
IN_USE = 0.5  # how often a job makes anew what holds under all options, of those that could
PENDING = 4.0  # how much more often one has to do with what was made and not needed since
WAITS = (0.0, 0.1, 0.4)  # shares of the jobs before which a vehicle waits for the other's
START, ARRIVE = "Start at", "Arrive at"
ROADSIDE = (  # jobs done by any road
    "Fill", "Wash", "Pour", "Take down", "Read the job", "Throw",
)  # fmt: skip
ONCE = (f"has a {jobs.TICKET}", f"the {jobs.GATE} ")  # none buys a second ticket, or opens twice
APART, SOON = 6, 3  # lines in which a vehicle does not do the same again, and where two meet
MEETS, LAST = 0.5, 6  # share of arrivals with a wait for one of so many last steps of the other
INTENT, MINDED, FORGOTTEN = 0.5, 0.7, 0.2
"""How often what is made has a course ahead, how often the next job is of it, and is given up."""

HANDED = 0.6  # how often any vehicle goes on with what is passed on to a place

COURSES = (
    ("anew", "use"), ("end", "anew", "use"), ("end", "anew", "use"), ("use", "end"), ("use", "use"),
    ("on", "on", "on", "on"), ("on", "on", "on", "on", "use"), ("on", "on", "on", "on", "use"),
)  # fmt: skip
OTHERS = (("end",), ("finish",), ("anew", "use"), ("use",))
"""What becomes of a fact by the vehicle that made it, and by the other one.

The other one finishes it when it has been needed, so that it may do so before in another order.
"""

RENEWED = 0.9  # how often what both can make is made anew where they meet
RACED = 1.0  # how often something else is then ended
TIED = 0.4  # share of these in which an order is not open, or the other needs it in between
SETTLED = 0.5  # share of those in which the other waits until it has been ended
BESIDES = 0.5  # share of the jobs there before which another one is done


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
        self._focus: dict[str, list[str]] = {vehicle: [] for vehicle in vehicles}  # of its jobs
        self._new: dict[str, set[str]] = {vehicle: set() for vehicle in vehicles}  # by the last one
        self._last: dict[str, Line] = {}  # the last job of each vehicle
        self._lain = set(things.start)  # where things have been, at first or unloaded since
        self._durations = Durations(rng)
        self._ahead: dict[str, list[tuple[str, str]]] = {vehicle: [] for vehicle in vehicles}
        self._idle: set[str] = set()  # facts that were made and not needed since
        self._waits = rng.choice(WAITS)
        self._here: dict[str, str] = {}
        self._over: set[tuple[str, str]] = set()  # vehicles, and what they have no more to do with
        self._fresh: dict[str, dict[str, tuple[Taken, ...]]] = {}
        """Of each vehicle, the facts made since it arrived, and the options under which it did."""

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
        self._fresh[vehicle] = {}
        self.add(Line(vehicle, f"{START if first else ARRIVE} {place}."))
        if self._rng.random() < MEETS:
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

    def finish(self) -> None:
        """Leave out waits after which a vehicle waits for a later step, or does nothing more."""
        for vehicle in self._vehicles:
            own = [line for line in self.lines if line.vehicle == vehicle]
            for line, after in zip_longest(own, own[1:]):
                if line.target and (after is None or after.target):
                    self.lines.remove(line)

    def meet(self, place: str) -> None:
        """Write what both vehicles do with something of a place, without waiting for each other.

        What the one makes true it ends itself, and the other makes it true anew; or the other one
        ends it when it has been needed. In another order these come in between.
        """
        facts = self._things.placed(place)
        makers = {fact: self._things.makers(fact) for fact in facts}
        passed = [fact for fact in facts if len(makers[fact]) > 1 and jobs.GATE not in fact]
        if passed and self._rng.random() < RENEWED:
            fact = self._rng.choice(passed)
            self._renew(fact, place)
            facts.remove(fact)
        alone = [fact for fact in facts if len(makers[fact]) == 1] or facts
        if alone and (len(facts) == len(makers) or self._rng.random() < RACED):
            self._race(self._rng.choice(alone), place)

    def _renew(self, fact: str, place: str) -> None:
        """Write that a vehicle makes a fact true and ends it, and needs what the other one made."""
        users = {line.vehicle for line in self.lines if line.job and fact in line.job.uses}
        one, other = sorted(self._rng.sample(self._vehicles, 2), key=lambda each: each not in users)
        course = [(one, "pass"), (one, "anew"), (one, "end"), (other, "anew")]
        settled = False
        if self._rng.random() < TIED:
            course.append((other, "on"))  # of what the one made, in another order
            settled = self._rng.random() < SETTLED
        else:
            self._over.add((other, fact))
        course += [(one, "on"), *[(one, "next")] * self._rng.choice((0, 1, 2, 2))]
        for vehicle, step in course[self._rng.randrange(2) :]:
            found = [*self._things.anywhere(vehicle), *self._things.at(vehicle, place)]
            found = [job for job in found if job.kind != "clean" or vehicle == other]
            if step == "end" or (step == "on" and self._rng.random() < BESIDES):
                self._besides(vehicle, fact, found)
            new = self._new[vehicle]
            if step == "pass":
                fitting = [job for job in found if job.kind == "pass"]
            elif step == "next":
                fitting = [job for job in found if not new.isdisjoint(job.uses)]
            else:
                fitting = [job for job in found if _is(job, step, fact)]
                fitting = [job for job in fitting if not new.isdisjoint(job.uses)] or fitting
            self._supply(vehicle, fitting, found)
            if settled and step == "anew" and vehicle == other:
                self._wait_for_last(other)
            done = self._done(vehicle, fitting, may_undo=step == "end")
            if not done and step not in {"pass", "next"}:
                return

    def _race(self, fact: str, place: str) -> None:
        """Write that one vehicle makes a fact true and needs it, and then another ends it."""
        one = self._rng.choice(self._things.makers(fact))
        (other,) = (vehicle for vehicle in self._vehicles if vehicle != one)
        uses = [(one, "use")] * self._rng.choice((1, 2, 3))
        course = [(one, "anew"), *uses, *[(other, "use")] * self._rng.choice((0, 1))]
        for vehicle, step in (*course, (other, "end")):
            found = [*self._things.anywhere(vehicle), *self._things.at(vehicle, place)]
            if self._rng.random() < BESIDES:
                self._besides(vehicle, fact, found)
            fitting = [job for job in found if _is(job, step, fact)]
            self._supply(vehicle, fitting, found)
            if step == "end" and self._rng.random() < TIED:
                self._wait_for_last(vehicle)
            if not self._done(vehicle, fitting) and step != "use":
                return

    def _besides(self, vehicle: str, fact: str, found: Sequence[Job]) -> None:
        """Write a job that has nothing to do with a fact."""
        others = [job for job in found if fact not in (*job.uses, *job.defines, *job.kills)]
        self._done(vehicle, others)

    def _supply(self, vehicle: str, wanted: Sequence[Job], found: Sequence[Job]) -> None:
        """Write a job that makes what others need, where nothing of it holds."""
        uses = {fact for job in wanted for fact in job.uses}
        if uses and all(uses.isdisjoint(held) for held in self._held):
            fresh = [job for job in found if job.kind == "fresh"]
            self._done(vehicle, [job for job in fresh if not uses.isdisjoint(job.defines)])

    def _done(self, vehicle: str, found: Sequence[Job], *, may_undo: bool = False) -> bool:
        """Write one of some jobs, which may undo what served nothing; return whether one fits."""
        job = self._any(vehicle, found, (), apart=SOON, may_undo=may_undo)
        if job is not None:
            self._do(vehicle, job, ())
        return job is not None

    def _do(self, vehicle: str, job: Job, when: tuple[Taken, ...]) -> Line:
        seconds = self._durations.of(job.text)
        self._fresh[vehicle].update(dict.fromkeys(job.defines, when))
        self._new[vehicle] = {*job.defines}
        self._intend(vehicle, job)
        self._idle = (self._idle - {*job.uses}) | {*job.defines}
        if job.kind == "unload":
            self._lain.update(job.defines)
        self._last[vehicle] = Line(vehicle, job.text, job=job, when=when, seconds=seconds)
        return self.add(self._last[vehicle])

    def _pick(self, vehicle: str, found: Sequence[Job], when: tuple[Taken, ...]) -> Job | None:
        """Return the next job of a vehicle: the one that it has in mind, or any; or none."""
        ahead = self._ahead[vehicle]
        if ahead and self._rng.random() < MINDED:
            step, fact = ahead[0]
            soon = step == "finish" and fact in self._idle
            fitting = [] if soon else [job for job in found if _is(job, step, fact)]
            job = self._any(vehicle, fitting, when)
            if job is not None:
                self._go_on(vehicle, step, job)
                return job
            if self._rng.random() < FORGOTTEN:
                ahead.pop(0)
        return self._any(vehicle, found, when)

    def _go_on(self, vehicle: str, step: str, job: Job) -> None:
        """Have in mind what is left of a course; what is passed on is that of another fact."""
        left = self._ahead[vehicle][1:]
        self._ahead[vehicle] = []
        if step == "on":
            (made,) = job.defines
            left = [(step, made) for step, _ in left]
            if " at " in made and self._rng.random() < HANDED:
                vehicle = self._rng.choice(self._vehicles)
        self._ahead[vehicle] = left

    def _intend(self, vehicle: str, job: Job) -> None:
        """Have in mind, now and then, what is to become of what a job made."""
        free = not self._ahead[vehicle] and job.defines
        if not free or self._rng.random() > INTENT:
            return
        fact = self._rng.choice(job.defines)
        self._ahead[vehicle] = [(step, fact) for step in self._rng.choice(COURSES)]
        others = [other for other in self._vehicles if other != vehicle]
        if others and " at " in fact and not self._ahead[others[0]]:
            self._ahead[others[0]] = [(step, fact) for step in self._rng.choice(OTHERS)]

    def _any(
        self, vehicle: str, found: Sequence[Job], when: tuple[Taken, ...],
        apart: int = APART, *, may_undo: bool = False,
    ) -> Job | None:  # fmt: skip
        worlds = [self._held[place] for place in self._under(when)]
        self._look(vehicle, found)
        latest = [line.text for line in self.lines[-apart:] if line.vehicle == vehicle]
        fit, weights = [], []
        for job in found:
            if job.text in latest or not all(held.issuperset(job.uses) for held in worlds):
                continue
            if not job.uses and job.kills and not any(held & {*job.kills} for held in worlds):
                continue  # nothing to end
            if any((vehicle, fact) in self._over for fact in job.uses):
                continue
            if job.kind in {"load", "unload"} and {*job.uses}.intersection(self._fresh[vehicle]):
                continue  # not at the stop at which it was unloaded, or loaded
            if job.kind == "unload" and not self._lain.isdisjoint(job.defines):
                continue  # nothing is carried in a circle
            if not may_undo and self._undoes(vehicle, job, when):
                continue
            touched = {*job.uses, *job.defines, *job.kills}
            weight = WEIGHTS[job.kind] * self._favour(vehicle, touched)
            anew = bool(job.defines) and all(held.issuperset(job.defines) for held in worlds)
            if anew and any(each in fact for fact in job.defines for each in ONCE):
                continue
            if when and (anew or job.kills):
                weight *= CHANGING
            elif anew and self._idle.isdisjoint(job.defines):
                weight *= IN_USE
            fit.append(job)
            weights.append(weight)
        return self._rng.choices(fit, weights)[0] if fit else None

    def _undoes(self, vehicle: str, job: Job, when: tuple[Taken, ...]) -> bool:
        """Return whether a job undoes or repeats what a vehicle did for nothing.

        It takes the last one back, makes anew what that made, or ends what was made since it
        arrived, needed by nothing under any options. Loads and unloads do not, nor do jobs that
        are never both done.
        """
        line = self._last.get(vehicle)
        if line is None or line.job is None or job.kind in {"load", "unload"}:
            return False
        if never_both(line.when, when):
            return False
        if jobs.repeats(line.job, job):
            return True
        made = self._fresh[vehicle]
        ended = {fact for fact in job.kills if fact in made and not never_both(made[fact], when)}
        anew = {*line.job.defines}.intersection(job.defines) - {*job.uses}
        return not self._idle.isdisjoint(ended | anew)

    def _favour(self, vehicle: str, facts: set[str]) -> float:
        """Return how much more often a job is done that has to do with some facts."""
        found = 1.0 if facts.isdisjoint(self._focus[vehicle]) else LATELY
        found *= 1.0 if facts.isdisjoint(self._idle) else PENDING
        if len(self._vehicles) > 1 and any(" at " in fact for fact in facts):
            found *= SHARED  # both may have to do with a place
        return found if facts.isdisjoint(self._new[vehicle]) else found * AT_ONCE

    def _look(self, vehicle: str, found: Sequence[Job]) -> None:
        """Choose anew, now and then, the two facts with which the next jobs have to do."""
        facts = sorted({fact for job in found for fact in job.defines})
        kept = [fact for fact in self._focus[vehicle] if fact in facts]
        if self._rng.random() < ELSEWHERE:
            kept = kept[1:]
        others = [fact for fact in facts if fact not in kept]
        self._focus[vehicle] = [*kept, *self._rng.sample(others, min(2 - len(kept), len(others)))]

    def _meet(self, vehicle: str) -> None:
        """Write a wait for one of the last steps of the other vehicle, if there is one."""
        recent = [
            place
            for place, line in enumerate(self.lines)
            if line.vehicle != vehicle and not line.when
            and (line.job or line.text.startswith(ARRIVE))
        ][-LAST:]  # fmt: skip
        later = [place for place in recent if place > self._seen[vehicle]]
        if later:
            place = self._rng.choice(later)
            self._seen[vehicle] = place
            self.add(Line(vehicle, target=self.lines[place]))

    def _wait_for_last(self, vehicle: str) -> None:
        """Write a wait for the last job of the other vehicle that no option decides on."""
        place = max(
            (k for k, line in enumerate(self.lines)
             if line.vehicle != vehicle and line.job and not line.when),
            default=-1,
        )  # fmt: skip
        if place > self._seen[vehicle]:
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


def _is(job: Job, step: str, fact: str) -> bool:
    """Return whether a job is a step in the course of a fact: anew, use, on, end or finish."""
    if fact in job.uses:
        return step == "use" or (step == "on" and bool(job.defines) and fact not in job.defines)
    return fact in (
        job.defines if step == "anew" else job.kills if step in {"end", "finish"} else ()
    )
