"""Whether twins are answered alike: the same structure asked about in other words or another order.

CaT-Bench's paper counts two kinds of pairs: both ways to ask about two steps (TC), and the same
question with the steps told in another order (OCC; Lal et al. 2024). CaT-Bench has both; wherever
else the samples of a family are joined by ``metadata.pair`` (framings, notations, texts of actions)
it is the second kind. Twins whose truths differ are not counted: who answers them alike is wrong on
one. Replies without a readable answer are like nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

from thence import families
from thence.kernel.digest import canonical_json
from thence.kernel.statistics import Estimate, estimates
from thence.scoring import Scored

OCC = "occ"


def within(rows: Sequence[Scored]) -> dict[Hashable, float]:
    """The share of twins answered alike in one run, by pair; of twins with the same truth."""
    held: dict[tuple[str, bytes, int], list[Scored]] = defaultdict(list)
    for row in rows:
        pair = row.sample.metadata.get("pair")
        if pair is not None:
            held[row.sample.task, canonical_json(pair), row.epoch].append(row)
    shares: dict[Hashable, list[bool]] = defaultdict(list)
    for (task, pair, _), every in held.items():
        shares[task, pair] += [
            alike(one, other)
            for one, other in combinations(every, 2)
            if one.sample.id != other.sample.id and _true_alike(one, other)
        ]
    return {name: sum(each) / len(each) for name, each in shares.items() if each}


def alike(one: Scored, other: Scored) -> bool:
    """Whether two replies gave equal answers, each to its own of two twins."""
    if not (one.score.rule and other.score.rule):
        return False
    task = families.task(one.sample.task)
    return task.common(one.score.answer, one.sample) == task.common(
        other.score.answer, other.sample
    )


def _true_alike(one: Scored, other: Scored) -> bool:
    task = families.task(one.sample.task)
    return task.common(one.sample.target, one.sample) == task.common(
        other.sample.target, other.sample
    )


def compared(
    first: Sequence[Scored], second: Sequence[Scored]
) -> tuple[Estimate, Estimate, Estimate] | None:
    """OCC of two runs and its change, over the pairs that both were asked; None without any.

    Intervals are bootstrapped over procedures, of both runs at once.
    """
    ours, theirs = within(first), within(second)
    both = [name for name in ours if name in theirs]
    if not both:
        return None
    clusters = _clusters(first)
    columns = {
        "first": [ours[name] for name in both],
        "second": [theirs[name] for name in both],
        "change": [theirs[name] - ours[name] for name in both],
    }
    found = estimates(columns, [clusters[name] for name in both], ["change"])
    return found["first"], found["second"], found["change"]


def _clusters(rows: Sequence[Scored]) -> dict[Hashable, Hashable]:
    return {
        (row.sample.task, canonical_json(row.sample.metadata["pair"])): row.sample.cluster
        for row in rows
        if row.sample.metadata.get("pair") is not None
    }


def across(
    ours: Mapping[str, Sequence[Scored]], theirs: Mapping[str, Sequence[Scored]]
) -> dict[str, Estimate]:
    """OCC between two runs that were asked twins of each other, by family.

    Args:
        ours: the responses of one run by question.
        theirs: those of the other, under the same names.
    """
    shares: dict[str, tuple[list[float], list[Hashable]]] = defaultdict(lambda: ([], []))
    for name, rows in ours.items():
        sample = rows[0].sample
        epochs = list(zip(rows, theirs[name], strict=False))
        values, clusters = shares[sample.family]
        values.append(sum(alike(*pair) for pair in epochs) / len(epochs))
        clusters.append(sample.cluster)
    found = {
        family: estimates({OCC: values}, clusters)[OCC]
        for family, (values, clusters) in shares.items()
    }
    return {family: each for family, each in found.items() if not math.isnan(each.value)}
