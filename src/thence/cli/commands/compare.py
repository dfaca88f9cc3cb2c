"""``thence compare``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options
from thence.cli.output import print_json


@click.command("compare")
@click.argument("first", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("second", type=click.Path(path_type=Path), metavar="DIR")
@options.as_json
def command(first: Path, second: Path, as_json: bool) -> int:
    """Compare two runs on the questions that both answered, pair by pair."""
    import thence
    from thence.reporting.comparison_table import print_comparison
    from thence.reporting.progress_display import show_work

    with show_work("compare", shown=not as_json):
        found = thence.compare(*(thence.open_run(path).scores() for path in (first, second)))
    if as_json:
        print_json(found.to_json())
    else:
        print_comparison(found)
    return 0
