"""Scores of a large run, made by the cores of a cluster, with the bytes and tables of one process.

Workers need no file of the run: lines of samples and responses go to them, and lines and columns
of scores come back, in the order of the samples.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from functools import partial
from itertools import batched
from typing import Any, NamedTuple

from thence import families
from thence.core.digest import compact_json
from thence.core.results import Results
from thence.core.task import Task
from thence.engine import json_lines
from thence.engine.directory import SAMPLES, SCORES, RunDirectory
from thence.engine.response_index import latest, responses_to
from thence.engine.run_scores import RunScores, described, results, scored_by
from thence.engine.score_file import ScoreFile, line_of
from thence.errors import DiskError
from thence.scoring.frame_builder import Packed, packed, unpacked
from thence.scoring.judge import STRICT
from thence.system.disk import lines_of
from thence.system.progress import followed
from thence.system.ray_cluster import check_place
from thence.system.workers import pool

_CHUNK = 500  # samples that a worker scores at a time, in about a tenth of a second

type Asked = tuple[bytes, list[bytes]]
"""The line of a sample, and those of the responses to it."""


class _Scored(NamedTuple):
    """Scores that a worker made of a chunk of samples."""

    lines: str
    columns: Mapping[str, Packed]
    missing: int
    ties: int
    replies: Counter[str]


def spread_results(
    directory: RunDirectory,
    on: str | None,
    reduce: str | None = None,
    *,
    accept_errors: bool | None = None,
    scorer: str = STRICT,
    keep: bool = False,
    complain: Callable[[DiskError], None] | None = None,
    answers: bool = False,
) -> Results:
    """Score all responses that a run holds so far by workers.

    Args:
        directory: the run.
        on: the cluster that has them, `ray` or `ray://HOST:PORT`; None for this process alone.
        reduce: as for `run_scores.results`.
        accept_errors: likewise.
        scorer: likewise.
        keep: whether the scores are written to the run's folder.
        complain: called with an error of the disk about that; None: it is raised.
        answers: as for `run_scores.results`.

    Raises:
        ParameterError: there is no such cluster.
        FileError: the run cannot be read.
    """
    if on is None:
        return results(
            directory,
            reduce,
            accept_errors=accept_errors,
            scorer=scorer,
            keep=partial(directory.keeping_scores, complain=complain) if keep else iter,
            answers=answers,
        )
    check_place(on)
    scores = scored_by(directory, reduce, scorer=scorer)
    file = ScoreFile(directory.path / SCORES, complain) if keep else nullcontext()

    def taken() -> Iterator[Mapping[str, Packed]]:
        for each in _made(scores, on, answers=answers):
            scores.missing += each.missing
            scores.ties += each.ties
            scores.replies += each.replies
            if isinstance(file, ScoreFile):
                file.write_lines(each.lines)
            yield each.columns

    with file:
        columns = unpacked(taken())
    found = described(directory, scores, columns)
    if accept_errors is not None:
        found.accepted = accept_errors
    return found


def _made(scores: RunScores, on: str, *, answers: bool) -> Iterator[_Scored]:
    """Yield what workers make of all samples, in order."""
    chunks = batched(_asked(scores), _CHUNK)
    with pool(on, _prepare, scores.shared(), answers, families.given()) as workers:
        waiting: deque[Future[_Scored]] = deque()
        for chunk in chunks:
            waiting.append(workers.submit(_score, chunk))
            if len(waiting) > 4 * workers.count:  # a bound on finished chunks in memory
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _asked(scores: RunScores) -> Iterator[Asked]:
    """Yield every sample of a run with the responses to it, as lines."""
    directory, responses = scores.directory, scores.responses
    lines: Iterable[tuple[str, bytes]]
    if directory.trusted:
        every = lines_of(lambda: directory.path / SAMPLES)
        lines = ((json_lines.id_of(line), line) for line in every)
    else:
        checked = directory.samples()
        lines = ((each.id, compact_json(each.to_json()).encode()) for each in checked)
    for name, line in followed(lines, "samples", scores.count):
        yield line, list(responses.lines(name))


_state: dict[str, Any] = {}  # of a worker process


def _prepare(scores: RunScores, answers: bool, own: Sequence[Task]) -> None:
    families.use(own)
    _state.update(scores=scores, answers=answers)


def _score(chunk: Sequence[Asked]) -> _Scored:
    """Return the scores of some samples."""
    scores: RunScores = _state["scores"].shared()
    scored = []
    for line, held in chunk:
        sample = json_lines.sample(line)
        scored += scores.score(sample, latest(responses_to(sample.id, held)))
    lines = "".join(map(line_of, scored))
    columns = packed(scored, answers=_state["answers"])
    return _Scored(lines, columns, scores.missing, scores.ties, scores.replies)
