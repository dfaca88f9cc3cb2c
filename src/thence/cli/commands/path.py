"""``thence path``."""

from __future__ import annotations

import click


@click.command("path")
@click.argument("tool", type=click.Choice(["lm-eval"]))
def command(tool: str) -> None:
    """Print the place of the files that another tool is to be given."""
    from thence.integrations import for_lm_eval

    click.echo(for_lm_eval.FOLDER)
