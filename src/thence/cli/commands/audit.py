"""``thence audit``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options
from thence.cli.output import print_json
from thence.errors import ParameterError, UsageError


@click.command("audit")
@click.argument("family")
@click.argument("path", type=click.Path(path_type=Path))
@options.dialect
@click.option(
    "--flow-graphs", type=click.Path(path_type=Path), metavar="DIR", help="CaT-Bench's corpus."
)
@click.option(
    "--titles", type=click.Path(path_type=Path), metavar="FILE", help="CaT-Bench's titles."
)
@options.as_json
def command(
    family: str,
    path: Path,
    dialect: str | None,
    flow_graphs: Path | None,
    titles: Path | None,
    as_json: bool,
) -> int:
    """Recompute the truth of what FAMILY's authors published at PATH, and compare."""
    import thence
    from thence.reporting.progress_display import show_work
    from thence.reporting.terminal import print_audit

    given = {"dialect": dialect, "flow_graphs": flow_graphs, "titles": titles}
    try:
        with show_work("audit", shown=not as_json):
            audit = thence.audit(family, path, **{k: v for k, v in given.items() if v is not None})
    except ParameterError as error:  # here these are options, elsewhere they are set by --set
        option = {"flow_graphs": "--flow-graphs DIR", "titles": "--titles FILE"}
        name = option.get(error.name, f"--{error.name}")
        raise UsageError(f"{name}: {error.reason}") from error
    for line in audit.notes:
        click.echo(f"thence: {line}", err=True)
    if audit.notes:
        click.echo(f"thence: {path}: {len(audit.notes)} left out, as said above", err=True)
    if as_json:
        print_json(audit.to_json())
    else:
        print_audit(audit)
    return 1 if audit.below else 0
