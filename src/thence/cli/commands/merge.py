"""``thence merge``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options


@click.command("merge")
@click.argument(
    "parts", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PART..."
)
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE|DIR",
    help="A file of samples, or a new folder for a run.",
)  # fmt: skip
@options.overwrite
def command(parts: tuple[Path, ...], output: Path, overwrite: bool) -> None:
    """Put the shards of a file or of a run (--shard I/N) together.

    The command of the run without --shard goes on with what was merged.
    """
    from thence.core.failures import plural
    from thence.engine import merging
    from thence.errors import UsageError

    folders = [part for part in parts if part.is_dir()]
    if folders and len(folders) < len(parts):
        other = next(part for part in parts if not part.is_dir())
        raise UsageError(f"{folders[0]} is a run and {other} is none; give runs or files, not both")
    if not folders:
        count = merging.merge_files(parts, output, overwrite=overwrite)
    elif overwrite:
        raise UsageError("--overwrite: is for files; name a new folder for a run")
    else:
        count = merging.merge_runs(parts, output)
    click.echo(f"{plural(count, 'sample')} of {len(parts):,} parts: {output}")
