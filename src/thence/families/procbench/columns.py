"""What the tables of ProcBench need of scored responses, in one pass and few bytes a response."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any

from thence.core.statistics import EMPTY, Clusters, Estimate
from thence.families.procbench.metrics import COUNTS, METRICS

if TYPE_CHECKING:
    from thence.core.statistics import Numbers

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
        """Takes the figures of a `thence.scoring.judge.Scored`."""
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


class Pooled:
    """The responses of some cells as one; a column is put together when it is asked for.

    Args:
        cells: whose responses they are.
    """

    def __init__(self, cells: Sequence[Columns]) -> None:
        self._cells = cells
        self._n = sum(map(len, cells))

    def __len__(self) -> int:
        return self._n

    def array(self, name: str) -> Numbers:
        """The values of a metric; there is at least one response."""
        import numpy as np

        return np.concatenate([np.asarray(cell.values[name], dtype=float) for cell in self._cells])

    def clusters(self) -> Clusters:
        """What the responses, of which there is at least one, stem from."""
        import numpy as np

        return Clusters(
            np.concatenate([np.asarray(cell.clusters) for cell in self._cells]), len(self)
        )

    def figures(self, names: Sequence[str] = METRICS) -> dict[str, Estimate]:
        """The means of some metrics, with their intervals; none where there is no response."""
        if not len(self):
            return dict.fromkeys(names, EMPTY)
        within = self.clusters()
        return {name: within.estimate(self.array(name), count=name in COUNTS) for name in names}

    def mean(self, name: str) -> float:
        """The mean of a metric of at least one response."""
        return sum(chain.from_iterable(cell.values[name] for cell in self._cells)) / len(self)

    def said(self) -> tuple[int, int]:
        """How many replies held any states, and how many states those held."""
        return sum(len(cell.said) for cell in self._cells), sum(sum(c.said) for c in self._cells)


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

    def pooled(self, lengths: Collection[int], task: str | None = None) -> Pooled:
        """All responses to questions of some lengths, of one task or of all."""
        return Pooled(
            [
                cell
                for (name, steps), cell in self.cells.items()
                if steps in lengths and task in (None, name)
            ]
        )

    def asked(self) -> Numbers:
        """The questions, as numbers."""
        import numpy as np

        cells = self.cells.values()
        return np.unique(np.concatenate([np.asarray(cell.questions) for cell in cells]))

    def zero(self) -> Numbers:
        """The questions no reply to which has a right first state, as numbers."""
        import numpy as np

        cells = self.cells.values()
        reached = [np.asarray(cell.questions)[np.asarray(cell.values["pa"]) > 0] for cell in cells]
        return np.setdiff1d(self.asked(), np.concatenate(reached))

    def named(self, questions: Numbers, most: int) -> tuple[dict[str, int], list[str]]:
        """Some of the questions.

        Args:
            questions: as numbers.
            most: how many ids at most.

        Returns:
            How many there are of each task; the first ids, in the order of the cells.
        """
        import numpy as np

        wanted = np.unique(questions)
        counts: Counter[str] = Counter()
        ids: list[str] = []
        for (task, _), cell in self.cells.items():
            numbers, first = np.unique(np.asarray(cell.questions), return_index=True)
            near = np.searchsorted(wanted[:-1], numbers)  # the only place where each could be
            found = first[wanted[near] == numbers] if len(wanted) else first[:0]
            counts[task] += len(found)
            for place in np.sort(found)[: most - len(ids)].tolist():
                packed = bytes(cell.names[_ID * place : _ID * (place + 1)])
                ids.append(self._odd.get(packed) or packed.hex())
        return counts, ids


def collect(results: Sequence[Any]) -> dict[str, Model]:
    """What the tables need, by model; several results of one model are taken together.

    Args:
        results: `thence.scoring.results.Results`.
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


@dataclass(frozen=True, slots=True)
class Never:
    """The questions on which every model has a PA of 0.

    Attributes:
        counts: how many, by task.
        found: how many in all.
        listed: the ids of the first ones, in the order of the first model.
        asked: how many questions were put to all of the models.
        models: how many models.
    """

    counts: Mapping[str, int]
    found: int
    listed: Sequence[str]
    asked: int
    models: int


def never(models: Mapping[str, Model], listed: int) -> Never:
    """The questions on which every model has a PA of 0.

    Baselines only count where there is nothing else: the oracle would hide all that is flawed.

    Args:
        models: by name.
        listed: how many ids are named at most.
    """
    import numpy as np

    real = [held for name, held in models.items() if not name.startswith(_BASELINES)]
    first, *others = real or list(models.values())
    found, asked = first.zero(), first.asked()
    for held in others:
        found = np.intersect1d(found, held.zero())
        asked = np.intersect1d(asked, held.asked())
    counts, ids = first.named(found, listed)
    return Never(counts, len(found), ids, len(asked), 1 + len(others))
