"""What a further turn changes: scores before and after, and which answers became which.

For any task of any family, and any protocol of several turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thence.kernel.statistics import Estimate, estimates
from thence.kernel.table import Table
from thence.scoring import Results, Scored

_LONGEST = 20  # characters of an answer that is told word by word
_MOST = 12  # kinds of change that a table tells


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the first answers to one task.

    Attributes:
        n: conversations whose first and last turn both count.
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
        """As ``score --json`` prints it."""
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


def both_turns(rows: Iterable[Scored], turns: int) -> list[tuple[Scored, Scored]]:
    """First and last turn of each conversation in which both count."""
    first, last = (
        {(row.sample.id, row.epoch): row for row in held}
        for held in _split([row for row in rows if row.score.counts], turns)
    )
    return [(row, last[place]) for place, row in first.items() if place in last]


def _split(rows: Sequence[Scored], turns: int) -> tuple[list[Scored], list[Scored]]:
    return [row for row in rows if row.turn == 0], [row for row in rows if row.turn == turns - 1]


def changes(pairs: Sequence[tuple[Scored, Scored]]) -> Changes | None:
    """What some conversations changed; None where there are none."""
    if not pairs:
        return None
    before = [float(first.score.correct) for first, _ in pairs]
    after = [float(last.score.correct) for _, last in pairs]
    clusters = [first.sample.cluster for first, _ in pairs]
    figures = estimates({"before": before, "after": after}, clusters)
    moved = [b - a for a, b in zip(before, after, strict=True)]
    change = estimates({"change": moved}, clusters, counts=("change",))["change"]
    counted = Counter(zip(before, after, strict=True))
    said = Counter((_said(first), _said(last)) for first, last in pairs)
    return Changes(
        len(pairs),
        figures["before"],
        figures["after"],
        change,
        counted[1.0, 1.0],
        counted[1.0, 0.0],
        counted[0.0, 1.0],
        counted[0.0, 0.0],
        {each: count for each, count in said.most_common() if each[0] != each[1]},
    )


def _said(row: Scored) -> str:
    """An answer in a word; an answer of another kind by what it is worth."""
    answer = row.score.answer
    if row.score.rule is None:
        return row.score.outcome.value.replace("_", " ")
    if isinstance(answer, str) and len(answer) <= _LONGEST:
        return answer
    return row.score.outcome.value


def by_task(results: Results) -> dict[str, Changes]:
    """The changes of every task; none where the protocol has one turn."""
    if results.turns < 2:
        return {}
    rows: dict[str, list[Scored]] = {}
    for row in results.rows:
        rows.setdefault(row.sample.task, []).append(row)
    every = {name: changes(both_turns(held, results.turns)) for name, held in rows.items()}
    return {name: held for name, held in every.items() if held is not None}


def tables(results: Results) -> list[Table]:
    """What the last turn changed, for every task; none where there is one turn."""
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
