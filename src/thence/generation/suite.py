"""From a seed to samples: the paper's set, or as many as are asked for.

Each sample depends on its own place alone, so any number of workers makes the same bytes. A
sample that repeats an earlier one of the file is drawn again, in the order of the file, by the
process that writes it.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from thence import families
from thence.core.digest import compact_json, digest
from thence.core.sample import Sample
from thence.core.seeds import stream
from thence.core.task import Condition, Task
from thence.errors import ParameterError, UsageError
from thence.prompts import template_loader
from thence.prompts.base import plain_input, template_hash
from thence.prompts.templates import Templates
from thence.system.workers import allow, pool

_CHUNK = 250  # samples of the quickest tasks that a worker makes at a time
_LEAST = 10  # samples of any task
_SMALL = 4000  # below this many, starting workers costs more than they save
_ATTEMPTS = 1000  # draws of one place before its cell is held to be exhausted


@dataclass(frozen=True)
class Plan:
    """What is to be generated.

    Attributes:
        tasks: full names, in the order of tables.
        seed: the user's.
        size: samples a task, spread evenly over its groups; None for the paper's set.
        limit: the first so many of each task; None for all.
        settings: values of the tasks' parameters by name; kept as texts.
        templates: the user's folder of templates, or None.
    """

    tasks: Sequence[str]
    seed: int = 0
    size: int | None = None
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    templates: Path | None = None

    def __post_init__(self) -> None:
        for name, value in (("size", self.size), ("limit", self.limit)):
            if value is not None and value < 1:
                raise ParameterError(name, value, "must be at least 1")
        generators = [families.task(name).generator for name in self.tasks]
        known = {each.name: each for held in generators for each in held.parameters}
        for name in self.settings:
            if name not in known:
                offered = ", ".join(sorted(known)) or "none"
                raise ParameterError(
                    name, None, f"no chosen task has such a parameter (they have: {offered})"
                )
        texts = {name: known[name].text(value) for name, value in self.settings.items()}
        object.__setattr__(self, "settings", texts)

    def to_json(self) -> dict[str, Any]:
        """What a manifest and a run's request hold of it."""
        return {
            "tasks": list(self.tasks),
            "seed": self.seed,
            "size": self.size,
            "limit": self.limit,
            "set": dict(self.settings),
        }


@dataclass(slots=True)  # not frozen: that makes making one four times as slow
class SampleSlot:
    """Where a sample stands: the index within its cell, before any redrawing."""

    task: str
    condition: Condition
    index: int


@dataclass
class Tally:
    """What generation counts, for the manifest."""

    groups: dict[str, Counter[str]] = field(default_factory=dict)
    redrawn: int = 0

    def add(self, place: SampleSlot) -> None:
        """Counts the sample of a place."""
        counts = self.groups.get(place.task)
        if counts is None:
            counts = self.groups[place.task] = Counter()
        counts[place.condition.group] += 1


type Identity = tuple[str, str, str | None]
"""The id of a sample, what it stems from and the pair that it belongs to."""

type Line = tuple[Identity, str]
"""A sample as worker processes hand it over."""


def places(plan: Plan) -> Iterator[SampleSlot]:
    """Every place of a plan, in the order of the file."""
    for name in plan.tasks:
        task = families.task(name)
        generator = task.generator
        values = generator.configure(plan.settings)
        if reason := generator.unavailable(values):
            if len(plan.tasks) == 1:
                raise UsageError(f"{name} is not offered: {reason}")
            continue
        conditions = generator.arrange(values, plan.size, plan.seed)
        every = (
            SampleSlot(name, each, index) for each in conditions for index in range(each.count)
        )
        yield from islice(every, plan.limit)


def make(place: SampleSlot, seed: int, templates: Templates, attempt: int = 0) -> Sample:
    """The sample of a place."""
    task = families.task(place.task)
    again = task.generator.redraw(place.condition, attempt) if attempt else None
    condition = again or place.condition
    rng = stream(place.task, task.version, condition.parameters, seed, place.index, attempt)
    draft = task.generator.draw(condition, rng)
    metadata = {
        **draft.metadata,
        "question": dict(draft.question),
        "parameters": dict(condition.parameters),
        "group": condition.group,
        "seed": seed,
        "source": "generated",
        "template": template_hash(task, templates),
    }
    if condition.options:
        metadata["options"] = dict(condition.options)
    if draft.structure is not None:
        metadata["structure"] = draft.structure
    return Sample(
        sample_id(task, draft.structure, draft.question, draft.target),
        task.family,
        place.task,
        task.version,
        plain_input(task, metadata, templates),
        draft.target,
        metadata,
    )


