"""Scores of many replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence import families
from thence.api.asked import Asked, own_in, samples_of
from thence.api.given import path_of, short, text_of
from thence.core.failures import FAILURES
from thence.core.notebook import html_table
from thence.core.results import Results, together
from thence.core.sample import Sample
from thence.core.score import check_reduction
from thence.errors import FileError, ParameterError, UsageError
from thence.models.base import Reply
from thence.scoring import details
from thence.scoring.details import ScoredResponses
from thence.scoring.imported import Replies as Gathered
from thence.scoring.imported import answered, published
from thence.scoring.judge import STRICT
from thence.system.disk import read_lines

if TYPE_CHECKING:
    import polars

    from thence.analysis.summary import Overview, Summary
    from thence.core.table import Table
    from thence.core.task import Task

type Said = str | Reply | None
type Replies = Mapping[str, Said | Sequence[Said]] | Iterable[Mapping[str, Any]] | str | Path
"""Replies by the id of the question, one or one an epoch; rows with ``id`` and ``response``; or the
path of such rows in JSON lines."""


def score(
    questions: Asked | None, replies: Replies, *, scorer: str = STRICT, reduce: str = "mean"
) -> Scores:
    """Return the scores of replies that were gathered in any way.

    Args:
        questions: those that the replies answer: samples, a `Dataset` or the path of a file; None
            where ``replies`` is a path in the form in which a benchmark's authors publish theirs.
        replies: a mapping from the id of a question to the text of its reply (or to a list of
            texts, one an epoch), rows with ``id`` and ``response``, or the path of such lines.
        scorer: ``strict``, or another one that the family has, such as FABLE's ``official``.
        reduce: how epochs become one score: ``mean`` or ``majority``.

    Returns:
        A `Scores` object; questions without a reply are counted as missing.

    Raises:
        ParameterError: replies of another form, to no question, or twice to one.
        FileError: a file that cannot be read.

    Example:
        >>> import thence
        >>> asked = thence.generate("procbench/sort", size=20)
        >>> replies = {sample.id: thence.answer(sample) for sample in asked}
        >>> thence.score(asked, replies).summary()["accuracy"].to_list()
        [1.0]
    """
    check_reduction(reduce)
    text_of("scorer", scorer, "the name of a scorer")
    if questions is None:
        return _scores(_published(replies, scorer), scorer)
    path = str(replies) if isinstance(replies, str | Path) else "replies"
    rows = _lines(Path(replies)) if isinstance(replies, str | Path) else _rows(replies)
    unread = list[FileError]()
    asked = _noting(samples_of(questions), unread)
    own = own_in(questions)
    with families.using(own):
        try:
            held = answered(rows, asked, reduce, source=path, questions="the questions")
        except FileError as error:
            if isinstance(replies, str | Path) or error in unread:
                raise
            raise ParameterError("replies", None, str(error).removeprefix("replies: ")) from error
        return _scores([held], scorer, own)


def _published(replies: Replies, scorer: str) -> Iterable[Gathered]:
    """Return the replies of a path in the form in which a benchmark's authors publish theirs.

    Raises:
        ParameterError: they are no such path.
        FileError: it is not there, or cannot be read.
    """
    need = "give those that the replies answer"
    if not isinstance(replies, str | Path):
        raise ParameterError("questions", None, need)
    path = Path(replies)
    if not path.exists():
        raise FileError(f"{path}: no such file or folder")
    found = published(path, scorer)
    if found is None:
        reason = f"{path} is in no form of a benchmark's authors; {need}"
        raise ParameterError("questions", None, reason)
    return found


def _scores(several: Iterable[Gathered], scorer: str, own: Sequence[Task] = ()) -> Scores:
    """Return the scores of the replies of some models."""
    scored = [(each, each.scored(scorer, answers=True)) for each in several]
    return Scores(
        [held for _, held in scored],
        [each.scored_responses(held, scorer) for each, held in scored],
        own,
        scorer,
    )


def _noting(samples: Iterator[Sample], unread: list[FileError]) -> Iterator[Sample]:
    """Yield the questions; take note of the error that one of them is."""
    try:
        yield from samples
    except FileError as error:
        unread.append(error)
        raise


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    for number, row in read_lines(path):
        yield f"{path}:{number}", row


def _rows(
    replies: Mapping[str, Said | Sequence[Said]] | Iterable[Mapping[str, Any]],
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the place and the row of each reply."""
    if isinstance(replies, Mapping):
        for name, said in replies.items():
            several = [said] if isinstance(said, str | Reply | None) else said
            if not isinstance(several, Iterable) or isinstance(several, bytes | Mapping):
                what = "must be text, a Reply, None, or a list of these, one an epoch"
                raise ParameterError("replies", short(said), what)
            for epoch, each in enumerate(several):
                yield f"replies[{name!r}]", _row(name, epoch, each)
    elif isinstance(replies, Iterable):
        for number, row in enumerate(replies):
            if not isinstance(row, Mapping):
                raise ParameterError("replies", short(row), "must be a row with id and response")
            yield f"replies[{number}]", row
    else:
        raise ParameterError("replies", short(replies), "must be a mapping, rows or a path")


