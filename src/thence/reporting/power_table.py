"""Table of what questions can show, printed in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby

from thence.analysis.planning import Planning, Resolution
from thence.reporting.fitted_table import say
from thence.reporting.terminal import console
from thence.reporting.text_table import print_text_table


def print_power(found: Planning) -> None:
    """Print a row a task and a row for its groups of equal figures, then the assumptions."""
    out = console()
    needed = f"needed for {100 * found.difference:g}"
    columns = ("questions of", "n", "design effect", "half-width", "difference shown", needed)
    print_text_table(out, columns, list(_rows(found.rows)))
    out.print()
    say(out, "Half-widths of 95% intervals and differences in points of 100.")
    say(out, found.words)


def _rows(rows: Iterable[Resolution]) -> Iterator[list[str]]:
    """Yield the cells of each row; neighbouring groups with the same figures are one row."""
    for _, same in groupby(rows, lambda row: (row.name, _cells(row)) if row.group else row):
        held = list(same)
        first, name = held[0], held[0].name
        if first.group:
            name = f"  {first.group}"
        if len(held) > 1:
            name = f"  {len(held)} groups, {first.group} to {held[-1].group}: each"
        yield [name, *_cells(first)]


def _cells(row: Resolution) -> tuple[str, ...]:
    shown = "none" if math.isnan(row.detectable) else f"{100 * row.detectable:.1f}"
    half = f"\N{PLUS-MINUS SIGN}{100 * row.half_width:.1f}"
    return f"{row.n:,}", f"{row.effect:.1f}", half, shown, f"{row.needed:,}"
