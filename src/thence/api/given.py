"""Arguments of the public functions as the library takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError
from thence.generation.exclusion import Exclusion
from thence.generation.sample_files import read_samples
from thence.generation.sources import check_version
from thence.system.disk import parse_json

type Tasks = str | Task | Iterable[str | Task]
"""A family, a task, a glob or an object; or several of them."""

type Given = Sample | Mapping[str, Any] | str
"""A sample, its row or the JSON text of its row."""

type Excluded = str | Path | Given | Iterable[str | Path | Given] | None
"""Questions that may not come again: the path of a file, samples, rows, or several of them."""

_SHOWN = 60  # characters of a value that an error shows


def listed(tasks: Tasks) -> list[str | Task]:
    """Return the tasks that a caller gives as a list.

    Raises:
        ParameterError: it is neither a name nor a task nor several of them.
    """
    if isinstance(tasks, str | Task):
        return [tasks]
    given: object = tasks
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise ParameterError("tasks", short(given), "must be names or tasks")
    return list(given)


def chosen(tasks: Tasks) -> list[Task]:
    """Return the tasks that a caller names, each once: those of packages in the order of tables.

    Raises:
        ParameterError: a value that is neither a name nor a task.
        UsageError: a name that no task has.
    """
    found, names = dict[str, Task](), list[str]()
    for each in listed(tasks):
        if isinstance(each, Task):
            found[each.full_name] = each
        elif isinstance(each, str):
            names.append(each)
        else:
            raise ParameterError("tasks", short(each), "must be the name of a task, or a task")
    named = {task.full_name: task for task in families.select(names)}
    if not (named or found):
        raise ParameterError("tasks", None, "name at least one family, task or glob")
    return list({**named, **found}.values())


def sample_of(given: Given) -> Sample:
    """Return the sample that a caller gives; in a row, target and metadata may be JSON text.

    Raises:
        ParameterError: it is no sample.
    """
    if isinstance(given, Sample):
        return given
    row: Any = given
    try:
        if isinstance(given, str):
            row = parse_json(given.encode())
        if isinstance(row, Mapping):
            if isinstance(row.get("metadata"), str):  # of a table, whose cells hold text
                texts = {name: row.get(name) for name in ("target", "metadata")}
                row = {
                    **row,
                    **{name: parse_json(str(text).encode()) for name, text in texts.items()},
                }
            return Sample.from_json(row)
    except (ValueError, RecursionError) as error:
        reason = str(error) if str(error).startswith("field") else "is not JSON"
        raise ParameterError(
            "sample", short(given), f"{reason}; give a Sample, its row or its JSON text"
        ) from error
    raise ParameterError("sample", short(given), "must be a Sample, its row or its JSON text")


def exclusion_of(given: Excluded) -> Exclusion:
    """Return the exclusion of the questions and procedures that a caller gives.

    Raises:
        FileError: a path at which there is no file of samples.
        ParameterError: something that is no question.
    """
    if given is None:
        return Exclusion()
    return Exclusion.of(_samples_in(given))


def _samples_in(given: Any) -> Iterator[Sample]:
    if isinstance(given, Path) or (isinstance(given, str) and not given.lstrip().startswith("{")):
        yield from read_samples(Path(given))
    elif isinstance(given, str | Sample | Mapping):
        yield sample_of(given)
    elif isinstance(given, Iterable):
        for each in given:
            yield from _samples_in(each)
    else:
        raise ParameterError("exclude", short(given), "must be files, samples or rows")


def own_of(tasks: Iterable[str | Task]) -> tuple[Task, ...]:
    """Return the tasks that a caller gives as objects."""
    return tuple(each for each in tasks if isinstance(each, Task))


def task_of(sample: Sample, own: Task | None = None) -> Task:
    """Return the task of a sample.

    Args:
        sample: the sample.
        own: the caller's own task, which no package holds; None for one of a package.

    Raises:
        UsageError: there is none of this name.
        ParameterError: it is not of the caller's own task, or was made by a version whose scores do
            not compare.
    """
    if own is not None and own.full_name != sample.task:
        raise ParameterError("task", own.full_name, f"the sample is of {sample.task}")
    task = own or families.task(sample.task)
    if sample.version != task.version_of(sample.metadata):
        check_version(sample)
    return task


def not_a_sample(sample: Sample, task: Task) -> ParameterError | None:
    """Return the error that a sample is not one of its task; None where it is."""
    try:
        task.check(sample)
    except ValueError as error:
        return ParameterError("sample", sample.id, f"{error}; give it as it was generated")
    return None


def path_of(name: str, value: object) -> Path:
    """Return the path that a caller gives.

    Raises:
        ParameterError: it is none.
    """
    if not isinstance(value, str | PathLike) or "\0" in (text := str(value)):
        raise ParameterError(name, short(value), "must be a path")
    return Path(text)


def paths_of(name: str, value: object) -> list[Path]:
    """Return the paths that a caller gives, one or several.

    Raises:
        ParameterError: it is neither.
    """
    if isinstance(value, str | PathLike) or not isinstance(value, Iterable):
        return [path_of(name, value)]
    return [path_of(name, each) for each in value]


def folder_of(templates: str | Path | None) -> Path | None:
    """Return the folder of a caller's own templates."""
    return None if templates is None else path_of("templates", templates)


def text_of(name: str, value: object, what: str) -> str:
    """Return the text that a caller gives.

    Raises:
        ParameterError: it is none; ``what`` says which text it must be.
    """
    if not isinstance(value, str):
        raise ParameterError(name, short(value), f"must be {what}")
    return value


def protocol_of(value: object) -> str:
    """Return the name of a protocol that a caller gives."""
    return text_of("protocol", value, "the name of a protocol")


def settings_of(protocol: str, settings: Any) -> dict[str, str]:
    """Return the texts of a protocol's parameters, as the command line gives them.

    Raises:
        ParameterError: they are no mapping.
    """
    from thence.prompts.catalog import protocol as find_protocol

    if not isinstance(settings, Mapping):
        what = "must be a mapping, such as {'k': 3}"
        raise ParameterError("settings", short(settings), what)
    parts = find_protocol(protocol).parts
    known = {each.name: each for part in parts for each in part.parameters}
    return {
        name: known[name].text(value) if name in known else str(value)
        for name, value in settings.items()
    }


def short(value: object) -> str:
    """Return a value as an error shows it."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
