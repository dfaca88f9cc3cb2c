"""``thence import``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options


@click.command("import")
@click.argument("log", type=click.Path(path_type=Path), metavar="LOG.eval")
@click.option(
    "-o", "out", type=click.Path(path_type=Path), required=True, metavar="DIR",
    help="The run's directory.",
)  # fmt: skip
@options.overwrite
def command(log: Path, out: Path, overwrite: bool) -> int:
    """Make a run of the replies in a log of Inspect; `score`, `report` and `compare` take it."""
    from thence.core.failures import plural
    from thence.integrations.inspect_logs import read_log

    run = read_log(log, out, overwrite=overwrite)
    click.echo(f"{plural(len(run.samples()), 'sample')}, {run.missing} missing: {out}")
    return 1 if run.missing else 0
