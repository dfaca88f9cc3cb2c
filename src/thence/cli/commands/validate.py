"""``thence validate``."""

from __future__ import annotations

import click

from thence.cli import options
from thence.cli.output import print_json


@click.command("validate")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.seed
@options.option(
    "--size", type=int, metavar="N", default=48, show_default=True, help="Samples per task."
)
@options.settings
@options.skip_unavailable
@options.as_json
def command(
    tasks: tuple[str, ...], seed: int, size: int, settings: dict[str, str], skip_unavailable: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Check fresh samples of each TASK: truth scores 1, a perturbed truth does not."""
    from thence import families
    from thence.analysis.validation import CHECKS, validate
    from thence.generation.plan import Plan, available
    from thence.reporting.progress_display import show_work
    from thence.reporting.terminal import print_validations

    names = [task.full_name for task in families.select(tasks)]
    plan = available(Plan(names, seed, size, settings=settings), skip=skip_unavailable)
    with show_work("validate", shown=not as_json):
        found = validate(plan)
    for each in found:
        if not each.checked:
            click.echo(f"thence: {each.task}: nothing to check with these parameters", err=True)
    found = [each for each in found if each.checked]
    if as_json:
        document = {"checks": CHECKS, "tasks": [each.to_json() for each in found]}
        print_json(document)
    else:
        print_validations(found)
    return 0 if all(each.holds for each in found) else 1
