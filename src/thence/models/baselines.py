"""Four baselines that take the path of any model: from request to reply, reading and scoring."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from thence import families
from thence.core.digest import canonical_json
from thence.core.parts import Condition
from thence.core.registry import nearest
from thence.core.sample import Sample
from thence.core.seeds import stream
from thence.core.task import MISFITS, Task
from thence.errors import ParameterError, UsageError
from thence.models.base import Model, Reply, Request

PROVIDER = "baseline"
_SEED_OFFSET = 1_000_003  # added to a sample's seed, so that other questions are counted
_COUNTED = 100  # samples of the other seed
_COUNTED_IF_SLOW = 3  # of a task with slow generation; odd, so that Yes and No cannot tie


type Write = Callable[[str], str]
"""Function that puts an answer into the form that a protocol asks for."""


class Baseline(Model):
    """A model that receives the sample that it answers; real models receive its prompt alone.

    Attributes:
        proves: whether it gives the proof of the truth with an answer, where one is asked for.
    """

    proves = False

    def __init__(self, name: str, seed: int) -> None:
        self.name = f"{PROVIDER}/{name}"
        self.seed = seed

    def about(self, sample: Sample, write: Write) -> Model:
        """Return a model that answers the question of one sample."""
        return _Answering(self, sample, write)

    async def complete(self, request: Request) -> Reply:
        """Raise an error: a request does not say which sample it is about."""
        raise UsageError(f"{self.name} answers samples, not messages alone")

    @abstractmethod
    def answer(self, task: Task, sample: Sample, request: Request) -> Any | None:
        """Return an answer of the task's type, or None."""

    def written(self, task: Task, sample: Sample, answer: Any) -> str:
        """Return the reply that gives an answer."""
        return task.format.write(answer)


class _Answering(Model):
    """A baseline that answers one sample, in the form that the prompt asks for."""

    def __init__(self, baseline: Baseline, sample: Sample, write: Write) -> None:
        self.name = baseline.name
        self._baseline = baseline
        self._sample = sample
        self._write = write

    async def complete(self, request: Request) -> Reply:
        """Return the answer in words; where there is none, a sentence that says so."""
        sample = self._sample
        task = families.task(sample.task)
        try:
            answer = self._baseline.answer(task, sample, request)
            written = None if answer is None else self._baseline.written(task, sample, answer)
        except MISFITS as error:
            raise UsageError(
                f"{self.name}: sample {sample.id} of {task.full_name} lacks what it is "
                f"answered from ({type(error).__name__}: {error}); generate it anew"
            ) from error
        if written is None:
            return Reply(f"{self.name} has no answer to {task.full_name}.")
        return Reply(self._write(written))


class Oracle(Baseline):
    """The truth: the score of a perfect model over the whole path from prompt to score."""

    proves = True

    def answer(self, task: Task, sample: Sample, request: Request) -> Any:
        """Return the target."""
        return sample.target

    def written(self, task: Task, sample: Sample, answer: Any) -> str:
        """Return the target in words, below the published text of it where that is another."""
        ours, published = task.format.write(answer), sample.metadata.get("ground_truth")
        if not isinstance(published, str) or published == ours:
            return ours
        return f"{published}\nAnswer: {ours}"


class Chance(Baseline):
    """A random answer from the task's answer space, independent of the question."""

    def answer(self, task: Task, sample: Sample, request: Request) -> Any:
        """Return a fresh draw for each sample, epoch and turn."""
        place = {"sample": sample.id, "turn": request.turn}
        version = task.version_of(sample.metadata)
        rng = stream(task.full_name, version, place, self.seed, request.epoch)
        return task.baselines.random_answer(task.generator, sample, rng)


class Surface(Baseline):
    """The answer suggested by the question's surface, where the task has a heuristic."""

    def answer(self, task: Task, sample: Sample, request: Request) -> Any | None:
        """Return the answer of the task's heuristic, or None."""
        return task.baselines.surface_answer(sample)


class Majority(Baseline):
    """The most common target among samples of another seed; of tied targets the first."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed)
        self._commonest: dict[bytes, Any] = {}

    def answer(self, task: Task, sample: Sample, request: Request) -> Any:
        """Return the same answer to every question of a task."""
        conditions = _conditions(task, sample)
        made = [[dict(each.parameters), dict(each.options)] for each in conditions]
        key = canonical_json([task.full_name, made])
        if key not in self._commonest:
            self._commonest[key] = _commonest(task, sample, conditions)
        return self._commonest[key]


def _conditions(task: Task, sample: Sample) -> list[Condition]:
    """Return the paper's conditions with the sample's options; if it fits none, its own."""
    generator = task.generator
    every = generator.conditions(generator.configure({}))
    own = generator.condition(sample)
    if not any(each.parameters == own.parameters for each in every):
        return [own]
    return [replace(each, options={**each.options, **own.options}) for each in every]


def _commonest(task: Task, sample: Sample, conditions: Sequence[Condition]) -> Any:
    seed = int(sample.metadata.get("seed") or 0) + _SEED_OFFSET
    generator, targets = task.generator, []
    for index in range(_COUNTED if generator.effort <= 1 else _COUNTED_IF_SLOW):
        condition = conditions[index % len(conditions)]
        version = task.version_of(condition.options)
        rng = stream(task.full_name, version, condition.parameters, seed, index)
        targets.append(generator.draw(condition, rng).target)
    vote = task.format.vote
    winner = Counter(map(vote, targets)).most_common(1)[0][0]
    return next(target for target in targets if vote(target) == winner)


BASELINES: Mapping[str, Callable[[str, int], Baseline]] = {
    "random": Chance,
    "majority": Majority,
    "heuristic": Surface,
    "oracle": Oracle,
}


def baseline(name: str, seed: int) -> Baseline:
    """Return the baseline of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in BASELINES:
        hint = nearest(name, list(BASELINES))
        raise ParameterError(
            "model",
            f"{PROVIDER}/{name}",
            f"unknown baseline{hint} (known: {', '.join(BASELINES)})",
        )
    return BASELINES[name](name, seed)


def without_heuristic(samples: Iterable[Sample]) -> list[str]:
    """Return the names of the tasks that ``baseline/heuristic`` cannot answer.

    Args:
        samples: some of each task; the first of each tells.
    """
    answered: dict[str, bool] = {}
    for sample in samples:
        if sample.task not in answered:
            answer = families.task(sample.task).baselines.surface_answer(sample)
            answered[sample.task] = answer is not None
    return [name for name, held in answered.items() if not held]
