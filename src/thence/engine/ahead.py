"""Scoring while the model answers.

A run waits for most of its time. Samples are scored in their order, each as soon as its last
conversation is over, whenever nothing else is to be done; what is left of them is scored in the
end. Where a response stands in the file is all that is held of it meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Iterator
from contextlib import suppress

from thence.core.sample import Sample
from thence.engine.directory import RESPONSES, RunDirectory
from thence.engine.json_lines import parse
from thence.engine.response_index import Stored, standing
from thence.engine.run_scores import Rows, described
from thence.engine.score_file import ScoreFile
from thence.scoring.judge import Response
from thence.scoring.results import Results
from thence.scoring.tally import Tally
from thence.system.disk import disk

_SLICE = 0.002  # seconds for which replies that come meanwhile have to wait
_PAUSE = 0.005  # seconds until it is looked again where others have work to do
_REST = 0.05  # seconds until it is looked again where no sample is ready
_TOUCH = 0.00025  # seconds that the event loop takes to find that nobody has any


class Ahead:
    """The scores of a run, made while it goes on.

    Args:
        directory: the run.
        rows: how it is scored.
        stored: the responses that were on disk when it began.
        file: takes the scores.
    """

    def __init__(
        self, directory: RunDirectory, rows: Rows, stored: Stored, file: ScoreFile
    ) -> None:
        self._directory = directory
        self._rows = rows
        self._stored = stored
        self._file = file
        self._tally = Tally(rows.asked.turns + 1)
        self._samples = directory.samples()
        self._scored = 0
        self._each = rows.epochs * (rows.asked.turns + 1)  # responses to a sample
        self._over = array("I")  # by sample: conversations that are over
        self._starts = array(
            "Q"
        )  # by response: where its line begins, plus 1; 0 where there is none

    def wrote(self, sample: int, epoch: int, turn: int, start: int) -> None:
        """A response was written down.

        Args:
            sample: 0-based place in the order of the samples.
            epoch: 0-based.
            turn: 0-based.
            start: where its line begins in the file.
        """
        place = sample * self._each + epoch * (self._rows.asked.turns + 1) + turn
        self._starts.extend([0] * (place + 1 - len(self._starts)))
        self._starts[place] = start + 1

    def over(self, sample: int) -> None:
        """A conversation about the sample at that place will not go on in this run."""
        self._over.extend([0] * (sample + 1 - len(self._over)))
        self._over[sample] += 1

    async def follow(self) -> None:
        """Scores what is ready whenever nobody else has anything to do, until it is cancelled.

        Raises:
            DiskError: a score could not be written.
        """
        while True:
            await asyncio.sleep(_PAUSE if self._ready() else _REST)
            while self._ready() and await _idle():
                end = time.thread_time() + _SLICE
                while self._ready() and time.thread_time() < end:
                    self._score(next(self._samples))

    def results(self) -> Results:
        """All scores, once those that are left are made.

        Raises:
            DiskError: one could not be written.
        """
        for sample in self._samples:
            self._score(sample)
        return described(self._directory, self._rows, self._tally)

    def _ready(self) -> bool:
        return self._scored < len(self._over) and self._over[self._scored] >= self._rows.epochs

    def _score(self, sample: Sample) -> None:
        turns = standing(self._responses(sample))
        self._scored += 1
        for row in self._rows.of(sample, turns):
            self._file.write(row)
            self._tally.add(row)

    def _responses(self, sample: Sample) -> Iterator[Response]:
        """Every response to the sample whose turn it is, in the order in which they came."""
        yield from self._stored.read(sample.id)
        first = self._scored * self._each
        starts = [start - 1 for start in self._starts[first : first + self._each] if start]
        if not starts:
            return
        path = self._directory.path / RESPONSES
        with disk(path):
            if not hasattr(self, "_lines"):
                self._lines = path.open("rb")
            for start in sorted(starts):
                self._lines.seek(start)
                yield Response.checked(parse(self._lines.readline()))

    def close(self) -> None:
        """Closes the file of responses."""
        with suppress(AttributeError):
            self._lines.close()


async def _idle() -> bool:
    """Whether nobody else has anything to do: all who have do it in two turns of the event loop.

    That is told by the time of the processor, as other processes may take it from us.
    """
    begun = time.thread_time()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return time.thread_time() - begun < _TOUCH
