"""The directory of a run: its request, samples, responses as they came, and scores.

``responses.jsonl`` is only ever appended to, and a response is in it before it counts, so that
a run that was stopped goes on without losing or paying for anything twice.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from thence import families
from thence.core.digest import compact_json
from thence.core.sample import Sample
from thence.engine import json_lines
from thence.engine.differences import differences
from thence.engine.directory_lock import SOFT, locked
from thence.engine.response_index import ResponseIndex
from thence.engine.run_information import RunInformation, RunRequest
from thence.engine.score_file import ScoreFile
from thence.errors import DiskError, FileError, ParameterError, UsageError
from thence.generation.sources import checked_samples
from thence.scoring.judge import Response, Scored
from thence.system.disk import disk, file_hash, lines_of, rename, replacing, sync_folder
from thence.system.version import VERSION

RUN, SAMPLES, RESPONSES, SCORES = "run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"
EXTRACTIONS = "extractions.jsonl"
_LOCK = ".lock"
_NEW = ".new"  # folder of a run that has no answer yet and is to replace this one
_FILES = (RUN, SAMPLES, RESPONSES, SCORES, EXTRACTIONS)
_LOCKS = {_LOCK, _LOCK + SOFT}
BATCHES = "batch"
INDEX = ".index"  # folder of what `thence view` makes of a run, which may be deleted
_OURS = {*_FILES, *_LOCKS, _NEW, BATCHES, INDEX}


def default_folder(model: str, tasks: Iterable[str], request: RunRequest) -> Path:
    """Return ``runs/<model>-<tasks>-<hash of the request>``."""
    name = "-".join([model, *tasks])
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:80]
    return Path("runs") / f"{slug}-{request.fingerprint[:10]}"


class _Counting:
    """Samples that are counted, with the versions of their tasks, as they go by."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = samples
        self.versions: dict[str, str] = {}
        self.count = 0

    def __iter__(self) -> Iterator[Sample]:
        for sample in self._samples:
            self.count += 1
            self.versions.setdefault(sample.task, sample.version)
            yield sample


