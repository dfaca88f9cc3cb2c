"""Figure 3: self-correction, from the first turn to the last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, joined
from thence.core.statistics import Numbers, estimates
from thence.core.table import Chart, Entry, Table
from thence.families.releval.cells import (
    COMPARE,
    CONSISTENT,
    asked_by,
    difference,
    has_options,
    main_metric,
    note,
    option_pairs,
    printed,
)
from thence.families.releval.paper_figures import PrintedCell

_PLAIN = "plain"  # the words of the second turn in the paper


@dataclass(frozen=True)
class _Turns:
    """First and last turns of the same conversations, row by row."""

    first: ScoreFrame
    last: ScoreFrame

    def of(self, framing: str, notation: str) -> _Turns:
        """Return the turns in a framing and notation."""
        chosen = has_options(framing, notation)
        return _Turns(self.first.where(chosen), self.last.where(chosen))


def corrections(found: Sequence[Results]) -> Iterable[Table]:
    """Yield the change from the first to the last turn of runs with several turns."""
    for task, shares in ((CONSISTENT, _CYCLES), (COMPARE, _WORDS)):
        short = task.partition("/")[2]
        rows = []
        held_by = _conversations(found, task)
        often = Counter(model for model, _ in held_by)
        for (model, words), every in held_by.items():
            name = f"{model} ({words})" if often[model] > 1 else model
            for options in option_pairs(every.first):
                held = every.of(*options)
                changes = (share(held) for share in shares.values())
                cell = PrintedCell(short, "change", *options)
                figure = printed(cell, model, held.first) if words == _PLAIN else None
                means = difference(
                    main_metric(held.first), main_metric(held.last), held.first.clusters()
                )
                rows.append((name, words, *options, len(held.first), *means, *changes, figure))
        metric = "F1" if task == CONSISTENT else "accuracy"
        more = [PrintedCell(short, each) for each in ("change", "rose", "fell", "to_unknown")]
        yield Table(
            f"releval-figure-3-{short}",
            f"Self-correction, {short}: {metric} before and after, and the shares that changed",
            (
                *("model", "words", "framing", "notation", "n", "before", "after", "change"),
                *shares,
                "published change",
            ),
            rows,
            f"Published changes stand beside a plain 'Are you sure?' alone. {note(*more)}",
            Chart("bar", "model", "change", "framing", y_title=f"change in {metric}"),
        )


def _conversations(found: Sequence[Results], task: str) -> dict[tuple[str, str], _Turns]:
    """Return the conversations about a task whose first and last turns count.

    The keys are the model and how the second turn was put: plainly, carefully, or as some other
    protocol does.
    """
    held: dict[tuple[str, str], list[_Turns]] = {}
    for each in found:
        if each.turns > 1 and task in each.frames:
            turns = _Turns(*each.frames[task].conversations(each.turns))
            if turns.first:
                held.setdefault((each.model or "replies", _words(each)), []).append(turns)
    return {
        how: _Turns(joined([each.first for each in every]), joined([each.last for each in every]))
        for how, every in held.items()
    }


def _words(each: Results) -> str:
    """Return how the second turn of a run was put, and what was done in the first."""
    if not each.protocol:
        return "unknown"
    words = each.settings.get("words", "careful")
    first = asked_by(each)
    return words if first == "direct" else f"{words}, after {first}"


def _share(values: Numbers, rows: ScoreFrame) -> Entry:
    if not len(rows):
        return None
    return estimates({"share": values.astype(float)}, rows.clusters())["share"]


def _change_share(sign: int) -> Callable[[_Turns], Entry]:
    """Return a function for the share of samples that rose (1), stayed (0) or fell (-1)."""

    def share(held: _Turns) -> Entry:
        change = np.sign(main_metric(held.last) - main_metric(held.first))
        return _share(change == sign, held.first)

    return share


def _to_unknown(held: _Turns) -> Entry:
    """Return the share of right answers that became a wrong Unknown."""
    right = held.first.correct() == 1
    lost = (held.last.numbers("unknown") == 1) & (held.last.correct() == 0)
    return _share(lost[right], held.first.where(pl.col("correct")))


_CYCLES: Mapping[str, Callable[[_Turns], Entry]] = {
    "rose": _change_share(1),
    "fell": _change_share(-1),
    "stayed": _change_share(0),
}
_WORDS: Mapping[str, Callable[[_Turns], Entry]] = {
    "right to wrong": _change_share(-1),
    "wrong to right": _change_share(1),
    "stayed": _change_share(0),
    "of right: to Unknown": _to_unknown,
}
