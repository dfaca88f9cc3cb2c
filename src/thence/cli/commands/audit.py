"""``thence audit``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from thence.cli import options


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
    from thence import families
    from thence.core.registry import nearest
    from thence.errors import UsageError
    from thence.report.terminal import print_audit

    known = families.families()
    if family not in known:
        raise UsageError(
            f"unknown family '{family}'{nearest(family, list(known))} (known: {', '.join(known)})"
        )
    auditor = known[family].audit
    if auditor is None:
        raise UsageError(f"{family}: nothing was published that could be audited")
    given = {"dialect": dialect, "flow_graphs": flow_graphs, "titles": titles}
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in chosen:
        if name not in known[family].audit_options:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"{option}: {family}'s audit has no use for it; leave it out")
    found = auditor(path, chosen)
    for line in found.notes:
        click.echo(f"thence: {line}", err=True)
    if found.notes:
        click.echo(f"thence: {path}: {len(found.notes)} left out, as said above", err=True)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    else:
        print_audit(found)
    return 1 if found.below else 0
