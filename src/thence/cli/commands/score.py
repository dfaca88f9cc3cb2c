"""``thence score``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thence.cli import options
from thence.cli.output import print_json, say_below, say_failures
from thence.core.failures import plural
from thence.core.score import REDUCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from thence.core.results import Results
    from thence.engine.corrected_scores import Corrections
    from thence.engine.extraction import Conversions, UnreadReplies
    from thence.errors import DiskError
    from thence.models.select import Connection
    from thence.scoring.conversion_effect import Effect
    from thence.scoring.details import ScoredResponses
    from thence.scoring.imported import Replies
    from thence.scoring.judge import Convert, Scored


ALL = "all"
EXTRACT_CHOICES = ("unread", ALL)


@click.command("score")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR|FILE..."
)
@click.option(
    "--samples",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The samples that a FILE of replies answers.",
)
@click.option(
    "--scorer",
    type=click.Choice(["strict", "official"]),
    default="strict",
    show_default=True,
    help="How replies are read.",
)
@click.option(
    "--reduce",
    type=click.Choice(REDUCTIONS),
    help="How epochs become one score [default: as the run]",
)
@options.option(
    "--extractor",
    metavar="MODEL",
    help="A second model that puts replies with no readable answer into the asked format.",
)
@options.option(
    "--extract",
    type=click.Choice(EXTRACT_CHOICES),
    default=EXTRACT_CHOICES[0],
    show_default=True,
    help="Replies that --extractor converts: unread ones, for the scores; or all, beside the "
    "scores, to see what converting does.",
)
@options.base_url
@options.max_connections
@click.option(
    "--corrections",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of a run: show beside the accuracy what it is with the answers counted as right that "
    "these sheets of 'ratings export' call 'no error'.",
)
@click.option("--accept-errors", is_flag=True, default=None, help="Leave provider errors out of n.")
@options.option(
    "--details",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a row for each response: question, truth, reply, answer, outcome, tokens, cost "
    "(.csv, .xlsx, .parquet or .jsonl).",
)
@click.option("--overwrite", is_flag=True, help="Replace the FILE of --details.")
@click.option(
    "--shortcuts",
    is_flag=True,
    help="Measure on the questions what shortcuts reach, where no number is known.",
)
@options.place
@options.fail_on
@options.under
@options.full
@options.as_json
def command(
    paths: tuple[Path, ...],
    samples: Path | None,
    scorer: str,
    reduce: str | None,
    extractor: str | None,
    extract: str,
    base_url: str | None,
    max_connections: int,
    corrections: tuple[Path, ...],
    accept_errors: bool | None,
    details: Path | None,
    overwrite: bool,
    shortcuts: bool,
    on: str | None,
    fail_on: list[str],
    fail_under: dict[str, float],
    fail_under_low: dict[str, float],
    full: bool,
    as_json: bool,
) -> int:
    """Score runs (DIR), published replies, or FILEs of {id, response} lines with --samples."""
    from thence.engine.directory import RunDirectory
    from thence.models.select import Connection
    from thence.reporting.overview import print_overview, say_summary
    from thence.reporting.terminal import print_results
    from thence.scoring.details import check_output, write

    connection = Connection(base_url, max_connections)
    ways = _Scoring(scorer, reduce, extractor, extract, connection, not as_json, on, corrections)
    if details is not None:
        check_output(details, overwrite=overwrite, name="details")
    found: list[Results] = []
    for path in paths:
        if path.is_dir() and RunDirectory(path).exists:
            found.append(_run(path, ways, accept_errors))
        else:
            found += _elsewhere(path, samples, ways, accept_errors)
    if shortcuts:
        _measure(found, ways.sources, shown=not as_json)
    if as_json:
        print_json(_document(found, ways))
    else:
        (print_results if full else print_overview)(found)
        _print_effects(ways)
        for held in found:
            say_summary(held)
    if details is not None:
        made = write(details, ways.sources)
        options.say_cut(details, made.cut)
        click.echo(f"{plural(made.rows, 'response')}: {details}", err=as_json)
    unfinished = [held for held in found if not held.finished]
    failed = sum(conversions.failed for conversions in ways.done)
    _complain(unfinished, extractor, failed)
    skipped = _say_skipped(found)
    hit = say_failures(found, fail_on)
    hit |= say_below(found, fail_under, fail_under_low)
    return 1 if unfinished or failed or skipped or hit else 0


def _print_effects(ways: _Scoring) -> None:
    """Print what converting every reply did, a table a source."""
    if ways.extract != ALL or not ways.extractor:
        return
    from thence.reporting.terminal import print_table
    from thence.scoring.conversion_effect import table

    for each in ways.effects:
        print_table(table(each, ways.extractor))


def _measure(found: list[Results], sources: list[ScoredResponses], *, shown: bool) -> None:
    """Measure shortcuts on the questions of some results."""
    from thence.analysis import shortcut_marks
    from thence.reporting.progress_display import show_work

    with show_work("shortcuts", shown=shown):
        for held, source in zip(found, sources, strict=True):
            shortcut_marks.measure(held, source.samples())


def _document(found: list[Results], ways: _Scoring) -> dict[str, Any]:
    """Return the object of ``--json``."""
    from thence.analysis import summary
    from thence.scoring.turns import by_task

    views = [summary.overview(held) for held in found]
    document = summary.to_json(views, ways.scorer)
    for label, held in zip(summary.labels(views), found, strict=True):
        for task, changed in by_task(held).items():
            name = f"{label}/{task}" if label else task
            document["groups"][name]["changes"] = changed.to_json()
    if ways.extractor:
        document["extractor"] = ways.extractor
        document["converted"] = sum(map(_converted, found))
        if ways.extract == ALL:
            document["converted"] = sum(each.needed - each.failed for each in ways.done)
            document["conversion"] = [
                {task: effect.to_json() for task, effect in each.items()} for each in ways.effects
            ]
    return document


def _note(made: Conversions, held: Results, *, every: bool) -> str:
    """Return the sentence on conversions that stands below these results."""
    if not made.needed:
        return f"No reply needed to be converted, so {made.extractor} was not asked."
    if every:
        done = plural(made.needed - made.failed, "reply")
        return f"{made.extractor} converted {done}; the scores are the reader's own."
    count = _converted(held)
    were = "was" if count == 1 else "were"
    what = plural(count, "reply")
    return f"{what} without a readable answer {were} converted by {made.extractor}."


def _converted(held: Results) -> int:
    """Return the number of answers that were read from an extractor's conversion."""
    from thence.scoring.judge import EXTRACTOR_PREFIX

    rules = [frame.data["rule"].drop_nulls().cast(str).str for frame in held.frames.values()]
    return sum(int(each.starts_with(EXTRACTOR_PREFIX).sum()) for each in rules)


