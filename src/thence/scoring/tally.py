"""What scored responses amount to, in less than a hundred bytes a response.

A run may have a million responses. Whoever sums them up needs neither prompts nor replies, so a
row is taken apart as it comes: numbers go into columns, names into tables of their own, and the
rest is let go.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.digest import canonical_json
from thence.core.frame import CODES, NONE, Part, code, joined
from thence.scoring.turns import Turned

if TYPE_CHECKING:
    from thence.scoring.judge import Scored


class Tally:
    """Scored responses in columns, task by task.

    Attributes:
        turns: how many turns the protocol has, at least 1.
        errors: provider errors.
        tasks: the columns of each task, by full name.
        turned: likewise the conversations, where they have several turns.
        kept: by family, what its tables need; see `thence.core.family.Family.keeps`.
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
        return joined([self.tasks[name].part(dimensions) for name in names])

    def final(self, task: str, dimensions: Sequence[str] = ()) -> Part:
        """The rows of a task that count, of the last turn; those of a task not asked are none."""
        part = self.tasks.get(task, _Columns(task)).part(dimensions)
        return part.where((part.turns == self.turns - 1) & part.counting())


class _Names:
    """Names as numbers, each in as few bytes as so many different ones need."""

    def __init__(self) -> None:
        self.codes: array[int] = array("B")
        self.names = {"": 0}

    def add(self, name: str, before: int) -> None:
        """Takes in the name of a row; rows before it that had none have the empty one."""
        code = self.names.setdefault(name, len(self.names))
        if code >= 1 << 8 * self.codes.itemsize:
            self.codes = array(_WIDER[self.codes.typecode], self.codes)
        if len(self.codes) < before:
            _fill(self.codes, before, 0)
        self.codes.append(code)


_WIDER = {"B": "H", "H": "I"}


class _Columns:
    """The rows of one task, in the order in which they came.

    Of texts a hash is held. It differs between processes; all that is ever looked at is which of
    them are equal.
    """

    def __init__(self, task: str) -> None:
        self._task = families.task(task)
        self.family = families.families()[self._task.family]
        self._numbering = self.family.numbers
        self._said_always = self.family.figures is not None
        self._outcomes = array("B")
        self._turns = array("B")
        self._epochs = array("H")
        self._questions = array("q")
        self._clusters = array("q")
        self._twins = {name: array("q") for name in _TWINS}
        self._values: dict[str, array[float]] = {}
        self._numbers: dict[str, array[float]] = {}
        self._groups: dict[str, _Names] = {}

    def add(self, row: Scored) -> None:
        """Takes a row apart."""
        before, score, sample = len(self._outcomes), row.score, row.sample
        self._outcomes.append(CODES[score.outcome])
        self._turns.append(row.turn)
        self._epochs.append(row.epoch)
        self._questions.append(hash(sample.id))
        self._clusters.append(hash(sample.cluster))
        pair = sample.metadata.get("pair")
        if pair is not None or self._said_always:
            self._add_twin(row, pair, before)
        _extend(self._values, score.values, before)
        if self._numbering is not None:
            _extend(self._numbers, self._numbering(row), before)
        for dimension, group in self._task.grader.breakdown(sample).items():
            names = self._groups.get(dimension)
            if names is None:
                names = self._groups[dimension] = _Names()
            names.add(group, before)

    def _add_twin(self, row: Scored, pair: Any, before: int) -> None:
        """What tells whether twins are answered alike."""
        task, sample, score = self._task, row.sample, row.score
        read = score.rule is not None
        found = {
            "pairs": 0 if pair is None else pair_code(task.full_name, pair),
            "said": code(task.format.common(score.answer, task.question(sample))) if read else 0,
            "truths": code(task.format.common(sample.target, task.question(sample))),
        }
        for name, value in found.items():
            column = self._twins[name]
            if len(column) < before:
                _fill(column, before, 0)
            column.append(value)

    def part(self, dimensions: Sequence[str]) -> Part:
        """The rows as arrays."""
        import numpy as np

        n = len(self._outcomes)
        none = np.broadcast_to(np.zeros(1, dtype=np.int64), n)
        for column in (*self._values.values(), *self._numbers.values()):
            _fill(column, n, NONE)
        for twins in self._twins.values():
            if twins:
                _fill(twins, n, 0)
        for names in self._groups.values():
            _fill(names.codes, n, 0)
        # Views, no copies: a million rows are held once. A tally whose rows are looked at is whole.
        return Part(
            tasks=[self._task.full_name],
            places=none,
            outcomes=np.asarray(self._outcomes),
            turns=np.asarray(self._turns),
            epochs=np.asarray(self._epochs),
            questions=np.asarray(self._questions),
            clusters=np.asarray(self._clusters),
            values={name: np.asarray(held) for name, held in self._values.items()},
            numbers={name: np.asarray(held) for name, held in self._numbers.items()},
            groups={
                name: np.asarray(self._groups[name].codes) if name in self._groups else none
                for name in dimensions
            },
            names={
                name: list(self._groups[name].names if name in self._groups else ("",))
                for name in dimensions
            },
            **{name: np.asarray(held) if held else none for name, held in self._twins.items()},
        )


_TWINS = ("pairs", "said", "truths")


def pair_code(task: str, pair: Any) -> int:
    """The number of a pair of questions of one task, by what joins them."""
    return code((task, pair if isinstance(pair, str) else canonical_json(pair)))


def _extend(columns: dict[str, array[float]], values: Mapping[str, float], before: int) -> None:
    """Adds the values of a row to their columns; rows before it may lack some."""
    for name, value in values.items():
        column = columns.get(name)
        if column is None:
            column = columns[name] = array("d")
        if len(column) < before:
            _fill(column, before, NONE)
        column.append(value)


def _fill[Number: (int, float)](column: array[Number], length: int, value: Number) -> None:
    """Makes a column as long as the others."""
    column.extend(array(column.typecode, [value]) * (length - len(column)))


def part_of(rows: Iterable[Scored]) -> Part:
    """Some rows of one family, whatever their turns, one task after the other."""
    held = list(rows)
    tally = Tally(1 + max((row.turn for row in held), default=0), held)
    if not tally.tasks:
        raise ValueError("no rows")
    family = next(iter(tally.tasks.values())).family
    return tally.part(list(tally.tasks), family.dimensions)
