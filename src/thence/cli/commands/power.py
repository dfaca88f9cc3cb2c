"""``thence power``."""

from __future__ import annotations

from typing import Any

import click

from thence.cli import options
from thence.cli.output import print_json


@click.command("power")
@click.argument("tasks", nargs=-1, shell_complete=options.complete_tasks, metavar="[TASK...]")
@options.option(
    "--difference", type=float, default=0.03, show_default=True, metavar="D",
    help="Difference of two accuracies that is to be detected.",
)  # fmt: skip
@options.option("--size", type=int, metavar="N", help="Questions of each task.")
@click.option(
    "--run", "runs", multiple=True, type=options.PATH, metavar="DIR",
    help="A run to measure in; two or more of the same questions measure most. Repeatable.",
)  # fmt: skip
@options.option(
    "--accuracy", type=float, metavar="P", help="Accuracy of the first model [default: 0.5]"
)
@options.option(
    "--correlation", type=float, metavar="R",
    help="Correlation of the right answers of two models [default: 0.2]",
)  # fmt: skip
@options.option(
    "--discordance", type=float, metavar="P",
    help="Share that one of two models alone has right, in place of --correlation.",
)  # fmt: skip
@options.option(
    "--cluster-size", type=float, metavar="N",
    help="Questions about one procedure [default: as the tasks have]",
)  # fmt: skip
@options.option(
    "--icc", type=float, metavar="R",
    help="Correlation of right answers within a procedure [default: 0.06]",
)  # fmt: skip
@options.option(
    "--power", type=float, default=0.8, show_default=True, metavar="P",
    help="Probability to find a difference that is there.",
)  # fmt: skip
@options.option(
    "--level", type=float, default=0.05, show_default=True, metavar="P",
    help="Probability to find one that is not.",
)  # fmt: skip
@options.seed
@options.settings
@options.as_json
@click.pass_context
def command(context: click.Context, /, as_json: bool, **given: Any) -> int:
    """Tell what differences the questions of each TASK show, and how many D needs.

    The figures are of the paired test of thence compare. They follow from runs of yours, or from
    the assumptions that the options state.
    """
    import thence
    from thence.reporting.power_table import print_power

    if given["runs"]:
        options.forget_defaults(context, given, ("seed", "settings"))
    found = thence.power(parameters=given.pop("settings"), **given)
    if as_json:
        print_json(found.to_json())
    else:
        print_power(found)
    return 0
