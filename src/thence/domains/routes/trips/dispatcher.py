"""Dispatcher of a trip, through whom a vehicle learns what the other one has done.

Two vehicles can only wait for one another, so that one wait tells their order. The dispatcher has
steps of his own: whoever has a go-ahead from him comes after all that he has waited for until then,
and after nothing that he waits for later.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thence.domains.routes.trips.sheet import Line

DISPATCHER = "dispatcher"
NOTE = "Note it in the log."
THROUGH = 0.8  # share of the waits of vehicles for each other that go through the dispatcher
NOTES = (1, 2, 3, 4)  # steps that he waits for only to note them
FREE = (0, 1, 1, 2)  # go-aheads that he gives of his own accord
SOON = 8  # lines after a step until he notes it, and after such a go-ahead until it is waited for


def with_dispatcher(lines: Sequence[Line], rng: Random) -> list[Line]:
    """Return the lines of a sheet in which most waits go through a dispatcher.

    Whatever came before a step still does. Nobody waits for a step again, or for one before it. A
    sheet without waits has no dispatcher.

    Args:
        lines: in the listed order. Waits that go through him have another `Line.target` then.
        rng: all chance.
    """
    sheet = _Sheet(lines, rng)
    waits = [line for line in lines if line.target]
    for wait in waits:
        if rng.random() < THROUGH:
            sheet.lead(wait)
    if waits:
        jobs = [line for line in lines if line.job and not line.when]
        for done in rng.sample(jobs, min(rng.choice(NOTES), len(jobs))):
            sheet.note(done)
        vehicles = list(dict.fromkeys(line.vehicle for line in lines))
        for _ in range(rng.choice(FREE)):
            sheet.free(rng.choice(vehicles))
    return sheet.lines


class _Sheet:
    """The lines of a sheet, to which those of a dispatcher are added."""

    def __init__(self, lines: Sequence[Line], rng: Random) -> None:
        self.lines = list(lines)
        self._rng = rng

    def lead(self, wait: Line) -> None:
        """Lead a wait for a step through the dispatcher, where there is a place for it."""
        done, last = wait.target, self.lines.index(wait)
        assert done is not None
        first = self.lines.index(done) + 1
        told = [k for k in self._free(first, last) if self._in_turn(wait.vehicle, last, k)]
        heard = [k for k in self._free(first, last) if self._in_turn(DISPATCHER, k, first - 1)]
        pairs = [(h, t) for h in heard for t in told if h <= t]
        if pairs:
            place, there = self._rng.choice(pairs)
            wait.target = Line(DISPATCHER, f"Give the {wait.vehicle} the go-ahead.")
            self.lines.insert(there, wait.target)
            self.lines.insert(place, Line(DISPATCHER, target=done))

    def note(self, done: Line) -> None:
        """Add that the dispatcher waits for a step and notes it, where there is a place for it."""
        at = self.lines.index(done)
        free = [k for k in self._free(at + 1, at + SOON) if self._in_turn(DISPATCHER, k, at)]
        if free:
            place = self._rng.choice(free)
            self.lines[place:place] = [Line(DISPATCHER, target=done), Line(DISPATCHER, NOTE)]

    def free(self, vehicle: str) -> None:
        """Add a go-ahead for a vehicle that waits for nothing, where there is a place for it."""
        there = self._rng.choice(self._free(2, len(self.lines) - 1))
        free = [
            k
            for k in self._free(there, there + SOON)
            if self._in_turn(vehicle, k, there) and self._has_a_stop(vehicle, k)
        ]
        if free:
            place = self._rng.choice(free)
            told = Line(DISPATCHER, f"Give the {vehicle} the go-ahead.")
            self.lines.insert(place, Line(vehicle, target=told))
            self.lines.insert(there, told)

    def _free(self, low: int, high: int) -> list[int]:
        """Return the places where a line may be inserted.

        It parts neither the steps of an option nor a wait of the dispatcher and his note of it.
        """
        last = min(high, len(self.lines) - 1)
        lines = self.lines
        return [k for k in range(low, last + 1) if not lines[k].when and lines[k].text != NOTE]

    def _has_a_stop(self, vehicle: str, place: int) -> bool:
        """Return whether a vehicle can wait at a place: where it is at a stop, with more to do."""
        before = [line for line in self.lines[:place] if line.vehicle == vehicle][-1:]
        after = [line for line in self.lines[place:] if line.vehicle == vehicle][:1]
        waits = any(line.target for line in (*before, *after))
        return bool(before and after) and before[0].drive is None and not waits

    def _in_turn(self, who: str, place: int, target: int) -> bool:
        """Return whether a wait at a place for a step at another one is in turn.

        Before it stand the waits of the same for earlier steps of whoever does that step, and after
        it those for later ones.
        """
        whose = DISPATCHER if who != DISPATCHER else self.lines[target].vehicle
        known = {id(line): k for k, line in enumerate(self.lines)}
        waits = [
            (k, known[id(line.target)])
            for k, line in enumerate(self.lines)
            if line.vehicle == who and line.target and line.target.vehicle == whose
        ]
        return all((k < place) == (at < target) and at != target for k, at in waits)
