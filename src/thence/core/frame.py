"""Some scored responses in columns: what figures and tables look at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from thence.core.score import Outcome

if TYPE_CHECKING:
    import numpy as np

    type Numbers = np.ndarray[Any, np.dtype[Any]]

OUTCOMES = tuple(Outcome)
CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}
NONE = float("nan")  # the value of a metric that a row does not have
_READ = (Outcome.CORRECT, Outcome.WRONG)


def code(value: Hashable) -> int:
    """A number for a value, never 0: that stands for none. Equal within one process."""
    return hash(value) or 1


@dataclass(frozen=True)
class Part:
    """Some of the rows, one element each in every array.

    Attributes:
        tasks: whose rows they are.
        places: of each row, the place of its task among these.
        outcomes: places in `Outcome`.
        turns: 0-based.
        epochs: 0-based.
        questions: equal where the same sample was answered.
        clusters: equal where the samples stem from the same procedure or graph.
        pairs: equal where the samples are twins; 0 where one has none.
        said: equal where twins were given the same answer; 0 where nothing could be read. Known
            where there are pairs, and wherever the family has figures of its own.
        truths: likewise, of the samples' truths.
        values: by metric; NaN where a row does not have it.
        numbers: likewise, what else the family's tables look at.
        groups: by dimension, places in its names.
        names: by dimension, the names of its groups.
    """

    tasks: Sequence[str]
    places: Numbers
    outcomes: Numbers
    turns: Numbers
    epochs: Numbers
    questions: Numbers
    clusters: Numbers
    pairs: Numbers
    said: Numbers
    truths: Numbers
    values: Mapping[str, Numbers]
    numbers: Mapping[str, Numbers]
    groups: Mapping[str, Numbers]
    names: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.outcomes)

    def where(self, chosen: Numbers) -> Part:
        """The rows at which an array of booleans is true."""
        if chosen.all():
            return self
        return self.take(chosen)

    def take(self, chosen: Numbers) -> Part:
        """Some rows, by an array of booleans or of places."""
        rows = len(self.outcomes[chosen])
        arrays: dict[str, Any] = {n: _taken(getattr(self, n), chosen, rows) for n in _ARRAYS}
        return replace(
            self,
            values={name: held[chosen] for name, held in self.values.items()},
            numbers={name: held[chosen] for name, held in self.numbers.items()},
            groups={name: _taken(held, chosen, rows) for name, held in self.groups.items()},
            **arrays,
        )

    def value(self, name: str) -> Numbers:
        """A metric of every row; 0.0 where a row does not have it."""
        import numpy as np

        if name not in self.values:
            return np.zeros(len(self))
        return np.nan_to_num(self.values[name])

    def read(self) -> Numbers:
        """In which rows an answer could be read."""
        import numpy as np

        held: Numbers = np.isin(self.outcomes, [CODES[each] for each in _READ])
        return held

    def coded(self, dimension: str, order: Sequence[str]) -> Numbers:
        """The places in some names at which the groups of the rows stand; -1 for another one."""
        import numpy as np

        places = [order.index(name) if name in order else -1 for name in self.names[dimension]]
        held: Numbers = np.array(places, dtype=np.int32)[self.groups[dimension]]
        return held

    def counting(self) -> Numbers:
        """Which rows stay in n: all but provider errors."""
        held: Numbers = self.outcomes != CODES[Outcome.PROVIDER_ERROR]
        return held

    def correct(self) -> Numbers:
        """1.0 where the answer was right, else 0.0."""
        held: Numbers = (self.outcomes == CODES[Outcome.CORRECT]).astype(float)
        return held

    def counted(self) -> dict[str, int]:
        """How many rows have each outcome."""
        import numpy as np

        counts = np.bincount(self.outcomes, minlength=len(OUTCOMES)).tolist()
        return dict(zip((outcome.value for outcome in OUTCOMES), counts, strict=True))

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


_ARRAYS = (
    "places", "outcomes", "turns", "epochs", "questions", "clusters", "pairs", "said", "truths",
)  # fmt: skip


def _taken(column: Numbers, chosen: Numbers, rows: int) -> Numbers:
    """Some of a column; one that is the same everywhere takes no memory."""
    import numpy as np

    return np.broadcast_to(column[:1], rows) if _constant(column) else column[chosen]


def _constant(column: Numbers) -> bool:
    return len(column) > 0 and column.strides == (0,)


def _end_to_end(columns: Sequence[Numbers]) -> Numbers:
    import numpy as np

    held = [each for each in columns if len(each)]
    if held and all(_constant(each) and each[0] == held[0][0] for each in held):
        return np.broadcast_to(held[0][:1], sum(map(len, held)))
    return np.concatenate(columns)


def joined(parts: Sequence[Part]) -> Part:
    """Some parts, of the same dimensions, one after the other."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    groups, names = {}, {}
    for dimension in parts[0].groups:
        known: dict[str, int] = {}
        codes = []
        for part in parts:
            new = [known.setdefault(name, len(known)) for name in part.names[dimension]]
            kind = np.min_scalar_type(len(known))
            codes.append(np.array(new, dtype=kind)[part.groups[dimension]])
        groups[dimension], names[dimension] = np.concatenate(codes), list(known)
    tasks = list(dict.fromkeys(name for part in parts for name in part.tasks))
    places = [
        np.array([tasks.index(name) for name in part.tasks], dtype=np.uint16)[part.places]
        for part in parts
    ]
    arrays = {name: _end_to_end([getattr(part, name) for part in parts]) for name in _ARRAYS[1:]}
    return Part(
        tasks=tasks,
        places=_end_to_end(places),
        values=_columns([part.values for part in parts], parts),
        numbers=_columns([part.numbers for part in parts], parts),
        groups=groups,
        names=names,
        **arrays,
    )


def _columns(held: Sequence[Mapping[str, Numbers]], parts: Sequence[Part]) -> dict[str, Numbers]:
    """Columns that some of the parts may lack, one after the other."""
    import numpy as np

    return {
        name: np.concatenate(
            [
                each.get(name, np.broadcast_to(NONE, len(part)))
                for each, part in zip(held, parts, strict=True)
            ]
        )
        for name in dict.fromkeys(name for each in held for name in each)
    }