def sample_id(task: Task, structure: Any, question: Mapping[str, Any], target: Any) -> str:
    """The id of a sample: its wording and its place in any file are no part of it."""
    number = task.version.partition("-")[0]
    return digest(task.full_name, number, structure, dict(question), target)


def generate(plan: Plan, workers: int | None = 1, tally: Tally | None = None) -> Iterator[Sample]:
    """The samples of a plan, each distinct.

    Args:
        plan: what to make.
        workers: processes to use; None for one a core where there is enough to do.
        tally: counts groups and redraws, if given.

    Raises:
        UsageError: a parameter that a task does not take, or more samples than its cell has.
    """
    allow(workers)
    every = list(places(plan))
    count = _processes(every, workers)
    if count > 1:
        for line in generate_lines(plan, count, tally):
            yield Sample.from_json(json.loads(line))
        return
    yield from _distinct(every, _Maker(plan).sample, _identity, plan, tally)


def generate_lines(
    plan: Plan, workers: int | None = 1, tally: Tally | None = None
) -> Iterator[str]:
    """The same as lines of JSON, which is how worker processes hand them over."""
    allow(workers)
    every = list(places(plan))
    count = _processes(every, workers)
    if count > 1:
        yield from _by_workers(every, plan, tally, count)
        return
    for _, line in _distinct(every, _Maker(plan).line, itemgetter(0), plan, tally):
        yield line


def _identity(sample: Sample) -> Identity:
    return sample.id, sample.cluster, sample.metadata.get("pair")


def _processes(every: Sequence[SampleSlot], workers: int | None) -> int:
    return workers or (1 if _effort(every) < _SMALL else len(os.sched_getaffinity(0)))


def _effort(every: Sequence[SampleSlot]) -> int:
    """What making the samples of some places costs, in samples of the quickest tasks."""
    counts = Counter(place.task for place in every)
    return sum(families.task(name).generator.effort * count for name, count in counts.items())


class _Maker:
    """Makes the samples of a plan, with the templates compiled once."""

    def __init__(self, plan: Plan) -> None:
        self._seed = plan.seed
        self._templates = template_loader.templates(plan.templates)

    def sample(self, place: SampleSlot, attempt: int = 0) -> Sample:
        return make(place, self._seed, self._templates, attempt)

    def line(self, place: SampleSlot, attempt: int = 0) -> Line:
        """What tells the sample from others, and its JSON line."""
        sample = self.sample(place, attempt)
        return _identity(sample), compact_json(sample.to_json())


class _Asked:
    """What a file has asked so far."""

    def __init__(self, plan: Plan) -> None:
        every = {name: families.task(name).generator for name in plan.tasks}
        self.spreading = {name: each for name, each in every.items() if each.spread}
        self._seen: set[str] = set()
        # By task and procedure, where these are to differ, the pair that it was first asked in:
        # both twins of a pair may stem from it.
        self._pairs: dict[tuple[str, str], str | None] = {}

    def takes(self, task: str, told: Identity, *, fresh: bool = True) -> bool:
        """Whether a sample is no repetition; ``fresh``: nor one of a procedure asked about."""
        name, cluster, pair = told
        if name in self._seen:
            return False
        if not fresh or task not in self.spreading or (task, cluster) not in self._pairs:
            return True
        return bool(pair and self._pairs[task, cluster] == pair)

    def settle[Made](
        self,
        place: SampleSlot,
        draw: Callable[[SampleSlot, int], Made],
        tell: Callable[[Made], Identity],
        first: Made | None = None,
    ) -> tuple[Made, int, bool] | None:
        """Draws until a sample is new: it, how often anew, and whether its procedure is new, too.

        None where many draws gave nothing new. ``first``: what the first draw gives, if known.
        """
        generator, spare = self.spreading.get(place.task), None
        for again in range(_ATTEMPTS - 1):
            made = draw(place, again) if again or first is None else first
            told = tell(made)
            if self.takes(place.task, told):
                return made, again, True
            if spare is None and self.takes(place.task, told, fresh=False):
                spare = made
            if (
                generator
                and spare is not None
                and generator.redraw(place.condition, again + 1) is None
            ):
                if (
                    generator.redraw(place.condition, 1) is not place.condition
                ):  # all were asked about
                    kept = self._pairs.items()
                    self._pairs = {key: each for key, each in kept if key[0] != place.task}
                return spare, again, False
        return None

    def add(self, task: str, told: Identity) -> None:
        """Notes a sample that was taken."""
        name, cluster, pair = told
        self._seen.add(name)
        if task in self.spreading:
            self._pairs.setdefault((task, cluster), pair)


