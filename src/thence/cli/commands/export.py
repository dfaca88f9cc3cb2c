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


@command.command("hf-results")
@click.argument("run", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--dataset", required=True, metavar="ORG/NAME", help="The questions on the Hub.")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE.yaml",
    help="For .eval_results/ in the model's repository.",
)  # fmt: skip
@options.overwrite
def hf_results(run: Path, dataset: str, output: Path, overwrite: bool) -> None:
    """Write the accuracies of a run as a model's page on the Hugging Face Hub shows them."""
    from thence.integrations.hub_results import write_results

    click.echo(f"results: {write_results(run, dataset, output, overwrite=overwrite)}")


@command.command("eee")
@click.argument("runs", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="DIR...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="DIR",
    help="The records lie in DIR/data/thence/DEVELOPER/MODEL.",
)  # fmt: skip
@click.option("--organization", default="unknown", metavar="NAME", help="Who ran the evaluation.")
@click.option(
    "--relationship", default="other", metavar="NAME",
    help="What they are to the model's makers: first_party, third_party, collaborative or other.",
)  # fmt: skip
@options.overwrite
def eee(
    runs: tuple[Path, ...], output: Path, organization: str, relationship: str, overwrite: bool
) -> None:
    """Write runs as records of Every Eval Ever, with every reply."""
    from thence.integrations.eval_records import write_records

    for path in write_records(
        runs, output, organization=organization, relationship=relationship, overwrite=overwrite
    ):
        click.echo(f"record: {path}")
