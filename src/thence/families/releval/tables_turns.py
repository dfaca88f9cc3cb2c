"""Figure 3: self-correction, from the first turn to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, joined
from thence.core.statistics import Numbers, estimates
from thence.core.table import Entry, Table
from thence.families.releval.cells import (
    COMPARE,
    CONSISTENT,
    asked_in,
    difference,
    note,
    printed,
    put_in,
    worth,
)
from thence.families.releval.paper_figures import Cell


@dataclass(frozen=True)
class _Turns:
    """First and last turns of the same conversations, row by row."""

    first: ScoreFrame
    last: ScoreFrame

    def of(self, framing: str, notation: str) -> _Turns:
        """Those in a framing and notation."""
        chosen = put_in(framing, notation)
        return _Turns(self.first.where(chosen), self.last.where(chosen))


def corrections(found: Sequence[Results]) -> Iterable[Table]:
    """Before and after the last turn, of runs with several turns; ``found`` as in `tables`."""
    for task, shares in ((CONSISTENT, _CYCLES), (COMPARE, _WORDS)):
        short = task.partition("/")[2]
        rows = []
        for model, every in _turned(found, task).items():
            for options in asked_in(every.first):
                held = every.of(*options)
                told = (share(held) for share in shares.values())
                beside = printed(Cell(short, "change", *options), model, held.first)
                moved = difference(worth(held.first), worth(held.last), held.first.clusters())
                rows.append((model, *options, len(held.first), *moved, *told, beside))
        metric = "F1" if task == CONSISTENT else "accuracy"
        more = [Cell(short, each) for each in ("change", "rose", "fell", "to_unknown")]
        yield Table(
            f"releval-figure-3-{short}",
            f"Self-correction, {short}: {metric} before and after, and the shares that changed",
            (
                *("model", "framing", "notation", "n", "before", "after", "change"),
                *shares,
                "published change",
            ),
            rows,
            note(*more),
        )


def _turned(found: Sequence[Results], task: str) -> dict[str, _Turns]:
    """By model, the conversations about a task in which the first and the last turn count."""
    held: dict[str, list[_Turns]] = {}
    for each in found:
        if each.turns > 1 and task in each.frames:
            turns = _Turns(*each.frames[task].conversations(each.turns))
            if turns.first:
                held.setdefault(each.model or "replies", []).append(turns)
    return {
        model: _Turns(joined([each.first for each in every]), joined([each.last for each in every]))
        for model, every in held.items()
    }


def _share(told: Numbers, rows: ScoreFrame) -> Entry:
    if not len(rows):
        return None
    return estimates({"share": told.astype(float)}, rows.clusters())["share"]


def _moved(sign: int) -> Callable[[_Turns], Entry]:
    """The share of samples whose worth rose (1), stayed (0) or fell (-1)."""

    def share(held: _Turns) -> Entry:
        change = np.sign(worth(held.last) - worth(held.first))
        return _share(change == sign, held.first)

    return share


def _to_unknown(held: _Turns) -> Entry:
    """Of the right answers, the share that was wrongly turned into Unknown."""
    right = held.first.correct() == 1
    lost = (held.last.numbers("unknown") == 1) & (held.last.correct() == 0)
    return _share(lost[right], held.first.where(pl.col("correct")))


_CYCLES: Mapping[str, Callable[[_Turns], Entry]] = {
    "rose": _moved(1),
    "fell": _moved(-1),
    "stayed": _moved(0),
}
_WORDS: Mapping[str, Callable[[_Turns], Entry]] = {
    "right to wrong": _moved(-1),
    "wrong to right": _moved(1),
    "stayed": _moved(0),
    "of right: to Unknown": _to_unknown,
}
