"""From a seed to samples: as many as the paper has, or any number of samples.

Each sample depends on its own slot alone, so any number of workers makes the same bytes. A sample
that repeats an earlier one of the file is drawn again, in the order of the file, by the process
that writes it.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from operator import itemgetter
from typing import Any

from thence import families
from thence.core.bounds import check_count
from thence.core.sample import Sample
from thence.errors import NoQuestion, ParameterError, UsageError
from thence.generation.making import Line, Maker
from thence.generation.plan import Plan, SampleSlot, slots
from thence.generation.repetition import AskedSamples, Tally, distinct, say_left_out
from thence.system.progress import followed
from thence.system.ray_cluster import check_place
from thence.system.workers import MOST_WORKERS, allowing, cores, pool

_CHUNK = 250  # samples of the fastest tasks in a chunk for one worker
_FAR = 8  # times as many in one for a worker on a cluster, which takes longer to reach
_LEAST = 10  # minimal number of samples in a chunk
_SMALL = 4000  # effort below which starting workers costs more time than they save


type Workers = int | str | None
"""Number of processes; None for one per core where there is enough to do; or the cluster whose
cores work, such as ``ray``."""


def workers_of(workers: int | None, on: str | None) -> Workers:
    """Return who works: processes of this machine, or the cores of a cluster.

    Raises:
        ParameterError: a value that is not taken, or both.
    """
    check_count("workers", workers, MOST_WORKERS)
    check_place(on)
    if on is not None and workers is not None:
        raise ParameterError("workers", workers, f"is for one machine; leave it or on={on} out")
    return on or workers


def generate(plan: Plan, workers: Workers = 1, tally: Tally | None = None) -> Iterator[Sample]:
    """Yield the samples of a plan, all distinct.

    Args:
        plan: the request.
        workers: what makes them.
        tally: counts groups and redraws, if given.

    Raises:
        UsageError: a parameter that a task does not take, or more samples than a group has.
    """
    every, count = _laid_out(plan, workers)
    if count != 1:
        for line in generate_lines(plan, count, tally):
            yield Sample.from_json(json.loads(line))
        return
    maker = Maker(plan)
    made = distinct(every, maker.sample, maker.identity, plan, tally)
    yield from followed(made, "samples", len(every))


def generate_lines(plan: Plan, workers: Workers = 1, tally: Tally | None = None) -> Iterator[str]:
    """Yield the samples as lines of JSON, the form in which worker processes return them."""
    every, count = _laid_out(plan, workers)
    if count != 1:
        yield from followed(_by_workers(every, plan, tally, count), "samples", len(every))
        return
    made = distinct(every, Maker(plan).line, itemgetter(0), plan, tally)
    for _, line in followed(made, "samples", len(every)):
        yield line


def _laid_out(plan: Plan, workers: Workers) -> tuple[list[SampleSlot], int | str]:
    """Return the slots of a plan, and how many processes, or which cluster, make their samples."""
    with allowing(None if isinstance(workers, str) else workers):
        every = list(slots(plan))
    return every, workers or (1 if _effort(every) < _SMALL else cores())


def _effort(every: Sequence[SampleSlot]) -> int:
    """Return the cost of the samples of some slots, in samples of the fastest tasks."""
    counts = Counter(slot.task for slot in every)
    return sum(families.task(name).generator.effort * count for name, count in counts.items())


def _by_workers(
    every: Sequence[SampleSlot], plan: Plan, tally: Tally | None, count: int | str
) -> Iterator[str]:
    """Yield the lines of all slots, made by worker processes, in order.

    Samples that repeat an earlier one are redrawn here, except samples that must be made together:
    of these a worker offers a set without repetitions. Its offers are valid here as long as all
    of them are accepted; after the first rejection the rest of the chunk is drawn again.
    """
    tally, asked, maker = tally if tally is not None else Tally(), AskedSamples(plan), Maker(plan)
    for start, chunk in _chunks_made(every, plan, count):
        trusted = True
        for slot, offered in zip(every[start : start + len(chunk)], chunk, strict=True):
            line, redraws, fresh = offered or (None, 0, False)
            if not (line and trusted and asked.accepts(slot.task, line[0], fresh=fresh)):
                trusted = slot.task not in asked.spread
                first = None if redraws else line
                found = asked.draw_new(slot, maker.line, itemgetter(0), first)
                if found is None:
                    asked.give_up(slot, every, tally)
                    continue
                line, redraws, _ = found
            asked.add(slot.task, line[0])
            if slot.kept:
                tally.redrawn += redraws
                tally.add(slot)
                yield line[1]
    say_left_out(tally, plan)


type Offered = tuple[Line, int, bool] | None
"""A line, the number of its redraws, and whether its procedure was new to the worker; or none."""


def _chunks_made(
    every: Sequence[SampleSlot], plan: Plan, count: int | str
) -> Iterator[tuple[int, list[Offered]]]:
    """Yield the start of each chunk with a worker's offers for it, in order."""
    _check_pickled(every)
    times = _FAR if isinstance(count, str) else 1
    with pool(count, _prepare, plan, _findings(plan)) as workers:
        waiting: deque[tuple[int, Future[list[Offered]]]] = deque()
        for start, end in _chunks(every, times):
            waiting.append((start, workers.submit(_make_chunk, every[start:end])))
            if len(waiting) > 4 * workers.count:  # a bound on finished chunks in memory
                begun, offered = waiting.popleft()
                yield begun, offered.result()
        while waiting:
            begun, offered = waiting.popleft()
            yield begun, offered.result()


