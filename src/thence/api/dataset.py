"""Finite sets of questions: generated, read, written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from html import escape
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, overload

from thence import families
from thence.api.given import (
    Excluded,
    Tasks,
    chosen,
    exclusion_of,
    folder_of,
    listed,
    own_of,
    path_of,
    short,
    text_of,
)
from thence.core.digest import compact_json
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import FileError, MissingExtra, ParameterError
from thence.generation import sample_files, suite
from thence.generation.plan import Plan, available
from thence.generation.published_files import published_questions
from thence.generation.repetition import Tally
from thence.generation.sources import (
    FromFiles,
    FromSamples,
    FromTasks,
    SampleSource,
    checked_samples,
)
from thence.prompts import template_loader
from thence.system.workers import script_lacks_guard

if TYPE_CHECKING:
    import polars

_FIRST = 5  # questions that a notebook shows
_LONGEST = 400  # characters of each


def generate(
    tasks: Tasks,
    *,
    seed: int = 0,
    size: int | None = None,
    limit: int | None = None,
    total: int | None = None,
    templates: str | Path | None = None,
    workers: int | None = None,
    exclude: Excluded = None,
    skip_unavailable: bool = False,
    shard: str | None = None,
    on: str | None = None,
    **parameters: Any,
) -> Dataset:
    """Return a finite set of questions, no two alike, of the paper's size unless one is given.

    It is the set that the command ``thence generate`` writes: the same arguments give the same
    bytes with any number of workers, on any machine. Arguments are checked now; the questions are
    made when they are first looked at, and ``write`` makes them without holding them all.

    Args:
        tasks: families, full names, globs or `Task` objects.
        seed: a whole number from 0; from 1,000,000,000 on it is one for training.
        size: questions a task, spread evenly over its groups; None for the paper's size.
        limit: at most so many of each task, a part of the same set that is spread over its groups;
            a smaller part lies within a larger one. None for all.
        total: so many in all, spread evenly over families, then over their tasks, then over groups;
            it takes the place of ``size`` and ``limit``.
        templates: a folder of templates that take the place of the packaged ones.
        workers: processes, at least 1; None for one a core where that is worth its start, and for
            one alone in a script without ``if __name__ == "__main__":``, which all would run.
        exclude: questions that were used before: paths of files, sets, samples or their rows, one
            or several. No question with such a prompt comes again, and none about such a procedure
            or graph; what cannot be made for that reason is logged and noted in the manifest.
        skip_unavailable: leave out tasks whose extra is not installed, and log which; the manifest
            names them, too.
        shard: ``I/N`` for the I-th of N parts, which together hold each question of the set once.
        on: a Ray cluster whose cores take the place of processes: ``ray``, or ``ray://HOST:PORT``.
        parameters: of the tasks, as Python values, such as ``steps=(2, 25)``.

    Returns:
        A `Dataset`, a sequence of `Sample` in the order of tables.

    Raises:
        ParameterError: a value that is not taken, or the name of no parameter, with the nearest.
        MissingExtra: a task needs an extra that is not installed.
        UsageError: a task that there is not; once questions are made, fewer of them than asked for.

    Example:
        >>> import thence
        >>> easy = thence.generate("procbench/sort", size=4, steps=(2, 5))
        >>> [sample.metadata["steps"] for sample in easy]
        [2, 3, 4, 5]
    """
    made_by = suite.workers_of(workers, on)
    if made_by is None and script_lacks_guard():
        made_by = 1
    asked = listed(tasks)
    found = chosen(asked)
    names = [task.full_name for task in found]
    given = own_of(asked)
    with families.using(given):
        plan = Plan(
            names, seed, size, limit, parameters, folder_of(templates),
            [task for task in families.given() if task in given], total=total,
            exclude=exclusion_of(exclude), shard=shard,
        )  # fmt: skip
        for task in found:
            task.generator.configure(plan.settings)
        plan = available(plan, skip=skip_unavailable)
        for generator in (task.generator for task in found if task.full_name in plan.tasks):
            generator.conditions(generator.configure(plan.settings))  # refuses missing files
        template_loader.templates(plan.templates)  # refused now where there is no such folder
    return Dataset.planned(
        plan, made_by, [each if isinstance(each, str) else each.full_name for each in asked]
    )


def read(path: str | Path) -> Dataset:
    """Return the questions of a file or folder, each checked against its task.

    Args:
        path: a ``.jsonl`` or ``.parquet`` file of samples, a folder of such files, or questions as
            a benchmark's authors publish them, in their words: ProcBench's JSON lines, CaT-Bench's
            CSV, a checkout of FABLE.

    Returns:
        A `Dataset` with the manifest that lies beside the file, if any.

    Raises:
        FileError: it cannot be read, or holds something that is no question of a known task.
        MissingExtra: Parquet without the extra ``parquet``.

    Example:
        >>> import thence
        >>> thence.generate("releval/comparison", size=6).write("questions.jsonl")
        PosixPath('questions.jsonl')
        >>> len(thence.read("questions.jsonl"))
        6
    """
    place = path_of("path", path)
    if place.suffix in sample_files.SUFFIXES and not place.is_dir():
        return Dataset.of_file(place)
    if published_questions(place) is not None:
        return Dataset.of_file(place)
    if place.is_dir() and (files := sample_files.files_in(place)):
        return Dataset(sample for each in files for sample in checked_samples(each))
    raise FileError(f"{place}: holds no samples; give .jsonl, .parquet or a folder of them")


class Dataset(Sequence[Sample]):
    """A finite sequence of questions. Made by `thence.generate` and `thence.read`.

    It pickles, and is safe to read from several threads.

    Attributes:
        own: the tasks of these questions that lie in no package.
    """

    def __init__(
        self, samples: Iterable[Sample] = (), manifest: Mapping[str, Any] | None = None
    ) -> None:
        self._held: list[Sample] | None = list(samples)
        self._manifest = manifest
        self._plan: Plan | None = None
        self._workers: suite.Workers = None
        self.own: Sequence[Task] = ()
        self._names: Sequence[str] = ()
        self._path: Path | None = None
        self._checked = False  # whether each is known to be a question of its task
        self._lock = Lock()

    @classmethod
    def planned(cls, plan: Plan, workers: suite.Workers, names: Sequence[str]) -> Dataset:
        """Return the questions of a plan; they are made when they are first looked at.

        Args:
            plan: what to make.
            workers: what makes them.
            names: what the caller called the tasks, for the name of a run.
        """
        made = cls()
        made._held, made._plan, made._workers, made._names = None, plan, workers, names
        made.own, made._checked = plan.given, True
        return made

    @classmethod
    def of_file(cls, path: Path) -> Dataset:
        """Return the questions of a file, each checked against its task."""
        made = cls(checked_samples(path), sample_files.manifest_beside(path))
        made._path, made._checked = path, True
        return made

    @property
    def source(self) -> SampleSource:
        """Source of the samples as a run records it; the command records the same and can go on."""
        if self._path is not None:
            description = FromFiles([self._path]).to_json()
            return FromSamples(self, [self._path.stem], description, self._checked)
        if self._plan is None:
            return FromSamples(self, checked=self._checked)
        if self._held is None:
            return FromTasks(self._plan, self._workers, self._names)
        return FromSamples(self, self._names, self._plan.to_json(), self._checked)

    @property
    def templates(self) -> Path | None:
        """The folder of the templates that word them, where it is not the package's."""
        return self._plan.templates if self._plan else None

    @property
    def _samples(self) -> list[Sample]:
        if self._held is None:
            with self._lock:
                if self._held is None:
                    assert self._plan is not None
                    tally = Tally()
                    with families.using(self.own):
                        made = list(suite.generate(self._plan, self._workers, tally))
                        self._manifest = sample_files.manifest(self._plan, tally)
                    self._held = made
        return self._held

    def __len__(self) -> int:
        """Return the number of questions."""
        return len(self._samples)

    @overload
    def __getitem__(self, index: int) -> Sample: ...

    @overload
    def __getitem__(self, index: slice) -> Dataset: ...

    def __getitem__(self, index: int | slice) -> Sample | Dataset:
        """Return the question at an index, or the questions of a slice."""
        found = self._samples[index]
        return self._part(found) if isinstance(found, list) else found

    def __iter__(self) -> Iterator[Sample]:
        return iter(self._samples)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Description of the questions and of the request for them, as in ``FILE.manifest.json``.

        ``samples`` is their number, ``groups`` counts them by task and group, ``request`` has the
        arguments of `thence.generate`, where they are known.
        """
        samples = [] if self._manifest is not None else self._samples  # made with their manifest
        if self._manifest is not None:
            return self._manifest
        return sample_files.description(samples)

    def filter(
        self,
        keep: Callable[[Sample], bool] | None = None,
        *,
        tasks: str = "*",
        **metadata: Any,
    ) -> Dataset:
        """Return the questions that fit: of some tasks, with some metadata, or by a function.

        Args:
            keep: says whether a question stays; None for all.
            tasks: a family, a full name or a glob.
            metadata: values that ``Sample.metadata`` must hold, by name, such as ``steps=12``.

        Returns:
            A `Dataset` of these questions, in their order.

        Raises:
            ParameterError: ``keep`` is no function, or ``tasks`` no text.
        """
        if not (keep is None or callable(keep)):
            raise ParameterError("keep", short(keep), "must be a function of a sample, or None")
        text_of("tasks", tasks, "a family, the name of a task or a glob")
        return self._part(
            [
                sample
                for sample in self._samples
                if (tasks in (sample.task, sample.family) or fnmatchcase(sample.task, tasks))
                and all(sample.metadata.get(name) == value for name, value in metadata.items())
                and (keep is None or keep(sample))
            ]
        )

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the questions to a file, whole or not at all, and the manifest beside it.

        Args:
            path: ends in ``.jsonl`` or ``.parquet``; in Parquet, target and metadata are JSON text.
            overwrite: replace what is there.

        Returns:
            The path.

        Raises:
            ParameterError: another suffix, no such folder, or a file that is there.
            DiskError: the disk would not take them.
        """
        place = path_of("path", path)
        sample_files.check_output(place, overwrite=overwrite)
        if self._held is None and self._plan is not None:
            with families.using(self.own):
                self._manifest = _written(place, self._plan, self._workers)
        else:
            sample_files.write_samples(place, self._samples)
        sample_files.write_manifest(place, self._manifest or self.manifest)
        return place

    def rows(self) -> Iterator[dict[str, Any]]:
        """Return the objects of the lines of a file; ``target`` and ``metadata`` are JSON text."""
        for sample in self._samples:
            yield sample_files.table_row(sample)

    def to_frame(self) -> polars.DataFrame:
        """Return a polars frame with a row a question and the columns of a Parquet file.

        Columns are id, family, task, version, input, target, metadata and canary, all text; target
        and metadata are JSON.
        """
        import polars

        schema = dict.fromkeys(sample_files.COLUMNS, polars.String)
        return polars.DataFrame(list(self.rows()), schema=schema)

    def to_hf(self) -> Any:
        """Return a ``datasets.Dataset`` of Hugging Face, with the columns of `to_frame`.

        Raises:
            MissingExtra: the package ``datasets`` is not installed.
        """
        try:
            library = import_module("datasets")
        except ImportError as error:
            raise MissingExtra("to_hf", "datasets") from error
        return library.Dataset.from_list(list(self.rows()))

    def _part(self, samples: list[Sample]) -> Dataset:
        request = self.manifest.get("request")
        manifest = sample_files.description(samples)
        part = Dataset(samples, manifest if request is None else {**manifest, "part of": request})
        part.own, part._checked = self.own, self._checked
        return part

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the number of questions a task, and the first of them."""
        counts = Counter(sample.task for sample in self._samples)
        lines = [f"<tr><td>{escape(task)}</td><td>{n:,}</td></tr>" for task, n in counts.items()]
        shown = "".join(
            f"<details><summary>{escape(sample.task)} {escape(sample.id)}</summary>"
            f"<pre>{escape(_short(sample.input))}</pre>"
            f"<pre>{escape(_short(compact_json(sample.target)))}</pre></details>"
            for sample in self._samples[:_FIRST]
        )
        head = "<tr><th>task</th><th>questions</th></tr>"
        return f"<table>{head}{''.join(lines)}</table>{shown}"

    def __repr__(self) -> str:
        if self._held is None and self._plan is not None:
            return f"<Dataset of {len(self._plan.tasks)} tasks, not yet made>"
        tasks = len({sample.task for sample in self._samples})
        return f"<Dataset of {len(self._samples):,} questions of {tasks} tasks>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._lock = Lock()


def _written(path: Path, plan: Plan, workers: suite.Workers) -> dict[str, Any]:
    """Write the questions of a plan as they are made; return their manifest."""
    tally = Tally()
    if path.suffix == ".jsonl":
        sample_files.write_lines(path, suite.generate_lines(plan, workers, tally))
    else:
        sample_files.write_samples(path, suite.generate(plan, workers, tally))
    return sample_files.manifest(plan, tally)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
