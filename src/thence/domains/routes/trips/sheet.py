"""An order sheet while it is written: its lines, and their procedure once they have numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from thence.core.graph import Graph
from thence.core.procedure import Choice, Procedure, Step, Taken
from thence.domains.routes.trips.jobs import Job, on
from thence.domains.routes.trips.legs import Drive

_METRES = re.compile(r" after (?:\d+ |\d+\.\d kilo)meters(?=\.$)")


@dataclass(eq=False)
class Line:
    """Line of a sheet: one step.

    Attributes:
        vehicle: who does it.
        text: its sentence; empty where it is made from the numbers of other lines.
        job: what is done at a stop.
        drive: how it goes on.
        when: the options on which it depends.
        seconds: least and most that it takes; None where it takes no time.
        target: the line of somebody else that it waits for.
        branches: the lines of each option, where it tells which to take.
        choice: the choice that these options are of.
    """

    vehicle: str
    text: str = ""
    job: Job | None = None
    drive: Drive | None = None
    when: tuple[Taken, ...] = ()
    seconds: tuple[int, int] | None = None
    target: Line | None = None
    branches: dict[str, list[Line]] = field(default_factory=dict)
    choice: Choice | None = None

    def effects(
        self, roads: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return what it needs, makes true and ends; of being on a road, for some roads alone."""
        if self.job is not None:
            return self.job.uses, self.job.defines, self.job.kills
        if self.drive is None:
            return (), (), ()
        made = tuple(on(road, self.vehicle) for road in roads if road in self.drive.roads)
        left = tuple(on(road, self.vehicle) for road in roads if road not in self.drive.roads)
        return (), made, left


@dataclass(frozen=True, slots=True)
class Trip:
    """A trip of one or two vehicles.

    Attributes:
        procedure: its steps; their sentences state no times.
        seconds: the shortest and longest time of each step, None where it takes none.
        cleans: the steps that let nothing bad through.
        roads: the roads of each vehicle about which the facts tell.
        closures: the choices that are roads; the others are places.
        city: where its stops lie.
    """

    procedure: Procedure
    seconds: tuple[tuple[int, int] | None, ...]
    cleans: frozenset[int]
    roads: Mapping[str, Sequence[str]]
    closures: tuple[str, ...]
    city: str

    def timed(self) -> Procedure:
        """Return its steps with their times, which their sentences state."""
        steps = tuple(map(_timed, self.procedure.steps, self.seconds))
        return replace(self.procedure, steps=steps)


def _timed(step: Step, seconds: tuple[int, int] | None) -> Step:
    if seconds is None:
        return replace(step, seconds=(0, 0))
    low, high = seconds
    # the metres are those of the stretch before, the seconds those of the stretch after
    return replace(
        step, text=f"{_METRES.sub('', step.text)[:-1]} ({low}-{high} seconds).", seconds=seconds
    )


def numbered(
    goal: str,
    lines: Sequence[Line],
    roads: Mapping[str, Sequence[str]],
    start: Sequence[str],
    choices: Sequence[Choice],
) -> Procedure:
    """Return the procedure of a sheet.

    Args:
        goal: its goal.
        lines: in the listed order.
        roads: of each vehicle, the roads about which the facts tell.
        start: the facts that hold at first.
        choices: on which lines depend.
    """
    number = {id(line): place for place, line in enumerate(lines)}
    vehicles = list(dict.fromkeys(line.vehicle for line in lines))
    order: list[tuple[int, int]] = []
    for vehicle in vehicles:
        order += pairwise(number[id(line)] for line in lines if line.vehicle == vehicle)
    order += [(number[id(line.target)], number[id(line)]) for line in lines if line.target]
    steps = []
    for line in lines:
        text = _sentence(line, number)
        if len(vehicles) > 1:
            text = f"{line.vehicle.capitalize()}: {text}"
        uses, defines, kills = line.effects(roads.get(line.vehicle, ()))
        steps.append(Step(text, uses, defines, kills, when=line.when))
    reduced = tuple(Graph(len(lines), order).transitive_reduction())
    known = tuple(dict.fromkeys(start))
    return Procedure(goal, tuple(steps), reduced, known, tuple(choices))


def _sentence(line: Line, number: Mapping[int, int]) -> str:
    if line.target is not None:
        awaited = number[id(line.target)] + 1
        return f"Wait until the {line.target.vehicle} has done step {awaited}."
    if line.choice is None:
        return line.text
    told = []
    for option in line.choice.options:
        held = [number[id(each)] + 1 for each in line.branches[option]]
        told.append((option, held))
    (option, first), (_, second) = told
    name, verb = line.choice.name, f"is {option}"
    if not first:
        first, second, verb = second, first, f"is not {option}"
    if not second:
        it = "it" if len(first) == 1 else "them"
        return f"If {name} {verb}, take {_steps(first)}; otherwise leave {it} out."
    return f"If {name} {verb}, take {_steps(first)}, otherwise {_steps(second)}."


def _steps(numbers: Sequence[int]) -> str:
    """Return numbers that follow one another, such as ``steps 7 to 9``."""
    if len(numbers) == 1:
        return f"step {numbers[0]}"
    word = "and" if len(numbers) == 2 else "to"
    return f"steps {numbers[0]} {word} {numbers[-1]}"