def _row(name: str, epoch: int, said: Said) -> dict[str, Any]:
    row: dict[str, Any] = {"id": name, "epoch": epoch, "response": said}
    if isinstance(said, Reply):
        row |= {
            "response": said.text,
            "reasoning": said.reasoning,
            "finish_reason": said.finish_reason,
        }
    return row


def _figures(summary: Summary) -> dict[str, Any]:
    """Return the figures of a summary in columns: each metric with the ends of its interval."""
    row: dict[str, Any] = {"n": summary.n, "correct": summary.correct}
    for name, figure in {"accuracy": summary.accuracy, **summary.metrics}.items():
        low, high = figure.interval() or (None, None)
        row |= {name: figure.value if figure.n else None, f"{name}_low": low, f"{name}_high": high}
    return row | dict(summary.outcomes)


class Scores:
    """The scores of a run, or of replies gathered elsewhere.

    Made by `thence.score` and by the ``scores`` of a run.

    Attributes:
        results: one for each model.
        own: the tasks of the questions that lie in no package.
        scorer: how the replies were read.
    """

    def __init__(
        self,
        results: Sequence[Results],
        sources: Sequence[ScoredResponses] = (),
        own: Sequence[Task] = (),
        scorer: str = STRICT,
    ) -> None:
        self.results = list(results)
        self._sources = list(sources)
        self.own = tuple(own)
        self.scorer = scorer

    @cached_property
    def frame(self) -> polars.DataFrame:
        """A polars frame with one row a scored response, all turns.

        Columns are ``model``, ``id``, ``task``, ``epoch``, ``turn``, ``outcome``, ``correct``,
        ``rule``, ``answer`` (canonical JSON) and others; the dimensions of the tables; a column
        for each metric, null where a response lacks it.
        """
        return together(self.results)

    def details(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each response, with all that a person or a program needs to check it.

        The columns are those of ``thence score --details``: what was asked (``question``,
        ``truth``), what came back (``reply``, ``seconds``, tokens), how it was read (``answer``,
        ``rule``) and scored (``outcome``, ``correct``, the metrics). Epochs are not reduced.

        Example:
            >>> import thence
            >>> asked = thence.generate("procbench/sort", size=4)
            >>> found = thence.score(asked, {each.id: thence.answer(each) for each in asked})
            >>> [row["correct"] for row in found.details()]
            [True, True, True, True]
        """
        rows = details.rows(self._sources)
        while True:
            with families.using(self.own):
                row = next(rows, None)
            if row is None:
                return
            yield row

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the rows of `details` one after the other, in the memory of a few of them.

        Args:
            path: ends in ``.csv``, ``.xlsx``, ``.parquet`` or ``.jsonl``.
            overwrite: replace a file that is there.

        Returns:
            The path of the file.

        Raises:
            ParameterError: another ending, no such folder, or a file that is there.
            MissingExtra: a format whose library is not installed.
        """
        file = path_of("path", path)
        details.check_output(file, overwrite=overwrite)
        with families.using(self.own):
            details.write(file, self._sources)
        return file

    @property
    def missing(self) -> int:
        """Number of questions and epochs that have no response."""
        return sum(held.missing for held in self.results)

    @property
    def failures(self) -> dict[str, int]:
        """The number of replies without an answer, by kind.

        The kinds are ``refused``, ``truncated``, ``empty``, ``unreadable`` and ``provider_error``,
        counted over all epochs and turns, before any vote; ``missing`` as the attribute says.
        """
        return {kind: sum(held.failures[kind] for held in self.results) for kind in FAILURES}

    @property
    def finished(self) -> bool:
        """Whether each question was answered, or its provider error accepted."""
        return all(held.finished for held in self.results)

    def summary(self, by: str = "family") -> polars.DataFrame:
        """Return the accuracy and the metrics with their 95% intervals, in a polars frame.

        Args:
            by: ``family``, ``task``, or a dimension of the tables, such as ``group`` or ``steps``.

        Returns:
            A row for each family, task, or task and group: ``n``, ``correct``, ``accuracy`` with
            ``accuracy_low`` and ``accuracy_high``, the metrics likewise, and a column for the
            number of responses with each outcome.

        Raises:
            ParameterError: a dimension that no task has.
        """
        rows = list(self._rows(by))
        if not rows and by not in {"family", "task"}:
            known = sorted(
                {name for view in self._views for task in view.tasks.values() for name in task.by}
            )
            names = ", ".join(["family", "task", *known])
            raise ParameterError("by", by, f"must be one of {names}")
        import polars

        return polars.DataFrame(rows, infer_schema_length=None)

    @property
    def _views(self) -> list[Overview]:
        from thence.analysis.summary import overview

        with families.using(self.own):
            return [overview(held) for held in self.results]

    def _rows(self, by: str) -> Iterator[dict[str, Any]]:
        for view in self._views:
            begin = {"model": view.model} if len(self.results) > 1 else {}
            if by in {"family", "task"}:
                held = view.families if by == "family" else view.tasks
                yield from ({**begin, by: name, **_figures(each)} for name, each in held.items())
                continue
            for task, whole in view.tasks.items():
                for group, each in whole.by.get(by, {}).items():
                    yield {**begin, "task": task, by: group, **_figures(each)}

    def tables(self) -> list[Table]:
        """Return the tables of the papers from these scores: title, columns, rows, note."""
        from thence.reporting.terminal import paper_tables

        with families.using(self.own):
            return paper_tables(self.results)

    def to_pandas(self) -> Any:
        """Return the frame as a ``pandas.DataFrame``.

        Raises:
            UsageError: pandas or pyarrow is not installed.
        """
        try:
            return self.frame.to_pandas()
        except ImportError as error:
            need = "to_pandas needs the packages pandas and pyarrow: pip install pandas pyarrow"
            raise UsageError(need) from error

    def to_json(self) -> dict[str, Any]:
        """Return all figures as ``thence score --json`` prints them."""
        from thence.analysis import summary

        return summary.to_json(self._views, self.scorer)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the accuracy by task with its interval."""
        columns = ("task", "n", "accuracy", "low", "high")
        tables = []
        for held, view in zip(self.results, self._views, strict=True):
            rows = [
                (name, each.n, each.accuracy.value, *(each.accuracy.interval() or (None, None)))
                for name, each in view.tasks.items()
            ]
            tables.append(html_table(columns, rows, held.model or held.source))
        return "".join(tables)

    def __repr__(self) -> str:
        told = [
            f"{family} {each.accuracy.value:.3f} (n={each.n})"
            for view in self._views
            for family, whole in view.families.items()
            for each in ([whole] if whole.accuracy.n else [])
        ]
        return f"<Scores: {', '.join(told) or 'none'}>"
