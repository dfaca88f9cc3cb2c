"""Four baselines that go the way of any model: a request in, a reply out, read and scored alike."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from thence import families
from thence.core.digest import canonical_json
from thence.core.registry import nearest
from thence.core.sample import Sample
from thence.core.seeds import stream
from thence.core.task import Cell, Task
from thence.errors import UsageError
from thence.generation import suite
from thence.models.base import Model, Reply, Request
from thence.prompts import template_loader

PROVIDER = "baseline"
_ELSEWHERE = 1_000_003  # added to a sample's seed, so that the commonest target is learnt elsewhere
_LEARNT_FROM = 100  # samples of that other seed
_LEARNT_FROM_FEW = 3  # of a task whose samples take long to make: Yes and No cannot tie


class Baseline(Model):
    """Answers from the sample itself; every reply is in the format that the prompt asks for."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = f"{PROVIDER}/{name}"
        self._seed = seed

    async def complete(self, request: Request) -> Reply:
        """The answer in words; where there is none, a sentence that says so."""
        task = families.task(request.sample.task)
        try:
            answer = self.answer(task, request)
        except (LookupError, TypeError, ValueError) as error:
            raise UsageError(
                f"{self.name}: sample {request.sample.id} of {task.full_name} lacks what it is "
                f"answered from ({type(error).__name__}: {error}); generate it anew"
            ) from error
        if answer is None:
            return Reply(f"{self.name} has no answer to {task.full_name}.")
        return Reply(request.write(task.write(answer)))

    @abstractmethod
    def answer(self, task: Task, request: Request) -> Any | None:
        """An answer of the task's type, or None."""


class Oracle(Baseline):
    """The truth: what the whole path from prompt to score makes of a perfect model."""

    def answer(self, task: Task, request: Request) -> Any:
        """The target."""
        return request.sample.target


class Chance(Baseline):
    """An answer out of the task's answer space that knows nothing of the question."""

    def answer(self, task: Task, request: Request) -> Any:
        """A fresh draw for each sample, epoch and turn."""
        sample = request.sample
        place = {"sample": sample.id, "turn": request.turn}
        rng = stream(task.full_name, task.version, place, self._seed, request.epoch)
        return task.random_answer(sample, rng)


class Surface(Baseline):
    """What the surface of the question suggests, where the task has such a heuristic."""

    def answer(self, task: Task, request: Request) -> Any | None:
        """The task's heuristic, or None."""
        return task.surface_answer(request.sample)


class Majority(Baseline):
    """The commonest target of samples from another seed; the first of them where some tie."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed)
        self._learnt: dict[bytes, Any] = {}

    def answer(self, task: Task, request: Request) -> Any:
        """The same answer to every question of a task."""
        cells = _cells(task, request.sample)
        made = [[dict(cell.parameters), dict(cell.options)] for cell in cells]
        key = canonical_json([task.full_name, made])
        if key not in self._learnt:
            self._learnt[key] = _commonest(task, request.sample, cells)
        return self._learnt[key]


def _cells(task: Task, sample: Sample) -> list[Cell]:
    """The paper's cells, with the sample's options; its own where it is of none of them."""
    cells = task.cells(task.configure({}))
    own = task.cell(sample)
    if not any(cell.parameters == own.parameters for cell in cells):
        return [own]
    return [replace(cell, options={**cell.options, **own.options}) for cell in cells]


def _commonest(task: Task, sample: Sample, cells: Sequence[Cell]) -> Any:
    seed = int(sample.metadata.get("seed") or 0) + _ELSEWHERE
    targets = []
    for index in range(_LEARNT_FROM if task.effort <= 1 else _LEARNT_FROM_FEW):
        cell = cells[index % len(cells)]
        rng = stream(task.full_name, task.version, cell.parameters, seed, index)
        targets.append(task.draw(cell, rng).target)
    votes = Counter(task.vote(target) for target in targets)
    winner = votes.most_common(1)[0][0]
    return next(target for target in targets if task.vote(target) == winner)


BASELINES: Mapping[str, Callable[[str, int], Baseline]] = {
    "random": Chance,
    "majority": Majority,
    "heuristic": Surface,
    "oracle": Oracle,
}


def baseline(name: str, seed: int) -> Baseline:
    """The baseline of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in BASELINES:
        hint = nearest(name, list(BASELINES))
        raise UsageError(
            f"--model {PROVIDER}/{name}: unknown baseline{hint} (known: {', '.join(BASELINES)})"
        )
    return BASELINES[name](name, seed)


def without_heuristic(tasks: Sequence[Task]) -> list[str]:
    """Names of the tasks that ``baseline/heuristic`` cannot answer."""
    templates = template_loader.templates()
    names = []
    for task in tasks:
        cell = task.cells(task.configure({}))[0]
        sample = suite.make(suite.Place(task.full_name, cell, 0), 0, templates)
        if task.surface_answer(sample) is None:
            names.append(task.full_name)
    return names