class RunDirectory:
    """One run on disk.

    Attributes:
        path: its folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trusted: bool | None = None  # whether the samples are those that were once checked

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / RUN).is_file()

    @property
    def whole(self) -> bool:
        """Whether the run says that all its conversations came to their end."""
        return self.exists and self.information().is_whole

    def information(self) -> RunInformation:
        """Return the contents of ``run.json``.

        Raises:
            FileError: there is none, or it is not ours.
        """
        if not self.path.is_dir():
            raise FileError(f"{self.path}: no such run directory")
        file = self.path / RUN
        if not file.is_file():
            held_in = min((each.parent for each in self.path.glob(f"*/{RUN}")), default=None)
            mend = f"; name a run in it, such as {held_in}" if held_in else ""
            raise FileError(f"{self.path}: not a run directory: it has no {RUN}{mend}")
        with disk(file):
            text = file.read_bytes()
        return RunInformation.read(text, file)

    def write_information(self, held: RunInformation) -> None:
        """Replace ``run.json``."""
        with replacing(self.path / RUN) as part:
            text = json.dumps(held.to_json(), indent=2, ensure_ascii=True)
            part.write_text(text + "\n", encoding="utf-8")

    def check(self, request: RunRequest, *, overwrite: bool) -> None:
        """Refuse a folder that cannot hold this run, before anything is written.

        Raises:
            ParameterError: it holds another run, or something that is no run, or is a file.
        """
        for place in (self.path, *self.path.parents):
            if place.exists() and not place.is_dir():
                raise ParameterError("out", self.path, f"{place} is a file; name a folder")
        if self.exists and not overwrite:
            self._check_same(request)
        elif self.path.is_dir():
            self._check_ours()

    def recover(self) -> None:
        """Finish or undo the replacement of a run by a process that was killed."""
        new = RunDirectory(self.path / _NEW)
        if not new.path.is_dir():
            return
        if not new.exists and any((new.path / name).exists() for name in (SAMPLES, RESPONSES)):
            self.replace_by(new)
        else:
            new.delete()

    def replacement(self) -> RunDirectory:
        """Return a new directory, within this one, for the run that is to replace it."""
        new = RunDirectory(self.path / _NEW)
        with disk(new.path):
            new.path.mkdir()
        return new

    def replace_by(self, new: RunDirectory) -> None:
        """Replace this run's files by the files of a new run.

        ``run.json`` goes first: where it has, `recover` moves the others.
        """
        folder = new.path
        with disk(self.path):
            if new.exists:
                rename(folder / RUN, self.path / RUN)
            new.path = self.path
            self._trusted = None
            for name in (RESPONSES, SAMPLES):
                if (folder / name).exists():
                    rename(folder / name, self.path / name)
            for name in (SCORES, EXTRACTIONS):  # of the run that was here
                (self.path / name).unlink(missing_ok=True)
            shutil.rmtree(folder)

    def delete(self) -> None:
        """Delete the directory with all that it holds."""
        with disk(self.path):
            shutil.rmtree(self.path)

    def take_back(self) -> None:
        """Delete the files of a run that was begun, but cannot be asked."""
        with disk(self.path):
            for name in (RUN, SAMPLES):
                (self.path / name).unlink(missing_ok=True)

    def begin(self, request: RunRequest, samples: Iterable[Sample]) -> RunInformation:
        """Write the samples and ``run.json``, unless the same run was begun here before.

        Returns:
            The contents of ``run.json``, with the number of samples and their tasks' versions.
        """
        held = self.information() if self.exists else None
        if held and held.fingerprint == request.fingerprint and (self.path / SAMPLES).is_file():
            return held
        counting = _Counting(samples)
        with replacing(self.path / SAMPLES) as part:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{compact_json(sample.to_json())}\n" for sample in counting)
            held = RunInformation(
                fingerprint=request.fingerprint,
                identity=token_hex(16),
                request=request,
                versions=counting.versions,
                samples=counting.count,
                samples_sha256=file_hash(part),
            )
            self.write_information(held)
        sync_folder(self.path.parent)
        self._trusted = True
        return held

    def _check_same(self, request: RunRequest) -> None:
        """Refuse another run than the one that was begun here."""
        held = self.information()
        if held.fingerprint == request.fingerprint:
            return
        before, now = ({**each.to_json(), "epochs": None} for each in (held.request, request))
        differs = ", ".join(differences(before, now))
        raise ParameterError(
            "out",
            self.path,
            f"holds another run (it differs in {differs}); choose another folder, or replace it by "
            "overwrite=True",
        )

    def _check_ours(self) -> None:
        """Refuse a folder with a file that is no part of a run."""
        names = {each.name for each in self.path.iterdir() if not _is_part(each.name)}
        strange = sorted(names - (_OURS if self.exists else _LOCKS))
        if strange:
            reason = f"holds {strange[0]}, which is no part of a run; name another folder"
            if set(strange) <= _OURS:
                reason = f"holds {strange[0]}, but no {RUN}; put it back, or name another folder"
            raise ParameterError("out", self.path, reason)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing this run; make its folder.

        A folder in which nothing was begun is taken away again, with the parents made for it.

        Raises:
            UsageError: another process writes this run already.
        """
        made = [each for each in (self.path, *self.path.parents) if not each.exists()]
        mend = "wait for it or choose another folder by out=DIR"
        with locked(self.path / _LOCK, self.path, mend):
            try:
                yield
            finally:
                left = {each.name for each in self.path.iterdir() if not _is_part(each.name)}
                if left <= _LOCKS and self.path in made:
                    shutil.rmtree(self.path)
                    with suppress(OSError):  # another run may lie beside it by now
                        for parent in made[1:]:
                            parent.rmdir()

    def samples(self) -> Iterator[Sample]:
        """Yield the samples of the run; each is checked against its task, unless all were before.

        Raises:
            FileError: they are gone, were made by another version, or are damaged.
        """
        path = self.path / SAMPLES
        if not path.is_file():
            raise FileError(f"{path}: no such file; the run's command writes it anew")
        if not self.trusted:
            return checked_samples(path)
        return map(json_lines.sample, lines_of(lambda: self.path / SAMPLES))

    @property
    def trusted(self) -> bool:
        """Whether the samples were checked before, so that none has to be checked again."""
        if self._trusted is None:
            self._trusted = self._unchanged()
        return self._trusted

    def _unchanged(self) -> bool:
        """Return whether the samples are as this version of thence wrote them."""
        if not (self.exists and (self.path / SAMPLES).is_file()):
            return False
        held = self.information()
        return (
            bool(held.versions)
            and held.thence == VERSION
            and all(_version(name) == version for name, version in held.versions.items())
            and held.samples_sha256 == file_hash(self.path / SAMPLES)
        )

    def responses(
        self, last_turn: int = 0, watch: Callable[[Response], None] = lambda _: None
    ) -> ResponseIndex:
        """Return an index of the responses that the run holds; see `ResponseIndex`."""
        return ResponseIndex(self.path / RESPONSES, last_turn, watch)

    def keeping_scores(
        self, rows: Iterable[Scored], complain: Callable[[DiskError], None] | None = None
    ) -> Iterator[Scored]:
        """Yield scores, and write them to ``scores.jsonl`` as they go by.

        Args:
            rows: the scores.
            complain: called with an error of the disk; None: it is raised.
        """
        with ScoreFile(self.path / SCORES, complain) as file:
            for row in rows:
                file.write(row)
                yield row


def _version(task: str) -> str | None:
    """Return the version of a task; None where there is no such task."""
    try:
        return families.task(task).version
    except UsageError:
        return None


def _is_part(name: str) -> bool:
    """Return whether a file is an unfinished replacement of a file of ours."""
    plain = name.lstrip(".")
    return name.endswith(".part") and any(plain.startswith(f"{ours}.") for ours in _FILES)