def _distinct[Made](
    every: Sequence[SampleSlot],
    draw: Callable[[SampleSlot, int], Made],
    tell: Callable[[Made], Identity],
    plan: Plan,
    tally: Tally | None,
) -> Iterator[Made]:
    """Draws what repeats an earlier sample again, in order."""
    tally, asked = tally if tally is not None else Tally(), _Asked(plan)
    for place in every:
        found = asked.settle(place, draw, tell)
        if found is None:
            raise _exhausted(place, every, plan, tally)
        made, again, _ = found
        tally.redrawn += again
        tally.add(place)
        asked.add(place.task, tell(made))
        yield made


def _exhausted(
    place: SampleSlot, every: Sequence[SampleSlot], plan: Plan, tally: Tally
) -> UsageError:
    whole = place.task, place.condition.group
    wanted = sum((each.task, each.condition.group) == whole for each in every)
    found = tally.groups.get(place.task, Counter())[place.condition.group]
    return UsageError(
        f"{place.task}: group {place.condition.group} has fewer than {wanted} distinct questions "
        f"({found} were found); {_lesser(plan)}"
    )


def _lesser(plan: Plan) -> str:
    return "ask for fewer" if plan.size is None else f"ask for fewer than --size {plan.size}"


def _by_workers(
    every: Sequence[SampleSlot], plan: Plan, tally: Tally | None, count: int
) -> Iterator[str]:
    """The lines of all places, made by worker processes and put back in order.

    What repeats an earlier sample is drawn again here, but for samples that are made together: of
    these a worker offers such that none repeats another. Whatever it rejected would be rejected
    here, too, while all that it offers is taken; once something is not, the rest of its chunk is
    drawn anew.
    """
    tally, asked, maker = tally if tally is not None else Tally(), _Asked(plan), _Maker(plan)
    for start, chunk in _chunks_made(every, plan, count):
        trusted = True
        for place, offered in zip(every[start : start + len(chunk)], chunk, strict=True):
            line, again, fresh = offered
            if not (trusted and asked.takes(place.task, line[0], fresh=fresh)):
                trusted = place.task not in asked.spreading
                found = asked.settle(place, maker.line, itemgetter(0), None if again else line)
                if found is None:
                    raise _exhausted(place, every, plan, tally)
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
    workers = pool(count, _prepare, plan)
    try:
        waiting: deque[tuple[int, Future[list[Offered]]]] = deque()
        for start, end in _chunks(every):
            waiting.append((start, workers.submit(_make_chunk, start, end)))
            if len(waiting) > 4 * count:  # never far ahead of whoever writes
                begun, offered = waiting.popleft()
                yield begun, offered.result()
        while waiting:
            begun, offered = waiting.popleft()
            yield begun, offered.result()
    finally:
        workers.shutdown(cancel_futures=True)


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
    _held["plan"], _held["places"] = plan, list(places(plan))
    _held["maker"] = _Maker(plan)


def _make_chunk(start: int, end: int) -> list[Offered]:
    plan, maker = _held["plan"], _held["maker"]
    asked, made = _Asked(plan), list[Offered]()
    for place in _held["places"][start:end]:
        offered = None
        if _together(place) is not None:
            offered = asked.settle(place, maker.line, itemgetter(0))
        offered = offered or (maker.line(place), 0, True)
        asked.add(place.task, offered[0][0])
        made.append(offered)
    return made
