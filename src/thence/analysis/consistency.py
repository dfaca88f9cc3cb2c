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
from typing import TYPE_CHECKING, Any

from thence import families
from thence.core.frame import Part, joined
from thence.core.statistics import Estimate, estimates
from thence.core.table import Entry, Table
from thence.scoring.judge import Scored
from thence.scoring.results import Results

if TYPE_CHECKING:
    import numpy as np

    type Numbers = np.ndarray[Any, np.dtype[Any]]

TC, OCC = "tc", "occ"
COUNTED = (TC, OCC)
"""Figures whose n is a number of pairs, which is told beside them."""


def shares(part: Part) -> tuple[Numbers, Numbers, Numbers]:
    """Of each pair of one run, the share of its twins that were answered alike.

    Two twins are two questions of a pair with the same truth, in the same epoch.

    Returns:
        The pairs as numbers, in the order in which they come; their shares; their clusters.
    """
    import numpy as np

    held = part.where((part.pairs != 0) & part.counting())
    if not len(held):
        return (np.zeros(0),) * 3
    pairs, first, member = np.unique(held.pairs, return_index=True, return_inverse=True)
    columns = [held.epochs, held.truths]
    asked = _twos(member, columns, held.questions)
    read = held.said != 0
    said = [column[read] for column in (*columns, held.said)]
    alike = _twos(member[read], said, held.questions[read], len(pairs))
    order = np.argsort(first)
    order = order[asked[order] > 0]
    return pairs[order], alike[order] / asked[order], held.clusters[first[order]]


def _twos(
    pair: Numbers, columns: Sequence[Numbers], questions: Numbers, number: int | None = None
) -> Numbers:
    """By pair, how often two of its rows are of different questions and agree in some columns."""
    import numpy as np

    number = int(pair.max(initial=-1)) + 1 if number is None else number
    counts = np.zeros(number)
    codes = pair
    for sign, every in ((1, columns), (-1, [questions])):
        for column in every:
            kinds, inverse = np.unique(column, return_inverse=True)
            codes = np.unique(codes * len(kinds) + inverse, return_inverse=True)[1]
        _, first, often = np.unique(codes, return_index=True, return_counts=True)
        ways = often * (often - 1) / 2
        counts += sign * np.bincount(pair[first], weights=ways, minlength=number)
    return counts


def alike_within(part: Part) -> Estimate | None:
    """OCC of one run: the share of twins answered alike; n is the pairs. None where are none."""
    if not part.pairs.any():
        return None
    pairs, found, clusters = shares(part)
    return estimates({OCC: found}, clusters)[OCC] if len(pairs) else None


def alike(one: Scored, other: Scored) -> bool:
    """Whether two replies gave equal answers, each to its own of two twins."""
    if not (one.score.rule and other.score.rule):
        return False
    task = families.task(one.sample.task)
    common, question = task.format.common, task.question
    ours = common(one.score.answer, question(one.sample))
    return ours == common(other.score.answer, question(other.sample))


def compared(first: Part, second: Part) -> tuple[Estimate, Estimate, Estimate] | None:
    """OCC of two runs and its change, over the pairs that both were asked; None without any.

    Intervals are bootstrapped over procedures, of both runs at once.
    """
    import numpy as np

    (pairs, ours, clusters), (others, theirs, _) = shares(first), shares(second)
    _, left, right = np.intersect1d(pairs, others, return_indices=True)
    if not len(left):
        return None
    order = np.argsort(left)
    left, right = left[order], right[order]
    change = theirs[right] - ours[left]
    columns = {"first": ours[left], "second": theirs[right], "change": change}
    found = estimates(columns, clusters[left], ["change"])
    return found["first"], found["second"], found["change"]


def tables(found: Sequence[Results]) -> list[Table]:
    """Consistency over twins, by model and task; runs of one model are taken together.

    So twins that were asked in different runs, such as two framings of the same graphs, are told
    too. CaT-Bench's own table has its two kinds.
    """
    rows: list[Sequence[Entry]] = []
    for (model, task), parts in _by_model(found).items():
        if (share := alike_within(joined(parts))) is not None:
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


def _by_model(found: Sequence[Results]) -> dict[tuple[str, str], list[Part]]:
    """The last turns of every task whose family has no OCC of its own."""
    held: dict[tuple[str, str], list[Part]] = {}
    for results in found:
        tally = results.tallied()
        for task in families.in_order(tally.tasks):
            family = families.families()[families.task(task).family]
            part = tally.final(task, family.dimensions)
            own = family.figures
            if len(part) and (own is None or OCC not in own(part)):
                held.setdefault((results.model or "replies", task), []).append(part)
    return held


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
