"""Index of a run kept in a folder within it, and made anew where the run has changed."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from thence.core.digest import digest
from thence.engine.directory import INDEX, RESPONSES, SAMPLES, RunDirectory
from thence.engine.run_index import Index, IndexedRun
from thence.errors import DiskError
from thence.system.disk import disk, replacing
from thence.system.version import VERSION

_FORM = 3  # of these files
_TABLES = ("samples", "responses", "rows")
_TAIL = 4096  # bytes before the place that was read up to, which are compared


type SampleTables = dict[tuple[Any, ...], pl.DataFrame]
"""Tables of samples by hash and size of the file, for runs of one file of samples."""


def indexed(path: Path, known: SampleTables | None = None) -> IndexedRun:
    """Return a run with its index: the one that was kept, with what was written since.

    Args:
        path: the run.
        known: tables that were read for other runs, to which this run's is added; they are most
            of an index, and runs to compare have the same one.

    Raises:
        FileError: the run cannot be read.
    """
    directory = RunDirectory(path)
    run = IndexedRun(directory, _kept(directory, {} if known is None else known))
    if run.grow():
        _keep(run)
    return run


def make(path: Path) -> None:
    """Make and keep the index of a run where there is none, or an old one; for a worker process.

    Raises:
        FileError: the run cannot be read.
    """
    indexed(path)


def is_kept(path: Path) -> bool:
    """Tell whether an index of all that a run holds is kept."""
    directory = RunDirectory(path)
    told = _told(directory)
    return told is not None and told["responses"] == _stamp(path / RESPONSES)


def _kept(directory: RunDirectory, known: SampleTables) -> Index | None:
    """Return the index that was kept; None where it does not fit the run."""
    told = _told(directory)
    if told is None:
        return None
    folder = directory.path / INDEX
    # A run whose samples have no hash yet shares them with none.
    name = directory.information().samples_sha256 or str(directory.path)
    key = (name, told["samples"][0])
    try:
        if (samples := known.get(key)) is None:
            samples = known[key] = pl.read_ipc(folder / "samples.arrow")
        responses, rows = (pl.read_ipc(folder / f"{table}.arrow") for table in _TABLES[1:])
    except (OSError, pl.exceptions.PolarsError):
        return None
    return Index(samples, responses, rows, told["metrics"], told["read"])


def _told(directory: RunDirectory) -> dict[str, Any] | None:
    """Return what was noted with an index; None where it is not of this run as it is now."""
    path = directory.path
    try:
        told = json.loads((path / INDEX / "index.json").read_bytes())
        fits = (
            told["of"] == _of(directory)
            and told["samples"] == _stamp(path / SAMPLES)
            and (
                told["responses"] == (now := _stamp(path / RESPONSES))
                or (now[0] > told["read"] and told["tail"] == _tail(path, told["read"]))
            )
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
    return told if fits else None


def _keep(run: IndexedRun) -> None:
    """Write an index down, unless the run lies where nothing can be written."""
    directory, index = run.directory, run.index
    folder = directory.path / INDEX
    told = {
        "of": _of(directory),
        "samples": _stamp(directory.path / SAMPLES),
        "responses": _stamp(directory.path / RESPONSES),
        "read": index.read,
        "tail": _tail(directory.path, index.read),
        "metrics": {task: list(names) for task, names in index.metrics.items()},
    }
    with suppress(DiskError), disk(folder):
        folder.mkdir(exist_ok=True)
        (folder / "index.json").unlink(missing_ok=True)  # while the tables are of two times
        for name in _TABLES:
            with replacing(folder / f"{name}.arrow") as part:
                getattr(index, name).write_ipc(part)
        with replacing(folder / "index.json") as part:
            part.write_text(json.dumps(told), encoding="utf-8")


def _of(directory: RunDirectory) -> str:
    """Return a hash of all that an index follows from, but for samples and responses."""
    held = directory.information()
    versions = [held.fingerprint, held.identity, held.versions]
    return digest(_FORM, VERSION, versions, held.request.epochs)


def _stamp(path: Path) -> list[int]:
    """Return size and time of change of a file; nothing where there is none."""
    try:
        held = path.stat()
    except FileNotFoundError:
        return [0, 0]
    return [held.st_size, held.st_mtime_ns]


def _tail(path: Path, end: int) -> str:
    """Return a hash of the bytes before a place in the responses."""
    if not end:
        return ""
    with (path / RESPONSES).open("rb") as file:
        file.seek(max(0, end - _TAIL))
        return digest(file.read(min(end, _TAIL)).hex())