@dataclass
class _Scoring:
    """Options of one call, the counts of its extractor, and the results so far."""

    scorer: str
    reduce: str | None
    extractor: str | None
    extract: str
    connection: Connection
    shown: bool
    on: str | None
    sheets: tuple[Path, ...]
    corrections: Corrections | None = None
    done: list[Conversions] = field(default_factory=list)
    effects: list[dict[str, Effect]] = field(default_factory=list)
    sources: list[ScoredResponses] = field(default_factory=list)

    def __post_init__(self) -> None:
        from thence.errors import UsageError

        if self.extractor and self.scorer != "strict":
            raise UsageError(
                f"--extractor {self.extractor}: the {self.scorer} scorer reads replies as their "
                "authors do; leave one of the two out"
            )
        if self.extract == ALL and not self.extractor:
            raise UsageError("--extract all: name the model that converts, --extractor MODEL")
        for name, given in (("--extractor", self.extractor), ("--corrections", self.sheets)):
            if self.on is not None and given:
                raise UsageError(f"--on {self.on}: scores without {name}; leave one of the two out")
        if self.sheets:
            from thence.engine.corrected_scores import Corrections

            self.corrections = Corrections.read(self.sheets)

    def conversions(self, unread: Callable[[], UnreadReplies]) -> Conversions | None:
        """Return the extractor's answers to unread replies; None where no extractor was named."""
        from thence.engine.extraction import convert_unread
        from thence.reporting.progress_display import NORMAL, QUIET, show_progress
        from thence.scoring.conversion_effect import effects

        if not self.extractor:
            return None
        with show_progress(self.extractor, NORMAL if self.shown else QUIET) as watch:
            replies = replace(unread(), every=self.extract == ALL)
            made = convert_unread(self.extractor, replies, self.connection, watch)
        if self.extract == ALL:
            self.effects.append(effects(replies.conversations(), replies.asked, made))
        self.done.append(made)
        return made

    def convert(self, made: Conversions | None) -> Convert | None:
        """Return the conversions that enter the scores: none where all replies are converted."""
        return made if self.extract != ALL else None


