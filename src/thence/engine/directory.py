"""A run's directory: what was asked, the samples, every response as it came, the scores.

``responses.jsonl`` is only ever appended to, and a response is in it before it counts, so that
whatever stops a run, going on loses nothing and pays for nothing twice.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thence import __version__
from thence.errors import FileError, UsageError
from thence.files import read_samples, write_samples
from thence.kernel.digest import compact_json, digest
from thence.kernel.disk import disk, read_lines, replacing
from thence.kernel.sample import Sample
from thence.scoring import Response, Scored
from thence.sources import checked_samples

RUN, SAMPLES, RESPONSES, SCORES = "run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"
EXTRACTIONS = "extractions.jsonl"
_LOCK = ".lock"
_FILES = (RUN, SAMPLES, RESPONSES, SCORES, EXTRACTIONS)
_OURS = (*_FILES, _LOCK)


def fingerprint(request: Mapping[str, Any]) -> str:
    """The hash that tells runs apart: two runs of one fingerprint are the same run.

    More epochs of a run are more of the same run.
    """
    return digest({**request, "epochs": None}, size=8)


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
            request = held["request"]
            texts = (held["fingerprint"], request["protocol"], request["model"])
            if all(isinstance(text, str) for text in texts) and int(request["epochs"]) >= 1:
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
        for place in (self.path, *self.path.parents):
            if place.exists() and not place.is_dir():
                raise FileError(f"-o {self.path}: {place} is a file; name a folder")
        if self.exists and not overwrite:
            self._check_same(request)
        elif self.path.is_dir():
            self._check_ours()

    def begin(self, request: Mapping[str, Any], samples: Iterable[Sample]) -> None:
        """Makes the directory hold this run; goes on where the same run was begun before.

        What another run left is deleted only once the new samples are whole.
        """
        same = self.exists and self.information()["fingerprint"] == fingerprint(request)
        if same and (self.path / SAMPLES).is_file():
            return
        fresh = self.path / f".{SAMPLES}.new.part"
        write_samples(fresh, samples)
        with disk(self.path):
            for name in () if same else _FILES:
                (self.path / name).unlink(missing_ok=True)
            if not same:
                held = {"fingerprint": fingerprint(request), "request": dict(request)}
                self.write_information(held)
            fresh.replace(self.path / SAMPLES)

    def restart(self) -> None:
        """Forgets the responses and scores of the run, so that it begins anew."""
        with disk(self.path):
            for name in (RESPONSES, SCORES, EXTRACTIONS):
                (self.path / name).unlink(missing_ok=True)

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

    def _check_ours(self) -> None:
        """Nothing may lie here but a run of ours: a user's file is not deleted for its name."""
        names = {each.name for each in self.path.iterdir() if not _is_part(each.name)}
        strange = sorted(names - set(_OURS if self.exists else (_LOCK,)))
        if strange:
            raise FileError(
                f"-o {self.path}: holds {strange[0]}, which is no part of a run; "
                "name another folder"
            )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other processes from writing this run; makes its folder.

        A folder in which nothing was begun is taken away again, with the parents made for it.

        Raises:
            UsageError: another process writes this run already.
        """
        made = [each for each in (self.path, *self.path.parents) if not each.exists()]
        with disk(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise UsageError(
                f"{self.path}: another process is writing this run; wait for it or choose "
                "another folder with -o"
            ) from error
        try:
            yield
        finally:
            left = {each.name for each in self.path.iterdir() if not _is_part(each.name)}
            if left == {_LOCK} and self.path in made:
                shutil.rmtree(self.path)
                with suppress(OSError):  # another run may lie beside it by now
                    for parent in made[1:]:
                        parent.rmdir()
            os.close(handle)

    def tasks(self) -> list[str]:
        """The names of the tasks of its samples, in order."""
        return list(dict.fromkeys(sample.task for sample in read_samples(self.path / SAMPLES)))

    def samples(self) -> Iterator[Sample]:
        """The samples of the run, each checked against its task.

        Raises:
            FileError: they were made by another version, or are damaged.
        """
        return checked_samples(self.path / SAMPLES)

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
            before = turns.get((response.epoch, response.turn))
            if before is not None and before.key != response.key:
                # What was asked has changed, so what followed the old reply stands no longer.
                for epoch, turn in list(turns):
                    if epoch == response.epoch and turn >= response.turn:
                        del turns[epoch, turn]
                before = None
            if before is None or before.error is not None or response.error is None:
                turns[response.epoch, response.turn] = response
        return held

    def write_scores(self, rows: Iterable[Scored]) -> None:
        """Writes ``scores.jsonl`` anew."""
        with replacing(self.path / SCORES) as part, part.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(compact_json(row.to_json()) + "\n")


class ResponseLog:
    """Appends responses to a run; whatever `append` returned from is in the file.

    Attributes:
        mended: whether the last line was torn when the file was opened; it was taken off.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.mended = False

    def __enter__(self) -> Self:
        with disk(self._path):
            if self._path.is_file():
                self._mend()
            self._handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        return self

    def _mend(self) -> None:
        """Takes a torn last line off; one that only lacks its end is ended."""
        whole = _whole_length(self._path)
        with self._path.open("r+b") as file:
            file.seek(whole)
            rest = file.read()
            if not rest:
                return
            try:
                complete = isinstance(json.loads(rest), dict)
            except ValueError:
                complete = False
            if complete:
                file.write(b"\n")
            else:
                file.truncate(whole)
                self.mended = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._handle)

    def append(self, response: Response) -> None:
        """Writes one line, or nothing.

        Raises:
            DiskError: the disk did not take it.
        """
        data = (compact_json(response.to_json()) + "\n").encode()
        with disk(self._path):
            before = os.fstat(self._handle).st_size
            try:
                while data:
                    data = data[os.write(self._handle, data) :]
            except OSError:
                with suppress(OSError):  # a device has no length; the next start mends the line
                    os.ftruncate(self._handle, before)
                raise


def _is_part(name: str) -> bool:
    """Whether a file is what an interrupted replacement left of a file of ours."""
    plain = name.lstrip(".")
    return name.endswith(".part") and any(plain.startswith(f"{ours}.") for ours in _FILES)


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
