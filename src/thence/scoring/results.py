"""Everything that was scored of one run or file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from thence.scoring.judge import Scored
from thence.scoring.tally import Tally


@dataclass
class Results:
    """Everything that was scored of one run or file.

    Attributes:
        model: ``PROVIDER/NAME``; empty for replies gathered elsewhere.
        source: the directory or file that was scored.
        rows: one a response, in the order of the samples, all turns; of a run, they are scored
            anew whenever they are gone through, for no memory holds a million.
        turns: how many turns the protocol has, at least 1.
        missing: samples or epochs that have no response.
        accepted: whether provider errors were accepted with ``--accept-errors``.
        reduced: how epochs were reduced.
        notes: sentences that belong under any table, such as how ties were settled.
        skipped: one line each: what of the source could not be read.
        tally: what the rows amount to, where they were gone through already.
    """

    model: str = ""
    source: str = ""
    rows: Iterable[Scored] = field(default_factory=list)
    turns: int = 1
    missing: int = 0
    accepted: bool = False
    reduced: str = "mean"
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    tally: Tally | None = None

    def tallied(self) -> Tally:
        """What the rows amount to; they are gone through once."""
        if self.tally is None:
            self.tally = Tally(self.turns, self.rows)
        return self.tally

    @property
    def errors(self) -> int:
        """Provider errors in the last turns."""
        if self.tally is not None:
            return self.tally.errors
        return sum(not row.score.counts for row in self.rows)

    @property
    def finished(self) -> bool:
        """Whether every sample was answered, or its error accepted."""
        return self.missing == 0 and (self.accepted or self.errors == 0)

    def final(self) -> list[Scored]:
        """The rows that count: of the last turn of each conversation."""
        return [row for row in self.rows if row.turn == self.turns - 1 or not row.score.counts]
