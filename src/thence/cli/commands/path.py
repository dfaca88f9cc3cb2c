"""``thence path``."""

from __future__ import annotations

import click


@click.command("path")
@click.argument("tool", type=click.Choice(["lm-eval", "openrlhf"]))
def command(tool: str) -> None:
    """Print the place of the files that another tool is to be given."""
    from thence.integrations import for_lm_eval, for_trainers

    click.echo(for_lm_eval.FOLDER if tool == "lm-eval" else for_trainers.__file__)
