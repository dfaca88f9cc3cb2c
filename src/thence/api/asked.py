"""Questions as a caller may give them: tasks, sets, sequences, files, rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from thence import families
from thence.api.dataset import Dataset, generate, read
from thence.api.given import Given, own_of, sample_of, short
from thence.api.questions import Questions
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError
from thence.generation.sources import FromFiles, FromSamples, SampleSource, is_file

type Asked = str | Path | Task | Dataset | Questions | Iterable[Given | Task]
"""Names of tasks, the path of a file or folder (a `Path` where a task has its name), a set, a
sequence, or samples in any form."""


def source_of(questions: Asked) -> SampleSource:
    """Return the source of the questions that a caller gives, as a run records it.

    Raises:
        ParameterError: they have no end, there are none, or they are no questions.
        UsageError: a name that no task has, or a file that cannot be read.
    """
    if isinstance(questions, Dataset):
        return questions.source
    if isinstance(questions, Questions):
        if len(questions) == sys.maxsize:
            raise ParameterError("questions", None, "have no end; give a size, or take a slice")
        return FromSamples(questions, questions.tasks, questions.to_json(), checked=True)
    if isinstance(questions, Path) or (isinstance(questions, str) and _is_path(questions)):
        path = Path(questions)
        return FromFiles([path]) if path.is_file() else read(path).source
    if isinstance(questions, str | Task):
        return generate(questions).source
    if not isinstance(questions, Iterable):
        raise ParameterError("questions", short(questions), "must be tasks, samples or a file")
    held = list(questions)
    if held and all(isinstance(each, Task) or _is_name(each) for each in held):
        return generate(held).source  # type: ignore[arg-type]
    if not held:
        raise ParameterError("questions", None, "there are none; give tasks, samples or a file")
    return FromSamples([sample_of(each) for each in held])  # type: ignore[arg-type]


def own_in(questions: Asked | None) -> tuple[Task, ...]:
    """Return the tasks that a caller's questions bring with them, as no package holds them."""
    if isinstance(questions, Dataset | Questions):
        return tuple(questions.own)
    if isinstance(questions, Task):
        return (questions,)
    return own_of(questions) if isinstance(questions, list | tuple) else ()


def samples_of(questions: Asked) -> Iterator[Sample]:
    """Return the questions that a caller gives, each checked against its task."""
    return source_of(questions).samples()


def _is_path(text: str) -> bool:
    """Return whether a text is a path; a folder or file that has the name of tasks is none."""
    if is_file(text):
        return True
    return not families.matching(text) and "\n" not in text and Path(text).exists()


def _is_name(given: object) -> bool:
    return isinstance(given, str) and not given.lstrip().startswith("{")
