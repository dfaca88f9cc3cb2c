"""ProcBench's published examples: prompts with their labels, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence import families
from thence.core.digest import digest
from thence.core.sample import PUBLISHED, Sample
from thence.core.task import Task
from thence.errors import FileError
from thence.families.procbench.procedure import ExplicitProcedure, ProcedureQuestions
from thence.families.procbench.published_questions import question_part
from thence.system.disk import disk, read_lines

_FIELDS = {"prompt": str, "label": dict, "task_name": str}
_LONGEST = 1 << 20  # bytes of the first line, which tells the format


@dataclass(frozen=True, slots=True)
class Example:
    """One published example.

    Attributes:
        place: file and line, for errors.
        task: the task that asks by the same procedure.
        name: the authors' name of it; empty where it has none.
        prompt: the prompt, as it was put.
        label: the authors' answer: ``intermediate``, ``final`` and, mostly, ``init``.
    """

    place: str
    task: Task
    name: str
    prompt: str
    label: dict[str, Any]

    @property
    def procedure(self) -> ExplicitProcedure[Any]:
        """The procedure of its task."""
        generator = self.task.generator
        assert isinstance(generator, ProcedureQuestions)
        procedure: ExplicitProcedure[Any] = generator.procedure
        return procedure

    @property
    def target(self) -> dict[str, Any]:
        """The published answer."""
        return {name: self.label.get(name) for name in ("intermediate", "final")}


def files(path: Path) -> list[Path]:
    """Return the files of JSON lines at a path: itself, or all in a folder."""
    return sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]


def examples(path: Path) -> Iterator[Example]:
    """Yield the published examples of a file or folder.

    Raises:
        FileError: a line that differs from the published format.
    """
    tasks = {f"task{each.rank:02d}": each for each in families.select(["procbench"])}
    for file in files(path):
        for number, row in read_lines(file):
            place = f"{file}:{number}"
            for name, kind in _FIELDS.items():
                if not isinstance(row.get(name), kind):
                    raise FileError(f"{place}: field '{name}' is missing or of the wrong type")
            if row["task_name"] not in tasks:
                raise FileError(
                    f"{place}: unknown task_name '{row['task_name']}'; "
                    "ProcBench's are task01 to task23"
                )
            name = str(row.get("problem_name", row.get("example_name", "")))
            yield Example(place, tasks[row["task_name"]], name, row["prompt"], row["label"])


def questions(path: Path) -> Iterator[Sample] | None:
    """Return the questions of published examples; None where the first line is none.

    Raises:
        FileError: as they are read, a line that differs from the published format, or a prompt
            whose question cannot be read.
    """
    held = files(path) if path.is_dir() or path.suffix == ".jsonl" else []
    if not held or not _is_example(held[0]):
        return None
    return map(_sample, examples(path))


def _is_example(file: Path) -> bool:
    with disk(file), file.open("rb") as lines:
        try:
            row = json.loads(lines.readline(_LONGEST))
        except (ValueError, RecursionError):
            return False
    return isinstance(row, dict) and all(isinstance(row.get(k), t) for k, t in _FIELDS.items())


def _sample(example: Example) -> Sample:
    """Return an example as a sample, whose id depends on its name and prompt alone."""
    task, target = example.task, example.target
    if not isinstance(target["intermediate"], list):
        raise FileError(f"{example.place}: the label must hold 'intermediate', a list of states")
    try:
        question = example.procedure.parse(question_part(example.prompt))
        init = example.procedure.initial(question)
    except (ValueError, LookupError) as error:
        raise FileError(f"{example.place}: the prompt cannot be read: {error}") from error
    steps = len(target["intermediate"]) + 1
    metadata = {
        "steps": steps,
        "init": init,
        "question": question,
        "parameters": {"steps": steps},
        "group": str(steps),
        "source": PUBLISHED,
        "template": PUBLISHED,
        "origin": {"source": PUBLISHED, "name": example.name},
    }
    name = digest(task.full_name, PUBLISHED, example.name, example.prompt)
    return Sample(name, task.family, task.full_name, task.version, example.prompt, target, metadata)
