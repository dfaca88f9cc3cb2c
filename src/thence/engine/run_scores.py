"""Scores of the responses of a run, made one sample at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from thence.core.results import Results
from thence.core.sample import Sample
from thence.engine.directory import RunDirectory
from thence.engine.response_index import ResponseIndex, Turns
from thence.prompts.protocol import Composed
from thence.scoring.details import ScoredResponses
from thence.scoring.frame_builder import frames
from thence.scoring.judge import STRICT, Convert, Response, Scored, score_sample
from thence.system.progress import followed

if TYPE_CHECKING:
    from thence.core.score_frame import ScoreFrame


@dataclass
class RunScores:
    """The scored responses of a run; they are scored anew whenever they are gone through.

    Attributes:
        directory: the run.
        protocol: its protocol.
        epochs: repeats of each sample.
        reduce: how they become one score.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
        missing: conversations without a response, among the samples gone through so far.
        ties: votes that were settled by what was given first, likewise.
        replies: number of replies by kind of failure or by outcome, likewise.
    """

    directory: RunDirectory
    protocol: Composed
    epochs: int
    reduce: str
    convert: Convert | None = None
    scorer: str = STRICT
    missing: int = 0
    ties: int = 0
    replies: Counter[str] = field(default_factory=Counter)

    @cached_property
    def responses(self) -> ResponseIndex:
        """The responses of the run when they are first asked for."""
        return self.directory.responses()

    def __iter__(self) -> Iterator[Scored]:
        responses = self.responses
        self._begin()
        for sample in self._samples():
            yield from self.score(sample, responses.of(sample.id))

    def with_responses(self) -> Iterator[tuple[Scored, Response]]:
        """Yield each score with the response that it is of; epochs are not reduced."""
        self._begin()
        for sample in self._samples():
            held = self.responses.of(sample.id)
            for row in self._score(sample, held, "mean"):
                yield row, held[row.epoch, row.turn]

    def _begin(self) -> None:
        """Count from nothing, as all responses are gone through anew."""
        self.missing = self.ties = 0
        self.replies = Counter()

    def _samples(self) -> Iterable[Sample]:
        """Return the samples of the run, which report how many have gone by."""
        return followed(self.directory.samples(), "samples", self.count)

    @property
    def count(self) -> int:
        """The number of samples."""
        return self.directory.information().samples

    def shared(self) -> RunScores:
        """Return scores that are made in the same way, for a worker: none gone through so far."""
        return RunScores(self.directory, self.protocol, self.epochs, self.reduce, None, self.scorer)

    def final(self) -> Iterator[Scored]:
        """Yield the responses of the last turn that count, in the order of the samples."""
        for row in self:
            if row.turn == self.protocol.turns and row.score.counts:
                yield row

    def score(self, sample: Sample, held: Turns) -> list[Scored]:
        """Return the scores of some responses to one sample."""
        return self._score(sample, held, self.reduce)

    def _score(self, sample: Sample, held: Turns, reduce: str) -> list[Scored]:
        """Return the scores of one sample's responses."""
        turns = self.protocol.turns
        responses = list(_in_order(held, self.epochs, turns))
        complete = sum(each.turn == turns or each.error is not None for each in responses)
        self.missing += self.epochs - complete
        rows = score_sample(
            sample, responses, self.protocol, reduce, self.convert, self.scorer, self.replies
        )
        self.ties += sum(row.tied for row in rows)
        return rows


def results(
    directory: RunDirectory,
    reduce: str | None = None,
    *,
    accept_errors: bool | None = None,
    convert: Convert | None = None,
    scorer: str = STRICT,
    keep: Callable[[Iterable[Scored]], Iterable[Scored]] = lambda rows: rows,
    answers: bool = False,
) -> Results:
    """Score all responses that a run holds so far.

    Args:
        directory: the run.
        reduce: how epochs become one score; None for what the run was given.
        accept_errors: likewise.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
        keep: passes the rows on one by one, such as `RunDirectory.keeping_scores`, which writes
            them down on the way.
        answers: whether the text of every answer is kept.
    """
    scores = scored_by(directory, reduce, convert, scorer)
    found = described(directory, scores, frames(keep(scores), answers=answers))
    if accept_errors is not None:
        found.accepted = accept_errors
    return found


def scored_by(
    directory: RunDirectory,
    reduce: str | None = None,
    convert: Convert | None = None,
    scorer: str = STRICT,
) -> RunScores:
    """Return the scores of a run as its ``run.json`` asks for them; none is made yet.

    Args:
        directory: the run.
        reduce: as for `results`.
        convert: likewise.
        scorer: likewise.
    """
    told = directory.information()
    protocol, epochs = told.request.composed_protocol, told.request.epochs
    return RunScores(directory, protocol, epochs, reduce or told.reduce, convert, scorer)


def described(
    directory: RunDirectory, scores: RunScores, columns: Mapping[str, ScoreFrame]
) -> Results:
    """Return the scores of a run with the facts that its ``run.json`` holds of them.

    Args:
        directory: the run.
        scores: its scores; they were gone through, so that what is missing is known.
        columns: the same by task.
    """
    held = directory.information()
    found = Results(
        held.request.model,
        str(directory.path),
        columns,
        scores.protocol.turns + 1,
        scores.missing,
        held.accept_errors,
        scores.reduce,
        protocol=scores.protocol.name,
        settings=held.request.set_protocol,
        replies=Counter(scores.replies),
    )
    if held.request.samples.get("published"):
        found.notes.append("Published questions, in the words of their authors.")
    if not held.comparable:
        found.notes.append("Run with tools: not comparable with runs without.")
    if scores.reduce == "majority" and scores.epochs > 1:
        found.notes.append(
            f"Majority of {scores.epochs} epochs: the commonest equal answer, and where several "
            f"tie, the one given first ({scores.ties} ties)."
        )
    return found


def scored_responses(
    directory: RunDirectory, found: Results, convert: Convert | None = None, scorer: str = STRICT
) -> ScoredResponses:
    """Return the scored responses of a run for a row each.

    Args:
        directory: the run.
        found: its scores in columns.
        convert: what an extractor made of a response that has no readable answer.
        scorer: how replies are read.
    """
    prices = directory.information().prices
    scores = scored_by(directory, "mean", convert, scorer)
    return ScoredResponses(found, scores.with_responses, prices)


def _in_order(held: Turns, epochs: int, turns: int) -> Iterator[Response]:
    """Yield a sample's responses in order, none beyond the epochs and turns asked for."""
    for epoch in range(epochs):
        for turn in range(turns + 1):
            if (epoch, turn) not in held:
                break
            yield held[epoch, turn]
            if held[epoch, turn].error is not None:
                break