def _run(path: Path, ways: _Scoring, accept_errors: bool | None) -> Results:
    """Return the scores of a run directory."""
    from thence.engine.corrected_scores import refuse_votes
    from thence.engine.directory import RunDirectory
    from thence.engine.extraction import unread_of_run
    from thence.engine.run_scores import results, scored_by, scored_responses
    from thence.engine.spread_scores import spread_results
    from thence.reporting.progress_display import show_work
    from thence.scoring.judge import STRICT

    directory = RunDirectory(path)
    model = directory.information().request.model
    conversions = ways.conversions(lambda: unread_of_run(directory))
    asked = scored_by(directory, ways.reduce)
    corrections = ways.corrections
    if corrections is not None:
        refuse_votes(directory, asked.reduce)

    def kept(rows: Iterable[Scored]) -> Iterable[Scored]:
        made = directory.keeping_scores(rows, _not_kept) if ways.scorer == STRICT else rows
        return made if corrections is None else corrections.added(made, model, asked.protocol.turns)

    convert = ways.convert(conversions)
    score = partial(results, convert=convert, keep=kept)
    if ways.on is not None:
        score = partial(spread_results, on=ways.on, keep=ways.scorer == STRICT, complain=_not_kept)
    with show_work("score", shown=ways.shown):
        held = score(directory, reduce=ways.reduce, accept_errors=accept_errors, scorer=ways.scorer)
    ways.sources.append(scored_responses(directory, held, convert, ways.scorer))
    if conversions is not None:
        held.notes.append(_note(conversions, held, every=ways.extract == ALL))
    if corrections is not None:
        held.notes.append(corrections.note(model))
    return held


def _elsewhere(
    path: Path, samples: Path | None, ways: _Scoring, accept_errors: bool | None
) -> list[Results]:
    """Return the scores of replies that were gathered elsewhere: of each model, or of one file."""
    from thence.errors import UsageError

    for name, given in (("--corrections", ways.corrections), (f"--on {ways.on}", ways.on)):
        if given:
            raise UsageError(f"{name}: is for runs, and {path} is none")
    from thence.engine.extraction import unread_of_file
    from thence.reporting.progress_display import show_work

    with show_work("score", shown=ways.shown):
        several = _gathered(path, samples, ways)
    every = [pair for replies in several for pair in replies.conversations]
    conversions = ways.conversions(lambda: unread_of_file(path, every))
    found = []
    for replies in several:
        convert = ways.convert(conversions)
        with show_work("score", shown=ways.shown):
            held = replies.scored(ways.scorer, convert)
        ways.sources.append(replies.scored_responses(held, ways.scorer, convert))
        held.accepted = bool(accept_errors)
        if conversions is not None:
            held.notes.append(_note(conversions, held, every=ways.extract == ALL))
        found.append(held)
    return found


def _gathered(path: Path, samples: Path | None, ways: _Scoring) -> Sequence[Replies]:
    """Return the replies of a path that is no run, in whichever form they are."""
    from thence.engine.directory import RunDirectory
    from thence.errors import FileError, UsageError
    from thence.scoring.imported import published, replies_of

    several = published(path, ways.scorer)
    if several is not None:
        return several
    if path.is_dir() or (path.suffix != ".jsonl" and not path.is_file()):
        RunDirectory(path).information()  # says what is wrong with it
    if path.suffix != ".jsonl":
        raise FileError(f"{path}: replies are read from .jsonl, or as a family's authors publish")
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    if samples is None:
        raise UsageError(f"{path}: a file of replies needs --samples FILE, its questions")
    return [replies_of(path, samples, ways.reduce or "mean")]


def _complain(unfinished: list[Results], extractor: str | None, failed: int) -> None:
    for held in unfinished:
        click.echo(
            f"thence: {held.model or held.source}: {held.errors + held.missing} without a response",
            err=True,
        )
    if failed:
        click.echo(
            f"thence: --extractor {extractor}: {plural(failed, 'reply')} not converted; the same "
            "command tries again",
            err=True,
        )


def _say_skipped(found: list[Results]) -> int:
    """Print a line for each thing that was not read; return how many there are."""
    count = 0
    for held in found:
        for line in held.skipped:
            click.echo(f"thence: skipped: {line}", err=True)
        count += len(held.skipped)
        if held.skipped:
            click.echo(f"thence: {held.source}: {len(held.skipped)} skipped", err=True)
    return count


def _not_kept(error: DiskError) -> None:
    click.echo(f"thence: scores are not kept: {error}", err=True)
