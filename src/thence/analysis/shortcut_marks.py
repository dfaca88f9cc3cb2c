"""The best shortcut of each task: the mark that a model has to pass to have shown any analysis.

Numbers for default parameters lie in ``shortcut_marks.json``, which ``benchmarks/shortcuts.py``
writes; each is for one N of its task's version. Elsewhere the shortcuts are measured on request on
the questions of the run itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from math import nan
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.digest import canonical_json
from thence.core.results import Results
from thence.core.sample import PUBLISHED, Sample
from thence.core.statistics import Estimate
from thence.core.task import MISFITS
from thence.core.versions import comparable, major
from thence.errors import UsageError

if TYPE_CHECKING:
    from thence.analysis.shortcuts import Battery

SHORTCUT, CONSTANT = "shortcut", "constant"
FILE = "shortcut_marks.json"
FEWEST = 40  # questions of a task on which shortcuts can be measured by halves


@dataclass(frozen=True, slots=True)
class BestShortcut:
    """The best shortcut of a task.

    Attributes:
        version: N of the task's version.
        chance: the score of the best constant answer.
        score: of the shortcut; balanced accuracy where there are few answers, of a constant the
            accuracy.
        kind: ``single``, ``pair`` or ``tree``; ``constant`` where one answer to all questions is
            right on more of them than the best shortcut scores.
        name: of the shortcut.
        scored: number of questions that it was scored on.
    """

    version: str
    chance: float
    score: float
    kind: str
    name: str
    scored: int

    @classmethod
    def of(cls, battery: Battery) -> BestShortcut:
        """Return the mark that the measured shortcuts of a task set, beside its accuracy."""
        best, number = battery.found[0], major(families.task(battery.task).version)
        held = best.score, best.kind, best.name
        if battery.constant > best.score:
            held = battery.constant, CONSTANT, "one answer to all"
        return cls(number, battery.chance, *held, battery.scored)

    @property
    def estimate(self) -> Estimate:
        """The score as a figure of a table, without an interval."""
        return Estimate(self.score, nan, nan, self.scored)

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the table for a task."""
        return asdict(self)


@cache
def known() -> Mapping[str, BestShortcut]:
    """Return the marks of tasks at default parameters by full name."""
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return {name: BestShortcut(**row) for name, row in json.loads(text).items()}


def mark(results: Results, task: str) -> BestShortcut | None:
    """Return the mark of a task in some results; None where it was not measured."""
    if task in results.marks:
        found: BestShortcut = results.marks[task]
        return found
    held, sample = known().get(task), results.frames[task].example
    if held is None or sample is None or not comparable(sample.version, held.version):
        return None
    return held if _is_default(sample) else None


def mean_mark(results: Results, tasks: Sequence[str]) -> Estimate | None:
    """Return the mean mark of some tasks by their answers; None where one was not measured."""
    found = [mark(results, name) for name in tasks]
    marks = [each for each in found if each is not None]
    sizes = [len(results.frames[name]) for name in tasks]
    if len(marks) < len(found) or not sum(sizes):
        return None
    mean = sum(each.score * n for each, n in zip(marks, sizes, strict=True)) / sum(sizes)
    return Estimate(mean, nan, nan, sum(each.scored for each in marks))


def _is_default(sample: Sample) -> bool:
    """Return whether a sample was made with default parameters, and not by a benchmark's authors.

    Where the default is None, the task itself sets a value, which its conditions have.
    """
    generator, told = families.task(sample.task).generator, sample.metadata
    if told.get("template") == PUBLISHED:
        return False
    try:
        own, usual = generator.condition(sample), generator.configure({})
        made = {**told["parameters"], **told.get("options", {})}
        named = {name: value for name, value in usual.items() if value is not None}
        if any(not _equal(made.get(name, value), value) for name, value in named.items()):
            return False
        return any(
            _equal(each.parameters, own.parameters)
            and _equal({**each.options, **own.options}, each.options)
            for each in generator.conditions(usual)
        )
    except (UsageError, *MISFITS):
        return False


def _equal(one: Any, other: Any) -> bool:
    """Return whether two values are equal in a file, where a tuple is a list."""
    return canonical_json(one) == canonical_json(other)


def unmeasured(results: Results) -> list[str]:
    """Return the tasks without a mark, of families of which some have one."""
    measured = {name.partition("/")[0] for name in known()}
    return [
        name
        for name in results.frames
        if name.partition("/")[0] in measured and mark(results, name) is None
    ]


def measure(results: Results, samples: Iterable[Sample]) -> None:
    """Measure the shortcuts of the tasks without a mark on the questions of a run.

    Rules are fitted on one half of the procedures and scored on the other, both ways.

    Args:
        results: whose ``marks`` take in what is found.
        samples: the whole questions.
    """
    from thence.analysis.shortcuts import halved

    missing = {name: list[Sample]() for name in results.frames if mark(results, name) is None}
    for sample in samples:
        if sample.task in missing:
            missing[sample.task].append(sample)
    for name, held in missing.items():
        if len(held) >= FEWEST:
            results.marks[name] = BestShortcut.of(halved(families.task(name), held))


def above(results: Results, accuracies: Mapping[str, Estimate]) -> tuple[int, int]:
    """Return how many tasks are surely above their mark, and how many have one."""
    pairs = [(accuracies[name], found) for name in accuracies if (found := mark(results, name))]
    return sum(held.low > found.score for held, found in pairs), len(pairs)


def row(battery: Battery) -> dict[str, Any]:
    """Return the row of the table for what `thence.api.shortcuts.measure` found of a task."""
    held = BestShortcut.of(battery)
    return replace(held, chance=round(held.chance, 3), score=round(held.score, 3)).to_json()


def text(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of the table, a line a task."""
    lines = (f" {json.dumps(name)}: {json.dumps(held)}" for name, held in rows.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
