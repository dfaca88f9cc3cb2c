"""``thence validate``."""

from __future__ import annotations

import click

from thence.cli import options
from thence.cli.output import print_json

_SIZE = 48


@click.command("validate")
@click.argument(
    "tasks", nargs=-1, required=True, metavar="TASK...", shell_complete=options.complete_tasks
)
@options.seed
@options.option(
    "--size", type=int, metavar="N", help="Samples per task (default 48; with --shortcuts 400)."
)
@options.option(
    "--shortcuts", is_flag=True, help="Show instead what is guessed from the surface of questions."
)
@options.settings
@options.skip_unavailable
@options.as_json
def command(
    tasks: tuple[str, ...], seed: int, size: int | None, shortcuts: bool, settings: dict[str, str],
    skip_unavailable: bool, as_json: bool,
) -> int:  # fmt: skip
    """Check fresh samples of each TASK: truth scores 1, a perturbed truth does not."""
    if shortcuts:
        return _shortcuts(tasks, seed, size, settings, skip=skip_unavailable, as_json=as_json)
    from thence import families
    from thence.analysis.validation import CHECKS, validate
    from thence.generation.plan import Plan, available, not_offered
    from thence.reporting.progress_display import show_work
    from thence.reporting.terminal import print_validations

    names = [task.full_name for task in families.select(tasks)]
    plan = available(
        Plan(names, seed, _SIZE if size is None else size, settings=settings), skip=skip_unavailable
    )
    left = not_offered(plan)
    with show_work("validate", shown=not as_json):
        validations = validate(plan)
    for each in validations:
        if not each.checked:
            reason = left.get(each.task, "it has no questions with these parameters")
            click.echo(f"thence: {each.task}: nothing to check: {reason}", err=True)
    validations = [each for each in validations if each.checked]
    if as_json:
        document = {"checks": CHECKS, "tasks": [each.to_json() for each in validations]}
        print_json(document)
    else:
        print_validations(validations)
    return 0 if all(each.holds for each in validations) else 1


def _shortcuts(
    tasks: tuple[str, ...], seed: int, size: int | None, settings: dict[str, str], *, skip: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Print what shortcuts reach on fresh questions of each task."""
    from thence import families
    from thence.analysis.shortcuts import shortcuts
    from thence.core.shortcuts import SIZE
    from thence.generation.plan import Plan, available, not_offered
    from thence.reporting.progress_display import show_work
    from thence.reporting.shortcut_table import print_shortcuts

    names = [task.full_name for task in families.select(tasks)]
    plan = available(
        Plan(names, seed, SIZE if size is None else size, settings=settings), skip=skip
    )
    for name, reason in not_offered(plan).items():
        click.echo(f"thence: {name}: nothing to measure: {reason}", err=True)
    with show_work("validate", shown=not as_json):
        found = shortcuts(plan)
    if as_json:
        print_json({"tasks": [each.to_json() for each in found]})
    else:
        print_shortcuts(found)
    return 0 if found else 1
