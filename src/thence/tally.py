"""What scored responses amount to, in some fifty bytes a response.

A run may have a million responses. Whoever sums them up needs neither prompts nor replies, so a
row is taken apart as it comes: numbers go into columns, names into tables of their own, and the
rest is let go.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from thence import families
from thence.changes import Turned
from thence.kernel.sample import Sample
from thence.kernel.score import Outcome

if TYPE_CHECKING:
    import numpy as np

    from thence.scoring import Scored

    type Numbers = np.ndarray[Any, np.dtype[Any]]

_OUTCOMES = tuple(Outcome)
_CODES = {outcome: code for code, outcome in enumerate(_OUTCOMES)}
_NONE = float("nan")  # the value of a metric that a row does not have


class Tally:
    """Scored responses in columns, task by task.

    Attributes:
        turns: how many turns the protocol has, at least 1.
        errors: provider errors.
        tasks: the columns of each task, by full name.
        turned: likewise the conversations, where they have several turns.
        kept: by family, what its tables need; see `thence.kernel.task.Family.keeps`.
    """

    def __init__(self, turns: int = 1, rows: Iterable[Scored] = ()) -> None:
        self.turns = turns
        self.errors = 0
        self.tasks: dict[str, _Columns] = {}
        self.turned: dict[str, Turned] = {}
        self.kept: dict[str, Any] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Scored) -> None:
        """Counts a response."""
        counts = row.score.counts
        self.errors += not counts
        name = row.sample.task
        if name not in self.tasks:
            self.tasks[name] = _Columns(name)
            family = self.tasks[name].family
            if family.keeps is not None and family.name not in self.kept:
                self.kept[family.name] = family.keeps()
        columns = self.tasks[name]
        columns.add(row)
        if self.turns > 1:
            if name not in self.turned:
                self.turned[name] = Turned(self.turns)
            self.turned[name].add(row)
        if counts and row.turn == self.turns - 1 and columns.family.keeps is not None:
            self.kept[columns.family.name].add(row)

    def part(self, names: Sequence[str], dimensions: Sequence[str]) -> Part:
        """The rows of some tasks, one task after the other."""
        return _joined([self.tasks[name].part(dimensions) for name in names])


class _Columns:
    """The rows of one task, in the order in which they came."""

    def __init__(self, task: str) -> None:
        self._task = families.task(task)
        self._outcomes = array("B")
        self._turns = array("H")
        self._clusters = array("q")
        self._values: dict[str, array[float]] = {}
        self._groups: dict[str, array[int]] = {}
        self._names: dict[str, dict[str, int]] = {}
        self.family = families.families()[self._task.family]
        self._kept: list[Scored] | None = [] if self.family.figures is not None else None
        self._same: dict[str, str] = {}

    def add(self, row: Scored) -> None:
        """Takes a row apart."""
        before, score = len(self._outcomes), row.score
        self._outcomes.append(_CODES[score.outcome])
        self._turns.append(row.turn)
        # A hash differs between processes; all that is ever looked at is which of them are equal.
        self._clusters.append(hash(row.sample.cluster))
        for name, value in score.values.items():
            column = self._values.get(name)
            if column is None:
                column = self._values[name] = array("d")
            if len(column) < before:  # rows lacked it
                _fill(column, before, _NONE)
            column.append(value)
        for dimension, group in self._task.breakdown(row.sample).items():
            codes = self._groups.get(dimension)
            if codes is None:
                codes, self._names[dimension] = array("I"), {"": 0}
                self._groups[dimension] = codes
            if len(codes) < before:
                _fill(codes, before, 0)
            names = self._names[dimension]
            codes.append(names.setdefault(group, len(names)))
        if self._kept is not None:
            light = not row.sample.input  # as of rows that whoever made them has lightened
            self._kept.append(row if light else self._needed(row))

    def _needed(self, row: Scored) -> Scored:
        """What the family's figures need of a row; equal texts are held once."""
        sample, score, same = row.sample, row.score, self._same
        held = sample.metadata
        metadata = {name: held[name] for name in self.family.needs if name in held}
        metadata["cluster"] = sample.cluster
        for name, value in metadata.items():
            if isinstance(value, str):
                metadata[name] = same.setdefault(value, value)
        target, answer = sample.target, score.answer
        light = Sample(
            "",
            sample.family,
            self._task.full_name,
            self._task.version,
            "",
            same.setdefault(target, target) if isinstance(target, str) else target,
            metadata,
        )
        said = same.setdefault(answer, answer) if isinstance(answer, str) else answer
        return replace(row, sample=light, score=score._replace(answer=said, explanation=None))

    def part(self, dimensions: Sequence[str]) -> Part:
        """The rows as arrays."""
        import numpy as np

        empty = np.zeros(len(self._outcomes), dtype=np.uint32)
        for column in self._values.values():
            _fill(column, len(self._outcomes), _NONE)
        for codes in self._groups.values():
            _fill(codes, len(self._outcomes), 0)
        # Views, no copies: a million rows are held once. A tally whose rows are looked at is whole.
        return Part(
            [self._task.full_name],
            np.asarray(self._outcomes),
            np.asarray(self._turns),
            np.asarray(self._clusters),
            {name: np.asarray(held) for name, held in self._values.items()},
            {
                name: np.asarray(self._groups[name]) if name in self._groups else empty
                for name in dimensions
            },
            {name: list(self._names.get(name, ("",))) for name in dimensions},
            self._kept,
        )


