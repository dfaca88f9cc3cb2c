"""Text tables: columns as wide as they must be, and nothing but text."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Literal

import pytest
from rich.console import Console

from thence.reporting.text_table import print_text_table


def printed(
    columns: Sequence[str],
    *rows: Sequence[str],
    left: int = 1,
    total: Sequence[str] = (),
    coloured: bool = False,
) -> list[str]:
    file = io.StringIO()
    system: Literal["standard"] | None = "standard" if coloured else None
    out = Console(file=file, width=20, force_terminal=coloured, color_system=system)
    print_text_table(out, columns, rows, left=left, total=total)
    return file.getvalue().splitlines()


def test_columns_are_as_wide_as_their_widest_cell_and_lines_are_not_wrapped() -> None:
    rows = [("a", "1,000", "0.5"), ("a name that is long", "7", "")]
    assert printed(("name", "n", "share"), *rows) == [
        "name                     n  share",
        "a                    1,000    0.5",
        "a name that is long      7",
    ]


def test_a_terminal_shows_a_wide_table_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "14")
    rows = (("x", "1", "2.25", "3"), ("y", "4", "a long cell", "6"))
    found = printed(("name", "n", "share", "m"), *rows, total=("all", "5", "", "9"), coloured=True)
    assert [re.sub("\x1b[^m]*m", "", line) for line in found] == [
        "name  n", "x     1", "y     4", "all   5", "",
        "name        share", "x            2.25", "y     a long cell", "all", "",
        "name  m", "x     3", "y     6", "all   9",
    ]  # fmt: skip


def test_columns_of_words_are_aligned_to_the_left() -> None:
    rows = [("a", "b", "c " * 20)]
    assert printed(("name", "word", "text"), *rows, left=3)[1] == "a     b     " + "c " * 19 + "c"


def test_wide_letters_count_as_two() -> None:
    assert printed(("a", "b"), ("\u6b65\u9a5f", "1")) == ["a     b", "\u6b65\u9a5f  1"]


def test_a_cell_is_one_line_of_text_whatever_it_holds() -> None:
    found = printed(("a", "b"), ("[bold]x[/]\n\x1b[31my", "\ud800"))
    assert found == ["a".ljust(20) + "       b", "[bold]x[/] \\x1b[31my  \\ud800"]


def test_the_header_and_the_total_are_bold() -> None:
    first, second, third = printed(("a", "b"), ("x", "1"), total=("all", "1"), coloured=True)
    assert first.startswith("\x1b[1m")
    assert "\x1b" not in second
    assert third.startswith("\x1b[1m")
