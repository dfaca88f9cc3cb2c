"""Columns of text for the terminal, by rich's tables."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

_WIDEST = 100_000  # columns; no table is wrapped or cut


class Grid:
    """Rows under a header, in columns as wide as their widest cell; nothing is wrapped or cut.

    Args:
        columns: the header.
        left: number of columns at the left side; the others stand at the right.
    """

    def __init__(self, *columns: str, left: int = 1) -> None:
        self._table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for place, name in enumerate(columns):
            justify = "left" if place < left else "right"
            self._table.add_column(_plain(name), justify=justify, no_wrap=True)  # type: ignore[arg-type]

    def add_row(self, *cells: str, bold: bool = False) -> None:
        """Add a row of as many cells as there are columns."""
        self._table.add_row(*map(_plain, cells), style="bold" if bold else None)

    def print(self, out: Console) -> None:
        """Print the rows."""
        for line in out.render_lines(self._table, out.options.update(width=_WIDEST), pad=False):
            text = Text.assemble(*((part.text, part.style or "") for part in line))
            text.rstrip()
            out.print(text, soft_wrap=True)


def _plain(cell: str) -> Text:
    """A cell in one line, without characters that move the cursor or colour the text."""
    return Text("".join(mark if mark.isprintable() else " " for mark in cell))
