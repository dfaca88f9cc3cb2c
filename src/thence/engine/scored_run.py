"""The scores of a run for tables and pages, with the long texts of its samples left on disk.

A page goes through the scores again and again, and of 50,000 samples most of the memory is prompts
and procedures. These are fetched sample by sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from thence.analysis.error_kinds import AnswerKey
from thence.core.results import Results
from thence.core.sample import Sample
from thence.engine import json_lines
from thence.engine.corrected_scores import Corrections, refuse_votes
from thence.engine.directory import SAMPLES, RunDirectory
from thence.engine.run_scores import RunScores, described, scored_by
from thence.engine.sent_messages import SentMessages
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Response, Scored
from thence.system.disk import FileSlices, disk


class ScoredRun:
    """A run with its scores in memory, and its samples and responses on disk.

    Attributes:
        directory: the run.
    """

    def __init__(self, directory: RunDirectory, accepted: set[AnswerKey] | None = None) -> None:
        """Find the responses of a run; they are scored when they are first asked for.

        Args:
            directory: the run.
            accepted: answers that count as right by corrections, for a second column of scores.

        Raises:
            FileError: the run cannot be read.
            ParameterError: there are corrections, and the run's epochs are a vote.
        """
        self.directory = directory
        self._scores = scored_by(directory)
        self._corrections = None if accepted is None else Corrections(accepted)
        if accepted is not None:
            refuse_votes(directory, self._scores.reduce)

    @cached_property
    def rows(self) -> list[Scored]:
        """The scores; their samples lack the prompt and the description of the procedure.

        Raises:
            FileError: the samples cannot be read, or were made by another version.
        """
        rows, turns = _light(self._scores), self._scores.protocol.turns
        held = self._corrections
        return list(rows if held is None else held.added(rows, self._model, turns))

    @cached_property
    def results(self) -> Results:
        """The scores in columns; fails as `rows` does."""
        found = described(self.directory, self._scores, frames(self.rows))
        if self._corrections is not None:
            found.notes.append(self._corrections.note(self._model))
        return found

    @property
    def _model(self) -> str:
        return self.directory.information().request.model

    def find(self, row: Scored) -> tuple[Sample, Response | None]:
        """Return the whole sample of a score, and the response that was scored."""
        line = self._slices.read(*self._places[row.sample.id])
        responses = self._scores.responses.of(row.sample.id)
        return json_lines.sample(line), responses.get((row.epoch, row.turn))

    def sent(self, row: Scored, sample: Sample) -> Sequence[Mapping[str, str]] | None:
        """Return the messages to which a scored response came; None where they are not known."""
        if self._messages.prompt_alone:  # the common case, for little
            return ({"role": "user", "content": sample.input},)
        held = self._scores.responses.of(row.sample.id)
        return self._messages.of(sample, row.epoch, row.turn, held)

    @cached_property
    def _messages(self) -> SentMessages:
        return SentMessages(self.directory.information().request)

    @cached_property
    def _slices(self) -> FileSlices:
        return FileSlices(self.directory.path / SAMPLES)

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """By sample: where its line begins, and its length."""
        path = self.directory.path / SAMPLES
        found, start = {}, 0
        with disk(path), path.open("rb") as file:
            for line in file:
                found[json_lines.id_of(line)] = start, len(line)
                start += len(line)
        return found


def _light(scores: RunScores) -> Iterator[Scored]:
    """Yield the scores of a run, their samples without the description of the procedure."""
    light: Sample | None = None
    for row in scores:
        if light is None or light.id != row.sample.id:  # the rows of a sample come together
            light = row.sample.light()
        yield Scored(light, row.epoch, row.turn, row.score, row.latency, row.tied)
