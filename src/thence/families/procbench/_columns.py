"""What the tables of ProcBench need of scored responses, in one pass and few bytes a response."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import Any

from thence.families.procbench._metrics import COUNTS, METRICS
from thence.kernel.statistics import Estimate, estimates

_BASELINES = "baseline/"


class Columns:
    """The figures of some responses, one entry a response.

    Attributes:
        values: by metric.
        clusters: what each response stems from, as a number.
        said: lengths of the sequences that were read; shorter than the others, where some replies
            held none.
    """

    def __init__(self) -> None:
        self.values = {name: array("d") for name in METRICS}
        self.clusters = array("q")
        self.said = array("l")

    def __len__(self) -> int:
        return len(self.clusters)

    def add(self, row: Any) -> None:
        """Takes the figures of a `thence.scoring.Scored`."""
        for name, column in self.values.items():
            column.append(row.score.values.get(name, 0.0))
        # A hash differs between processes; all that is ever looked at is which of them are equal.
        self.clusters.append(hash(row.sample.cluster))
        answer = row.score.answer
        if isinstance(answer, dict):
            self.said.append(len(answer["intermediate"]) + 1)

    def extend(self, other: Columns) -> None:
        """Takes over what another one holds."""
        for name, column in self.values.items():
            column.extend(other.values[name])
        self.clusters.extend(other.clusters)
        self.said.extend(other.said)

    def figures(self, names: Sequence[str] = METRICS) -> dict[str, Estimate]:
        """The means of some metrics, with their intervals."""
        columns = {name: self.values[name].tolist() for name in names}
        return estimates(columns, self.clusters.tolist(), COUNTS)

    def mean(self, name: str) -> float:
        """The mean of a metric of at least one response."""
        return sum(self.values[name]) / len(self)


class Model:
    """Every final response of a model, by task and length.

    Attributes:
        cells: by full name of the task and N.
    """

    def __init__(self) -> None:
        self.cells: dict[tuple[str, int], Columns] = {}
        self._asked: set[int] = set()
        self._reached: set[int] = set()
        self._zero: dict[str, str] = {}

    def add(self, row: Any) -> None:
        """Counts a response."""
        sample = row.sample
        key = sample.task, int(sample.metadata["steps"])
        if key not in self.cells:
            self.cells[key] = Columns()
        self.cells[key].add(row)
        number = hash(sample.id)
        self._asked.add(number)
        if row.score.values.get("pa", 0.0) > 0:
            self._reached.add(number)
        else:
            self._zero[sample.id] = sample.task

    def pooled(self, lengths: Collection[int], task: str | None = None) -> Columns:
        """All responses to questions of some lengths, of one task or of all."""
        held = Columns()
        for (name, steps), cell in self.cells.items():
            if steps in lengths and task in (None, name):
                held.extend(cell)
        return held

    def zero(self) -> dict[str, str]:
        """Task by id of the questions no reply to which has a right first state."""
        return {each: task for each, task in self._zero.items() if hash(each) not in self._reached}

    def asked(self) -> set[int]:
        """The questions, as numbers."""
        return self._asked


def collect(results: Sequence[Any]) -> dict[str, Model]:
    """What the tables need, by model; several results of one model are taken together.

    Args:
        results: `thence.scoring.Results`; each is gone through once.
    """
    models: dict[str, Model] = {}
    for held in results:
        name = held.model or "replies"
        for row in held.rows:
            final = row.turn == held.turns - 1
            if final and row.score.counts and row.sample.family == "procbench":
                models.setdefault(name, Model()).add(row)
    return models


def never(models: dict[str, Model]) -> tuple[dict[str, str], int, int]:
    """The questions on which every model has a PA of 0.

    Baselines only count where there is nothing else: the oracle would hide all that is flawed.

    Returns:
        Task by id, in the order of the first model; how many questions were put to all of the
        models; how many models.
    """
    real = [held for name, held in models.items() if not name.startswith(_BASELINES)]
    first, *others = real or list(models.values())
    found, asked = first.zero(), set(first.asked())
    for held in others:
        zero = held.zero()
        found = {each: task for each, task in found.items() if each in zero}
        asked &= held.asked()
    return found, len(asked), 1 + len(others)
