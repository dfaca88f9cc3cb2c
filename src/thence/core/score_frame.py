"""Scored responses in columns, one row each: the source of all figures and tables.

Import it only where a frame is needed, as polars loads slowly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from thence.core.score import Outcome
from thence.core.statistics import Numbers

if TYPE_CHECKING:
    from thence.core.sample import Sample

COLUMNS = {
    "id": pl.String(),
    "family": pl.Categorical(),
    "task": pl.Categorical(),
    "cluster": pl.Categorical(),
    "pair": pl.String(),
    "epoch": pl.UInt16(),
    "turn": pl.UInt8(),
    "outcome": pl.Enum([outcome.value for outcome in Outcome]),
    "correct": pl.Boolean(),
    "rule": pl.Categorical(),
    "answer": pl.String(),
    "answer_hash": pl.Int64(),
    "target_hash": pl.Int64(),
    "latency": pl.Float64(),
    "chance": pl.Float64(),
    "chance_kind": pl.Categorical(),
}
"""The columns that every frame has.

``cluster`` is null where a sample shares its procedure with none; ``pair``, the text that joins
twins, where it has none; ``rule``, ``answer`` and ``answer_hash`` where no answer was read.
``answer`` is canonical JSON text; a frame may leave it null where it is long. The hashes are of
answer and truth in the terms that twins share, and the same in every process. ``chance`` is the
probability that a random answer is right; where it follows from the truths of the other questions
of the same ``chance_kind``, it is null until `ScoreFrame.with_chance`.
"""

COUNTS = pl.col("outcome") != Outcome.PROVIDER_ERROR.value
"""The rows that stay in n: all but provider errors."""


def of_turn(turn: int) -> pl.Expr:
    """Return the condition for rows of a turn, 0-based."""
    return pl.col("turn") == turn


@dataclass(frozen=True)
class ScoreFrame:
    """Scored responses to some tasks.

    Attributes:
        data: a polars frame of `COLUMNS`, the dimensions of the breakdowns (text; null where a
            task lacks one), the metrics and the extra columns of the family (null where a row lacks
            a value).
        metrics: names of the columns that hold metrics, in the order in which they were met.
        one_procedure: whether all questions of the family are about one procedure, whose spread
            over procedures nothing tells: intervals are then over its questions.
        example: the first question of the one task that is there, without its prompt and procedure;
            None for several tasks.
    """

    data: pl.DataFrame
    metrics: Sequence[str] = ()
    one_procedure: bool = False
    example: Sample | None = None

    def __len__(self) -> int:
        return self.data.height

    @property
    def tasks(self) -> list[str]:
        """Full names of the tasks, in the order of the rows."""
        return self.data["task"].unique(maintain_order=True).to_list()

    def where(self, chosen: pl.Expr) -> ScoreFrame:
        """Return the rows that meet a condition."""
        kept = self.data.filter(chosen)
        return self if len(kept) == len(self) else replace(self, data=kept)

    def groups(self, dimension: str) -> Iterator[tuple[str, ScoreFrame]]:
        """Yield the groups of a dimension with their rows, by first occurrence."""
        if dimension in self.data.columns:
            for part in self.data.partition_by(dimension, maintain_order=True):
                if (name := part[dimension][0]) is not None:
                    yield name, replace(self, data=part)

    def conversations(self, turns: int) -> tuple[ScoreFrame, ScoreFrame]:
        """Return first and last turns of the conversations in which both count, row by row.

        Args:
            turns: turns of the protocol.
        """
        by = ["id", "epoch"]
        first, last = (self.data.filter(of_turn(turn) & COUNTS) for turn in (0, turns - 1))
        first = first.join(last, by, "semi")
        last = first.select(by).join(last, by, maintain_order="left")
        return replace(self, data=first), replace(self, data=last)

    def numbers(self, column: str) -> Numbers:
        """Return a column as numbers; NaN where a row lacks a value."""
        if column not in self.data.columns:
            return np.full(len(self), np.nan)
        return self.data[column].cast(pl.Float64).to_numpy()

    def places(self, column: str, order: Sequence[str]) -> Numbers:
        """Return the index of each row's text among some texts; -1 for another text."""
        texts = self.data[column].cast(pl.String)
        places = range(len(order))
        return texts.replace_strict(order, places, default=-1, return_dtype=pl.Int32).to_numpy()

    def metric(self, name: str) -> Numbers:
        """Return the values of a metric; 0.0 where a row lacks it."""
        return np.nan_to_num(self.numbers(name))

    def correct(self) -> Numbers:
        """Return 1.0 where the answer is right, else 0.0."""
        return self.numbers("correct")

    def with_chance(self) -> ScoreFrame:
        """Return the rows with the chance of each question.

        Where no exact one is known, it is the share of equal truths among the other questions of
        its task and kind; a question that is the only one of its kind has none.
        """
        if "chance" not in self.data.columns or not self.data["chance"].null_count():
            return self
        unknown = self.data.filter(pl.col("chance").is_null())
        asked = unknown.unique("id", maintain_order=True)
        alike = pl.len().over("task", "chance_kind", "target_hash") - 1
        others = pl.len().over("task", "chance_kind") - 1
        found = asked.select("id", found=pl.when(others > 0).then(alike / others))
        data = self.data.join(found, "id", "left", maintain_order="left")
        filled = data.with_columns(chance=pl.coalesce("chance", "found")).drop("found")
        return replace(self, data=filled)

    def chance(self) -> float:
        """Return the mean of the chances of the rows, by `with_chance`; NaN where none is known."""
        rows = self.with_chance().data
        found = rows["chance"].mean() if "chance" in rows.columns else None
        return found if isinstance(found, float) else math.nan

    @property
    def cluster(self) -> pl.Expr:
        """Number of the cluster of a row: its procedure, or its pair where all are about one.

        It is the row's own where it shares neither with another.
        """
        return _PAIRED if self.one_procedure else _CLUSTER

    def clusters(self) -> Numbers:
        """Return the number of each row's cluster, as `cluster` describes it."""
        shared = self.data["pair" if self.one_procedure else "cluster"]
        alone = shared.null_count() == len(self)  # the common case, for less memory
        found = self.data.select(pl.col("id").hash() if alone else self.cluster)
        return found.to_series().to_numpy()

    def outcomes(self) -> dict[str, int]:
        """Return the number of rows with each outcome."""
        found = dict(self.data["outcome"].value_counts().iter_rows())
        return {outcome.value: found.get(outcome.value, 0) for outcome in Outcome}


