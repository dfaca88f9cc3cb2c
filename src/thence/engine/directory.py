"""A run's directory: what was asked, the samples, every response as it came, the scores.

``responses.jsonl`` is only ever appended to, and a response is in it before it counts, so that
whatever stops a run, going on loses nothing and pays for nothing twice.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from thence import __version__, families
from thence.core.digest import digest
from thence.core.sample import Sample
from thence.engine import json_lines
from thence.engine.directory_lock import locked
from thence.engine.response_index import Stored
from thence.engine.score_file import ScoreFile
from thence.errors import DiskError, FileError, UsageError
from thence.generation.sample_files import read_samples, write_samples
from thence.generation.sources import checked_samples
from thence.scoring.judge import Response, Scored
from thence.system.disk import disk, file_hash, replacing

RUN, SAMPLES, RESPONSES, SCORES = "run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"
EXTRACTIONS = "extractions.jsonl"
_LOCK = ".lock"
_FILES = (RUN, SAMPLES, RESPONSES, SCORES, EXTRACTIONS)
_OURS = (*_FILES, _LOCK)
_SHORT = 80  # characters of two values that an error shows


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


class _Counting:
    """Passes samples on, and counts them and the versions of their tasks."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = samples
        self._versions: dict[str, str] = {}
        self._count = 0

    def __iter__(self) -> Iterator[Sample]:
        for sample in self._samples:
            self._count += 1
            self._versions.setdefault(sample.task, families.task(sample.task).version)
            yield sample

    @property
    def found(self) -> dict[str, Any]:
        """What was counted."""
        return {"samples": self._count, "versions": self._versions}

    def to_the_end(self) -> dict[str, Any]:
        """What was counted once all have gone by."""
        for _ in self:
            pass
        return self.found


