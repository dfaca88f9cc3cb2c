"""Tables by what decides a question and by its depth, of questions that tell them."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from thence.core.score_frame import ScoreFrame, joined
from thence.core.statistics import Estimate, estimates
from thence.core.table import Chart, Entry, Table
from thence.families.fable.shared.grid import Grid

_DEPTH, _REASON = "depth", "reason"


def decided_tables(held: Grid) -> Iterator[Table]:
    """Yield the accuracy by depth and by reason; nothing where no question tells them."""
    if depths := [row for model in held.models for row in _by_depth(held, model)]:
        yield Table(
            "fable-depth",
            "Accuracy by depth",
            ["model", _DEPTH, "n", "accuracy"],
            depths,
            "Depth: links of the smallest certificate of the answer.",
            Chart("line", _DEPTH, "accuracy", "model", x_title="depth, links", y_title="accuracy"),
        )
    if reasons := [row for key in held.cells for row in _by_reason(held, key)]:
        yield Table(
            "fable-reasons",
            "Accuracy by the reason that decides",
            ["model", "cell", "answer", _REASON, "n", "accuracy"],
            reasons,
            "docs/concepts/dataflow.md tells what each reason means.",
        )


def _accuracy(rows: ScoreFrame) -> Estimate:
    return estimates({"accuracy": rows.correct()}, rows.clusters())["accuracy"]


def _by_depth(held: Grid, model: str) -> Iterator[list[Entry]]:
    cells = [cell.rows for key, cell in held.cells.items() if key[0] == model]
    groups = dict((joined(cells) if cells else ScoreFrame(pl.DataFrame())).groups(_DEPTH))
    for depth in sorted(groups, key=int):
        yield [model, int(depth), len(groups[depth]), _accuracy(groups[depth])]


def _by_reason(held: Grid, key: tuple[str, str, str]) -> Iterator[list[Entry]]:
    model, domain, analysis = key
    for answer, of_answer in held.cells[key].rows.groups("truth"):
        for reason, rows in of_answer.groups(_REASON):
            yield [model, f"{domain}/{analysis}", answer, reason, len(rows), _accuracy(rows)]