def _check_pickled(every: Sequence[SampleSlot]) -> None:
    """Raise unless the conditions of each task can be handed to worker processes."""
    for name, slot in {slot.task: slot for slot in every}.items():
        try:
            pickle.dumps(slot)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"{name}: its conditions cannot be handed to worker processes ({error}); give them "
                "plain values, or make the samples with workers=1"
            ) from error


def _chunks(every: Sequence[SampleSlot], times: int = 1) -> Iterator[tuple[int, int]]:
    """Yield ranges of slots for one worker each; slots with one work key stay together."""
    size = max(_LEAST, times * _CHUNK * len(every) // max(1, _effort(every)))
    start = 0
    while start < len(every):
        end = min(start + size, len(every))
        while end < len(every) and _work_key(every[end]) == _work_key(every[end - 1]) is not None:
            end += 1
        yield start, end
        start = end


def _work_key(slot: SampleSlot) -> tuple[str, str] | None:
    key = families.task(slot.task).generator.work_key(slot.condition)
    return None if key is None else (slot.task, key)


_state: dict[str, Any] = {}  # of a worker process: its plan and maker


def _findings(plan: Plan) -> dict[str, Any]:
    """Return what this process found for the tasks of a plan, by task."""
    generators = {name: families.task(name).generator for name in plan.tasks}
    found = {
        name: each.findings(each.configure(plan.settings)) for name, each in generators.items()
    }
    return {name: each for name, each in found.items() if each is not None}


def _prepare(plan: Plan, findings: dict[str, Any]) -> None:
    families.use(plan.given)
    for name, each in findings.items():
        families.task(name).generator.receive(each)
    _state.update(plan=plan, maker=Maker(plan))


def _make_chunk(chunk: Sequence[SampleSlot]) -> list[Offered]:
    plan, maker = _state["plan"], _state["maker"]
    asked, made = AskedSamples(plan), list[Offered]()
    for slot in chunk:
        offered = None
        if _work_key(slot) is not None:
            offered = asked.draw_new(slot, maker.line, itemgetter(0))
        if offered is None:
            offered = _first_line(slot, maker)
        if offered is not None:
            asked.add(slot.task, offered[0][0])
        made.append(offered)
    return made


def _first_line(slot: SampleSlot, maker: Maker) -> Offered:
    """Return the first draw of a slot; none where a user's file has no such question."""
    try:
        return maker.line(slot), 0, True
    except NoQuestion:
        return None