_CLUSTER = (
    pl.when(pl.col("cluster").is_null())
    .then(pl.col("id").hash())
    .otherwise(pl.col("cluster").cast(pl.String).hash())
)

PAIR = pl.concat_str(pl.col("task").cast(pl.String), "pair", separator=" ").hash()
"""A number for the pair of a row; equal where ``pair`` is null, so leave such rows out before."""

_PAIRED = pl.when(pl.col("pair").is_null()).then(pl.col("id").hash()).otherwise(PAIR)


def with_clusters(frames: Mapping[str, ScoreFrame]) -> dict[str, ScoreFrame]:
    """Return frames by task, with `one_procedure` set where a family asks about one only."""
    by_family: dict[str, list[ScoreFrame]] = {}
    for frame in frames.values():
        by_family.setdefault(str(frame.data["family"][0]), []).append(frame)
    alone = {name for name, held in by_family.items() if _share_procedure(held)}
    return {
        name: replace(frame, one_procedure=str(frame.data["family"][0]) in alone)
        for name, frame in frames.items()
    }


def _share_procedure(frames: Sequence[ScoreFrame]) -> bool:
    """Tell whether frames hold several questions, all about one procedure."""
    procedures: set[str | None] = set()
    ids: set[str] = set()
    for frame in frames:
        procedures.update(frame.data["cluster"].unique().head(2).to_list())
        ids.update(frame.data["id"].unique().head(2).to_list())
        if None in procedures or len(procedures) > 1:
            return False
    return len(ids) > 1


def joined(frames: Sequence[ScoreFrame]) -> ScoreFrame:
    """Return the concatenation of one or more frames."""
    if len(frames) == 1:
        return frames[0]
    metrics = tuple(dict.fromkeys(name for frame in frames for name in frame.metrics))
    data = pl.concat([frame.data for frame in frames], how="diagonal")
    return ScoreFrame(data, metrics, all(frame.one_procedure for frame in frames))
