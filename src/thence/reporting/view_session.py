"""Runs that `thence view` shows: read in the background, and again where they are being written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import polars as pl

from thence import families
from thence.core.results import Results
from thence.core.score import Outcome
from thence.core.score_frame import COUNTS
from thence.core.versions import major
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.index_cache import SampleTables, indexed, is_kept, make
from thence.engine.run_index import IndexedRun
from thence.engine.run_information import RunInformation
from thence.errors import ParameterError, ThenceError, UsageError
from thence.reporting.page import ShownRun, run_names
from thence.reporting.view_queries import Queries
from thence.system.log import logger
from thence.system.version import VERSION
from thence.system.workers import cores, pool

_LARGE = 4_000_000  # bytes of a run that a process of its own reads
MOST_RUNS = 200


@dataclass
class _Viewed:
    """A run of a session.

    Attributes:
        path: its folder.
        run: the run once it is read.
        problem: why it cannot be read; empty where it can.
        changes: how often rows were added.
        results: the scores in columns after so many changes.
        counts: the figures of the table of runs, likewise.
    """

    path: Path
    run: IndexedRun | None = None
    problem: str = ""
    changes: int = 0
    results: tuple[int, Results] | None = None
    counts: tuple[int, dict[str, Any]] | None = None


class _Closed(Exception):
    """The session was closed while runs were read."""


class Session:
    """Some runs, as far as they are read.

    Attributes:
        names: of the runs.
        read: set once each run was read or failed.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Check the runs, and begin to read them.

        Raises:
            ParameterError: a path holds no run.
            FileError: a run is damaged, or written by a newer version.
        """
        self._viewed = [_Viewed(path) for path in run_folders(paths)]
        told = [RunDirectory(each.path).information() for each in self._viewed]
        for each, held in zip(self._viewed, told, strict=True):
            _check_version(each.path, held)
        self.names = _names(self._viewed, told)
        self._samples = [held.samples_sha256 or str(place) for place, held in enumerate(told)]
        self._lock = Lock()
        self._queries: tuple[int, Queries] | None = None
        self._known: SampleTables = {}
        self._stop = Event()
        self.read = Event()
        Thread(target=self._read_all, daemon=True).start()

    def close(self) -> None:
        """Leave off reading."""
        self._stop.set()

    def _read_all(self) -> None:
        """Read kept indexes, then small runs, then large ones in processes of their own."""
        try:
            large = []
            for each in sorted(self._viewed, key=lambda each: not is_kept(each.path)):
                if _size(each.path) > _LARGE and not is_kept(each.path):
                    large.append(each)
                else:
                    self._read(each)
            if large and not self._stop.is_set():
                with suppress(_Closed), pool(min(cores(), len(large))) as workers:
                    made = [(each, workers.submit(make, each.path)) for each in large]
                    for each, future in made:
                        future.exception()  # reading the run meets it again
                        if self._stop.is_set():
                            raise _Closed  # ends the workers
                        self._read(each)
        finally:
            self.read.set()

    def _read(self, each: _Viewed) -> None:
        if self._stop.is_set():
            return
        try:
            found = indexed(each.path, self._known)
        except ThenceError as error:
            each.problem = str(error)
        except Exception as error:  # noqa: BLE001 - the other runs are read all the same
            logger("view").exception("%s cannot be read", each.path)
            each.problem = f"{each.path}: {type(error).__name__}: {error}"
        else:
            with self._lock:
                each.run, each.changes = found, each.changes + 1

    def refresh(self) -> None:
        """Take in what was written to the runs since."""
        with self._lock:
            for each in self._viewed:
                if each.run is None:
                    continue
                try:
                    each.changes += each.run.grow()
                except ThenceError as error:
                    each.problem = str(error)

    @property
    def version(self) -> int:
        """A number that grows whenever rows are added."""
        return sum(each.changes for each in self._viewed)

    def run(self, number: int) -> IndexedRun:
        """Return a run that was read.

        Raises:
            LookupError: there is none of this number, or it is not read yet.
        """
        if not 0 <= number < len(self._viewed) or (found := self._viewed[number].run) is None:
            raise LookupError(number)
        return found

    def queries(self) -> Queries:
        """Return the rows of all runs that are read.

        Raises:
            UsageError: none is.
        """
        with self._lock:
            version = self.version
            if self._queries is None or self._queries[0] != version:
                held = {
                    place: each.run
                    for place, each in enumerate(self._viewed)
                    if each.run is not None
                }
                if not held:
                    raise UsageError("no run is read yet")
                indexes = {place: run.index for place, run in held.items()}
                turns = {place: run.turns for place, run in held.items()}
                self._queries = version, Queries(indexes, self._samples, turns)
            return self._queries[1]

    def results(self, number: int) -> Results:
        """Return the scores of a run in columns, under its name here.

        Raises:
            LookupError: as `run`.
        """
        run, each = self.run(number), self._viewed[number]
        with self._lock:
            if each.results is None or each.results[0] != each.changes:
                found = run.results()
                found.model = self.names[number]
                each.results = each.changes, found
            return each.results[1]

    def state(self) -> dict[str, Any]:
        """Return what is known of each run by now, as JSON."""
        return {
            "version": self.version,
            "reading": not self.read.is_set(),
            "runs": [
                {"name": name, "path": str(each.path), "problem": each.problem} | _state(each)
                for name, each in zip(self.names, self._viewed, strict=True)
            ],
        }

    @property
    def ready(self) -> list[int]:
        """Numbers of the runs that are read."""
        return [place for place, each in enumerate(self._viewed) if each.run is not None]

    @property
    def paths(self) -> list[Path]:
        """Folders of the runs."""
        return [each.path for each in self._viewed]


def run_folders(paths: Sequence[Path]) -> list[Path]:
    """Return the runs that some paths name: runs, and folders of runs.

    Raises:
        ParameterError: a path is neither, a run is named twice, or there are too many.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            raise ParameterError("runs", path, "no such folder; name a run, or a folder of runs")
        if RunDirectory(path).exists:
            found.append(path)
            continue
        within = sorted(each for each in path.iterdir() if RunDirectory(each).exists)
        if not within:
            raise ParameterError("runs", path, "is no run and holds none; name a run's folder")
        found += within
    if not found:
        raise ParameterError("runs", None, "name at least one")
    if len({path.resolve() for path in found}) < len(found):
        raise ParameterError("runs", None, "a run is named twice; name each once")
    if len(found) > MOST_RUNS:
        raise ParameterError("runs", len(found), f"too many at once; name at most {MOST_RUNS}")
    return found


