"""``thence generate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options

if TYPE_CHECKING:
    from thence.core.task import Task


@click.command("generate")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.generation
@options.workers
@options.overwrite
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE",
    help="Ends in .jsonl or .parquet.",
)  # fmt: skip
def command(
    tasks: tuple[str, ...],
    seed: int,
    size: int | None,
    limit: int | None,
    settings: dict[str, str],
    dialect: str | None,
    templates: Path | None,
    workers: int | None,
    overwrite: bool,
    output: Path,
) -> None:
    """Write samples to a file: the paper's set of each TASK, unless --size says otherwise."""
    from thence import families
    from thence.errors import UsageError
    from thence.generation import sample_files, suite
    from thence.generation.plan import Plan
    from thence.generation.repetition import Tally

    chosen = families.select(tasks)
    settings = options.with_dialect(chosen, settings, dialect)
    if workers is not None and workers < 1:
        raise UsageError(f"--workers {workers}: must be at least 1")
    names = [task.full_name for task in chosen]
    plan = Plan(names, seed, size, limit, settings, templates)
    sample_files.check_output(output, overwrite=overwrite)
    tally = Tally()
    if output.suffix == ".jsonl":
        count = sample_files.write_lines(output, suite.generate_lines(plan, workers, tally))
    else:
        count = sample_files.write_samples(output, suite.generate(plan, workers, tally))
    manifest = sample_files.write_manifest(output, plan, tally)
    _say_notes(chosen, settings, seed)
    redrawn = f", {tally.redrawn} duplicates drawn again" if tally.redrawn else ""
    click.echo(
        f"{count:,} samples of {len(names)} tasks{redrawn}: {output} ({manifest.name} beside it)"
    )


def _say_notes(tasks: Sequence[Task], settings: Mapping[str, str], seed: int) -> None:
    """What a task's source could not give, one line each; the manifest holds them too."""
    for task in tasks:
        generator = task.generator
        values = generator.configure(settings)
        if generator.unavailable(values):
            continue
        notes = generator.notes(values, seed)
        for line in (*notes.get("skipped", ()), *notes.get("warnings", ())):
            click.echo(f"thence: {line}", err=True)
        if skipped := len(notes.get("skipped", ())):
            click.echo(f"thence: {task.full_name}: {skipped} left out, as said above", err=True)
