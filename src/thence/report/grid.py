"""Columns of text for the terminal: some hundred rows in a few milliseconds."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_BETWEEN = "  "


class Grid:
    """Rows under a header, in columns as wide as their widest cell; nothing is wrapped or cut.

    Args:
        columns: the header.
        left: so many columns stand at the left, the others at the right.
    """

    def __init__(self, *columns: str, left: int = 1) -> None:
        self._rows = [_plain(columns)]
        self._bold = {0}
        self._left = left

    def add_row(self, *cells: str, bold: bool = False) -> None:
        """Adds a row of as many cells as there are columns."""
        if bold:
            self._bold.add(len(self._rows))
        self._rows.append(_plain(cells))

    def print(self, out: Console) -> None:
        """Prints it."""
        widths = [max(map(cell_len, cells)) for cells in zip(*self._rows, strict=True)]
        plain: list[str] = []
        for place, row in enumerate(self._rows):
            line = _BETWEEN.join(
                cell + " " * (width - cell_len(cell))
                if column < self._left
                else " " * (width - cell_len(cell)) + cell
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            if place not in self._bold:
                plain.append(line)
                continue
            _print(out, plain)
            out.print(Text(line, style="bold"), soft_wrap=True)
        _print(out, plain)


def _print(out: Console, lines: list[str]) -> None:
    """Prints and forgets some lines."""
    if lines:
        out.out("\n".join(lines), highlight=False)
        lines.clear()


def _plain(cells: tuple[str, ...]) -> list[str]:
    """Each in one line, without what moves the cursor or colours what follows."""
    return [
        cell
        if cell.isprintable()
        else "".join(mark if mark.isprintable() else " " for mark in cell)
        for cell in cells
    ]
