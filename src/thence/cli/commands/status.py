"""``thence status``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options
from thence.cli.output import print_json
from thence.core.failures import plural

if TYPE_CHECKING:
    from thence.engine.run_status import RunStatus


@click.command("status")
@click.argument(
    "directories", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR..."
)
@options.as_json
def command(directories: tuple[Path, ...], as_json: bool) -> int:
    """Say of each run what is done, missing, spent and expected, also while it goes on.

    The exit status is 1 where one is unfinished.
    """
    from thence.engine.run_status import status

    found = [status(each) for each in directories]
    if as_json:
        print_json([each.to_json() for each in found])
    else:
        for each in found:
            click.echo(_line(each))
    return int(any(each.missing for each in found))


def _line(each: RunStatus) -> str:
    """Return the line on a run."""
    parts = [f"{each.done:,} of {each.all:,} done"]
    if each.missing:
        parts.append(f"{each.missing:,} missing")
    if each.errors:
        parts.append(f"{each.errors:,} of these failed")
    if each.batches:
        parts.append(f"{plural(each.batches, 'batch')} under way")
    if each.tokens:  # a baseline has none, and some endpoints tell of none
        parts.append(f"{each.tokens:,} tokens")
    if each.spent is None:
        parts += ["cost unknown"] if each.tokens else []
    else:
        parts.append(f"{each.spent:,.2f} USD")
        if each.missing and each.expected is not None:
            parts.append(f"about {each.expected:,.2f} USD in all")
    return f"{each.path}: {', '.join(parts)}"
