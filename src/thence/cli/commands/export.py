"""``thence export``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options


@click.group("export")
def command() -> None:
    """Write a run in the form of another tool."""


@command.command("inspect")
@click.argument("run", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE.eval",
    help="Ends in .eval or .json.",
)  # fmt: skip
@options.overwrite
def inspect(run: Path, output: Path, overwrite: bool) -> None:
    """Write a run as a log of Inspect, for Inspect View and what reads its logs."""
    from thence.integrations.inspect_logs import write_log

    click.echo(f"log: {write_log(run, output, overwrite=overwrite)}")
