"""The tables and figures of the paper, from our results; printed figures stand beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thence.families.catbench import _published as published
from thence.families.catbench._metrics import differences, figures
from thence.kernel.table import Chart, Entry, Table

_TABLE_1 = [
    f"{kind}_{name}"
    for kind in ("dep", "nondep", "macro")
    for name in ("precision", "recall", "f1")
]
_HEADS = [f"{kind} {name}" for kind in ("DEP", "NONDEP", "macro") for name in ("P", "R", "F1")]


def tables(found: Sequence[Any]) -> list[Table]:
    """Tables 1 and 3 of some results, and Figures 7 and 8 where there are two or more."""
    held = [(_name(each), _rows(each)) for each in found]
    held = [(name, rows) for name, rows in held if rows]
    if not held:
        return []
    ours = [(name, figures(rows)) for name, rows in held]
    made = [_first(ours, len(held[0][1])), _third(ours)]
    if len(held) > 1:
        made += _changes(held)
    return made


def _name(results: Any) -> str:
    return results.model or results.source or "replies"


def _rows(results: Any) -> list[Any]:
    return [row for row in results.final() if row.sample.family == "catbench" and row.score.counts]


def _first(ours: Sequence[tuple[str, Any]], n: int) -> Table:
    rows: list[list[Entry]] = []
    for name, held in ours:
        rows.append([name, *(held.get(each) for each in _TABLE_1)])
        for protocol, values in published.TABLE_1.get(published.known_as(name) or "", {}).items():
            rows.append([f"{name}, printed, {protocol}", *values])
    return Table(
        "catbench-table-1",
        f"CaT-Bench, Table 1: precision, recall and F1 ({n:,} answers of the first row)",
        ["model", *_HEADS],
        rows,
        "An unreadable reply is a miss for its class's recall and enters no precision. Rows that "
        f"say 'printed' are {published.PAPER}'s, by protocol.",
    )


def _third(ours: Sequence[tuple[str, Any]]) -> Table:
    rows: list[list[Entry]] = []
    for name, held in ours:
        rows.append([name, held.get("tc"), held.get("occ")])
        for protocol, values in published.TABLE_3.get(published.known_as(name) or "", {}).items():
            rows.append([f"{name}, printed, {protocol}", *values])
    return Table(
        "catbench-table-3",
        "CaT-Bench, Table 3: temporal and order contrastive consistency",
        ["model", "TC", "OCC"],
        rows,
        "TC: pairs whose before-answer equals the after-answer. OCC: NONDEP questions answered "
        "alike when the texts of the two steps are switched. Unreadable replies are not alike.",
    )


def _changes(held: Sequence[tuple[str, list[Any]]]) -> list[Table]:
    """Each further run less the first one."""
    (base, first), *others = held
    made = [(name, differences(first, rows)) for name, rows in others]
    tables = []
    for number, sides in ((7, ("before", "after")), (8, ("close", "distant"))):
        rows: list[Sequence[Entry]] = [
            (name, side, change[side]) for name, change in made for side in sides if side in change
        ]
        if number == 8:
            name_of = "nondep_recall_distant"
            rows += [
                (name, "distant, recall of NONDEP", change[name_of])
                for name, change in made
                if name_of in change
            ]
        if rows:
            tables.append(
                Table(
                    f"catbench-figure-{number}",
                    f"CaT-Bench, Figure {number}: macro F1 less that of {base}",
                    ["model", "questions", "difference"],
                    rows,
                    "Close: at most 3 steps apart." if number == 8 else "",
                    Chart(
                        "bar", "questions", "difference", "model", y_title="macro F1, difference"
                    ),
                )
            )
    return tables
