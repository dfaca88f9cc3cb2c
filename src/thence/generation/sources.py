"""Sources of samples: tasks, which generate them, or files, which are read and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from thence import families
from thence.core.bounds import check_count
from thence.core.digest import canonical_json, digest
from thence.core.sample import Sample
from thence.core.versions import comparable
from thence.errors import FileError, ParameterError, UsageError
from thence.generation import suite
from thence.generation.exclusion import Exclusion
from thence.generation.part_of_set import Kind, chosen, spread_total, starts
from thence.generation.plan import Plan, available, check_alone
from thence.generation.published_files import published_questions, source_hash
from thence.generation.sample_files import STDIN, SUFFIXES, files_in, read_samples
from thence.generation.shards import Shard
from thence.system.workers import MOST_WORKERS


@dataclass(frozen=True)
class FromTasks:
    """Samples that are generated; ``arguments`` are the names that the user gave."""

    plan: Plan
    workers: suite.Workers = None
    arguments: Sequence[str] = ()

    @property
    def names(self) -> Sequence[str]:
        """Names for the run: the user's arguments, else the tasks."""
        return self.arguments or self.plan.tasks

    def samples(self) -> Iterator[Sample]:
        """Generate the samples and yield them."""
        return suite.generate(self.plan, self.workers)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the source in a run's request."""
        return self.plan.to_json()


@dataclass(frozen=True)
class FromFiles:
    """Samples that are read: all, or a part that is spread over their groups as in `Plan`."""

    paths: Sequence[Path]
    limit: int | None = None
    total: int | None = None
    shard: str | None = None

    @property
    def names(self) -> Sequence[str]:
        """Names for the run: the files' names without their suffixes."""
        return [path.stem for path in self.paths]

    def samples(self) -> Iterator[Sample]:
        """Yield the samples, each checked.

        Raises:
            FileError: a line that is not a sample of a task of this version, or a repeated sample.
        """
        shard = Shard.of(self.shard)
        yield from self._whole() if shard is None else shard.lines(self._whole())

    def _whole(self) -> Iterator[Sample]:
        if self.limit is None and self.total is None:
            yield from self._every()
            return
        kinds: dict[str, list[Kind]] = {}  # the files are read twice: what is left out is not kept
        for sample in self._every():
            kinds.setdefault(sample.task, []).append(_kind(sample))
        kept = {name: set(places) for name, places in self._kept(kinds).items()}
        seen: Counter[str] = Counter()
        for sample in (each for path in self.paths for each in _samples_at(path)):
            place = seen[sample.task]
            seen[sample.task] += 1
            if place in kept.get(sample.task, ()):
                yield sample

    def _every(self) -> Iterator[Sample]:
        seen: dict[str, Path] = {}
        versions: dict[str, str] = {}
        for path in self.paths:
            for sample in checked_samples(path):
                if other := _other_version(sample, versions):
                    raise FileError(f"{path}: sample {sample.id} {other}")
                if sample.id in seen:
                    raise FileError(
                        f"{path}: sample {sample.id} is in {seen[sample.id]} already; take it "
                        "out of one of the two, or name the file once"
                    )
                seen[sample.id] = path
                yield sample

    def _kept(self, kinds: Mapping[str, Sequence[Kind]]) -> dict[str, list[int]]:
        """Return by task the places of the samples that are kept."""
        if self.total is None:
            return {name: chosen(held, self.limit or 0) for name, held in kinds.items()}
        given = spread_total(self.total, {name: len(held) for name, held in kinds.items()})
        return {
            name: chosen(kinds[name], count, start)
            for name, (count, start) in starts(given).items()
        }

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the source; hashes, as a moved file is the same source."""
        held: dict[str, Any] = {
            "files": [source_hash(path) for path in self.paths],
            "limit": self.limit,
        }
        if any(published_questions(path) is not None for path in self.paths):
            held["published"] = True
        if self.shard is not None:
            held["shard"] = self.shard
        return held if self.total is None else {**held, "total": self.total}


def _kind(sample: Sample) -> Kind:
    """Return the group of a sample, and its condition as a number that takes little memory."""
    condition = int(digest(sample.metadata.get("parameters"), size=8), 16)
    return str(sample.metadata.get("group", "")), condition


@dataclass(frozen=True)
class FromSamples:
    """Samples of a caller; repeated samples are left out.

    Attributes:
        held: the samples, which must be iterable several times.
        names: names for the run.
        description: JSON that identifies the samples; None for a hash of all ids and prompts.
        checked: whether they were made here, or checked when they were read.
    """

    held: Iterable[Sample]
    names: Sequence[str] = ("samples",)
    description: Mapping[str, Any] | None = None
    checked: bool = False

    def samples(self) -> Iterator[Sample]:
        """Yield the samples, each checked unless it was before.

        Raises:
            ParameterError: a sample that its task cannot use.
        """
        seen: set[str] = set()
        versions: dict[str, str] = {}
        for sample in self.held:
            if sample.id not in seen:
                seen.add(sample.id)
                if other := _other_version(sample, versions):
                    raise ParameterError("questions", sample.id, other)
                if not self.checked:
                    _check(sample)
                yield sample

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the source in a run's request."""
        if self.description is not None:
            return dict(self.description)
        hashed = blake2b(digest_size=16)
        for sample in self.held:
            hashed.update(canonical_json([sample.id, sample.input]))
        return {"samples": hashed.hexdigest()}


