"""The scores of a run held for tables and pages, without what only a reader of samples needs.

A page goes through the scores again and again, and of 50,000 samples most of the memory is prompts
and procedures. They stay on disk, and are fetched sample by sample.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from thence.engine import lines
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.results import Rows, described, scored_by
from thence.engine.stored import Held, Stored
from thence.kernel.aside import aside
from thence.kernel.disk import disk
from thence.kernel.sample import Sample
from thence.kernel.score import NO_VALUES, Score
from thence.scoring import Response, Results, Scored
from thence.tally import Tally

_BEGIN = b'{"id":"'
_ROOM = 150_000_000  # bytes of responses that are held in memory; more are read when needed
_LARGE = 10_000_000  # bytes of samples from which on two processes are quicker than one

type _Row = tuple[tuple[Any, ...], int, int, tuple[Any, ...], float | None, bool]


class Kept:
    """A run, its scores in memory and the rest on disk.

    Attributes:
        results: the scores; their samples lack the prompt and what describes a procedure.
    """

    def __init__(self, directory: RunDirectory) -> None:
        """Scores what the run holds so far, once.

        Raises:
            FileError: the run cannot be read, or was made by another version.
        """
        self._path = directory.path / SAMPLES
        self._places: dict[str, tuple[int, int]] = {}
        self._descriptor = -1
        directory.information()  # refused before anything is read
        with ThreadPoolExecutor(1) as beside:  # the hash of the samples keeps no other work waiting
            trusted = beside.submit(lambda: self._path.is_file() and directory.trusted)
            self._responses = _responses(directory)
            trusted.result()
        held = self._responses if isinstance(self._responses, Held) else None
        rows = scored_by(directory, held=held)
        kept: list[Scored] = []

        def keep() -> Iterator[Scored]:
            for row in self._gone_through(directory, rows):
                kept.append(row)
                yield row

        tally = Tally(rows.asked.turns + 1, keep())
        self.results: Results = described(directory, rows, tally)
        self.results.rows = kept

    def _gone_through(self, directory: RunDirectory, rows: Rows) -> Iterator[Scored]:
        """The light scores of all samples, those of the second half made by another process."""
        size = self._path.stat().st_size if self._path.is_file() else 0
        if size < _LARGE or not directory.trusted:
            yield from _light(rows, directory.samples())
            return
        middle = _line_after(self._path, size // 2)

        def second() -> tuple[Sequence[_Row], int, int]:
            rows.missing = rows.ties = 0
            made = _packed(_light(rows, lines.samples(self._path, middle)))
            return made, rows.missing, rows.ties

        rest = aside(second)
        yield from _light(rows, lines.samples(self._path, 0, middle))
        missing, ties = rows.missing, rows.ties
        packed, more_missing, more_ties = rest()
        rows.missing, rows.ties = missing + more_missing, ties + more_ties
        yield from _unpacked(packed)

    def find(self, row: Scored) -> tuple[Sample, Response | None]:
        """The whole sample of a score, and what came back."""
        self.open()
        start, length = self._places[row.sample.id]
        with disk(self._path):
            line = os.pread(self._descriptor, length, start)
        sample = Sample.from_json(lines.parse(line))
        return sample, self._responses.of(row.sample.id).get((row.epoch, row.turn))

    def open(self) -> None:
        """Notes where each sample stands, once."""
        if self._places or self._descriptor >= 0:
            return
        self._places = dict(self._lines())
        with disk(self._path):
            self._descriptor = os.open(self._path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._descriptor)

    def _lines(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Where the line of each sample begins, and its length."""
        start = 0
        with disk(self._path), self._path.open("rb") as file:
            for line in file:
                end = line.find(b'"', len(_BEGIN))
                name = line[len(_BEGIN) : end]
                plain = line.startswith(_BEGIN) and name and b"\\" not in name
                yield (
                    name.decode() if plain else str(lines.parse(line).get("id")),
                    (start, len(line)),
                )
                start += len(line)


def _responses(directory: RunDirectory) -> Held | Stored:
    path = directory.path / RESPONSES
    small = not path.is_file() or path.stat().st_size <= _ROOM
    return Held(path) if small else Stored(path)


def _line_after(path: Path, place: int) -> int:
    """Where the first line begins after some place in a file."""
    with disk(path), path.open("rb") as file:
        file.seek(place)
        return place + len(file.readline())


def _light(rows: Rows, samples: Iterable[Sample]) -> Iterator[Scored]:
    """The scores of some samples, without what describes their procedures."""
    stored = rows.stored
    for whole in samples:
        made = rows.of(whole, stored.of(whole.id))
        if made:
            light = whole.light()
            for row in made:
                yield Scored(light, row.epoch, row.turn, row.score, row.latency, row.tied)


def _packed(rows: Iterable[Scored]) -> list[_Row]:
    """Scores as plain tuples, which go from process to process in a fifth of the time."""
    made: list[_Row] = []
    sample: Sample | None = None
    told: tuple[Any, ...] = ()
    for row in rows:
        if row.sample is not sample:
            sample = row.sample
            told = (
                sample.id, sample.family, sample.task, sample.version, sample.input,
                sample.target, sample.metadata,
            )  # fmt: skip
        score = row.score
        values = dict(score.values) or None
        score_told = score.outcome, score.answer, score.rule, values, score.explanation
        made.append((told, row.epoch, row.turn, score_told, row.latency, row.tied))
    return made


def _unpacked(rows: Iterable[_Row]) -> Iterator[Scored]:
    before: tuple[Any, ...] | None = None
    for told, epoch, turn, (outcome, answer, rule, values, explanation), latency, tied in rows:
        if told is not before:
            sample, before = Sample(*told), told
        score = Score(outcome, answer, rule, values or NO_VALUES, explanation)
        yield Scored(sample, epoch, turn, score, latency, tied)
