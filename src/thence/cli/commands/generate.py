"""``thence generate``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from thence.cli import options
from thence.errors import UsageError

_SHOWN = 20  # remarks of a task that are printed


@click.command("generate")
@click.argument("tasks", nargs=-1, shell_complete=options.complete_tasks, metavar="TASK...")
@options.generation
@options.workers
@options.place
@options.overwrite
@options.option(
    "--frozen", env=False, metavar="NAME",
    help="In place of TASK: the set of this name (thence-1), into the folder that -o names; with "
    "--seed, as many other questions.",
)  # fmt: skip
@click.option(
    "-o", "output", type=click.Path(), required=True, metavar="FILE",
    help="Ends in .jsonl or .parquet; one that ends in / is a folder for the Hugging Face Hub.",
)  # fmt: skip
@click.pass_context
def command(
    context: click.Context,
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
    frozen: str | None,
    output: str,
) -> int:
    """Write samples of each TASK to a file: as many as its paper has, unless --size is given."""
    if frozen is not None:
        _check_alone(context, frozen)
        own = context.get_parameter_source("seed") is not ParameterSource.DEFAULT
        return _write_frozen(
            frozen, output, seed if own else None, workers, skip_unavailable, overwrite
        )
    if not tasks:
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
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
    return 0


_WITH_FROZEN = frozenset(("frozen", "output", "seed", "workers", "skip_unavailable", "overwrite"))


def _check_alone(context: click.Context, name: str) -> None:
    """Raise if something was typed that shapes questions, beside a frozen set."""
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if each.name not in _WITH_FROZEN and source is ParameterSource.COMMANDLINE:
            other = "TASK" if isinstance(each, click.Argument) else each.opts[0]
            raise UsageError(f"--frozen {name}: its questions are settled; leave {other} out")


def _write_frozen(
    name: str,
    output: str,
    seed: int | None,
    workers: int | None,
    skip_unavailable: bool,
    overwrite: bool,
) -> int:
    """Write a frozen set or a private twin of it; return the exit status."""
    from thence.api import frozen
    from thence.core.failures import plural
    from thence.reporting.progress_display import show_work

    with show_work("generate"):
        made = frozen.write(
            name, output, seed=seed, workers=workers, skip_unavailable=skip_unavailable,
            overwrite=overwrite,
        )  # fmt: skip
    folder = Path(output)
    for each in made.differing:
        text = f"--frozen {name}: {folder / each} differs from the file of the set"
        reason = "another version of the planner, the router or a library made it"
        click.echo(f"thence: {text}: {reason}; do not compare by it", err=True)
    what = f"{plural(made.samples, 'sample')} in {plural(len(made.hashes), 'file')}"
    kind = f"of {name}" if seed is None else f"like {name}, from your seed {seed}"
    click.echo(f"{what} {kind}: {folder} ({frozen.HASHES} in it)")
    return 1 if made.differing else 0


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
