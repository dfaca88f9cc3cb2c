"""``thence score``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from thence.cli import _options as options


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
@click.option("--accept-errors", is_flag=True, default=None, help="Leave provider errors out of n.")
@options.as_json
def command(
    paths: tuple[Path, ...],
    samples: Path | None,
    scorer: str,
    reduce: str | None,
    accept_errors: bool | None,
    as_json: bool,
) -> int:
    """Score runs (DIR), or FILEs of {id, response} lines with --samples."""
    from thence import summary
    from thence.engine.directory import RunDirectory
    from thence.engine.session import results
    from thence.errors import UsageError
    from thence.replies import score_file
    from thence.report.terminal import print_results

    if scorer == "official":
        raise UsageError("--scorer official: only FABLE has an official scorer; leave it out")
    found = []
    for path in paths:
        if path.is_dir() or path.suffix != ".jsonl":
            directory = RunDirectory(path)
            held = results(directory, reduce, accept_errors=accept_errors)
            with directory.locked():
                directory.write_scores(held.rows)
        elif samples is None:
            raise UsageError(
                f"{path}: a file of replies needs --samples FILE, the questions they answer"
            )
        else:
            held = score_file(path, samples, reduce or "mean")
        found.append(held)
    if as_json:
        document = summary.to_json([summary.overview(held) for held in found], scorer)
        click.echo(json.dumps(document, indent=2))
    else:
        print_results(found)
    unfinished = [held for held in found if not held.finished]
    for held in unfinished:
        click.echo(
            f"thence: {held.model or 'replies'}: {held.errors + held.missing} without a response",
            err=True,
        )
    return 1 if unfinished else 0
