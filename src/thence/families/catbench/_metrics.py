"""Per-class and macro P, R and F1, temporal and contrastive consistency (Lal et al. 2024).

P, R and F1 are of the DEP and NONDEP questions; NONDEP-S enters OCC only. A reply with no readable
answer is a miss for the recall of its class and enters nobody's precision; two such replies are not
alike. Every figure follows from counts by recipe, so that intervals are bootstrapped over recipes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from thence.families.catbench._questions import (
    AFTER,
    BEFORE,
    DEP,
    NO,
    NONDEP,
    SWITCHED,
    YES,
)
from thence.kernel.statistics import Estimate, pooled, wilson

type Rows = Sequence[Any]
"""`thence.scoring.Scored` of one model that count."""

type Counts = dict[Hashable, list[float]]
"""By recipe: answers by class and what was said, then equal answers and pairs, twice."""

_CLASSES = (DEP, NONDEP)
_SAID: Mapping[Any, int] = {YES: 0, NO: 1}
_UNREAD = 2
_WIDTH = 6  # of the answers of a set of questions: two classes, three things to say
_TC, _OCC = _WIDTH, _WIDTH + 2
_ALL = _WIDTH + 4

SETS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "before": lambda metadata: metadata["relation"] == BEFORE,
    "after": lambda metadata: metadata["relation"] == AFTER,
    "close": lambda metadata: bool(metadata["close"]),
    "distant": lambda metadata: not metadata["close"],
}
"""The sets of questions that the paper breaks its results down by (Figures 7 and 8)."""


def counted(rows: Rows) -> Counts:
    """The counts of some rows, by recipe."""
    counts: Counts = {}
    for row in rows:
        held = counts.setdefault(row.sample.cluster, [0.0] * _ALL)
        split = row.sample.metadata["split"]
        if split in _CLASSES:
            held[3 * _CLASSES.index(split) + _SAID.get(row.score.answer, _UNREAD)] += 1
    for start, pairs in ((_TC, _twins(rows, _temporal)), (_OCC, _twins(rows, _contrastive))):
        for cluster, answers in pairs:
            held = counts[cluster]
            held[start] += len(set(answers)) == 1 and answers[0] in _SAID
            held[start + 1] += 1
    return counts


def _temporal(metadata: Mapping[str, Any]) -> tuple[Hashable, str] | None:
    """The pair that a question belongs to for TC, and which of the two it is."""
    split = metadata["split"]
    return None if split == SWITCHED else ((metadata["pair"], split), metadata["relation"])


def _contrastive(metadata: Mapping[str, Any]) -> tuple[Hashable, str] | None:
    """The pair that a question belongs to for OCC, and which of the two it is."""
    split = metadata["split"]
    return None if split == DEP else ((metadata["pair"], metadata["relation"]), split)


def _twins(
    rows: Rows, place: Callable[[Mapping[str, Any]], tuple[Hashable, str] | None]
) -> list[tuple[Hashable, list[Any]]]:
    """Recipe and answers of every two questions that belong together and were both answered."""
    held: dict[Hashable, dict[str, Any]] = {}
    clusters: dict[Hashable, Hashable] = {}
    for row in rows:
        found = place(row.sample.metadata)
        if found is not None:
            name = (found[0], row.epoch)
            held.setdefault(name, {})[found[1]] = row.score.answer
            clusters[name] = row.sample.cluster
    return [(clusters[name], list(each.values())) for name, each in held.items() if len(each) == 2]


def figures(rows: Rows) -> dict[str, Estimate]:
    """Every figure that these rows allow.

    Returns:
        ``macro_precision``, ``macro_recall``, ``macro_f1``, ``tc``, ``occ``; ``dep_...`` and
        ``nondep_...`` of the two classes; ``macro_f1_before``, ``_after``, ``_close``, ``_distant``
        and ``nondep_recall_distant`` where the rows hold both sides of that division.
    """
    found = _defined(pooled(counted(rows), basic))
    parts = {name: _part(rows, name) for name in SETS}
    for sides in (("before", "after"), ("close", "distant")):
        if not all(parts[name] for name in sides):
            continue
        for name in sides:
            held = _defined(pooled(counted(parts[name]), basic))
            if "macro_f1" in held:
                found[f"macro_f1_{name}"] = held["macro_f1"]
            if name == "distant" and "nondep_recall" in held:
                found["nondep_recall_distant"] = held["nondep_recall"]
    return found


def _part(rows: Rows, name: str) -> list[Any]:
    return [row for row in rows if SETS[name](row.sample.metadata)]


def _defined(found: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The shares that are defined.

    Where all resamples agree the bootstrap can tell nothing: the interval is then Wilson's with one
    trial a recipe, as for any other share.
    """
    return {
        name: replace(each, low=ends[0], high=ends[1])
        if math.isclose(each.low, each.high, abs_tol=1e-12)
        and (ends := wilson(each.value * each.n, each.n))
        else each
        for name, each in found.items()
        if not math.isnan(each.value)
    }


