"""The scores of a run held for tables and pages, without what only a reader of samples needs.

A page goes through the scores again and again, and of 50,000 samples most of the memory is prompts
and procedures. They stay on disk, and are fetched sample by sample.
"""

from __future__ import annotations

import os
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from thence.core.sample import Sample
from thence.engine import json_lines
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.packing import packed, unpacked
from thence.engine.response_index import Held, Stored
from thence.engine.run_scores import Rows, described, scored_by
from thence.scoring.judge import Response, Scored
from thence.scoring.results import Results
from thence.system.aside import aside, queue
from thence.system.disk import disk

_BEGIN, _TASK = b'{"id":"', b'"task":"'  # of a line as we write it; within texts quotes are escaped
_ROOM = 150_000_000  # bytes of responses that are held in memory; more are read when needed
_LARGE = 1_000_000  # bytes of samples from which on two processes are quicker than one
_PIECES = 32  # of the samples, that two processes share out between them

type _Places = dict[str, tuple[int, int]]
"""Where the line of each sample begins, and its length."""

type _Pieces = tuple[dict[int, list[Scored]], _Places, int, int]
"""The scores of some pieces by their numbers, places, what is missing there, and the ties."""


class Kept:
    """A run, its scores in memory and the rest on disk.

    Attributes:
        directory: the run.
    """

    def __init__(self, directory: RunDirectory) -> None:
        """Reads what came back so far; it is scored when the results are first asked for.

        Raises:
            FileError: the run cannot be read.
        """
        self.directory = directory
        self._path = directory.path / SAMPLES
        self._places: _Places = {}
        self._descriptor = -1
        directory.information()  # refused before anything is read
        with ThreadPoolExecutor(1) as beside:  # the hash of the samples keeps no other work waiting
            trusted = beside.submit(lambda: self._path.is_file() and directory.trusted)
            self._responses = _responses(directory)
            trusted.result()

    @cached_property
    def results(self) -> Results:
        """The scores; their samples lack the prompt and what describes a procedure.

        Raises:
            FileError: the samples cannot be read, or were made by another version.
        """
        rows = scored_by(self.directory, held=self._responses)
        scored = list(self._scored(rows))
        made = described(self.directory, rows)
        made.rows = scored
        return made

    def first(self, most: int) -> Iterator[Sample]:
        """The first samples of each task that were answered, whole; few others are parsed.

        Args:
            most: of a task.
        """
        counts: Counter[str | bytes] = Counter()
        for task, sample in self._by_task():
            if counts[task] < most and self._responses.of((made := sample()).id):
                counts[task] += 1
                yield made

    def _by_task(self) -> Iterator[tuple[str | bytes, Callable[[], Sample]]]:
        """What tells the task of each sample, and what makes it."""
        if not (self._path.is_file() and self.directory.trusted):
            for sample in self.directory.samples():
                yield sample.task, lambda sample=sample: sample  # type: ignore[misc]
            return
        with disk(self._path), self._path.open("rb") as file:
            for line in file:
                begin = line.find(_TASK) + len(_TASK)
                yield line[begin : line.find(b'"', begin)], partial(json_lines.sample, line)

    def _scored(self, rows: Rows) -> Iterator[Scored]:
        """The light scores of all samples; of many, two processes make them piece by piece.

        Each takes the next piece whenever it is free, as some tasks take far longer to read.
        """
        size = self._path.stat().st_size if self._path.is_file() else 0
        if size < _LARGE or not self.directory.trusted:
            yield from _light(rows, self.directory.samples())
            return
        ends = [_line_after(self._path, size * n // _PIECES) for n in range(1, _PIECES)]
        pieces = list(pairwise((0, *ends, size)))

        def samples(number: int) -> Iterator[Sample]:
            for sample, start, length in json_lines.placed(self._path, *pieces[number]):
                self._places[sample.id] = start, length
                yield sample

        def piece(number: int) -> Iterator[Scored]:
            return _light(rows, samples(number))

        with queue(_PIECES) as numbers:

            def others() -> _Pieces:
                rows.missing = rows.ties = 0
                self._places.clear()
                held = {number: list(piece(number)) for number in numbers}
                return held, self._places, rows.missing, rows.ties

            beside = aside(others, pack=_packed, unpack=_unpacked)
            own = {number: list(piece(number)) for number in numbers}
            missing, ties = rows.missing, rows.ties
            places, self._places = self._places, {}
            found, more, more_missing, more_ties = beside()
        self._places = places | more
        rows.missing, rows.ties = missing + more_missing, ties + more_ties
        found |= own
        for number in range(_PIECES):  # those that came to grief with the other process are made
            yield from found[number] if number in found else piece(number)

    def find(self, row: Scored) -> tuple[Sample, Response | None]:
        """The whole sample of a score, and what came back."""
        self.open()
        start, length = self._places[row.sample.id]
        with disk(self._path):
            line = os.pread(self._descriptor, length, start)
        return json_lines.sample(line), self._responses.of(row.sample.id).get((row.epoch, row.turn))

    def open(self) -> None:
        """Notes where each sample stands, once."""
        if self._descriptor >= 0:
            return
        self._places = self._places or dict(self._lines())
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
                    name.decode() if plain else str(json_lines.parse(line).get("id")),
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


def _packed(made: _Pieces) -> Any:
    scores, *others = made
    return {number: packed(rows) for number, rows in scores.items()}, *others


def _unpacked(sent: Any) -> _Pieces:
    scores, places, missing, ties = sent
    return {number: unpacked(rows) for number, rows in scores.items()}, places, missing, ties
