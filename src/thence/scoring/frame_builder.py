"""Scored responses put into frames as they come, so that no prompt and no reply is kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from thence import families
from thence.core.digest import canonical_json, storable
from thence.core.score import Outcome
from thence.core.task import MISFITS
from thence.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

    from thence.core.sample import Sample
    from thence.core.score_frame import ScoreFrame
    from thence.scoring.judge import Scored

WORD = 20
"""Characters of the longest answer that is a word, such as Yes."""

_CHUNK = 200  # rows of a task that are held as objects, of about a kilobyte each
_CHUNKS = 50  # after which they are put together

type _Row = dict[str, Any]


def frames(rows: Iterable[Scored], *, answers: bool = False) -> dict[str, ScoreFrame]:
    """Return the frame of each task, in the order in which the tasks first come.

    Args:
        rows: scored responses; they are gone through once.
        answers: whether the text of every answer is kept; else only that of a word.

    Raises:
        UsageError: two values of a response claim the same column.
    """
    return _framed(_chunks(rows, answers=answers))


class Packed(NamedTuple):
    """The scored responses to one task in columns, which one process hands to another.

    Attributes:
        data: the columns that any of them has a value in.
        dimensions: names of the columns of the breakdown, in the order in which they were met.
        metrics: likewise.
        extra: likewise.
        example: the first question, without its prompt and procedure.
    """

    data: pl.DataFrame
    dimensions: Sequence[str]
    metrics: Sequence[str]
    extra: Sequence[str]
    example: Sample | None


def packed(rows: Iterable[Scored], *, answers: bool) -> dict[str, Packed]:
    """Return some scored responses in columns by task; arguments as for `frames`."""
    return {name: chunks.packed() for name, chunks in _chunks(rows, answers=answers).items()}


def unpacked(parts: Iterable[Mapping[str, Packed]]) -> dict[str, ScoreFrame]:
    """Return the frames that `frames` makes of all rows, of the rows in parts.

    Raises:
        UsageError: two values of a response claim the same column.
    """
    tasks: dict[str, _Chunks] = {}
    for part in parts:
        for name, each in part.items():
            if name not in tasks:
                tasks[name] = _Chunks(name, answers=False)
            tasks[name].take(each)
    return _framed(tasks)


def _chunks(rows: Iterable[Scored], *, answers: bool) -> dict[str, _Chunks]:
    """Return the rows by task."""
    tasks: dict[str, _Chunks] = {}
    for row in rows:
        name = row.sample.task
        if name not in tasks:
            tasks[name] = _Chunks(name, answers=answers)
        tasks[name].add(row)
    return tasks


def _framed(tasks: Mapping[str, _Chunks]) -> dict[str, ScoreFrame]:
    """Return the frames of some tasks' rows."""
    if not tasks:
        return {}
    from thence.core.score_frame import with_clusters

    return with_clusters({name: chunks.frame() for name, chunks in tasks.items()})


