"""``thence log``."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click


@click.command("log")
@click.argument("run", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--to", required=True, type=click.Choice(["mlflow", "wandb", "trackio", "tensorboard"]),
    help="The tracker, an extra of the same name.",
)  # fmt: skip
@click.option(
    "--project", default="thence", show_default=True, metavar="NAME",
    help="Experiment or project there; the folder of TensorBoard's files.",
)  # fmt: skip
@click.option("--name", metavar="NAME", help="Of the run there; by default that of DIR.")
def command(run: Path, to: str, project: str, name: str | None) -> None:
    """Hand a finished run to a tracker: request, figures with intervals, and samples."""
    from thence.integrations.for_trackers import log_run

    with redirect_stdout(sys.stderr):  # trackers talk
        place = log_run(run, to, project=project, name=name)
    click.echo(f"{to}: {place}")