def basic(sums: Sequence[Any]) -> dict[str, Any]:
    """The figures of counts that are summed over recipes.

    A class that is never answered has the precision 0; one that is never asked about leaves the
    other class's precision, its F1 and the macro figures undefined.
    """
    import numpy as np

    dep_yes, dep_no, dep_none, non_yes, non_no, non_none = map(np.asarray, sums[:_WIDTH])
    dep, non = dep_yes + dep_no + dep_none, non_yes + non_no + non_none
    both = np.where((dep > 0) & (non > 0), 1.0, np.nan)
    held = {
        "dep": (dep_yes, dep_yes + non_yes, dep),
        "nondep": (non_no, non_no + dep_no, non),
    }
    by_class = {
        name: (
            both * right / np.maximum(said, 1),
            right / np.where(asked > 0, asked, np.nan),
            both * 2 * right / np.maximum(said + asked, 1),
        )
        for name, (right, said, asked) in held.items()
    }
    names = ("precision", "recall", "f1")
    found = {
        f"macro_{name}": (by_class["dep"][at] + by_class["nondep"][at]) / 2
        for at, name in enumerate(names)
    }
    found["tc"] = sums[_TC] / np.where(sums[_TC + 1] > 0, sums[_TC + 1], np.nan)
    found["occ"] = sums[_OCC] / np.where(sums[_OCC + 1] > 0, sums[_OCC + 1], np.nan)
    for kind, values in by_class.items():
        found |= {f"{kind}_{name}": values[at] for at, name in enumerate(names)}
    return found


def differences(first: Rows, second: Rows) -> dict[str, Estimate]:
    """Macro F1 of a second run less that of a first, on each side of both divisions.

    Only questions that both answered count. Recipes are resampled for both runs at once, so that
    what the two have in common cancels out.

    Returns:
        By the names of `SETS`, and ``nondep_recall_distant``; none where a side lacks a class.
    """
    found = {}
    for name in SETS:
        held = _changed(_part(first, name), _part(second, name))
        if "macro_f1" in held:
            found[name] = held["macro_f1"]
        if name == "distant" and "nondep_recall" in held:
            found["nondep_recall_distant"] = held["nondep_recall"]
    return found


def changes(first: Rows, second: Rows) -> dict[str, Estimate]:
    """Every figure of a second run less that of a first, by the names of `figures`."""
    found = _changed(first, second)
    for name, each in differences(first, second).items():
        found[name if name not in SETS else f"macro_f1_{name}"] = each
    return found


def _changed(first: Rows, second: Rows) -> dict[str, Estimate]:
    """What is defined of the differences, on the questions that both runs answered."""
    both = {row.sample.id for row in first} & {row.sample.id for row in second}
    ours, theirs = (
        counted([row for row in rows if row.sample.id in both]) for rows in (first, second)
    )
    joint = {cluster: [*ours[cluster], *theirs[cluster]] for cluster in ours}
    held = pooled(joint, _change)
    return {key: each for key, each in held.items() if not math.isnan(each.value)}


def _change(sums: Sequence[Any]) -> dict[str, Any]:
    first, second = basic(sums[:_ALL]), basic(sums[_ALL:])
    return {name: second[name] - first[name] for name in first}
