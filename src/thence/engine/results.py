"""Scoring what a run holds so far, one sample at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from thence.engine.directory import RESPONSES, RunDirectory
from thence.engine.stored import Stored, Turns
from thence.kernel.sample import Sample
from thence.protocols import Composed, protocol
from thence.scoring import STRICT, Convert, Response, Results, Scored, score_sample
from thence.tally import Tally


@dataclass
class Rows:
    """The scored responses of a run; they are scored anew whenever they are gone through.

    Attributes:
        directory: the run.
        asked: its protocol.
        epochs: repeats of each sample.
        reduce: how they become one score.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
        missing: conversations without a response, known once all was gone through.
        ties: votes that were settled by what was given first, likewise.
    """

    directory: RunDirectory
    asked: Composed
    epochs: int
    reduce: str
    convert: Convert | None = None
    scorer: str = STRICT
    missing: int = 0
    ties: int = 0
    _stored: Stored | None = field(default=None, repr=False)

    @property
    def stored(self) -> Stored:
        """The responses."""
        if self._stored is None:
            self._stored = Stored(self.directory.path / RESPONSES)
        return self._stored

    def __iter__(self) -> Iterator[Scored]:
        stored = self.stored
        turns = self.asked.turns
        missing = ties = 0
        for sample in self.directory.samples():
            responses = list(_in_order(stored.of(sample.id), self.epochs, turns))
            complete = sum(each.turn == turns or each.error is not None for each in responses)
            missing += self.epochs - complete
            for row in score_sample(
                sample, responses, self.asked, self.reduce, self.convert, self.scorer
            ):
                ties += row.tied
                yield row
        self.missing, self.ties = missing, ties


def results(
    directory: RunDirectory,
    reduce: str | None = None,
    *,
    accept_errors: bool | None = None,
    convert: Callable[[Sample, Response], Response | None] | None = None,
    scorer: str = STRICT,
    keep: Callable[[Iterable[Scored]], Iterable[Scored]] = lambda rows: rows,
) -> Results:
    """Scores whatever a run holds so far.

    Args:
        directory: the run.
        reduce: how epochs become one score; None for what the run was given.
        accept_errors: likewise.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
        keep: passes the rows on one by one, such as `RunDirectory.keeping_scores`, which writes
            them down on the way.
    """
    held = directory.information()
    request = held["request"]
    asked = protocol(request["protocol"], request.get("set_protocol", {}))
    epochs = int(request.get("epochs", 1))
    reduced = reduce or str(held.get("reduce", "mean"))
    rows = Rows(directory, asked, epochs, reduced, convert, scorer)
    tally = Tally(asked.turns + 1, keep(rows))
    accepted = held.get("accept_errors", False) if accept_errors is None else accept_errors
    found = Results(
        str(request.get("model", "")),
        str(directory.path),
        rows,
        asked.turns + 1,
        rows.missing,
        bool(accepted),
        reduced,
        tally=tally,
    )
    if held.get("comparable") is False:
        found.notes.append("Run with tools: not comparable with runs without.")
    if found.reduced == "majority" and epochs > 1:
        found.notes.append(
            f"Majority of {epochs} epochs: the commonest equal answer, and where several tie, "
            f"the one given first ({rows.ties} ties)."
        )
    return found


def _in_order(held: Turns, epochs: int, turns: int) -> Iterator[Response]:
    """A sample's responses in order, none of them beyond what was asked for."""
    for epoch in range(epochs):
        for turn in range(turns + 1):
            if (epoch, turn) not in held:
                break
            yield held[epoch, turn]
            if held[epoch, turn].error is not None:
                break
