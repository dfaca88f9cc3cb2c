"""Per-class and macro P, R and F1, temporal and contrastive consistency (Lal et al. 2024).

P, R and F1 cover the DEP and NONDEP questions; NONDEP-S enters OCC only. An unreadable reply lowers
the recall of its class and enters no precision; two such replies do not agree. Every figure is
computed from counts by recipe, so that intervals are bootstrapped over recipes.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from thence.core.digest import canonical_json
from thence.core.score_frame import PAIR, ScoreFrame
from thence.core.statistics import Estimate, numbered, pooled, wilson
from thence.families.catbench.questions import AFTER, BEFORE, DEP, NO, NONDEP, SPLITS, YES

type Counts = dict[Hashable, list[float]]
"""Counts by recipe: answers by class and verdict; agreeing and all pairs of TC, then of OCC."""

_CLASSES = (DEP, NONDEP)
_DEP, _NONDEP = map(SPLITS.index, _CLASSES)
_VERDICTS = (YES, NO)
_UNREAD = 2
_WIDTH = 6  # number of answer counts: two classes, three verdicts (yes, no, unread)
_TC, _OCC = _WIDTH, _WIDTH + 2
_ALL = _WIDTH + 4

SETS = ("before", "after", "close", "distant")
"""The sets of questions in the paper's breakdowns (Figures 7 and 8)."""


class _CodedRows:
    """Rows as numeric arrays with one element per row.

    Attributes:
        recipes: the clusters, by first occurrence.
        sets: for each name of `SETS`, whether each row is in the set.
    """

    def __init__(self, rows: ScoreFrame) -> None:
        clusters = rows.clusters()
        self._recipe, first = numbered(clusters)
        self.recipes = clusters[first].tolist()
        # In each epoch a pair is asked about once, in both directions.
        pair = rows.data.select(pl.struct(PAIR.alias("pair"), "epoch").hash()).to_series()
        _, self._pair = np.unique(pair.to_numpy(), return_inverse=True)
        self._split = rows.places("split", SPLITS)
        self._after = rows.places("relation", (BEFORE, AFTER))
        close = rows.places("distance", ("distant", "close")) == 1
        said = rows.places("answer", [canonical_json(word).decode() for word in _VERDICTS])
        self._said = np.where(said < 0, _UNREAD, said)
        self.sets = {
            "before": self._after == 0,
            "after": self._after == 1,
            "close": close,
            "distant": ~close,
        }

    def counted(self, name: str | None = None) -> Counts:
        """Return the counts by recipe of all rows, or of the rows in a set."""
        chosen = slice(None) if name is None else self.sets[name]
        recipe, pair, split = self._recipe[chosen], self._pair[chosen], self._split[chosen]
        after, said = self._after[chosen], self._said[chosen]
        counts = np.zeros((len(self.recipes), _ALL))
        asked = split < len(_CLASSES)
        np.add.at(counts, (recipe[asked], 3 * split[asked] + said[asked]), 1)
        for start, own, twin, side in (
            (_TC, asked, 2 * pair + split, after),  # twins: before and after
            (_OCC, split != _DEP, 2 * pair + after, split - _NONDEP),  # twins: steps switched
        ):
            answers = np.full((2 * int(pair.max(initial=-1)) + 2, 2), -1)
            whose = np.zeros(len(answers), dtype=np.int64)
            answers[twin[own], side[own]] = said[own]
            whose[twin[own]] = recipe[own]
            both = (answers >= 0).all(axis=1)
            alike = both & (answers[:, 0] == answers[:, 1]) & (answers[:, 0] != _UNREAD)
            np.add.at(counts[:, start], whose[alike], 1)
            np.add.at(counts[:, start + 1], whose[both], 1)
        there, first = np.unique(recipe, return_index=True)
        return {
            self.recipes[place]: counts[place].tolist()
            for place in there[np.argsort(first)].tolist()
        }


def extra_metrics(rows: ScoreFrame) -> dict[str, Estimate]:
    """Return every figure that these rows allow.

    Returns:
        ``macro_precision``, ``macro_recall``, ``macro_f1``, ``tc``, ``occ``; ``dep_...`` and
        ``nondep_...`` for the two classes; ``macro_f1_before``, ``_after``, ``_close``,
        ``_distant`` and ``nondep_recall_distant`` where the rows have both sides of that division.
    """
    coded = _CodedRows(rows)
    counts = coded.counted()
    found = _defined(pooled(counts, basic))
    for name, place in (("tc", _TC), ("occ", _OCC)):
        if name in found:
            pairs = int(sum(each[place + 1] for each in counts.values()))
            found[name] = replace(found[name], n=pairs)
    for sides in (SETS[:2], SETS[2:]):
        if not all(coded.sets[name].any() for name in sides):
            continue
        for name in sides:
            held = _defined(pooled(coded.counted(name), basic))
            if "macro_f1" in held:
                found[f"macro_f1_{name}"] = held["macro_f1"]
            if name == "distant" and "nondep_recall" in held:
                found["nondep_recall_distant"] = held["nondep_recall"]
    return found


def _defined(found: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return the shares that are defined.

    A bootstrap says nothing where all resamples agree: the interval is then Wilson's with one trial
    per recipe, as for any other share.
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
    """Return the figures of counts that are summed over recipes.

    A class that is never answered has precision 0; a class without questions leaves the other
    class's precision, its F1 and the macro figures undefined.
    """
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


def differences(first: ScoreFrame, second: ScoreFrame) -> dict[str, Estimate]:
    """Return macro F1 of a second run minus that of a first, on each side of both divisions.

    Only questions with answers in both runs count. Recipes are resampled for both runs at once, so
    that common variation cancels out.

    Returns:
        Estimates by the names of `SETS`, and ``nondep_recall_distant``; none where a side lacks a
        class.
    """
    found = {}
    sides = _shared(first, second)
    for name in SETS:
        held = _changed(sides, name)
        if "macro_f1" in held:
            found[name] = held["macro_f1"]
        if name == "distant" and "nondep_recall" in held:
            found["nondep_recall_distant"] = held["nondep_recall"]
    return found


def metric_changes(first: ScoreFrame, second: ScoreFrame) -> dict[str, Estimate]:
    """Return every figure of a second run minus that of a first, as named in `extra_metrics`."""
    found = _changed(_shared(first, second))
    for name, each in differences(first, second).items():
        found[name if name not in SETS else f"macro_f1_{name}"] = each
    return found


def _shared(first: ScoreFrame, second: ScoreFrame) -> tuple[_CodedRows, _CodedRows]:
    """Return each run's rows for the questions with answers in both runs."""
    alone = first.one_procedure and second.one_procedure  # both are to be resampled alike
    ours, theirs = (
        replace(one, data=one.data.join(other.data, "id", "semi"), one_procedure=alone)
        for one, other in ((first, second), (second, first))
    )
    return _CodedRows(ours), _CodedRows(theirs)


def _changed(sides: tuple[_CodedRows, _CodedRows], name: str | None = None) -> dict[str, Estimate]:
    """Return the defined differences, on all questions or on those of a set."""
    ours, theirs = (side.counted(name) for side in sides)
    joint = {cluster: [*ours[cluster], *theirs[cluster]] for cluster in ours}
    held = pooled(joint, _change)
    return {key: each for key, each in held.items() if not math.isnan(each.value)}


def _change(sums: Sequence[Any]) -> dict[str, Any]:
    first, second = basic(sums[:_ALL]), basic(sums[_ALL:])
    return {name: second[name] - first[name] for name in first}
