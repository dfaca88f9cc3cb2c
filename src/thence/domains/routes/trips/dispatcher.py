"""Dispatcher of a trip, through whom a vehicle learns what the other one has done.

Two vehicles can only wait for one another, so that one wait tells their order. The dispatcher has
steps of his own: whoever has a go-ahead from him comes after all that he has waited for until then,
and after nothing that he waits for later.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thence.core.procedure import Pair
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
        at = self.lines.index(done)
        free = self._free(at + 1, last)
        own, his = self._waits(wait.vehicle, DISPATCHER), self._waits(DISPATCHER, done.vehicle)
        told = [k for k in free if _in_turn(own, last, k)]
        heard = [k for k in free if _in_turn(his, k, at)]
        pairs = [(h, t) for h in heard for t in told if h <= t]
        if pairs:
            place, there = self._rng.choice(pairs)
            wait.target = Line(DISPATCHER, f"Give the {wait.vehicle} the go-ahead.")
            self.lines.insert(there, wait.target)
            self.lines.insert(place, Line(DISPATCHER, target=done))

    def note(self, done: Line) -> None:
        """Add that the dispatcher waits for a step and notes it, where there is a place for it."""
        at = self.lines.index(done)
        his = self._waits(DISPATCHER, done.vehicle)
        free = [k for k in self._free(at + 1, at + SOON) if _in_turn(his, k, at)]
        if free:
            place = self._rng.choice(free)
            self.lines[place:place] = [Line(DISPATCHER, target=done), Line(DISPATCHER, NOTE)]

    def free(self, vehicle: str) -> None:
        """Add a go-ahead for a vehicle that waits for nothing, where there is a place for it."""
        there = self._rng.choice(self._free(2, len(self.lines) - 1))
        own = self._waits(vehicle, DISPATCHER)
        free = [
            k
            for k in self._free(there, there + SOON)
            if _in_turn(own, k, there) and self._has_a_stop(vehicle, k)
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

    def _waits(self, who: str, whose: str) -> list[Pair]:
        """Return where somebody waits for steps of somebody else, with the places of these."""
        return [
            (place, self.lines.index(line.target))
            for place, line in enumerate(self.lines)
            if line.vehicle == who and line.target and line.target.vehicle == whose
        ]


def _in_turn(waits: Sequence[Pair], place: int, target: int) -> bool:
    """Return whether a further wait at a place for a step at another one is in turn.

    Before it stand waits for earlier steps, after it waits for later ones.
    """
    return all((k < place) == (at < target) and at != target for k, at in waits)
