"""Columns of text: as wide as they must be, and nothing but text."""

from __future__ import annotations

import io
from typing import Literal

from rich.console import Console

from thence.report.grid import Grid


def printed(grid: Grid, *, coloured: bool = False) -> list[str]:
    file = io.StringIO()
    system: Literal["standard"] | None = "standard" if coloured else None
    grid.print(Console(file=file, width=20, force_terminal=coloured, color_system=system))
    return file.getvalue().splitlines()


def test_columns_are_as_wide_as_their_widest_cell_and_lines_are_not_wrapped() -> None:
    grid = Grid("name", "n", "share")
    grid.add_row("a", "1,000", "0.5")
    grid.add_row("a name that is long", "7", "")
    assert printed(grid) == [
        "name                     n  share",
        "a                    1,000    0.5",
        "a name that is long      7",
    ]


def test_wide_letters_count_as_two() -> None:
    grid = Grid("a", "b")
    grid.add_row("\u6b65\u9a5f", "1")
    assert printed(grid) == ["a     b", "\u6b65\u9a5f  1"]


def test_a_cell_is_one_line_of_text_whatever_it_holds() -> None:
    grid = Grid("a", "b")
    grid.add_row("[bold]x[/]\n\x1b[31my", "\ud800")
    assert printed(grid) == ["a".ljust(17) + "  b", "[bold]x[/]  [31my"]


def test_the_header_and_a_row_that_sums_up_stand_out() -> None:
    grid = Grid("a", "b")
    grid.add_row("x", "1")
    grid.add_row("all", "1", bold=True)
    first, second, third = printed(grid, coloured=True)
    assert first.startswith("\x1b[1m")
    assert "\x1b" not in second
    assert third.startswith("\x1b[1m")