def _other_version(sample: Sample, known: dict[str, str]) -> str:
    """Return what is wrong where another sample of the task has another version; else nothing.

    Args:
        sample: the next one.
        known: the version of each task so far; takes in that of this one.
    """
    met = known.setdefault(sample.task, sample.version)
    if comparable(sample.version, met):
        return ""
    return (
        f"is of version {sample.version} of {sample.task}, and one before it of {met}; their "
        "scores do not compare, so ask them in two runs"
    )


def _check(sample: Sample) -> None:
    check_version(sample)
    try:
        families.task(sample.task).check(sample)
    except ValueError as error:
        raise ParameterError("questions", sample.id, str(error)) from error


SampleSource = FromTasks | FromFiles | FromSamples


def check_version(sample: Sample) -> None:
    """Raise if a sample is of another version of its task: scores would not compare.

    Raises:
        UsageError: there is no such task.
        ParameterError: naming both versions.
    """
    task = families.task(sample.task)
    now = task.version_of(sample.metadata)
    if not comparable(sample.version, now):
        raise ParameterError(
            "sample",
            sample.id,
            f"was made by version {sample.version} of {sample.task}, this is {now}; "
            "scores would not compare, so generate it anew",
        )


def _samples_at(path: Path) -> Iterable[Sample]:
    """Return the samples of a file of ours, or in a format of a benchmark's authors."""
    found = published_questions(path)
    return read_samples(path) if found is None else found


def checked_samples(path: Path) -> Iterator[Sample]:
    """Yield the samples of a file, each checked against its task; also those of published files.

    Raises:
        FileError: an unknown task, another version, or contents that the task cannot use.
    """
    number = 0
    for number, sample in enumerate(_samples_at(path), 1):
        where = f"{path}: sample {number}"
        try:
            check_version(sample)
        except ParameterError as error:
            raise FileError(f"{where}: {error.reason}") from error
        except UsageError as error:
            raise FileError(f"{where}: {error}") from error
        try:
            families.task(sample.task).check(sample)
        except ValueError as error:
            raise FileError(f"{where}: {error}") from error
        yield sample
    if not number:
        raise FileError(f"{path}: holds no questions")


def is_file(argument: str) -> bool:
    """Return whether an argument names a file of samples, or a stream, and not a task.

    A path that has the name of tasks is none of published questions.
    """
    stream = argument in STDIN or argument.startswith(("/dev/", "/proc/"))
    if stream or argument.removesuffix(".gz").endswith(SUFFIXES):
        return True
    if families.matching(argument):
        return False
    path = Path(argument)
    return published_questions(path) is not None or (path.is_dir() and bool(files_in(path)))


def files_of(arguments: Sequence[str]) -> list[str]:
    """Return the arguments that name files of samples.

    Raises:
        FileError: one names another file.
    """
    files = [argument for argument in arguments if is_file(argument)]
    for argument in arguments:
        if argument in files or families.matching(argument) or not Path(argument).is_file():
            continue
        if argument.endswith((".yaml", ".yml")):
            mend = f"ask about a procedure by a task, such as catbench with source={argument}"
        else:
            mend = (
                f"samples are read from {' or '.join(SUFFIXES)}, or as a family's "
                "authors publish their questions"
            )
        raise FileError(f"{argument}: {mend}")
    return files


def _paths(argument: str) -> list[Path]:
    """Return the files that an argument names, which may be a folder of them."""
    path = Path(argument)
    if published_questions(path) is None and path.is_dir():
        return files_in(path) or [path]
    return [path]


def sample_source(
    arguments: Sequence[str],
    *,
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    total: int | None = None,
    settings: Mapping[str, str] | None = None,
    templates: Path | None = None,
    workers: int | None = None,
    skip_unavailable: bool = False,
    exclude: Sequence[Path] = (),
    shard: str | None = None,
) -> SampleSource:
    """Return the source of some ``TASK|FILE`` arguments; a folder stands for the files in it.

    Raises:
        MissingExtra: a task needs an extra that is not installed.
        UsageError: tasks and files mixed, an unknown task, or a file with options of generation.
    """
    check_count("workers", workers, MOST_WORKERS)
    files = files_of(arguments)
    if not files:
        names = [task.full_name for task in families.select(arguments)]
        excluded = Exclusion.of(sample for path in exclude for sample in _samples_at(path))
        plan = Plan(
            names,
            seed,
            size,
            limit,
            settings or {},
            templates,
            total=total,
            exclude=excluded,
            shard=shard,
        )
        return FromTasks(available(plan, skip=skip_unavailable), workers, arguments)
    if len(files) < len(arguments):
        other = next(argument for argument in arguments if argument not in files)
        raise UsageError(f"{files[0]} is a file and {other} a task; give files or tasks, not both")
    shaping = {"seed": seed, "size": size, "parameters": settings, "exclude": exclude}
    for name, given in shaping.items():
        if given or (name == "size" and given is not None):
            raise ParameterError(
                name, None, f"shapes what is generated, but {files[0]} is a file; leave it out"
            )
    Shard.of(shard)
    check_count("limit", limit)
    check_count("total", total)
    check_alone(total, limit=limit)
    paths = [path for file in files for path in _paths(file)]
    for path in paths:
        if published_questions(path) is None and not (path.is_file() and path.suffix in SUFFIXES):
            next(read_samples(path))  # raises the error
    return FromFiles(paths, limit, total, shard)
