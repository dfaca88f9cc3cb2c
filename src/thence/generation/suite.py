"""From a seed to samples: the paper's set, or as many as are asked for.

Each sample depends on its own place alone, so any number of workers makes the same bytes. A
sample that repeats an earlier one of the file is drawn again, in the order of the file, by the
process that writes it.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from operator import itemgetter
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.generation.making import Line, Maker, identity
from thence.generation.plan import Plan, SampleSlot, places
from thence.generation.repetition import Repetitions, Tally, distinct, exhausted
from thence.system.workers import allowing, cores, pool

_CHUNK = 250  # samples of the quickest tasks that a worker makes at a time


_LEAST = 10  # samples of any task


_SMALL = 4000  # below this many, starting workers costs more than they save


def generate(plan: Plan, workers: int | None = 1, tally: Tally | None = None) -> Iterator[Sample]:
    """The samples of a plan, each distinct.

    Args:
        plan: what to make.
        workers: processes to use; None for one a core where there is enough to do.
        tally: counts groups and redraws, if given.

    Raises:
        UsageError: a parameter that a task does not take, or more samples than its cell has.
    """
    with allowing(workers):
        every = list(places(plan))
    count = _processes(every, workers)
    if count > 1:
        for line in generate_lines(plan, count, tally):
            yield Sample.from_json(json.loads(line))
        return
    yield from distinct(every, Maker(plan).sample, identity, plan, tally)


def generate_lines(
    plan: Plan, workers: int | None = 1, tally: Tally | None = None
) -> Iterator[str]:
    """The same as lines of JSON, which is how worker processes hand them over."""
    with allowing(workers):
        every = list(places(plan))
    count = _processes(every, workers)
    if count > 1:
        yield from _by_workers(every, plan, tally, count)
        return
    for _, line in distinct(every, Maker(plan).line, itemgetter(0), plan, tally):
        yield line


def _processes(every: Sequence[SampleSlot], workers: int | None) -> int:
    return workers or (1 if _effort(every) < _SMALL else cores())


def _effort(every: Sequence[SampleSlot]) -> int:
    """What making the samples of some places costs, in samples of the quickest tasks."""
    counts = Counter(place.task for place in every)
    return sum(families.task(name).generator.effort * count for name, count in counts.items())


def _by_workers(
    every: Sequence[SampleSlot], plan: Plan, tally: Tally | None, count: int
) -> Iterator[str]:
    """The lines of all places, made by worker processes and put back in order.

    What repeats an earlier sample is drawn again here, but for samples that are made together: of
    these a worker offers such that none repeats another. Whatever it rejected would be rejected
    here, too, while all that it offers is taken; once something is not, the rest of its chunk is
    drawn anew.
    """
    tally, asked, maker = tally if tally is not None else Tally(), Repetitions(plan), Maker(plan)
    for start, chunk in _chunks_made(every, plan, count):
        trusted = True
        for place, offered in zip(every[start : start + len(chunk)], chunk, strict=True):
            line, again, fresh = offered
            if not (trusted and asked.takes(place.task, line[0], fresh=fresh)):
                trusted = place.task not in asked.spreading
                found = asked.settle(place, maker.line, itemgetter(0), None if again else line)
                if found is None:
                    raise exhausted(place, every, tally)
                line, again, _ = found
            tally.redrawn += again
            tally.add(place)
            asked.add(place.task, line[0])
            yield line[1]


type Offered = tuple[Line, int, bool]
"""A line, how often it was drawn anew, and whether its procedure was new to the worker."""


def _chunks_made(
    every: Sequence[SampleSlot], plan: Plan, count: int
) -> Iterator[tuple[int, list[Offered]]]:
    """Where each chunk starts and what a worker offers for it, in order."""
    with pool(count, _prepare, plan) as workers:
        waiting: deque[tuple[int, Future[list[Offered]]]] = deque()
        for start, end in _chunks(every):
            waiting.append((start, workers.submit(_make_chunk, start, end)))
            if len(waiting) > 4 * count:  # never far ahead of whoever writes
                begun, offered = waiting.popleft()
                yield begun, offered.result()
        while waiting:
            begun, offered = waiting.popleft()
            yield begun, offered.result()


def _chunks(every: Sequence[SampleSlot]) -> Iterator[tuple[int, int]]:
    """Ranges of places for one worker each; those that are made together stay together."""
    size = max(_LEAST, _CHUNK * len(every) // max(1, _effort(every)))
    start = 0
    while start < len(every):
        end = min(start + size, len(every))
        while end < len(every) and _together(every[end]) == _together(every[end - 1]) is not None:
            end += 1
        yield start, end
        start = end


def _together(place: SampleSlot) -> tuple[str, str] | None:
    key = families.task(place.task).generator.work_key(place.condition)
    return None if key is None else (place.task, key)


_held: dict[str, Any] = {}  # of a worker process: its plan's places and maker


def _prepare(plan: Plan) -> None:
    for task in plan.given:
        families.give(task)
    _held["plan"], _held["places"] = plan, list(places(plan))
    _held["maker"] = Maker(plan)


def _make_chunk(start: int, end: int) -> list[Offered]:
    plan, maker = _held["plan"], _held["maker"]
    asked, made = Repetitions(plan), list[Offered]()
    for place in _held["places"][start:end]:
        offered = None
        if _together(place) is not None:
            offered = asked.settle(place, maker.line, itemgetter(0))
        offered = offered or (maker.line(place), 0, True)
        asked.add(place.task, offered[0][0])
        made.append(offered)
    return made
