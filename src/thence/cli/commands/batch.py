"""``thence batch``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thence.cli import options
from thence.cli.commands.run import config_of, naming_seed
from thence.cli.output import print_json
from thence.core.failures import plural

if TYPE_CHECKING:
    from thence.engine.batch_status import BatchStatus


@click.group("batch")
def command() -> None:
    """Files of batch requests for a portal or vllm run-batch, and the state of a run's batches."""


@command.command("export")
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="TASK|FILE...",
    shell_complete=options.complete_tasks,
)
@options.option("--model", required=True, metavar="PROVIDER/NAME", help="See: thence list models.")
@options.generation
@options.workers
@options.running
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="DIR",
    help="The run's folder, into which the results will be taken.",
)  # fmt: skip
@click.option(
    "--requests", "file", type=click.Path(path_type=Path), required=True, metavar="FILE.jsonl",
    help="The requests; a second file is called FILE-2.jsonl, and so on.",
)  # fmt: skip
@options.overwrite
@click.pass_context
def export(context: click.Context, /, **given: Any) -> None:
    """Begin a run and write its requests to a file; after an import, those of the next turn."""
    from thence.engine import batch_files, session
    from thence.generation.sources import is_file

    if any(map(is_file, given["sources"])):
        options.forget_defaults(context, given, ("seed", "size", "settings", "exclude"))
    replaces = given["overwrite"]
    given |= {"batch": True, "dry_run": True, "overwrite": False}  # needs no key
    with options.blaming(context):
        config = config_of(given)
        with naming_seed():
            prepared = session.prepare(config)
    done = batch_files.export(prepared, given["file"], overwrite=replaces)
    names = ", ".join(map(str, done.paths))
    click.echo(f"{done.count:,} requests in {names}; thence batch import {given['output']} RESULTS")


@command.command("import")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RESULTS.jsonl..."
)
def bring(directory: Path, files: tuple[Path, ...]) -> None:
    """Take the results of a batch into the run that asked for them."""
    from thence.engine import batch_files
    from thence.engine.directory import RunDirectory

    for file in files:
        done = batch_files.bring(RunDirectory(directory), file)
        beside = f", {done.failed:,} of them failures" if done.failed else ""
        others = f"; {done.others:,} lines are not of this run" if done.others else ""
        click.echo(f"{done.taken:,} results of {file} taken into {directory}{beside}{others}")


@command.command("status")
@click.argument(
    "directories", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR..."
)
@options.base_url
@options.auth_command
@options.headers
@options.as_json
@click.pass_context
def look(
    context: click.Context, /, directories: tuple[Path, ...], as_json: bool, **given: Any
) -> int:
    """Say of each batch of a run what its endpoint tells of it; nothing is changed.

    The exit status is 1 where results of one are not in the run yet. thence status DIR... tells
    what of the whole run is done.
    """
    from dataclasses import replace

    from thence.engine.batch_status import batch_statuses
    from thence.engine.directory import RunDirectory
    from thence.engine.run_config import Limits

    with options.blaming(context):
        limits = Limits(auth_command=given["auth_command"], headers=given["headers"])
        connection = replace(limits.connection, base_url=given["base_url"])
        by_path = {path: batch_statuses(RunDirectory(path), connection) for path in directories}
    if as_json:
        rows = [{"path": str(path), "batches": _rows(batches)} for path, batches in by_path.items()]
        print_json(rows)
    else:
        for path, batches in by_path.items():
            for each in batches:
                click.echo(_line(path, each))
            if not batches:
                click.echo(f"{path}: no batches")
    return int(any(each.is_left for batches in by_path.values() for each in batches))


def _rows(found: list[BatchStatus]) -> list[dict[str, Any]]:
    return [each.to_json() for each in found]


def _line(path: Path, status: BatchStatus) -> str:
    """Return a batch in one line, with what to do next."""
    answered = "" if status.answered is None else f", {status.answered:,} answered"
    word = "" if status.word in (None, status.state) else f" ({status.word})"
    mend = {
        "unknown": "whether it was made is not known; the command that was stopped finds out",
        "ended": f"thence run ... -o {path} --batch takes the results",
        "in a file": f"thence batch import {path} RESULTS takes the results",
    }.get(status.state)
    parts = [f"{status.note}: {plural(status.requests, 'request')} since {status.since}"]
    parts.append(f"{status.state}{word}{answered}")
    parts += [f"endpoint's name {status.batch}"] if status.batch else []
    parts += [each for each in (status.fault, mend) if each]
    return "; ".join(parts)
