"""From a seed to samples: the paper's set, or as many as are asked for.

Each sample depends on its own place alone, so any number of workers makes the same bytes. A
sample that repeats an earlier one of the file is drawn again, in the order of the file, by the
process that writes it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from thence import families, wording
from thence.errors import UsageError
from thence.kernel.digest import digest
from thence.kernel.sample import Sample
from thence.kernel.seeds import stream
from thence.kernel.task import Cell, Task
from thence.kernel.templates import Templates
from thence.protocols import first_prompt, opening

_CHUNK = 250  # samples that a worker makes at a time
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
        settings: ``--set`` as given.
        templates: the user's folder of templates, or None.
    """

    tasks: Sequence[str]
    seed: int = 0
    size: int | None = None
    limit: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    templates: Path | None = None

    def __post_init__(self) -> None:
        for name, value in (("--size", self.size), ("--limit", self.limit)):
            if value is not None and value < 1:
                raise UsageError(f"{name} {value}: must be at least 1")
        known = {knob.name for name in self.tasks for knob in families.task(name).knobs}
        for key in self.settings:
            if key not in known:
                offered = ", ".join(sorted(known)) or "none"
                raise UsageError(
                    f"--set {key}: no chosen task has such a parameter (they have: {offered})"
                )

    def to_json(self) -> dict[str, Any]:
        """What a manifest and a run's request hold of it."""
        return {
            "tasks": list(self.tasks),
            "seed": self.seed,
            "size": self.size,
            "limit": self.limit,
            "set": dict(self.settings),
        }


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sample stands: the index within its cell, before any redrawing."""

    task: str
    cell: Cell
    index: int


@dataclass
class Tally:
    """What generation counts, for the manifest."""

    groups: dict[str, Counter[str]] = field(default_factory=dict)
    redrawn: int = 0

    def add(self, sample: Sample) -> None:
        """Counts a sample."""
        group = str(sample.metadata.get("group", ""))
        self.groups.setdefault(sample.task, Counter())[group] += 1


def places(plan: Plan) -> Iterator[Place]:
    """Every place of a plan, in the order of the file."""
    for name in plan.tasks:
        task = families.task(name)
        cells = _resized(task.cells(task.configure(plan.settings)), plan.size)
        every = (Place(name, cell, index) for cell in cells for index in range(cell.count))
        yield from islice(every, plan.limit)


def _resized(cells: Sequence[Cell], size: int | None) -> list[Cell]:
    """The cells with ``size`` samples spread evenly: counts differ by at most one."""
    if size is None:
        return list(cells)
    number = len(cells)
    counts = [(place + 1) * size // number - place * size // number for place in range(number)]
    pairs = zip(cells, counts, strict=True)
    return [Cell(cell.group, cell.parameters, count) for cell, count in pairs if count]


def make(place: Place, seed: int, templates: Templates, attempt: int = 0) -> Sample:
    """The sample of a place."""
    task = families.task(place.task)
    cell = place.cell
    rng = stream(place.task, task.version, cell.parameters, seed, place.index, attempt)
    draft = task.draw(cell.parameters, rng)
    metadata = {
        **draft.metadata,
        "question": dict(draft.question),
        "parameters": dict(cell.parameters),
        "group": cell.group,
        "seed": seed,
        "source": "generated",
        "template": wording.template_hash(task, templates),
    }
    sample = Sample(
        id=sample_id(task, draft.structure, draft.question, draft.target),
        family=task.family,
        task=place.task,
        version=task.version,
        input="",
        target=draft.target,
        metadata=metadata,
    )
    return worded(sample, task, templates)


def worded(sample: Sample, task: Task, templates: Templates) -> Sample:
    """The sample with its ``input`` as the default protocol puts it."""
    text = opening(first_prompt(sample, task, templates), templates)
    return Sample(
        sample.id,
        sample.family,
        sample.task,
        sample.version,
        text,
        sample.target,
        sample.metadata,
        sample.canary,
    )


def sample_id(task: Task, structure: Any, question: Mapping[str, Any], target: Any) -> str:
    """The id of a sample: its wording and its place in any file are no part of it."""
    number = task.version.partition("-")[0]
    return digest(task.full_name, number, structure, dict(question), target)


def generate(
    plan: Plan, workers: int | None = None, tally: Tally | None = None
) -> Iterator[Sample]:
    """The samples of a plan, each distinct.

    Args:
        plan: what to make.
        workers: processes to use; None for one a core where there is enough to do.
        tally: counts groups and redraws, if given.

    Raises:
        UsageError: a parameter that a task does not take, or more samples than its cell has.
    """
    tally = tally if tally is not None else Tally()
    templates = wording.templates(plan.templates)
    seen: set[str] = set()
    for place, drawn in _drawn(plan, workers, templates):
        sample = drawn
        for attempt in range(1, _ATTEMPTS):
            if sample.id not in seen:
                break
            tally.redrawn += 1
            sample = make(place, plan.seed, templates, attempt)
        else:
            raise UsageError(
                f"{place.task}: group {place.cell.group} has fewer than {place.cell.count} "
                "distinct questions; ask for fewer with --size"
            )
        seen.add(sample.id)
        tally.add(sample)
        yield sample


def _drawn(plan: Plan, workers: int | None, templates: Templates) -> Iterator[tuple[Place, Sample]]:
    """Each place with its first draw, in order, made here or by worker processes."""
    every = list(places(plan))
    wanted = workers or (1 if len(every) < _SMALL else len(os.sched_getaffinity(0)))
    if wanted == 1:
        for place in every:
            yield place, make(place, plan.seed, templates)
        return
    chunks = [every[start : start + _CHUNK] for start in range(0, len(every), _CHUNK)]
    jobs = [(chunk, plan.seed, plan.templates) for chunk in chunks]
    with ProcessPoolExecutor(wanted, mp_context=get_context("spawn")) as pool:
        for chunk, samples in zip(chunks, pool.map(_make_chunk, jobs), strict=True):
            yield from zip(chunk, samples, strict=True)


_worker_templates = cache(wording.templates)


def _make_chunk(job: tuple[list[Place], int, Path | None]) -> list[Sample]:
    chunk, seed, folder = job
    templates = _worker_templates(folder)
    return [make(place, seed, templates) for place in chunk]