class _Chunks:
    """The rows of one task: the latest as objects, those before in columns."""

    def __init__(self, task: str, *, answers: bool) -> None:
        self._task = families.task(task)
        self._family = families.families()[self._task.family]
        self._answers = answers
        self._rows: list[_Row] = []
        self._frames: list[pl.DataFrame] = []
        self._whole: list[pl.DataFrame] = []
        self._dimensions: dict[str, None] = {}
        self._metrics: dict[str, None] = {}
        self._extra: dict[str, None] = {}
        self._example: Sample | None = None

    def add(self, row: Scored) -> None:
        """Add a scored response; a value that it lacks has no key."""
        sample, score, task = row.sample, row.score, self._task
        if self._example is None:
            self._example = sample.light()
        question = task.question(sample)
        held: _Row = {
            "id": sample.id,
            "epoch": row.epoch,
            "turn": row.turn,
            "outcome": score.outcome.value,
            "correct": score.outcome is Outcome.CORRECT,
            "target_hash": _hash(task.format.common(sample.target, question)),
        }
        try:
            chance = task.baselines.chance(sample)
        except MISFITS:  # a sample of a file that lacks what it follows from
            chance = None
        if chance is None:
            held["chance_kind"] = task.baselines.kind(sample)
        else:
            held["chance"] = chance
        if cluster := sample.metadata.get("cluster"):
            held["cluster"] = str(cluster)
        if (pair := sample.metadata.get("pair")) is not None:
            held["pair"] = pair if isinstance(pair, str) else _text(pair)
        if score.rule is not None:
            held["rule"] = score.rule
            held["answer_hash"] = _hash(task.format.common(score.answer, question))
            if self._answers or (isinstance(score.answer, str) and len(score.answer) <= WORD):
                held["answer"] = _text(score.answer)
        if row.latency is not None:
            held["latency"] = row.latency
        self._put(held, task.grader.breakdown(sample), self._dimensions)
        self._put(held, score.values, self._metrics)
        if self._family.extra_columns is not None:
            self._put(held, self._family.extra_columns(sample, score), self._extra)
        self._rows.append(held)
        if len(self._rows) == _CHUNK:
            self._pack()

    def _put(self, held: _Row, values: Mapping[str, Any], known: dict[str, None]) -> None:
        held.update(values)
        if not values.keys() <= known.keys():
            self._claim(values, known)

    def _claim(self, names: Iterable[str], known: dict[str, None]) -> None:
        """Note the names of new columns.

        Raises:
            UsageError: one is taken by a column of another kind.
        """
        from thence.core.score_frame import COLUMNS

        others = [each for each in (self._dimensions, self._metrics, self._extra)
                  if each is not known]  # fmt: skip
        for name in names:
            if name in COLUMNS or any(name in each for each in others):
                raise UsageError(
                    f"{self._task.full_name}: two values of a response are called '{name}'; "
                    "rename the dimension, metric or extra column"
                )
            known.setdefault(name)

    def _schema(self) -> dict[str, pl.DataType]:
        import polars as pl

        from thence.core.score_frame import COLUMNS

        dimensions = dict.fromkeys(self._dimensions, pl.Categorical())
        return {
            **COLUMNS,
            **dimensions,
            **dict.fromkeys((*self._metrics, *self._extra), pl.Float64()),
        }

    def _pack(self) -> None:
        """Put the rows that are held as objects into columns."""
        import polars as pl

        held = set[str]().union(*self._rows)
        schema = {name: kind for name, kind in self._schema().items() if name in held}
        try:
            made = pl.DataFrame(self._rows, schema=schema)
        except UnicodeEncodeError:  # lone surrogates, which are written as their escapes
            rows = [{name: storable(value) for name, value in row.items()} for row in self._rows]
            made = pl.DataFrame(rows, schema=schema)
        self._rows = []
        self._keep(made.with_columns(pl.col(pl.Float64).fill_nan(None)))

    def _keep(self, made: pl.DataFrame) -> None:
        """Keep some columns behind those before."""
        import polars as pl

        self._frames.append(made)
        if len(self._frames) == _CHUNKS:
            self._whole.append(pl.concat(self._frames, how="diagonal", rechunk=True))
            self._frames = []

    def take(self, part: Packed) -> None:
        """Take in rows that were packed elsewhere."""
        self._example = self._example or part.example
        self._claim(part.dimensions, self._dimensions)
        self._claim(part.metrics, self._metrics)
        self._claim(part.extra, self._extra)
        self._keep(part.data)

    def packed(self) -> Packed:
        """Return all rows in columns, for another process."""
        data = self._data()
        dimensions, metrics, extra = map(tuple, (self._dimensions, self._metrics, self._extra))
        return Packed(data, dimensions, metrics, extra, self._example)

    def _data(self) -> pl.DataFrame:
        import polars as pl

        if self._rows:
            self._pack()
        return pl.concat([*self._whole, *self._frames], how="diagonal")

    def frame(self) -> ScoreFrame:
        """Return all rows in columns; a column that is the same everywhere takes no memory."""
        import polars as pl

        from thence.core.score_frame import ScoreFrame

        data = self._data()
        constant = {"family": self._family.name, "task": self._task.full_name}
        columns = [
            pl.col(name)
            if name in data.columns
            else pl.lit(constant.get(name), dtype=kind).alias(name)
            for name, kind in self._schema().items()
        ]
        return ScoreFrame(data.select(columns), tuple(self._metrics), example=self._example)


def _hash(value: Hashable) -> int:
    """Return a 64-bit hash that is the same in every process."""
    text = value if isinstance(value, bytes) else canonical_json(value)
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little", signed=True)


def _text(value: Any) -> str:
    return canonical_json(value).decode("utf-8", "surrogatepass")
