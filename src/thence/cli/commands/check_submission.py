"""``thence check-submission``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options
from thence.cli.output import print_json


@click.command("check-submission")
@click.argument("path", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--protocol", default="direct", show_default=True, metavar="NAME",
    help="By which all runs of the table were asked.",
)  # fmt: skip
@options.as_json
def command(path: Path, protocol: str, as_json: bool) -> int:
    """Check that a run may stand in a table beside others; each fault is one line.

    The questions are made again from the seed in run.json, the messages and scores from the
    questions and replies. Ends with 1 where a rule is broken.
    """
    from thence.engine.directory import RunDirectory
    from thence.engine.submission import RULES, Submitted
    from thence.prompts.catalog import protocol as find
    from thence.reporting.fitted_table import say
    from thence.reporting.progress_display import show_work
    from thence.reporting.terminal import console

    find(protocol, {})
    checked = Submitted(RunDirectory(path), protocol)
    with show_work("check", shown=not as_json):
        faults = list(checked.faults())
    if as_json:
        rules = {rule.name: [text for name, text in faults if name == rule.name] for rule in RULES}
        print_json({"run": str(path), "passed": not faults, "faults": rules})
        return int(bool(faults))
    out = console()
    for name, text in faults:
        say(out, f"{path}: {name}: {text}")
    if not faults:
        click.echo(f"{path}: all {len(RULES)} rules are kept")
    return int(bool(faults))
