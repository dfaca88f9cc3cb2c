"""Runs: one model, some questions, one protocol, in one directory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal

from thence import families
from thence.analysis.shortcut_marks import measure
from thence.api.asked import Asked, own_in
from thence.api.dataset import Dataset
from thence.api.given import path_of, paths_of, short
from thence.api.run_arguments import AnyModel, RunArguments
from thence.api.scored_path import ScoringOptions, score_run
from thence.api.scores import Scores
from thence.core.notebook import html_table
from thence.core.results import Results
from thence.core.task import Task
from thence.engine import session
from thence.engine.directory import RunDirectory
from thence.engine.response_index import ResponseIndex
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.engine.session import PreparedRun
from thence.errors import ParameterError
from thence.models.base import Sampling
from thence.scoring.judge import STRICT

type Watch = Callable[[Progress], None]

_SAMPLING, _LIMITS = Sampling(), Limits()


def run(
    questions: Asked,
    model: AnyModel,
    *,
    protocol: str = "direct",
    settings: Mapping[str, Any] | None = None,
    epochs: int = 1,
    reduce: str = "mean",
    sampling: Sampling = _SAMPLING,
    limits: Limits = _LIMITS,
    base_url: str | None = None,
    name: str | None = None,
    templates: str | Path | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: Watch | Literal[True] | None = None,
) -> Run:
    """Put questions to a model, keep every response, and score them.

    The same call goes on where an earlier one was stopped, and asks nothing again that is on disk.
    A provider's failures are data: the run is unfinished until they are asked again or accepted.
    It may be called while an event loop runs, as in a notebook; within a coroutine,
    `thence.run_async` leaves the loop free.

    Args:
        questions: tasks, a `Dataset`, some of `Questions`, samples or rows, or the path of a file;
            a question that comes twice is asked once.
        model: ``PROVIDER/NAME``, a `Model`, or a function from the messages of a chat (a list of
            dictionaries with ``role`` and ``content``) to text or a `Reply`, asynchronous or not;
            one that is not is called from threads. An ``OSError`` that it raises is tried again.
        protocol: how to ask, such as ``direct`` or ``few_shot+are_you_sure``.
        settings: parameters of the protocol by name, such as ``{"k": 3}``.
        epochs: repeats of each question, at least 1.
        reduce: how epochs become one score: ``mean`` or ``majority``.
        sampling: what shapes the replies.
        limits: how fast to ask, how long to wait, how much to spend.
        base_url: address of an endpoint in place of the provider's own.
        name: tells a function's run from others. None for its code and the values that it holds;
            where one of these has no stable form, such as a connection, no later call goes on.
        templates: a folder of templates that take the place of the packaged ones.
        out: the run's directory; None for ``runs/<model>-<tasks>-<hash>``, as the command has it.
        overwrite: replace another run in that directory.
        progress: called with the progress after every conversation, from another thread; True
            shows a bar on standard error, or in a notebook.

    Returns:
        A `Run`.

    Raises:
        ParameterError: a value that is not taken, or a directory that holds another run.
        UsageError: the endpoint cannot be reached, or refuses the first request.
        DiskError: the disk would not take a response.

    Example:
        >>> import thence
        >>> def guess(messages):
        ...     return "no"
        >>> found = thence.run(thence.generate("catbench", size=12), guess, out="guesses")
        >>> found.missing, found.scores().summary()["correct"].to_list()
        (0, [8])
    """
    _check_watch(progress)
    given = RunArguments(
        questions=questions, model=model, protocol=protocol, settings=settings, epochs=epochs,
        reduce=reduce, sampling=sampling, limits=limits, base_url=base_url, name=name,
        templates=templates, out=out, overwrite=overwrite,
    )  # fmt: skip
    own = own_in(questions)
    with families.using(own):
        prepared = given.prepared()
        with _watching(progress, prepared) as watch:
            ended = session.execute(prepared, watch)
    return Run(prepared.directory, ended.progress, own)


async def run_async(
    questions: Asked,
    model: AnyModel,
    *,
    protocol: str = "direct",
    settings: Mapping[str, Any] | None = None,
    epochs: int = 1,
    reduce: str = "mean",
    sampling: Sampling = _SAMPLING,
    limits: Limits = _LIMITS,
    base_url: str | None = None,
    name: str | None = None,
    templates: str | Path | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: Watch | Literal[True] | None = None,
) -> Run:
    """Do as `thence.run` does in the caller's event loop, which stays free meanwhile.

    Arguments and errors are those of `thence.run`. Where the task is cancelled, what came back is
    on disk, and the same call goes on.

    Returns:
        A `Run`.

    Example:
        >>> import asyncio, thence
        >>> async def guess(messages):
        ...     return "no"
        >>> asked = thence.generate("catbench", size=12)
        >>> asyncio.run(thence.run_async(asked, guess, out="guesses")).missing
        0
    """
    _check_watch(progress)
    given = RunArguments(
        questions=questions, model=model, protocol=protocol, settings=settings, epochs=epochs,
        reduce=reduce, sampling=sampling, limits=limits, base_url=base_url, name=name,
        templates=templates, out=out, overwrite=overwrite,
    )  # fmt: skip
    own = own_in(questions)
    with families.using(own):
        prepared = await asyncio.to_thread(given.prepared)
        with _watching(progress, prepared) as watch:
            ended = await session.run_async(prepared, watch)
    return Run(prepared.directory, ended.progress, own)


def open_run(path: str | Path, *, tasks: Sequence[Task] = ()) -> Run:
    """Return a run that is on disk, finished or not, also while it goes on.

    Args:
        path: its directory.
        tasks: those of one's own that were asked about, as no package holds them.

    Returns:
        A `Run`; its scores are made when they are asked for.

    Raises:
        FileError: there is no run.

    Example:
        >>> import thence
        >>> done = thence.run("procbench/sort", "baseline/oracle", out="oracle")
        >>> thence.open_run("oracle").scores().summary()["accuracy"].to_list()
        [1.0]
    """
    directory = RunDirectory(path_of("path", path))
    directory.information()
    return Run(directory, own=tasks)


class Run:
    """A run on disk. Made by `thence.run` and `thence.open_run`.

    Attributes:
        path: its directory.
        progress: what was done and spent, where this process ran it; else None.
        own: the tasks of its questions that lie in no package.
    """

    def __init__(
        self,
        directory: RunDirectory,
        progress: Progress | None = None,
        own: Sequence[Task] = (),
    ) -> None:
        self.path = directory.path
        self.own = tuple(own)
        self.progress = progress
        self._directory = directory

    @property
    def information(self) -> Mapping[str, Any]:
        """The contents of ``run.json``: what was asked for, versions, counts, tokens and cost."""
        return self._directory.information().to_json()

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._directory.information().request.model

    @property
    def missing(self) -> int:
        """Number of conversations, each a question in an epoch, that did not come to their end."""
        held = self._directory.information()
        epochs = held.request.epochs
        return held.samples * epochs - self._stored().finished(epochs)

    def scores(
        self,
        *,
        reduce: str | None = None,
        scorer: str = STRICT,
        accept_errors: bool | None = None,
        shortcuts: bool = False,
        on: str | None = None,
        corrections: str | Path | Sequence[str | Path] = (),
    ) -> Scores:
        """Return the scores of all that came back so far.

        Args:
            reduce: how epochs become one score: ``mean`` or ``majority``; None as the run has it.
            scorer: ``strict``, or another one that the family has.
            accept_errors: leave provider errors out; None as the run has it.
            shortcuts: measure on the questions what shortcuts reach, where no number is known.
            on: the Ray cluster whose cores make the scores, ``ray`` or ``ray://HOST:PORT``.
            corrections: sheets of ``thence ratings export`` on disputed answers, for the metric
                ``corrected``: the accuracy with those counted as right that they call ``no error``.

        Raises:
            ParameterError: a value that is not taken, or a cluster that cannot be reached.
            FileError: a file of corrections is no such sheet.
        """
        options = ScoringOptions(
            scorer=scorer,
            reduce=reduce,
            accept_errors=accept_errors,
            on=on,
            corrections=paths_of("corrections", corrections),
        )
        with families.using(self.own):
            made = score_run(self._directory, options, answers=True)
            if shortcuts:
                for found in made.results:
                    measure(found, self._directory.samples())
        return Scores(made.results, made.responses, self.own, scorer)

    def results(
        self,
        *,
        reduce: str | None = None,
        scorer: str = STRICT,
        accept_errors: bool | None = None,
        on: str | None = None,
    ) -> Results:
        """Return the scores as the library's own tables take them; arguments as for `scores`."""
        options = ScoringOptions(scorer=scorer, reduce=reduce, accept_errors=accept_errors, on=on)
        with families.using(self.own):
            (found,) = score_run(self._directory, options, answers=True).results
        return found

    def responses(self) -> Iterator[dict[str, Any]]:
        """Yield the responses that count as rows of ``responses.jsonl``, in the samples' order."""
        with families.using(self.own):
            stored, samples = self._stored(), self._directory.samples()
        while True:
            with families.using(self.own):  # not while a row is out of our hands
                sample = next(samples, None)
            if sample is None:
                return
            held = stored.of(sample.id)
            yield from (held[place].to_json() for place in sorted(held))

    def samples(self) -> Dataset:
        """Return the questions that were asked."""
        with families.using(self.own):
            found = Dataset(self._directory.samples())
        found.own = self.own
        return found

    def _stored(self) -> ResponseIndex:
        asked = self._directory.information().request.composed_protocol
        return self._directory.responses(asked.turns)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: what was asked for, and the scores."""
        held = self._directory.information()
        row = (held.request.model, held.request.protocol, held.samples, self.missing)
        facts = html_table(("model", "protocol", "questions", "missing"), [row], str(self.path))
        return facts + self.scores()._repr_html_()

    def __repr__(self) -> str:
        return f"<Run of {self.model} in {self.path}, {self.missing:,} missing>"


def _check_watch(progress: object) -> None:
    if not (progress is None or progress is True or callable(progress)):
        raise ParameterError("progress", short(progress), "must be a function, True or None")


def _watching(
    progress: Watch | Literal[True] | None, prepared: PreparedRun
) -> AbstractContextManager[Watch]:
    if progress is None:
        return nullcontext(lambda _: None)
    if progress is True:
        from thence.reporting.progress_display import show_progress

        return show_progress(prepared.model.name)
    return nullcontext(progress)
