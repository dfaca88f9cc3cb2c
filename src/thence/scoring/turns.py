"""What a further turn changes: scores before and after, and which answers became which.

For any task of any family, and any protocol of several turns.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thence.core.statistics import Estimate, estimates
from thence.core.table import Table

if TYPE_CHECKING:
    from thence.scoring.judge import Scored

_LONGEST = 20  # characters of an answer that is told word by word
_MOST = 12  # kinds of change that a table tells


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the first answers to one task.

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


class Turned:
    """The conversations about one task that came to their end, told of their rows one by one.

    A conversation is one sample's in one epoch, however many turns it has: what is held of it is
    one entry, of some twenty bytes.

    Args:
        turns: how many turns the protocol has, at least 2.
    """

    def __init__(self, turns: int) -> None:
        self._last = turns - 1
        self._open: dict[tuple[str, int], tuple[bool, str]] = {}  # first turns without their last
        self._clusters = array("q")
        self._before = array("B")
        self._after = array("B")
        self._said: Counter[tuple[str, str]] = Counter()

    def add(self, row: Scored) -> None:
        """Takes in a row; the first turn of a conversation comes before its last."""
        key = (row.sample.id, row.epoch)
        if row.turn == 0:
            if row.score.counts:
                self._open[key] = row.score.correct, _said(row)
        elif row.turn == self._last or not row.score.counts:
            first = self._open.pop(key, None)
            if first is None or not row.score.counts:
                return
            # A hash differs between processes; all that is looked at is which of them are equal.
            self._clusters.append(hash(row.sample.cluster))
            self._before.append(first[0])
            self._after.append(row.score.correct)
            self._said[first[1], _said(row)] += 1

    def changes(self) -> Changes | None:
        """What they changed; None where there are none."""
        if not self._clusters:
            return None
        before, after = list(map(float, self._before)), list(map(float, self._after))
        figures = estimates({"before": before, "after": after}, self._clusters)
        moved = [b - a for a, b in zip(before, after, strict=True)]
        change = estimates({"change": moved}, self._clusters, counts=("change",))["change"]
        counted = Counter(zip(before, after, strict=True))
        return Changes(
            len(before),
            figures["before"],
            figures["after"],
            change,
            counted[1.0, 1.0],
            counted[1.0, 0.0],
            counted[0.0, 1.0],
            counted[0.0, 0.0],
            {each: n for each, n in self._said.most_common() if each[0] != each[1]},
        )


def _said(row: Scored) -> str:
    """An answer in a word; an answer of another kind by what it is worth."""
    answer = row.score.answer
    if row.score.rule is None:
        return row.score.outcome.value.replace("_", " ")
    if isinstance(answer, str) and len(answer) <= _LONGEST:
        return answer
    return row.score.outcome.value


def by_task(turned: Mapping[str, Turned]) -> dict[str, Changes]:
    """The changes of every task, from its conversations; none where the protocol has one turn."""
    every = {name: held.changes() for name, held in turned.items()}
    return {name: held for name, held in every.items() if held is not None}


def tables(turned: Mapping[str, Turned], turns: int) -> list[Table]:
    """What the last of so many turns changed, for every task; none where there is one turn."""
    held = by_task(turned)
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
    title = f"Before and after: the first and the last of {turns} turns"
    found = [
        Table("turns", title, (*columns, "wrong to right", "wrong to wrong"), rows),
    ]
    if told:
        found.append(
            Table("turns-answers", "Answers that changed", ("task", "from", "to", "times"), told)
        )
    return found
