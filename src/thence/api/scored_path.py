"""Scores of one path: of a run, of replies as authors publish theirs, or of a file of replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from thence.analysis.error_kinds import accepted_corrections
from thence.core.failures import plural
from thence.core.score import EXTRACT_CHOICES, check_reduction
from thence.engine.corrected_scores import Corrections, refuse_votes
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import results, scored_by, scored_responses
from thence.engine.spread_scores import spread_results
from thence.errors import FileError, ParameterError, UsageError
from thence.models.select import Connection
from thence.reporting.progress_display import NORMAL, QUIET, show_progress, show_work
from thence.scoring.imported import published, replies_of
from thence.scoring.judge import EXTRACTOR_PREFIX, STRICT

if TYPE_CHECKING:
    from thence.analysis.error_kinds import AnswerKey
    from thence.core.results import Results
    from thence.engine.extraction import Conversions, UnreadReplies
    from thence.errors import DiskError
    from thence.scoring.conversion_effect import Effect
    from thence.scoring.details import ScoredResponses
    from thence.scoring.imported import Replies
    from thence.scoring.judge import Scored


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """Options by which replies are scored; those that do not go together are refused.

    Attributes:
        scorer: how replies are read.
        reduce: how epochs become one score; None as the run has it.
        accept_errors: leave provider errors out; None as the run has it.
        extractor: the name of a model that converts replies; empty or None for none.
        extract: which of them: ``unread`` ones, for the scores, or ``all``, beside the scores.
        connection: to that model.
        on: the cluster whose cores make the scores of a run; None for this process.
        corrections: sheets on disputed answers of a run, for the metric ``corrected``.
    """

    scorer: str = STRICT
    reduce: str | None = None
    accept_errors: bool | None = None
    extractor: str | None = None
    extract: str = "unread"
    connection: Connection = field(default_factory=Connection)
    on: str | None = None
    corrections: Sequence[Path] = ()

    def __post_init__(self) -> None:
        """Refuse what does not go together.

        Raises:
            ParameterError: two options of which one is to be left out, or one that needs another.
        """
        if self.reduce is not None:
            check_reduction(self.reduce)
        if self.extract not in EXTRACT_CHOICES:
            raise ParameterError("extract", self.extract, f"must be {' or '.join(EXTRACT_CHOICES)}")
        if self.extractor and self.scorer != STRICT:
            reason = f"the {self.scorer} scorer reads replies as their authors do"
            raise ParameterError("extractor", self.extractor, f"{reason}; leave one of the two out")
        if self.converts_all and not self.extractor:
            reason = "name the model that converts, extractor=MODEL"
            raise ParameterError("extract", self.extract, reason)
        for name, given in (("extractor", self.extractor), ("corrections", self.corrections)):
            if self.on is not None and given:
                reason = f"scores without {name}=; leave one of the two out"
                raise ParameterError("on", self.on, reason)

    @property
    def converts_all(self) -> bool:
        """Whether the extractor converts all replies, and its conversions enter no score."""
        return self.extract == "all"

    @cached_property
    def accepted(self) -> set[AnswerKey]:
        """The answers that count as right by the sheets, which are read once.

        Raises:
            FileError: a file is no such sheet, or holds no kind of error.
        """
        return accepted_corrections(self.corrections)


@dataclass(frozen=True)
class ScoredPath:
    """The scores of one path.

    Attributes:
        results: of each model.
        responses: of each of the results, its responses with their scores.
        conversions: those of an extractor; None where none was named.
        effects: of converting all replies, by task; empty where this was not asked for.
    """

    results: Sequence[Results]
    responses: Sequence[ScoredResponses]
    conversions: Conversions | None = None
    effects: Mapping[str, Effect] = field(default_factory=dict)


def score_path(
    path: Path,
    options: ScoringOptions,
    samples: Path | None = None,
    *,
    keep: bool = False,
    complain: Callable[[DiskError], None] | None = None,
    shown: bool = False,
) -> ScoredPath:
    """Return the scores of a run, of published replies, or of a file of replies.

    Args:
        path: a run's directory, a file or folder as a benchmark's authors publish theirs, or lines
            with ``id`` and ``response``.
        options: how to score.
        samples: the file of the questions that such lines answer.
        keep: as for `score_run`.
        complain: likewise.
        shown: likewise.

    Raises:
        ParameterError: an option that is for runs alone, and the path is none.
        UsageError: lines without a file of questions, or an extractor out of reach.
        FileError: the path, or a sheet of corrections, cannot be read.
    """
    directory = RunDirectory(path)
    if path.is_dir() and directory.exists:
        return score_run(directory, options, keep=keep, complain=complain, shown=shown)
    return _score_gathered(path, options, samples, shown=shown)


def score_run(
    directory: RunDirectory,
    options: ScoringOptions,
    *,
    keep: bool = False,
    complain: Callable[[DiskError], None] | None = None,
    answers: bool = False,
    shown: bool = False,
) -> ScoredPath:
    """Return the scores of all responses that a run holds so far.

    Args:
        directory: the run.
        options: how to score.
        keep: whether scores by the strict scorer are written to the run's folder.
        complain: called with an error of the disk about that; None: it is raised.
        answers: whether the text of every answer is kept.
        shown: whether progress is shown on standard error.

    Raises:
        ParameterError: a cluster that cannot be reached, or corrections of epochs that are a vote.
        UsageError: an extractor out of reach.
        FileError: the run, or a sheet of corrections, cannot be read.
    """
    scorer, reduce, accept_errors = options.scorer, options.reduce, options.accept_errors
    keep = keep and scorer == STRICT
    corrections = Corrections(options.accepted) if options.corrections else None
    model, scores = directory.information().request.model, scored_by(directory, reduce)
    if corrections is not None:
        refuse_votes(directory, scores.reduce)
    conversions: Conversions | None = None
    effects: Mapping[str, Effect] = {}
    if options.extractor:
        from thence.engine.extraction import unread_of_run

        conversions, effects = _converted(partial(unread_of_run, directory), options, shown=shown)
    convert = None if options.converts_all else conversions

    def passing(rows: Iterable[Scored]) -> Iterable[Scored]:
        made = directory.keeping_scores(rows, complain) if keep else rows
        if corrections is None:
            return made
        return corrections.added(made, model, scores.protocol.turns)

    with show_work("score", shown=shown):
        if options.on is None:
            found = results(
                directory, reduce, accept_errors=accept_errors, convert=convert, scorer=scorer,
                keep=passing, answers=answers,
            )  # fmt: skip
        else:
            found = spread_results(
                directory, options.on, reduce, accept_errors=accept_errors, scorer=scorer,
                keep=keep, complain=complain, answers=answers,
            )  # fmt: skip
    if conversions is not None:
        found.notes.append(_note(conversions, found, options))
    if corrections is not None:
        found.notes.append(corrections.note(model))
    responses = scored_responses(directory, found, convert, scorer)
    return ScoredPath([found], [responses], conversions, effects)


def _score_gathered(
    path: Path, options: ScoringOptions, samples: Path | None, *, shown: bool
) -> ScoredPath:
    """Return the scores of replies that were gathered elsewhere: of each model, or of one file."""
    for name, given, value in (
        ("corrections", options.corrections, None),
        ("on", options.on, options.on),
    ):
        if given:
            raise ParameterError(name, value, f"is for runs, and {path} is none")
    with show_work("score", shown=shown):
        several = _gathered(path, options, samples)
    conversions: Conversions | None = None
    effects: Mapping[str, Effect] = {}
    if options.extractor:
        from thence.engine.extraction import unread_of_file

        every = [pair for each in several for pair in each.conversations]
        unread = partial(unread_of_file, path, every)
        conversions, effects = _converted(unread, options, shown=shown)
    convert = None if options.converts_all else conversions
    found, responses = [], []
    for each in several:
        with show_work("score", shown=shown):
            held = each.scored(options.scorer, convert)
        responses.append(each.scored_responses(held, options.scorer, convert))
        held.accepted = bool(options.accept_errors)
        if conversions is not None:
            held.notes.append(_note(conversions, held, options))
        found.append(held)
    return ScoredPath(found, responses, conversions, effects)


def _gathered(path: Path, options: ScoringOptions, samples: Path | None) -> Sequence[Replies]:
    """Return the replies of a path that is no run, in whichever form they are."""
    several = published(path, options.scorer)
    if several is not None:
        return several
    if path.is_dir() or (path.suffix != ".jsonl" and not path.is_file()):
        RunDirectory(path).information()  # says what is wrong with it
    if path.suffix != ".jsonl":
        raise FileError(f"{path}: replies are read from .jsonl, or as a family's authors publish")
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    if samples is None:
        raise UsageError(f"{path}: a file of replies needs samples=FILE, its questions")
    return [replies_of(path, samples, options.reduce or "mean")]


def _converted(
    unread: Callable[[], UnreadReplies], options: ScoringOptions, *, shown: bool
) -> tuple[Conversions, Mapping[str, Effect]]:
    """Return what an extractor made of replies, and the effect of converting all where it did."""
    from thence.engine.extraction import convert_unread
    from thence.scoring.conversion_effect import effects

    extractor = options.extractor or ""
    with show_progress(extractor, NORMAL if shown else QUIET) as watch:
        replies = replace(unread(), every=options.converts_all)
        made = convert_unread(extractor, replies, options.connection, watch)
    if not options.converts_all:
        return made, {}
    return made, effects(replies.conversations(), replies.asked, made)


def converted_answers(found: Results) -> int:
    """Return the number of answers that were read from an extractor's conversion."""
    rules = [frame.data["rule"].drop_nulls().cast(str).str for frame in found.frames.values()]
    return sum(int(each.starts_with(EXTRACTOR_PREFIX).sum()) for each in rules)


def _note(made: Conversions, found: Results, options: ScoringOptions) -> str:
    """Return the sentence on conversions that stands below these results."""
    if not made.needed:
        return f"No reply needed to be converted, so {made.extractor} was not asked."
    if options.converts_all:
        done = plural(made.needed - made.failed, "reply")
        return f"{made.extractor} converted {done}; the scores are the reader's own."
    count = converted_answers(found)
    were = "was" if count == 1 else "were"
    what = plural(count, "reply")
    return f"{what} without a readable answer {were} converted by {made.extractor}."
