"""Thence in Inspect: a task a family; solver, scorer and others are beside it.

Inspect imports this module by its entry point in every command, so that our own modules are
imported within functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any, Self

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import accuracy, mean, stderr
from inspect_ai.solver import Solver

from thence.integrations.inspect_parts import CORRECT, ROW, ask, interval, read

_PROTOCOL = "protocol_"  # begins the name of a protocol's parameter in -T


def _in_one_line[**P, R](function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors Inspect shows in one line."""

    @wraps(function)
    def call(*arguments: P.args, **keywords: P.kwargs) -> R:
        from thence import ThenceError

        try:
            return function(*arguments, **keywords)
        except ThenceError as error:
            raise PrerequisiteError(str(error)) from error

    return call


# Tasks --------------------------------------------------------------------------------------------


@task
def procbench(
    tasks: str | list[str] = "*",
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    protocol: str = "direct",
    structured: bool = False,
    exclude: str | list[str] | None = None,
    skip_unavailable: bool = False,
    **settings: Any,
) -> Task:
    """Return ProcBench: procedures carried out step by step."""
    given = (tasks, seed, size, limit, protocol, structured, exclude, skip_unavailable)
    return _family("procbench", *given, settings)


@task
def releval(
    tasks: str | list[str] = "*",
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    protocol: str = "direct",
    structured: bool = False,
    exclude: str | list[str] | None = None,
    skip_unavailable: bool = False,
    **settings: Any,
) -> Task:
    """Return RELEVAL: relations that are consistent, or not."""
    given = (tasks, seed, size, limit, protocol, structured, exclude, skip_unavailable)
    return _family("releval", *given, settings)


@task
def catbench(
    tasks: str | list[str] = "*",
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    protocol: str = "direct",
    structured: bool = False,
    exclude: str | list[str] | None = None,
    skip_unavailable: bool = False,
    **settings: Any,
) -> Task:
    """Return CaT-Bench: the order of a recipe's steps."""
    given = (tasks, seed, size, limit, protocol, structured, exclude, skip_unavailable)
    return _family("catbench", *given, settings)


@task
def fable(
    tasks: str | list[str] = "*",
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    protocol: str = "direct",
    structured: bool = False,
    exclude: str | list[str] | None = None,
    skip_unavailable: bool = False,
    **settings: Any,
) -> Task:
    """Return FABLE: data flow in plans, routes and recipes."""
    given = (tasks, seed, size, limit, protocol, structured, exclude, skip_unavailable)
    return _family("fable", *given, settings)


@_in_one_line
def _family(
    family: str,
    tasks: str | list[str],
    seed: int,
    size: int | None,
    limit: int | None,
    protocol: str,
    structured: bool,
    exclude: str | list[str] | None,
    skip_unavailable: bool,
    settings: Mapping[str, Any],
) -> Task:
    """Return the task of a family; `settings` are parameters of its tasks and of the protocol."""
    import thence

    names = [tasks] if isinstance(tasks, str) else list(tasks)
    asked = [name if name.startswith(f"{family}/") else f"{family}/{name}" for name in names]
    ours = {name: value for name, value in settings.items() if not name.startswith(_PROTOCOL)}
    how = {name.removeprefix(_PROTOCOL): settings[name] for name in settings.keys() - ours.keys()}
    made = thence.generate(
        asked, seed=seed, size=size, limit=limit, exclude=exclude,
        skip_unavailable=skip_unavailable, **ours,
    )  # fmt: skip
    samples = list(made)
    thence.conversation(samples[0], protocol, **how)  # refuses what is wrong with the protocol
    request = {"family": family, "protocol": protocol, "settings": how, "structured": structured}
    return of_samples(samples, ask(protocol, structured, **how), request)


def of_samples(samples: list[Any], solve: Solver | None, request: Mapping[str, Any]) -> Task:
    """Return the task of some of our samples.

    Args:
        samples: of one family.
        solve: asks them; None where they were asked.
        request: kept in the log: ``protocol``, ``settings`` and others.
    """
    try:
        from inspect_ai.log import HeadlineMetric
        from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView, ViewerConfig
    except ImportError as error:  # pragma: no cover - no such release is installed
        need = "this inspect-ai is too old: pip install -U 'thence[inspect]'"
        raise PrerequisiteError(need) from error
    versions, figures = _about(tuple(dict.fromkeys(each.task for each in samples)))
    numbers = sorted({version.partition("-")[0] for version in versions.values()})
    shown = ["sampleId", "epoch", "input", "target", "answer"]
    columns = [TaskSamplesColumn(id=name) for name in shown]
    columns += [TaskSamplesColumn.score("read", name) for name in (CORRECT, *figures)]
    metrics = {CORRECT: [accuracy(), stderr(cluster="cluster"), interval()]}
    metrics |= {name: [mean(), interval(count)] for name, count in figures.items()}
    return Task(
        dataset=MemoryDataset([sample_of(*each) for each in enumerate(samples)], name="thence"),
        solver=[solve] if solve else [],
        scorer=read(request["protocol"]),
        metrics=metrics,
        version=int(numbers[0])
        if len(numbers) == 1 and numbers[0].isdigit()
        else "+".join(numbers),
        metadata={ROW: {**request, "versions": versions}},
        viewer=ViewerConfig(task_samples_view=TaskSamplesView(name="thence", columns=columns)),
        headline_metric=HeadlineMetric(scorer="read", score=CORRECT, metric="accuracy"),
    )


@lru_cache(maxsize=64)
def _about(names: tuple[str, ...]) -> tuple[dict[str, str], dict[str, bool]]:
    """Return versions of some tasks by name, and whether their metrics are counts."""
    import thence

    infos = [info for info in thence.tasks() if info.name in names]
    figures = {name: name in info.counts for info in infos for name in info.metrics}
    return {info.name: info.version for info in infos}, figures


class _Row(dict[str, Any]):
    """A row that nobody changes: Inspect copies the metadata of a sample again and again."""

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        return self


def sample_of(index: int, sample: Any) -> Sample:
    """Return Inspect's sample of ours; its metadata hold our row and its place in the set."""
    import thence

    row = _Row(sample.to_json())
    flat = {"index": index, "task": sample.task, "cluster": sample.cluster}
    if "group" in sample.metadata:
        flat["group"] = str(sample.metadata["group"])
    return Sample(
        id=sample.id, input=sample.input, target=thence.answer(sample), metadata={**flat, ROW: row}
    )
