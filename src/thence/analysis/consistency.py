"""Consistency over twins: questions on the same structure in other words or another order.

CaT-Bench's paper counts two kinds of pairs: both ways to ask about two steps (TC), and the same
question with the steps in another order (OCC; Lal et al. 2024). CaT-Bench has both; in other
families ``metadata.pair`` joins samples of the second kind (framings, notations, texts of actions).
Twins with different truths are not counted, as equal answers to them are wrong on one. A reply
without a readable answer is not like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score_frame import COUNTS, PAIR, ScoreFrame, joined
from thence.core.statistics import Estimate, estimates
from thence.core.table import Entry, Table

TC, OCC = "tc", "occ"
COUNTED = (TC, OCC)
"""Metrics whose n is a number of pairs, which JSON output adds."""


def alike_shares(rows: ScoreFrame) -> pl.DataFrame:
    """Return for each pair of one run the share of its twins that were answered alike.

    Two twins are two questions of a pair with the same truth, in the same epoch.

    Returns:
        The columns ``pair``, ``cluster`` and ``share``, in the order of the pairs' first rows.
    """
    held = rows.data.filter(pl.col("pair").is_not_null() & COUNTS).select(
        "id", "epoch", "answer_hash", "target_hash", pair=PAIR, cluster=rows.cluster
    )
    same = ["pair", "epoch", "target_hash"]
    asked = _count_twins(held, same, "asked")
    alike = _count_twins(held.drop_nulls("answer_hash"), [*same, "answer_hash"], "alike")
    return (
        held.unique("pair", keep="first", maintain_order=True)
        .join(asked.filter(pl.col("asked") > 0), "pair", maintain_order="left")
        .join(alike, "pair", "left", maintain_order="left")
        .select("pair", "cluster", share=pl.col("alike").fill_null(0) / pl.col("asked"))
    )


def _count_twins(rows: pl.DataFrame, same: Sequence[str], name: str) -> pl.DataFrame:
    """Return for each pair the number of two rows of different questions with equal columns."""
    ways = pl.len() * (pl.len() - 1) / 2
    every, repeats = (
        rows.group_by(keys).agg(ways=ways).group_by("pair").agg(pl.col("ways").sum())
        for keys in (same, [*same, "id"])
    )
    found = every.join(repeats, "pair")
    return found.select("pair", (pl.col("ways") - pl.col("ways_right")).alias(name))


def occ(rows: ScoreFrame) -> Estimate | None:
    """Return OCC of one run, the share of twins answered alike, or None without twins."""
    pairs = rows.data["pair"].drop_nulls()
    if pairs.n_unique() == len(pairs):
        return None  # most groups hold no twins, and counting them costs many small queries
    found = alike_shares(rows)
    if found.is_empty():
        return None
    return estimates({OCC: found["share"].to_numpy()}, found["cluster"].to_numpy())[OCC]


def compare_occ(
    first: ScoreFrame, second: ScoreFrame
) -> tuple[Estimate, Estimate, Estimate] | None:
    """Return OCC of two runs and its change over shared pairs, or None without shared pairs.

    The intervals are from a bootstrap over procedures that resamples both runs together.
    """
    both = alike_shares(first).join(alike_shares(second), "pair", maintain_order="left")
    if both.is_empty():
        return None
    ours, theirs = (both[name].to_numpy() for name in ("share", "share_right"))
    columns = {"first": ours, "second": theirs, "change": theirs - ours}
    found = estimates(columns, both["cluster"].to_numpy(), ["change"])
    return found["first"], found["second"], found["change"]


def tables(found: Sequence[Results]) -> list[Table]:
    """Return the table of OCC by model and task, or nothing without twins.

    The runs of a model by one protocol are taken together, since twins such as two framings of the
    same graphs may be in different runs. CaT-Bench has a table of its own.
    """
    rows: list[Sequence[Entry]] = []
    held = _by_model(found)
    ways = Counter(model for model, _ in dict.fromkeys(key[:2] for key in held))
    for (model, protocol, task), frames in held.items():
        if (share := occ(joined(frames))) is not None:
            name = f"{model} ({protocol or 'unknown protocol'})" if ways[model] > 1 else model
            rows.append((name, task, share.n, share))
    if not rows:
        return []
    return [
        Table(
            "twins",
            "Twins answered alike (OCC)",
            ("model", "task", "pairs", "OCC"),
            rows,
            "Twins: questions with the same truth about the same structure, in other words or "
            "another order. The runs of a model by one protocol are taken together. Replies in "
            "which nothing can be read are not alike.",
        )
    ]


def _by_model(found: Sequence[Results]) -> dict[tuple[str, str, str], list[ScoreFrame]]:
    """Return the last turns of every task whose family has no OCC metric of its own.

    The keys are model, protocol and task.
    """
    held: dict[tuple[str, str, str], list[ScoreFrame]] = {}
    for results in found:
        for task in families.in_order(results.frames):
            rows = results.final([task])
            own = families.families()[families.task(task).family].extra_metrics
            if rows and (own is None or OCC not in own(rows)):
                key = (results.model or "replies", results.asked_by, task)
                held.setdefault(key, []).append(rows)
    return held
