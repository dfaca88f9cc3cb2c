"""The table of shortcuts on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thence.reporting.fitted_table import print_fitted, say
from thence.reporting.terminal import console, figure

if TYPE_CHECKING:
    from thence.analysis.shortcuts import Battery

_SHOWN = 12  # strategies of a task; JSON has all
_COLUMNS = ("shortcut", "kind", "score", "accuracy", "goes by")


def print_shortcuts(found: Sequence[Battery]) -> None:
    """Print a table for each task: the best strategies first, with the mark of chance."""
    out = console()
    for number, battery in enumerate(found):
        if number:
            out.print()
        say(
            out,
            f"{battery.task}: fitted on {battery.fitted:,} questions, scored on {battery.scored:,} "
            f"others; chance {battery.chance:.3f}",
        )
        shown = list(battery.found[:_SHOWN])
        shown += [each for each in battery.found[_SHOWN:] if each.kind != "single"]
        rows = [
            [
                each.name,
                each.kind,
                f"{each.score:.3f}",
                figure(each.accuracy),
                each.text,
            ]
            for each in shown
        ]
        print_fitted(out, _COLUMNS, rows, optional=["kind"], left=len(_COLUMNS), wrap=True)
        if left := len(battery.found) - len(shown):
            out.print(f"and {left} more, none above {shown[_SHOWN - 1].score:.3f}")
