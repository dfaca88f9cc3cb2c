"""``thence score``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thence.cli import options
from thence.cli.output import print_json, say_below, say_failures
from thence.core.failures import plural
from thence.core.score import EXTRACT_CHOICES, REDUCTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thence.api.scored_path import ScoredPath, ScoringOptions
    from thence.core.results import Results
    from thence.errors import DiskError
    from thence.scoring.details import ScoredResponses


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
def command(paths: tuple[Path, ...], **given: Any) -> int:
    """Score runs (DIR), published replies, or FILEs of {id, response} lines with --samples."""
    from thence.api.scored_path import score_path
    from thence.reporting.overview import print_overview, say_summary
    from thence.reporting.terminal import print_results
    from thence.scoring.details import check_output, write

    details, shown = given["details"], not given["as_json"]
    scoring = _scoring_options(given)
    if details is not None:
        check_output(details, overwrite=given["overwrite"], name="details")
    scored = [
        score_path(path, scoring, given["samples"], keep=True, complain=_not_kept, shown=shown)
        for path in paths
    ]
    results = [result for each in scored for result in each.results]
    responses = [response for each in scored for response in each.responses]
    if given["shortcuts"]:
        _measure(results, responses, shown=shown)
    if given["as_json"]:
        print_json(_document(results, scored, scoring))
    else:
        (print_results if given["full"] else print_overview)(results)
        _print_effects(scored, scoring)
        for result in results:
            say_summary(result)
    if details is not None:
        made = write(details, responses)
        options.say_cut(details, made.cut)
        click.echo(f"{plural(made.rows, 'response')}: {details}", err=not shown)
    unfinished = [result for result in results if not result.finished]
    failed = sum(each.conversions.failed for each in scored if each.conversions)
    _complain(unfinished, scoring.extractor, failed)
    skipped = _say_skipped(results)
    hit = say_failures(results, given["fail_on"])
    hit |= say_below(results, given["fail_under"], given["fail_under_low"])
    return 1 if unfinished or failed or skipped or hit else 0


def _scoring_options(given: dict[str, Any]) -> ScoringOptions:
    """Return the way of scoring that the options of a command ask for."""
    from thence.api.scored_path import ScoringOptions
    from thence.models.select import Connection

    return ScoringOptions(
        scorer=given["scorer"],
        reduce=given["reduce"],
        accept_errors=given["accept_errors"],
        extractor=given["extractor"],
        extract=given["extract"],
        connection=Connection(given["base_url"], given["max_connections"]),
        on=given["on"],
        corrections=given["corrections"],
    )


def _print_effects(scored: Sequence[ScoredPath], scoring: ScoringOptions) -> None:
    """Print what converting every reply did, a table a path."""
    if not scoring.converts_all:
        return
    from thence.reporting.terminal import print_table
    from thence.scoring.conversion_effect import table

    for each in scored:
        print_table(table(each.effects, scoring.extractor or ""))


def _measure(found: list[Results], responses: list[ScoredResponses], *, shown: bool) -> None:
    """Measure shortcuts on the questions of some results."""
    from thence.analysis import shortcut_marks
    from thence.reporting.progress_display import show_work

    with show_work("shortcuts", shown=shown):
        for held, each in zip(found, responses, strict=True):
            shortcut_marks.measure(held, each.samples())


def _document(
    found: list[Results], scored: Sequence[ScoredPath], scoring: ScoringOptions
) -> dict[str, Any]:
    """Return the object of ``--json``."""
    from thence.analysis import summary
    from thence.api.scored_path import converted_answers
    from thence.scoring.turns import by_task

    views = [summary.overview(held) for held in found]
    document = summary.to_json(views, scoring.scorer)
    for label, held in zip(summary.labels(views), found, strict=True):
        for task, changed in by_task(held).items():
            name = f"{label}/{task}" if label else task
            document["groups"][name]["changes"] = changed.to_json()
    if scoring.extractor:
        document["extractor"] = scoring.extractor
        document["converted"] = sum(map(converted_answers, found))
    if scoring.converts_all:
        made = [each.conversions for each in scored if each.conversions]
        document["converted"] = sum(each.needed - each.failed for each in made)
        document["conversion"] = [
            {task: effect.to_json() for task, effect in each.effects.items()} for each in scored
        ]
    return document


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