def _check_version(path: Path, held: RunInformation) -> None:
    """Refuse a run that a newer version wrote, or whose questions were made by other rules.

    Raises:
        ParameterError: it is one.
    """
    written = held.thence
    if _numbers(written) > _numbers(VERSION):
        reason = f"written by thence {written}, newer than this one ({VERSION}); update thence"
        raise ParameterError("runs", path, reason)
    known = families.tasks()
    for name, version in held.versions.items():
        task = known.get(name)
        if task is None or major(version) not in task.majors:
            here = f"version {task.version} here" if task else "unknown here"
            reason = (
                f"its questions of {name} are of version {version}, {here}; see them by the "
                "version of thence that made them, or run anew"
            )
            raise ParameterError("runs", path, reason)


def _numbers(version: str) -> list[int]:
    """Return the numbers of a version before any word; none for what is no version."""
    found = []
    for part in version.split("."):
        if not part.isdecimal():
            break
        found.append(int(part))
    return found


def _names(viewed: Sequence[_Viewed], told: Sequence[RunInformation]) -> list[str]:
    return run_names(
        [
            ShownRun(
                Results(held.request.model, str(each.path)),
                facts={"protocol": held.request.protocol},
            )
            for each, held in zip(viewed, told, strict=True)
        ]
    )


def _size(path: Path) -> int:
    return sum(
        (path / name).stat().st_size for name in (SAMPLES, RESPONSES) if (path / name).is_file()
    )


def _state(each: _Viewed) -> dict[str, Any]:
    """Return how far a run is read and written, and how much of it is right, as JSON."""
    if each.run is None:
        return {"state": "failed" if each.problem else "reading"}
    if each.counts is None or each.counts[0] != each.changes:
        each.counts = each.changes, _counted(each.run)
    return {"state": "ready", **each.counts[1]}


def _counted(run: IndexedRun) -> dict[str, Any]:
    """Return conversations asked for and done, and of the last turns n and right by family."""
    last = run.index.rows.filter((pl.col("turn") == run.turns - 1) & COUNTS)
    by = last.group_by("family", maintain_order=True).agg(n=pl.len(), right=pl.col("correct").sum())
    errors = run.index.rows["outcome"] == Outcome.PROVIDER_ERROR.value
    return {
        "asked": run.asked,
        "done": run.done,
        "errors": int(errors.sum()),
        "families": [
            {"title": families.families()[str(name)].title, "n": n, "right": right}
            for name, n, right in by.iter_rows()
        ],
    }
