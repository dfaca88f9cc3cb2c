"""Responses to ProcBench by model and length, and the figures of some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Clusters, Estimate
from thence.families.procbench.metrics import COUNTS, METRICS

type Models = Mapping[str, pl.DataFrame]
"""Counted last-turn responses of each model, with a row each."""

type Groups = Mapping[int, Sequence[int]]
"""The lengths that share a place on an axis, by the middle one."""

STEPS_TITLE = "problem length N, steps"
TITLES = {
    "pa": "prefix accuracy",
    "sm": "sequential match",
    "fm": "final match",
    "pml": "prefix match length, steps",
}

_PLACES = 25  # maximal number of lengths on an axis; the paper has 24


def by_model(results: Sequence[Results]) -> dict[str, pl.DataFrame]:
    """Return the counted last-turn responses by model; its runs by one protocol are joined.

    A model that was asked by several protocols has an entry for each, named after it.
    """
    held: dict[tuple[str, str], list[pl.DataFrame]] = {}
    for each in results:
        tasks = [name for name in each.frames if name.startswith("procbench/")]
        if rows := each.final(tasks):
            key = (each.model or "replies", each.asked_by or "unknown protocol")
            held.setdefault(key, []).append(_responses(rows))
    often = Counter(model for model, _ in held)
    return {
        f"{model} ({protocol})" if often[model] > 1 else model: pl.concat(frames)
        for (model, protocol), frames in held.items()
    }


def _responses(rows: ScoreFrame) -> pl.DataFrame:
    """Return the columns for the tables, with hashes for ids, as ids take more memory."""
    read = "states" in rows.data.columns
    return rows.data.select(
        pl.col("task").cast(pl.String),
        pl.col("steps").cast(pl.String).cast(pl.UInt32).alias("N"),
        pl.col("id").hash().alias("question"),
        rows.cluster.alias("cluster"),
        (pl.col("states") if read else pl.lit(None, pl.Float64)).alias("states"),
        *(pl.col(name).fill_null(0.0) for name in METRICS),
    )


def of_length(
    rows: pl.DataFrame, lengths: Collection[int], task: str | None = None
) -> pl.DataFrame:
    """Return the responses to questions of some lengths, of one task or of all."""
    chosen = pl.col("N").is_in(list(lengths))
    return rows.filter(chosen if task is None else chosen & (pl.col("task") == task))


def figures(rows: pl.DataFrame, names: Sequence[str] = METRICS) -> dict[str, Estimate]:
    """Return the means of some metrics of at least one response, with their intervals."""
    within = Clusters(rows["cluster"].to_numpy(), len(rows))
    return {name: within.estimate(rows[name].to_numpy(), count=name in COUNTS) for name in names}


def mean(rows: pl.DataFrame, name: str) -> float:
    """Return the mean of a metric of at least one response."""
    total: float = sum(rows[name].to_list())
    return total / len(rows)


def all_lengths(models: Models) -> list[int]:
    """Return the lengths of all questions, in order."""
    return sorted({steps for held in models.values() for steps in held["N"].unique()})


def groups(models: Models) -> dict[int, list[int]]:
    """Return the lengths that share a place on the axis, by the middle length."""
    every = all_lengths(models)
    number = min(len(every), _PLACES)
    ends = [place * len(every) // number for place in range(number + 1)]
    parts = [every[low:high] for low, high in pairwise(ends)]
    return {part[len(part) // 2]: part for part in parts}


def grouping_note(places: Groups) -> str:
    """Return the note for figures in which several lengths share a place."""
    several = any(len(part) > 1 for part in places.values())
    return "Neighbouring lengths are taken together; N is the middle one." if several else ""


def by_group(models: Models, places: Groups) -> Iterator[tuple[str, int, pl.DataFrame]]:
    """Yield the responses of each model by length, with the length that stands for the group."""
    for model, held in models.items():
        for steps, part in places.items():
            rows = of_length(held, part)
            if len(rows):
                yield model, steps, rows


def ranked(models: Models) -> list[str]:
    """Return the tasks with responses, in the paper's order."""
    return families.in_order({task for held in models.values() for task in held["task"].unique()})


def short(task: str) -> str:
    """Return the name of a task within the family."""
    return task.partition("/")[2]
