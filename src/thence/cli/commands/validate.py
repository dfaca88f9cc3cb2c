"""``thence validate``."""

from __future__ import annotations

import json

import click

from thence.cli import options


@click.command("validate")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.seed
@options.option(
    "--size", type=int, metavar="N", default=48, show_default=True, help="Samples per task."
)
@options.settings
@options.as_json
def command(
    tasks: tuple[str, ...], seed: int, size: int, settings: dict[str, str], as_json: bool
) -> int:
    """Check fresh samples of each TASK: truth scores 1, a perturbed truth does not."""
    from thence import families
    from thence.analysis.validation import CHECKS, validate
    from thence.generation.plan import Plan
    from thence.reporting.terminal import print_validations

    names = [task.full_name for task in families.select(tasks)]
    found = validate(Plan(names, seed, size, settings=settings))
    if as_json:
        document = {"checks": CHECKS, "tasks": [each.to_json() for each in found]}
        click.echo(json.dumps(document, indent=2))
    else:
        print_validations(found)
    return 0 if all(each.holds for each in found) else 1
