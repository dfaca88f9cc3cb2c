"""Effect of a further turn: scores before and after it, and the answers that changed.

For any task of any family, and any protocol of several turns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Estimate, estimates
from thence.core.table import Table
from thence.scoring.frame_builder import WORD

_MOST = 12  # kinds of change that a table tells


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of the answers to one task from the first turn to the last.

    Attributes:
        n: conversations, each a sample in an epoch, whose first and last turn both count.
        before: accuracy of the first turn.
        after: accuracy of the last turn.
        change: after less before, with the interval of a paired bootstrap over procedures.
        kept: right before and after.
        lost: right before, not after.
        gained: right after, not before.
        never: right neither time.
        answers: how often one answer became another, the commonest first; only short answers that
            are words, such as Yes and No, are told apart.
    """

    n: int
    before: Estimate
    after: Estimate
    change: Estimate
    kept: int
    lost: int
    gained: int
    never: int
    answers: Mapping[tuple[str, str], int]

    def to_json(self) -> dict[str, Any]:
        """Return the changes as ``score --json`` prints them."""
        return {
            "n": self.n,
            "before": self.before.value,
            "after": self.after.value,
            "change": self.change.value,
            "change_ci": self.change.interval(),
            "right_to_right": self.kept,
            "right_to_wrong": self.lost,
            "wrong_to_right": self.gained,
            "wrong_to_wrong": self.never,
            "answers": [[a, b, count] for (a, b), count in self.answers.items()],
        }


def changes(rows: ScoreFrame, turns: int) -> Changes | None:
    """Return the changes in one task; None where no conversation has a first and a last turn.

    Args:
        rows: all turns.
        turns: turns of the protocol, at least 2.
    """
    first, last = rows.conversations(turns)
    if not first:
        return None
    clusters, before, after = first.clusters(), first.correct(), last.correct()
    figures = estimates({"before": before, "after": after}, clusters)
    change = estimates({"change": after - before}, clusters, counts=("change",))["change"]
    counted = Counter(zip(before.tolist(), after.tolist(), strict=True))
    return Changes(
        len(first),
        figures["before"],
        figures["after"],
        change,
        counted[1.0, 1.0],
        counted[1.0, 0.0],
        counted[0.0, 1.0],
        counted[0.0, 0.0],
        _answers(first, last),
    )


def _answers(first: ScoreFrame, last: ScoreFrame) -> dict[tuple[str, str], int]:
    """Return how often one answer became another; an answer that is no word by its outcome."""
    said = ("answer", "outcome")
    turns = [
        each.data.select(pl.col(said).name.suffix(end))
        for each, end in ((first, ""), (last, "_last"))
    ]
    every = pl.concat(turns, how="horizontal")
    counted = Counter[tuple[str, str]]()
    for *words, times in every.group_by(every.columns, maintain_order=True).len().iter_rows():
        counted[_word(*words[:2]), _word(*words[2:])] += times
    return {each: n for each, n in counted.most_common() if each[0] != each[1]}


def _word(answer: str | None, outcome: str) -> str:
    value = answer and json.loads(answer)
    if isinstance(value, str) and len(value) <= WORD:
        return value
    return outcome.replace("_", " ")


def by_task(results: Results) -> dict[str, Changes]:
    """Return the changes in every task; none where the protocol has one turn."""
    if results.turns < 2:
        return {}
    found = {name: changes(rows, results.turns) for name, rows in results.frames.items()}
    return {name: held for name, held in found.items() if held is not None}


def tables(results: Results) -> list[Table]:
    """Return the changes from the first turn to the last; none where the protocol has one turn."""
    held = by_task(results)
    if not held:
        return []
    columns = ("task", "n", "before", "after", "change", "right to right", "right to wrong")
    rows = [
        (task, c.n, c.before, c.after, c.change, c.kept, c.lost, c.gained, c.never)
        for task, c in held.items()
    ]
    told = [
        (task, a, b, count)
        for task, c in held.items()
        for (a, b), count in list(c.answers.items())[:_MOST]
    ]
    title = f"Before and after: the first and the last of {results.turns} turns"
    found = [
        Table("turns", title, (*columns, "wrong to right", "wrong to wrong"), rows),
    ]
    if told:
        found.append(
            Table("turns-answers", "Answers that changed", ("task", "from", "to", "times"), told)
        )
    return found
