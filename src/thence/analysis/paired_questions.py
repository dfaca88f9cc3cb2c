"""Join of two runs on the questions that both answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, with_clusters


@dataclass
class PairedRuns:
    """Responses of two runs to the questions that both answered.

    Attributes:
        twins: whether questions are joined by their pair, as the runs were asked twins.
        tasks: full name -> the counted responses of the first and of the second run, in the order
            of the first run's questions, which the column ``question`` numbers.
        unpaired: number of questions that only one of the two answered.
    """

    twins: bool
    tasks: dict[str, tuple[ScoreFrame, ScoreFrame]] = field(default_factory=dict)
    unpaired: int = 0

    def questions(self) -> pl.DataFrame:
        """Return one row per question.

        Returns:
            The columns ``family``, ``task``, ``group`` (of the main breakdown) and ``cluster``;
            ``first`` and ``second``: the share of correct epochs of each run; ``alike``: the share
            of equal answers among the epochs in which both runs gave one, or null; ``equal``: the
            share of equal answers among all epochs; ``one_procedure``: as a frame has it.
        """
        return pl.concat(_questions(*sides) for sides in self.tasks.values())


def pair_runs(first: Results, second: Results, tasks: Iterable[str] | None = None) -> PairedRuns:
    """Return two runs joined by their questions' ids, or by twins' pairs if they share no id.

    A pair of several questions of one run is left out.

    Args:
        first: the first run.
        second: the second run.
        tasks: full names of tasks; None for all.
    """
    names = list(dict.fromkeys((*first.frames, *second.frames)) if tasks is None else tasks)
    sides = {name: (first.final([name]), second.final([name])) for name in names}
    shared = any(
        ours and theirs and not ours.data.join(theirs.data, "id", "semi").is_empty()
        for ours, theirs in sides.values()
    )
    by = "id" if shared else "pair"
    pairs, count = PairedRuns(twins=not shared), 0
    for name, each in sides.items():
        ours, theirs = (_joinable(rows, by) for rows in each)
        both = ours.select(by).unique(maintain_order=True).join(theirs, by, "semi")
        pairs.unpaired += ours[by].n_unique() + theirs[by].n_unique() - 2 * len(both)
        if len(both):
            places = both.with_row_index("question", offset=count)
            count += len(both)
            one, other = (
                ScoreFrame(
                    data.join(places, by).sort("question", maintain_order=True),
                    rows.metrics if rows else (),
                )
                for data, rows in zip((ours, theirs), each, strict=True)
            )
            pairs.tasks[name] = one, other
    pairs.tasks = _with_clusters(pairs.tasks)
    return pairs


def _with_clusters(
    tasks: dict[str, tuple[ScoreFrame, ScoreFrame]],
) -> dict[str, tuple[ScoreFrame, ScoreFrame]]:
    """Return pairs of frames, both told whether their questions are about one procedure."""
    first = with_clusters({name: ours for name, (ours, _) in tasks.items()})
    second = with_clusters({name: theirs for name, (_, theirs) in tasks.items()})
    found = {}
    for name, sides in tasks.items():
        alone = first[name].one_procedure and second[name].one_procedure
        ours, theirs = (replace(each, one_procedure=alone) for each in sides)
        found[name] = ours, theirs
    return found


def _joinable(rows: ScoreFrame | None, by: str) -> pl.DataFrame:
    """Return the rows that can be joined by id, or by a pair that one question alone has."""
    if rows is None:
        return pl.DataFrame(schema={by: pl.String})
    if by == "id":
        return rows.data
    alone = pl.col("id").n_unique().over("pair") == 1
    return rows.data.filter(pl.col("pair").is_not_null() & alone)


def _questions(first: ScoreFrame, second: ScoreFrame) -> pl.DataFrame:
    """Return one row a question of a task, as `PairedRuns.questions` does."""
    main = families.families()[first.data["family"][0]].dimensions[0]
    group = pl.col(main).cast(pl.String) if main in first.data.columns else pl.lit(None, pl.String)
    ours = first.data.group_by("question", maintain_order=True).agg(
        pl.col("family", "task").first(),
        group=group.fill_null("").first(),
        cluster=first.cluster.first(),
        first=pl.col("correct").mean(),
        one_procedure=pl.lit(first.one_procedure).first(),
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