def _fill[Number: (int, float)](column: array[Number], length: int, value: Number) -> None:
    """Makes a column as long as the others."""
    column.extend(array(column.typecode, [value]) * (length - len(column)))


@dataclass(frozen=True)
class Part:
    """Some of the rows, one element each in every array.

    Attributes:
        tasks: whose rows they are.
        outcomes: places in `Outcome`.
        turns: 0-based.
        clusters: equal where the samples stem from the same procedure or graph.
        values: by metric; NaN where a row does not have it.
        groups: by dimension, places in its names.
        names: by dimension, the names of its groups.
        kept: of the rows, what the family's own figures need, where it has any.
    """

    tasks: Sequence[str]
    outcomes: Numbers
    turns: Numbers
    clusters: Numbers
    values: Mapping[str, Numbers]
    groups: Mapping[str, Numbers]
    names: Mapping[str, Sequence[str]]
    kept: Sequence[Scored] | None

    def __len__(self) -> int:
        return len(self.outcomes)

    def where(self, chosen: Numbers) -> Part:
        """The rows at which an array of booleans is true."""
        if chosen.all():
            return self
        kept = self.kept
        if kept is not None:
            kept = [row for row, one in zip(kept, chosen.tolist(), strict=True) if one]
        return Part(
            self.tasks,
            self.outcomes[chosen],
            self.turns[chosen],
            self.clusters[chosen],
            {name: held[chosen] for name, held in self.values.items()},
            {name: held[chosen] for name, held in self.groups.items()},
            self.names,
            kept,
        )

    def counting(self) -> Numbers:
        """Which rows stay in n: all but provider errors."""
        held: Numbers = self.outcomes != _CODES[Outcome.PROVIDER_ERROR]
        return held

    def correct(self) -> Numbers:
        """1.0 where the answer was right, else 0.0."""
        held: Numbers = (self.outcomes == _CODES[Outcome.CORRECT]).astype(float)
        return held

    def counted(self) -> dict[str, int]:
        """How many rows have each outcome."""
        import numpy as np

        counts = np.bincount(self.outcomes, minlength=len(_OUTCOMES)).tolist()
        return dict(zip((outcome.value for outcome in _OUTCOMES), counts, strict=True))

    def columns(self) -> dict[str, Numbers]:
        """The metrics that any row has; 0.0 where a row does not."""
        import numpy as np

        held = {}
        for name, values in self.values.items():
            lacking = np.isnan(values)
            if not lacking.all():
                held[name] = np.where(lacking, 0.0, values) if lacking.any() else values
        return held

    def shared(self) -> list[tuple[Part, dict[str, Numbers]]]:
        """The metrics with the rows that they are means over.

        Of one task these are all rows. Of several, a metric that only some tasks have is a mean
        over the rows that have it. The first entry is always of all rows.
        """
        import numpy as np

        columns = self.columns()
        if len(self.tasks) == 1:
            return [(self, columns)]
        found: dict[bytes, tuple[Part, dict[str, Numbers]]] = {}
        everywhere = np.ones(len(self), dtype=bool)
        found[everywhere.tobytes()] = (self, {})
        for name in columns:
            having = ~np.isnan(self.values[name])
            rows, held = found.setdefault(having.tobytes(), (self.where(having), {}))
            held[name] = rows.values[name]
        return list(found.values())

    def grouped(self, dimension: str) -> Iterator[tuple[str, Part]]:
        """The groups and the rows of each, one by one, in the order in which they first come."""
        import numpy as np

        codes, first = np.unique(self.groups[dimension], return_index=True)
        names = self.names[dimension]
        for place in np.argsort(first):
            yield names[int(codes[place])], self.where(self.groups[dimension] == codes[place])


def _joined(parts: Sequence[Part]) -> Part:
    """Some parts, one after the other."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    metrics = dict.fromkeys(name for part in parts for name in part.values)
    groups, names = {}, {}
    for dimension in parts[0].groups:
        known: dict[str, int] = {}
        codes = []
        for part in parts:
            new = [known.setdefault(name, len(known)) for name in part.names[dimension]]
            codes.append(np.array(new, dtype=np.uint32)[part.groups[dimension]])
        groups[dimension], names[dimension] = np.concatenate(codes), list(known)
    kept = [part.kept for part in parts]
    return Part(
        [name for part in parts for name in part.tasks],
        np.concatenate([part.outcomes for part in parts]),
        np.concatenate([part.turns for part in parts]),
        np.concatenate([part.clusters for part in parts]),
        {
            name: np.concatenate(
                [part.values.get(name, np.full(len(part), _NONE)) for part in parts]
            )
            for name in metrics
        },
        groups,
        names,
        None if None in kept else [row for rows in kept if rows is not None for row in rows],
    )
