"""What the tables of ProcBench need of scored responses, in one pass and few bytes a response."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from thence.families.procbench._metrics import COUNTS, METRICS
from thence.kernel.statistics import Estimate, estimates

if TYPE_CHECKING:
    from thence.kernel.statistics import Numbers

_BASELINES = "baseline/"
_ID = 16  # bytes


class Columns:
    """The figures of some responses, one entry a response.

    Attributes:
        values: by metric.
        clusters: what each response stems from, as a number.
        questions: what each answers, as a number.
        names: likewise by its id, as sixteen bytes.
        said: lengths of the sequences that were read; shorter than the others, where some replies
            held none.
    """

    def __init__(self) -> None:
        self.values = {name: array("d") for name in METRICS}
        self.clusters = array("q")
        self.questions = array("q")
        self.names = bytearray()
        self.said = array("l")

    def __len__(self) -> int:
        return len(self.clusters)

    def add(self, row: Any, name: bytes) -> None:
        """Takes the figures of a `thence.scoring.Scored`."""
        values = row.score.values
        for metric, column in self.values.items():
            column.append(values.get(metric, 0.0))
        # A hash differs between processes; all that is ever looked at is which of them are equal.
        self.clusters.append(hash(row.sample.cluster))
        self.questions.append(hash(row.sample.id))
        self.names += name
        answer = row.score.answer
        if isinstance(answer, dict):
            self.said.append(len(answer["intermediate"]) + 1)

    def extend(self, other: Columns) -> None:
        """Takes over what another one holds."""
        for name, column in self.values.items():
            column.extend(other.values[name])
        self.clusters.extend(other.clusters)
        self.questions.extend(other.questions)
        self.names += other.names
        self.said.extend(other.said)

    def array(self, name: str) -> Numbers:
        """The values of a metric."""
        import numpy as np

        return np.array(self.values[name])

    def figures(self, names: Sequence[str] = METRICS) -> dict[str, Estimate]:
        """The means of some metrics, with their intervals."""
        import numpy as np

        return estimates(
            {name: self.array(name) for name in names}, np.array(self.clusters), COUNTS
        )

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
        self._odd: dict[bytes, str] = {}

    def add(self, row: Any) -> None:
        """Counts a response."""
        sample = row.sample
        key = sample.task, int(sample.metadata["steps"])
        if key not in self.cells:
            self.cells[key] = Columns()
        self.cells[key].add(row, self._packed(sample.id))

    def _packed(self, name: str) -> bytes:
        """An id in sixteen bytes: our own are as long, and others are remembered beside."""
        with suppress(ValueError):
            packed = bytes.fromhex(name)
            if len(packed) == _ID and packed.hex() == name:
                return packed
        packed = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_ID).digest()
        self._odd[packed] = name
        return packed

    def extend(self, other: Model) -> None:
        """Takes over what another one holds."""
        for key, cell in other.cells.items():
            self.cells.setdefault(key, Columns()).extend(cell)
        self._odd.update(other._odd)

    def pooled(self, lengths: Collection[int], task: str | None = None) -> Columns:
        """All responses to questions of some lengths, of one task or of all."""
        held = Columns()
        for (name, steps), cell in self.cells.items():
            if steps in lengths and task in (None, name):
                held.extend(cell)
        return held

    def asked(self) -> Numbers:
        """The questions, as numbers."""
        import numpy as np

        return np.unique(np.concatenate([np.array(cell.questions) for cell in self.cells.values()]))

    def zero(self) -> Numbers:
        """The questions no reply to which has a right first state, as numbers."""
        import numpy as np

        reached = [np.array(cell.questions)[cell.array("pa") > 0] for cell in self.cells.values()]
        return np.setdiff1d(self.asked(), np.concatenate(reached))

    def named(self, questions: Numbers) -> Iterator[tuple[str, str]]:
        """The ids and the tasks of some of the questions, in the order of the cells."""
        import numpy as np

        wanted = np.unique(questions)
        for (task, _), cell in self.cells.items():
            numbers, first = np.unique(np.array(cell.questions), return_index=True)
            near = np.searchsorted(wanted[:-1], numbers)  # the only place where each could be
            found = first[wanted[near] == numbers] if len(wanted) else first[:0]
            for place in np.sort(found).tolist():
                packed = bytes(cell.names[_ID * place : _ID * (place + 1)])
                yield self._odd.get(packed) or packed.hex(), task


def collect(results: Sequence[Any]) -> dict[str, Model]:
    """What the tables need, by model; several results of one model are taken together.

    Args:
        results: `thence.scoring.Results`.
    """
    models: dict[str, Model] = {}
    for held in results:
        found = held.tallied().kept.get("procbench")
        if found is not None and found.cells:
            name = held.model or "replies"
            if name in models:
                whole = Model()  # what a tally holds stays as it is
                whole.extend(models[name])
                whole.extend(found)
                found = whole
            models[name] = found
    return models


def never(models: dict[str, Model]) -> tuple[dict[str, str], int, int]:
    """The questions on which every model has a PA of 0.

    Baselines only count where there is nothing else: the oracle would hide all that is flawed.

    Returns:
        Task by id, in the order of the first model; how many questions were put to all of the
        models; how many models.
    """
    import numpy as np

    real = [held for name, held in models.items() if not name.startswith(_BASELINES)]
    first, *others = real or list(models.values())
    found, asked = first.zero(), first.asked()
    for held in others:
        found = np.intersect1d(found, held.zero())
        asked = np.intersect1d(asked, held.asked())
    return dict(first.named(found)), len(asked), 1 + len(others)
