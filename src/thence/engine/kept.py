"""The scores of a run held for tables and pages, without what only a reader of samples needs.

A page goes through the scores again and again, and of 50,000 samples most of the memory is prompts
and procedures. They stay on disk, and are fetched sample by sample.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator

from thence.engine.directory import SAMPLES, RunDirectory
from thence.engine.lines import parse
from thence.engine.results import Rows, results
from thence.kernel.disk import disk
from thence.kernel.sample import Sample
from thence.scoring import Response, Results, Scored

_NONE = Sample("", "", "", "", "", None)
_BEGIN = b'{"id":"'


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
        kept: list[Scored] = []

        def keep(rows: Iterable[Scored]) -> Iterator[Scored]:
            whole: Sample | None = None
            light = _NONE
            for row in rows:
                if row.sample is not whole:
                    whole, light = row.sample, row.sample.light()
                made = Scored(light, row.epoch, row.turn, row.score, row.latency, row.tied)
                kept.append(made)
                yield made

        self.results: Results = results(directory, keep=keep)
        rows = self.results.rows
        self._stored = rows.stored if isinstance(rows, Rows) else directory.stored()
        self.results.rows = kept

    def find(self, row: Scored) -> tuple[Sample, Response | None]:
        """The whole sample of a score, and what came back."""
        if not self._places:
            self._places = dict(self._lines())
            with disk(self._path):
                self._descriptor = os.open(self._path, os.O_RDONLY)
            weakref.finalize(self, os.close, self._descriptor)
        start, length = self._places[row.sample.id]
        with disk(self._path):
            line = os.pread(self._descriptor, length, start)
        sample = Sample.from_json(parse(line))
        return sample, self._stored.of(row.sample.id).get((row.epoch, row.turn))

    def _lines(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Where the line of each sample begins, and its length."""
        start = 0
        with disk(self._path), self._path.open("rb") as file:
            for line in file:
                name, end, _ = line[len(_BEGIN) :].partition(b'"')
                plain = line.startswith(_BEGIN) and end and b"\\" not in name
                yield (name.decode() if plain else str(parse(line).get("id"))), (start, len(line))
                start += len(line)
