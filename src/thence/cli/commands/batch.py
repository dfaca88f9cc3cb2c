"""``thence batch``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from thence.cli import options
from thence.cli.commands.run import config_of, naming_seed


@click.group("batch")
def command() -> None:
    """Write batch requests to files for a portal or vllm run-batch, and take their results."""


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
