"""The tables and figures of the paper, from our results; printed figures are shown beside ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame
from thence.core.table import Chart, Entry, Table
from thence.families.catbench import paper_figures as published
from thence.families.catbench.metrics import differences, extra_metrics

_TABLE_1 = [
    f"{kind}_{name}"
    for kind in ("dep", "nondep", "macro")
    for name in ("precision", "recall", "f1")
]
_HEADS = [f"{kind} {name}" for kind in ("DEP", "NONDEP", "macro") for name in ("P", "R", "F1")]


_PAPER, _BASELINES = " (paper)", "baseline/"


def tables(found: Sequence[Results]) -> list[Table]:
    """Return Tables 1, 3, 6 and 7 of some results, and Figures 7 and 8 for two or more results."""
    held = [
        (each.model or each.source or "replies", rows)
        for each in found
        if (rows := each.final(["catbench/order"]))
    ]
    if not held:
        return []
    ours = [(name, len(rows), extra_metrics(rows)) for name, rows in held]
    made = [_table_1(ours), _table_3(ours), _tables_6_and_7(ours)]
    if len(held) > 1:
        made += _changes(held)
    return made


type _Ours = Sequence[tuple[str, int, Any]]


def _two(values: Sequence[float | None]) -> list[Entry]:
    """Return printed figures with two decimals."""
    return [None if value is None else f"{value:.2f}" for value in values]


def _four(values: Sequence[float | None]) -> list[Entry]:
    """Return figures, printed in per cent with two decimals, as shares."""
    return [None if value is None else f"{value:.4f}" for value in values]


def _table_1(ours: _Ours) -> Table:
    rows: list[list[Entry]] = [
        [name, None, n, *(held.get(each) for each in _TABLE_1)] for name, n, held in ours
    ]
    for model, protocols in published.TABLE_1.items():
        rows += [[model + _PAPER, way, None, *_two(values)] for way, values in protocols.items()]
    for model, printed in published.EXPLAINED_FIRST.items():
        rows.append([model + _PAPER, published.EA, None, *_two(printed)])
    for model, (dep, nondep, macro, _) in published.IN_TEXT.items():
        printed_f1 = [None, None, dep, None, None, nondep, None, None, macro]
        rows.append([model + _PAPER, "as told in the text", None, *_two(printed_f1)])
    return Table(
        "catbench-table-1",
        "Precision, recall and F1 (Table 1)",
        ["model", "asked for", "n", *_HEADS],
        rows,
        "n: answers, NONDEP-S too, which enters OCC only. An unreadable reply is a miss for its "
        "class's recall and enters no precision. A: answer; E: explanation, in the order asked "
        f"for. (paper): {published.PAPER}, Table 1; E+A: its Tables 4 and 5; o1-preview: its text. "
        "Of gpt-4o-mini under A the paper prints a DEP F1 of .76, which does not follow from its P "
        "and R; .66 would.",
    )


def _table_3(ours: _Ours) -> Table:
    rows: list[list[Entry]] = [
        [name, None, n, held.get("tc"), held.get("occ")] for name, n, held in ours
    ]
    for model, protocols in published.TABLE_3.items():
        rows += [[model + _PAPER, way, None, *_four(values)] for way, values in protocols.items()]
    for model, (*_, tc) in published.IN_TEXT.items():
        rows.append([model + _PAPER, "as told in the text", None, *_two([tc]), None])
    return Table(
        "catbench-table-3",
        "Temporal and order contrastive consistency (Table 3)",
        ["model", "asked for", "n", "TC", "OCC"],
        rows,
        "TC: pairs whose before-answer equals the after-answer. OCC: NONDEP questions answered "
        "alike when the texts of the two steps are switched. Unreadable replies are not alike. "
        f"(paper): {published.PAPER}, Table 3; E+A: its Tables 4 and 5; o1-preview: its text.",
    )


def _tables_6_and_7(ours: _Ours) -> Table:
    names = ("macro_precision", "macro_recall", "macro_f1", "tc", "occ")
    rows: list[list[Entry]] = [
        [name, None, n, *(held.get(each) for each in names)] for name, n, held in ours
    ]
    rows += [
        ["gpt-4o" + _PAPER, way, None, *_two(values[:3]), *_four(values[3:])]
        for way, values in published.TABLES_6_7.items()
    ]
    return Table(
        "catbench-tables-6-7",
        "Self-consistency and worked examples beside asking once (Tables 6 and 7)",
        ["model", "asked by", "n", "macro P", "macro R", "macro F1", "TC", "OCC"],
        rows,
        f"(paper): {published.PAPER}, Tables 6 and 7, answers only.",
    )


def _changes(held: Sequence[tuple[str, ScoreFrame]]) -> list[Table]:
    """Return the difference of each further run to the first one."""
    (base, first), *others = held
    others = [(name, rows) for name, rows in others if not name.startswith(_BASELINES)] or others
    made = [(name, differences(first, rows)) for name, rows in others]
    tables = []
    for number, sides in ((7, ("before", "after")), (8, ("close", "distant"))):
        rows: list[Sequence[Entry]] = [
            (name, side, change[side])
            for name, change in made
            for side in sides
            if side in change and not math.isnan(change[side].value)
        ]
        if number == 8:
            name_of = "nondep_recall_distant"
            rows += [
                (name, "distant, recall of NONDEP", change[name_of])
                for name, change in made
                if name_of in change and not math.isnan(change[name_of].value)
            ]
        if rows:
            tables.append(
                Table(
                    f"catbench-figure-{number}",
                    f"Macro F1 less that of {base} (Figure {number})",
                    ["model", "questions", "difference"],
                    rows,
                    "Close: at most 3 steps apart." if number == 8 else "",
                    Chart(
                        "bar", "questions", "difference", "model", y_title="macro F1, difference"
                    ),
                )
            )
    return tables
