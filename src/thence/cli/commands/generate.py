"""``thence generate``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from thence.cli import options

_SHOWN = 20  # remarks of a task that are printed


@click.command("generate")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.generation
@options.workers
@options.place
@options.overwrite
@click.option(
    "-o", "output", type=click.Path(), required=True, metavar="FILE",
    help="Ends in .jsonl or .parquet; one that ends in / is a folder for the Hugging Face Hub.",
)  # fmt: skip
def command(
    tasks: tuple[str, ...],
    seed: int,
    size: int | None,
    limit: int | None,
    total: int | None,
    settings: dict[str, str],
    dialect: str | None,
    templates: Path | None,
    exclude: tuple[Path, ...],
    skip_unavailable: bool,
    shard: str | None,
    workers: int | None,
    on: str | None,
    overwrite: bool,
    output: str,
) -> None:
    """Write samples of each TASK to a file: as many as its paper has, unless --size is given."""
    import thence
    from thence import families
    from thence.core.failures import plural
    from thence.generation.sample_files import manifest_of
    from thence.reporting.progress_display import show_work

    chosen = families.select(tasks)
    given = options.with_dialect(chosen, settings, dialect)
    made = thence.generate(
        tasks, seed=seed, size=size, limit=limit, total=total, templates=templates, workers=workers,
        exclude=exclude, skip_unavailable=skip_unavailable, shard=shard, on=on, **given,
    )  # fmt: skip
    place, hub = Path(output), output.endswith("/")
    with show_work("generate"):
        if hub:
            from thence.integrations.for_hugging_face import write_folder

            write_folder(made, place, overwrite=overwrite)
        else:
            made.write(place, overwrite=overwrite)
    notes = made.manifest.get("notes", {})
    said = made.manifest["request"].get("skipped", ())  # by the library, already
    _say_notes({name: each for name, each in notes.items() if name not in said})
    again = made.manifest["redrawn_duplicates"]
    redrawn = f", {plural(again, 'duplicate')} drawn again" if again else ""
    count, used = made.manifest["samples"], len(made.manifest["groups"])
    beside = "manifest.json in it" if hub else f"{manifest_of(place).name} beside it"
    click.echo(f"{plural(count, 'sample')} of {plural(used, 'task')}{redrawn}: {output} ({beside})")


def _say_notes(notes: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a line for each thing that a task or its source could not give."""
    for task, said in notes.items():
        if reason := said.get("not_offered"):
            click.echo(f"thence: {task} is not offered: {reason}", err=True)
        lines = (*said.get("skipped", ()), *said.get("warnings", ()))
        for line in lines[:_SHOWN]:
            click.echo(f"thence: {line}", err=True)
        if more := len(lines[_SHOWN:]):
            click.echo(f"thence: {task}: {more:,} more such lines are in the manifest", err=True)
        if skipped := len(said.get("skipped", ())):
            click.echo(f"thence: {task}: {skipped} left out, as said above", err=True)
