"""``thence score``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from thence.cli import _options as options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from thence.engine.directory import RunDirectory
    from thence.errors import DiskError
    from thence.models.select import Connection
    from thence.scoring import Convert, Results, Scored


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
    type=click.Choice(["mean", "majority"]),
    help="How epochs become one score [default: as the run]",
)
@options.option(
    "--extractor",
    metavar="MODEL",
    help="A second model that puts replies with no readable answer into the asked format.",
)
@options.base_url
@options.max_connections
@click.option("--accept-errors", is_flag=True, default=None, help="Leave provider errors out of n.")
@options.as_json
def command(
    paths: tuple[Path, ...],
    samples: Path | None,
    scorer: str,
    reduce: str | None,
    extractor: str | None,
    base_url: str | None,
    max_connections: int,
    accept_errors: bool | None,
    as_json: bool,
) -> int:
    """Score runs (DIR), published replies, or FILEs of {id, response} lines with --samples."""
    from thence import summary
    from thence.changes import by_task
    from thence.engine.directory import RunDirectory
    from thence.errors import UsageError
    from thence.gathered import published
    from thence.models.select import Connection
    from thence.report.terminal import print_results

    if extractor and not all(path.is_dir() for path in paths):
        raise UsageError(
            f"--extractor {extractor}: converts the replies of a run directory only; name one, "
            "or leave it out"
        )
    found: list[Results] = []
    failed = 0
    for path in paths:
        several = None if RunDirectory(path).exists else published(path, scorer)
        if several is not None:
            for held in several:
                held.accepted = bool(accept_errors)
            found += several
        elif path.is_dir() or (path.suffix != ".jsonl" and not path.is_file()):
            ways = _Ways(scorer, reduce, extractor, Connection(base_url, max_connections))
            held, failures = _run(path, ways, accept_errors)
            found.append(held)
            failed += failures
        else:
            found.append(_replies(path, samples, reduce, scorer))
    if as_json:
        views = [summary.overview(held) for held in found]
        document = summary.to_json(views, scorer)
        for label, held in zip(summary.labels(views), found, strict=True):
            for task, changed in by_task(held).items():
                name = f"{label}/{task}" if label else task
                document["groups"][name]["changes"] = changed.to_json()
        if extractor:
            document["extractor"] = extractor
        click.echo(json.dumps(document, indent=2))
    else:
        print_results(found)
    unfinished = [held for held in found if not held.finished]
    _complain(unfinished, extractor, failed)
    skipped = _say_skipped(found)
    return 1 if unfinished or failed or skipped else 0


class _Ways(NamedTuple):
    """How the replies of a run are read."""

    scorer: str
    reduce: str | None
    extractor: str | None
    connection: Connection


def _run(path: Path, ways: _Ways, accept_errors: bool | None) -> tuple[Results, int]:
    """The scores of a run directory, and how many replies its extractor failed to convert."""
    from thence.engine.directory import RunDirectory
    from thence.engine.session import results
    from thence.scoring import EXTRACTED, STRICT

    directory = RunDirectory(path)
    directory.information()
    convert, needed, failures = None, 0, 0
    if ways.extractor:
        convert, needed, failures = _converter(ways.extractor, directory, ways.connection)
    counted = [0]

    def kept(rows: Iterable[Scored]) -> Iterator[Scored]:
        if ways.scorer == STRICT:
            rows = directory.keeping_scores(rows, _not_kept)
        for row in rows:
            counted[0] += (row.score.rule or "").startswith(EXTRACTED)
            yield row

    held = results(
        directory,
        ways.reduce,
        accept_errors=accept_errors,
        convert=convert,
        scorer=ways.scorer,
        keep=kept,
    )
    if ways.extractor:
        held.notes.append(
            f"{counted[0]} replies without a readable answer were converted by {ways.extractor}."
            if needed
            else f"No reply needed to be converted, so {ways.extractor} was not asked."
        )
    return held, failures


def _replies(path: Path, samples: Path | None, reduce: str | None, scorer: str) -> Results:
    """The scores of a file of replies."""
    from thence.errors import FileError, UsageError
    from thence.gathered import score_file

    if path.suffix != ".jsonl":
        raise FileError(f"{path}: replies are read from .jsonl, or as a family's authors publish")
    if samples is None:
        raise UsageError(
            f"{path}: a file of replies needs --samples FILE, the questions they answer"
        )
    return score_file(path, samples, reduce or "mean", scorer)


def _complain(unfinished: list[Results], extractor: str | None, failed: int) -> None:
    for held in unfinished:
        click.echo(
            f"thence: {held.model or held.source}: {held.errors + held.missing} without a response",
            err=True,
        )
    if failed:
        click.echo(
            f"thence: --extractor {extractor}: {failed} replies were not converted; the same "
            "command tries them again",
            err=True,
        )


def _say_skipped(found: list[Results]) -> int:
    """One line for each thing that was not read; how many there are."""
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


def _converter(
    extractor: str, directory: RunDirectory, connection: Connection
) -> tuple[Convert, int, int]:
    from thence.engine.extraction import extractor as convert_with
    from thence.report.progress import watching

    with watching(extractor) as watch:
        return convert_with(extractor, directory, connection, watch)
