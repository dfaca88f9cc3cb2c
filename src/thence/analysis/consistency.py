"""Whether twins are answered alike: the same structure asked about in other words or another order.

CaT-Bench's paper counts two kinds of pairs: both ways to ask about two steps (TC), and the same
question with the steps told in another order (OCC; Lal et al. 2024). CaT-Bench has both; wherever
else the samples of a family are joined by ``metadata.pair`` (framings, notations, texts of actions)
it is the second kind. Twins whose truths differ are not counted: who answers them alike is wrong on
one. Replies without a readable answer are like nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score_frame import CLUSTER, COUNTS, PAIR, ScoreFrame, joined
from thence.core.statistics import Estimate, estimates
from thence.core.table import Entry, Table

TC, OCC = "tc", "occ"
COUNTED = (TC, OCC)
"""Figures whose n is a number of pairs, which is told beside them."""


def shares(rows: ScoreFrame) -> pl.DataFrame:
    """Of each pair of one run, the share of its twins that were answered alike.

    Two twins are two questions of a pair with the same truth, in the same epoch.

    Returns:
        The columns ``pair``, ``cluster``, ``share``; the pairs in the order in which they come.
    """
    held = rows.data.filter(pl.col("pair").is_not_null() & COUNTS).select(
        "id", "epoch", "answer_hash", "target_hash", pair=PAIR, cluster=CLUSTER
    )
    same = ["pair", "epoch", "target_hash"]
    asked = _twos(held, same, "asked")
    alike = _twos(held.drop_nulls("answer_hash"), [*same, "answer_hash"], "alike")
    return (
        held.unique("pair", keep="first", maintain_order=True)
        .join(asked.filter(pl.col("asked") > 0), "pair", maintain_order="left")
        .join(alike, "pair", "left", maintain_order="left")
        .select("pair", "cluster", share=pl.col("alike").fill_null(0) / pl.col("asked"))
    )


def _twos(rows: pl.DataFrame, same: Sequence[str], name: str) -> pl.DataFrame:
    """By pair, how often two rows agree in some columns and are of different questions."""
    ways = pl.len() * (pl.len() - 1) / 2
    every, repeats = (
        rows.group_by(keys).agg(ways=ways).group_by("pair").agg(pl.col("ways").sum())
        for keys in (same, [*same, "id"])
    )
    found = every.join(repeats, "pair")
    return found.select("pair", (pl.col("ways") - pl.col("ways_right")).alias(name))


def alike_within(rows: ScoreFrame) -> Estimate | None:
    """OCC of one run: the share of twins answered alike; n is the pairs. None where are none."""
    found = shares(rows)
    if found.is_empty():
        return None
    return estimates({OCC: found["share"].to_numpy()}, found["cluster"].to_numpy())[OCC]


def compared(first: ScoreFrame, second: ScoreFrame) -> tuple[Estimate, Estimate, Estimate] | None:
    """OCC of two runs and its change, over the pairs that both were asked; None without any.

    Intervals are bootstrapped over procedures, of both runs at once.
    """
    both = shares(first).join(shares(second), "pair", maintain_order="left")
    if both.is_empty():
        return None
    ours, theirs = (both[name].to_numpy() for name in ("share", "share_right"))
    columns = {"first": ours, "second": theirs, "change": theirs - ours}
    found = estimates(columns, both["cluster"].to_numpy(), ["change"])
    return found["first"], found["second"], found["change"]


def tables(found: Sequence[Results]) -> list[Table]:
    """Consistency over twins, by model and task; runs of one model are taken together.

    So twins that were asked in different runs, such as two framings of the same graphs, are told
    too. CaT-Bench's own table has its two kinds.
    """
    rows: list[Sequence[Entry]] = []
    for (model, task), frames in _by_model(found).items():
        if (share := alike_within(joined(frames))) is not None:
            rows.append((model, task, share.n, share))
    if not rows:
        return []
    return [
        Table(
            "twins",
            "Twins answered alike (OCC)",
            ("model", "task", "pairs", "OCC"),
            rows,
            "Twins: questions with the same truth about the same structure, in other words or "
            "another order. The runs of a model are taken together. Replies in which nothing can "
            "be read are not alike.",
        )
    ]


def _by_model(found: Sequence[Results]) -> dict[tuple[str, str], list[ScoreFrame]]:
    """The last turns of every task whose family has no OCC of its own."""
    held: dict[tuple[str, str], list[ScoreFrame]] = {}
    for results in found:
        for task in families.in_order(results.frames):
            rows = results.final([task])
            own = families.families()[families.task(task).family].extra_metrics
            if rows and (own is None or OCC not in own(rows)):
                held.setdefault((results.model or "replies", task), []).append(rows)
    return held