class RunDirectory:
    """One run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trusted: bool | None = None  # whether the samples are what was once checked

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self._description().is_file()

    @property
    def whole(self) -> bool:
        """Whether the run that was begun here says that all its conversations were had."""
        had = self.information().get("conversations") if self.exists else None
        return isinstance(had, dict) and 0 < had.get("all", 0) == had.get("done")

    def _description(self) -> Path:
        """The ``run.json`` that holds.

        It is the one set aside while what is to replace it has no answer: it will come back.
        """
        aside = self._aside(RUN)
        return aside if aside.is_file() and not self._answered() else self.path / RUN

    def _answered(self) -> bool:
        """Whether any response is no error."""
        new = self.path / RESPONSES
        if not new.is_file():
            return False
        with disk(new), new.open("rb") as file:
            return any(b'"error":null' in line for line in file)

    def information(self) -> dict[str, Any]:
        """The contents of ``run.json``.

        Raises:
            FileError: there is none, or it is not ours.
        """
        if not self.path.is_dir():
            raise FileError(f"{self.path}: no such run directory")
        file = self._description()
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

    def recover(self) -> None:
        """Mends what a process left that was killed while it replaced another run.

        The run that was here comes back, unless the one that replaces it has its first response.
        """
        for left in self.path.glob(f".{SCORES}.*.part"):
            if not _is_alive(left.name.split(".")[-2]):
                with disk(left):
                    left.unlink(missing_ok=True)
        if not any(self._aside(name).exists() for name in _FILES):
            return
        if self._aside(RUN).exists() and self._description() != self._aside(RUN):
            self.forget()
        else:
            self.put_back()

    def _set_aside(self) -> None:
        """Moves the run that is here out of the way of the one that is to replace it.

        ``run.json`` goes last and comes back first, so that at any moment it tells whether the
        other files are on their way or have been replaced.
        """
        with disk(self.path):
            for name in reversed(_FILES):
                if (self.path / name).exists() or (self.path / name).is_symlink():
                    (self.path / name).replace(self._aside(name))

    def put_back(self) -> bool:
        """Puts what was set aside in the place of what has been begun since, if anything was."""
        found = False
        with disk(self.path):
            if self._aside(RUN).exists():  # nothing that was begun since holds an answer
                (self.path / RESPONSES).unlink(missing_ok=True)
            for name in _FILES:
                if self._aside(name).exists():
                    self._aside(name).replace(self.path / name)
                    found = True
        return found

    def forget(self) -> None:
        """Deletes what was set aside."""
        with disk(self.path):
            for name in reversed(_FILES):
                self._aside(name).unlink(missing_ok=True)

    def _aside(self, name: str) -> Path:
        return self.path / f".{name}.old.part"

    def begin(
        self, request: Mapping[str, Any], samples: Iterable[Sample], *, overwrite: bool = False
    ) -> dict[str, Any]:
        """Makes the directory hold this run; goes on where the same run was begun before.

        With ``overwrite``, what is there is set aside once the new samples are whole, until
        `forget` or `put_back`.

        Returns:
            What ``run.json`` holds: the number of samples and the versions of their tasks too.
        """
        held = self.information() if self.exists and not overwrite else {}
        if held.get("fingerprint") == fingerprint(request) and (self.path / SAMPLES).is_file():
            if type(held.get("samples")) is int and isinstance(held.get("versions"), dict):
                return held
            return held | _Counting(read_samples(self.path / SAMPLES)).to_the_end()
        counting = _Counting(samples)
        fresh = self.path / f".{SAMPLES}.new.part"
        write_samples(fresh, counting)
        if overwrite:
            self._set_aside()
        held = {
            "fingerprint": fingerprint(request),
            "request": dict(request),
            **counting.found,
            "samples_sha256": file_hash(fresh),
        }
        self.write_information(held)
        with disk(self.path):
            fresh.replace(self.path / SAMPLES)
        self._trusted = True
        return held

    def _check_same(self, request: Mapping[str, Any]) -> None:
        held = self.information()
        if held["fingerprint"] == fingerprint(request):
            return
        raise FileError(
            f"-o {self.path}: holds another run (it differs in "
            f"{', '.join(_differences(held['request'], request))}); "
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
        mend = "wait for it or choose another folder with -o"
        with locked(self.path / _LOCK, self.path, mend):
            try:
                yield
            finally:
                left = {each.name for each in self.path.iterdir() if not _is_part(each.name)}
                if left == {_LOCK} and self.path in made:
                    shutil.rmtree(self.path)
                    with suppress(OSError):  # another run may lie beside it by now
                        for parent in made[1:]:
                            parent.rmdir()

    def samples(self) -> Iterator[Sample]:
        """The samples of the run; each is checked against its task, unless all were before.

        Raises:
            FileError: they are gone, were made by another version, or are damaged.
        """
        path = self.path / SAMPLES
        if not path.is_file():
            raise FileError(f"{path}: no such file; the run's command writes it anew")
        return json_lines.samples(path) if self.trusted else checked_samples(path)

    @property
    def trusted(self) -> bool:
        """Whether the samples are known to be good, so that none has to be checked."""
        if self._trusted is None:
            self._trusted = self._unchanged()
        return self._trusted

    def _unchanged(self) -> bool:
        """Whether the samples are those that the same thence checked when it wrote them."""
        if not (self.exists and (self.path / SAMPLES).is_file()):
            return False
        held = self.information()
        versions = held.get("versions") or {"": ""}
        return (
            held.get("thence") == __version__
            and all(_version(name) == version for name, version in versions.items())
            and held.get("samples_sha256") == file_hash(self.path / SAMPLES)
        )

    def stored(
        self,
        last_turn: int = 0,
        name: str = RESPONSES,
        watch: Callable[[Response], None] = lambda _: None,
    ) -> Stored:
        """The responses that the run holds; see `Stored`."""
        return Stored(self.path / name, last_turn, watch)

    def keeping_scores(
        self, rows: Iterable[Scored], complain: Callable[[DiskError], None] | None = None
    ) -> Iterator[Scored]:
        """Passes rows on, and writes them to ``scores.jsonl`` as they go by.

        Args:
            rows: the scores.
            complain: told of a disk that will not take them; None: that is raised.
        """
        with ScoreFile(self.path / SCORES, complain) as file:
            for row in rows:
                file.write(row)
                yield row

    def write_scores(self, rows: Iterable[Scored]) -> None:
        """Writes ``scores.jsonl`` anew."""
        for _ in self.keeping_scores(rows):
            pass


def _differences(before: Mapping[str, Any], now: Mapping[str, Any], within: str = "") -> list[str]:
    """What differs between two requests, with both values where they are short."""
    found: list[str] = []
    for name in {**before, **now}:
        old, new = before.get(name), now.get(name)
        if old == new or (name == "epochs" and not within):  # more epochs are the same run
            continue
        path = f"{within} {name}".lstrip()
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differences(old, new, path)
        else:
            said = ", not ".join(map(json.dumps, (old, new)))
            found.append(f"{path}: {said}" if len(said) <= _SHORT else path)
    return found


def _version(task: str) -> str | None:
    """The version of a task; None where there is no such task."""
    try:
        return families.task(task).version
    except UsageError:
        return None


def _is_alive(number: str) -> bool:
    """Whether a process of that number runs, as far as one may know."""
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except (OSError, ValueError):
        pass
    return True


def _is_part(name: str) -> bool:
    """Whether a file is what an interrupted replacement left of a file of ours."""
    plain = name.lstrip(".")
    return name.endswith(".part") and any(plain.startswith(f"{ours}.") for ours in _FILES)
