"""A run's directory: what was asked, the samples, every response as it came, the scores.

``responses.jsonl`` is only ever appended to, and a response is in it before it counts, so that
whatever stops a run, going on loses nothing and pays for nothing twice.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thence import __version__
from thence.errors import FileError, UsageError
from thence.files import disk, read_lines, read_samples, replacing, write_samples
from thence.kernel.digest import compact_json, digest
from thence.kernel.sample import Sample
from thence.scoring import Response, Scored

RUN, SAMPLES, RESPONSES, SCORES = "run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"
EXTRACTIONS = "extractions.jsonl"
_LOCK = ".lock"
_FILES = (RUN, SAMPLES, RESPONSES, SCORES, EXTRACTIONS)
_OURS = (*_FILES, _LOCK)


def fingerprint(request: Mapping[str, Any]) -> str:
    """The hash that tells runs apart: two runs of one fingerprint are the same run."""
    return digest(dict(request), size=8)


def default_folder(model: str, tasks: Iterable[str], request: Mapping[str, Any]) -> Path:
    """``runs/<model>-<tasks>-<hash of the request>``."""
    name = "-".join([model, *tasks])
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:80]
    return Path("runs") / f"{slug}-{fingerprint(request)[:10]}"


class RunDirectory:
    """One run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / RUN).is_file()

    def information(self) -> dict[str, Any]:
        """The contents of ``run.json``.

        Raises:
            FileError: there is none, or it is not ours.
        """
        if not self.path.is_dir():
            raise FileError(f"{self.path}: no such run directory")
        file = self.path / RUN
        if not file.is_file():
            raise FileError(f"{self.path}: not a run directory: it has no {RUN}")
        with disk(file):
            text = file.read_bytes()
        try:
            held = json.loads(text)
            if isinstance(held["request"], dict) and isinstance(held["fingerprint"], str):
                return dict(held)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise FileError(f"{file}: damaged or not written by thence")

    def write_information(self, held: Mapping[str, Any]) -> None:
        """Replaces ``run.json``."""
        with replacing(self.path / RUN) as part:
            text = json.dumps({"thence": __version__, **held}, indent=2, ensure_ascii=True)
            part.write_text(text + "\n", encoding="utf-8")

    def check(self, request: Mapping[str, Any], *, overwrite: bool) -> None:
        """Refuses a folder that cannot hold this run, before anything is written.

        Raises:
            FileError: it holds another run, or something that is no run, or is a file.
        """
        if self.exists and not overwrite:
            self._check_same(request)
        elif self.path.exists():
            self._check_replaceable()

    def begin(
        self, request: Mapping[str, Any], samples: Iterable[Sample], *, overwrite: bool
    ) -> bool:
        """Makes the directory hold this run; returns whether it goes on from an earlier start."""
        if self.exists and not overwrite and (self.path / SAMPLES).is_file():
            return True
        with disk(self.path):
            for name in _FILES:
                (self.path / name).unlink(missing_ok=True)
        write_samples(self.path / SAMPLES, samples)
        self.write_information({"fingerprint": fingerprint(request), "request": dict(request)})
        return False

    def _check_same(self, request: Mapping[str, Any]) -> None:
        held = self.information()
        if held["fingerprint"] == fingerprint(request):
            return
        before = held["request"]
        changed = [name for name in {**before, **request} if before.get(name) != request.get(name)]
        raise FileError(
            f"-o {self.path}: holds another run (it differs in {', '.join(changed)}); "
            "choose another folder, or give --overwrite to replace it"
        )

    def _check_replaceable(self) -> None:
        if not self.path.is_dir():
            raise FileError(f"-o {self.path}: is a file; name a folder")
        strange = sorted(each.name for each in self.path.iterdir() if each.name not in _OURS)
        if strange:
            raise FileError(
                f"-o {self.path}: holds {strange[0]}, which is no part of a run; "
                "name another folder"
            )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other processes from writing this run.

        Raises:
            UsageError: one does already.
        """
        with disk(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UsageError(
                    f"{self.path}: another process is writing this run; wait for it or choose "
                    "another folder with -o"
                ) from error
            yield
        finally:
            os.close(handle)
            if [each.name for each in self.path.iterdir()] == [_LOCK]:  # nothing was begun
                (self.path / _LOCK).unlink()
                self.path.rmdir()

    def samples(self) -> Iterator[Sample]:
        """The samples of the run."""
        return read_samples(self.path / SAMPLES)

    def responses(self, name: str = RESPONSES) -> Iterator[Response]:
        """Every response in the order in which it came.

        Args:
            name: of the file.

        Raises:
            FileError: a line that is not a response. A last line without an end is passed over:
                it was being written when the run was stopped.
        """
        path = self.path / name
        if not path.is_file():
            return
        whole = _whole_length(path)
        for number, row in read_lines(path, whole):
            try:
                yield Response.from_json(row)
            except ValueError as error:
                raise FileError(f"{path}:{number}: not a response: {error}") from error

    def latest(self, name: str = RESPONSES) -> dict[str, dict[tuple[int, int], Response]]:
        """The responses that stand, by sample and (epoch, turn): the last one that is no error."""
        held: dict[str, dict[tuple[int, int], Response]] = {}
        for response in self.responses(name):
            turns = held.setdefault(response.id, {})
            place = (response.epoch, response.turn)
            if place not in turns or response.error is None:
                turns[place] = response
        return held

    def write_scores(self, rows: Iterable[Scored]) -> None:
        """Writes ``scores.jsonl`` anew."""
        with replacing(self.path / SCORES) as part, part.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(compact_json(row.to_json()) + "\n")


class ResponseLog:
    """Appends responses to a run; whatever `append` returned from is in the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.mended = False

    def __enter__(self) -> Self:
        with disk(self._path):
            if self._path.is_file():
                whole = _whole_length(self._path)
                if whole < self._path.stat().st_size:
                    os.truncate(self._path, whole)
                    self.mended = True
            self._handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._handle)

    def append(self, response: Response) -> None:
        """Writes one line.

        Raises:
            DiskError: the disk did not take it; what was written of it is a torn last line.
        """
        data = (compact_json(response.to_json()) + "\n").encode()
        with disk(self._path):
            while data:
                data = data[os.write(self._handle, data) :]


def _whole_length(path: Path) -> int:
    """Bytes up to and with the last line end."""
    with disk(path), path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0
