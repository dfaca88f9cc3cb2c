"""The questions that two runs both answered, with the responses of each run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score_frame import CLUSTER, ScoreFrame


@dataclass
class PairedRuns:
    """The questions that two runs both answered.

    Attributes:
        twins: whether the two were asked twins, so that questions are joined by their pair.
        tasks: by full name, the responses of the first and of the second run that count, question
            by question in the order of the first run; the column ``question`` numbers them.
        unpaired: questions that only one of the two answered.
    """

    twins: bool
    tasks: dict[str, tuple[ScoreFrame, ScoreFrame]] = field(default_factory=dict)
    unpaired: int = 0

    def questions(self) -> pl.DataFrame:
        """One row a question, of which there is at least one.

        Returns:
            The columns ``family``, ``task`` and ``group``, that of the main breakdown; ``cluster``;
            ``first`` and ``second``: the share of right answers of each run, over its epochs;
            ``alike``: the share of equal answers, of the epochs in which both runs gave one, or
            null; ``equal``: that share of all epochs.
        """
        return pl.concat(_questions(*sides) for sides in self.tasks.values())


def paired(first: Results, second: Results, tasks: Iterable[str] | None = None) -> PairedRuns:
    """Joins two runs by the ids of their questions, or by the pairs of twins where none is shared.

    A pair that several questions of one run have joins nothing.

    Args:
        first: a run.
        second: another.
        tasks: those that are looked at; None: all.
    """
    names = list(dict.fromkeys((*first.frames, *second.frames)) if tasks is None else tasks)
    sides = {name: (first.final([name]), second.final([name])) for name in names}
    shared = any(
        ours and theirs and not ours.data.join(theirs.data, "id", "semi").is_empty()
        for ours, theirs in sides.values()
    )
    by = "id" if shared else "pair"
    found, count = PairedRuns(twins=not shared), 0
    for name, each in sides.items():
        ours, theirs = (_named(rows, by) for rows in each)
        both = ours.select(by).unique(maintain_order=True).join(theirs, by, "semi")
        found.unpaired += ours[by].n_unique() + theirs[by].n_unique() - 2 * len(both)
        if len(both):
            places = both.with_row_index("question", offset=count)
            count += len(both)
            one, other = (
                ScoreFrame(
                    held.join(places, by).sort("question", maintain_order=True),
                    rows.metrics if rows else (),
                )
                for held, rows in zip((ours, theirs), each, strict=True)
            )
            found.tasks[name] = one, other
    return found


def _named(rows: ScoreFrame | None, by: str) -> pl.DataFrame:
    """The rows whose question has an id, or a pair that no other question of the run has."""
    if rows is None:
        return pl.DataFrame(schema={by: pl.String})
    if by == "id":
        return rows.data
    alone = pl.col("id").n_unique().over("pair") == 1
    return rows.data.filter(pl.col("pair").is_not_null() & alone)


def _questions(first: ScoreFrame, second: ScoreFrame) -> pl.DataFrame:
    """One row a question of a task, as by `PairedRuns.questions`."""
    main = families.families()[first.data["family"][0]].dimensions[0]
    group = pl.col(main).cast(pl.String) if main in first.data.columns else pl.lit(None, pl.String)
    ours = first.data.group_by("question", maintain_order=True).agg(
        pl.col("family", "task").first(),
        group=group.fill_null("").first(),
        cluster=CLUSTER.first(),
        first=pl.col("correct").mean(),
    )
    theirs = second.data.group_by("question").agg(second=pl.col("correct").mean())
    left, right = (
        each.data.select("question", "answer_hash", epoch=pl.int_range(pl.len()).over("question"))
        for each in (first, second)
    )
    same = pl.col("answer_hash") == pl.col("answer_hash_right")
    answers = (
        left.join(right, ["question", "epoch"])
        .group_by("question")
        .agg(alike=same.mean(), equal=same.fill_null(value=False).mean())
    )
    found = ours.join(theirs, "question", maintain_order="left")
    return found.join(answers, "question", maintain_order="left")
