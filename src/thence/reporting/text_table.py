"""Tables of plain text for the terminal, drawn by rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thence.errors import printable

_WIDEST = 100_000  # columns; no table is wrapped or cut


def print_text_table(
    out: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int = 1,
    total: Sequence[str] = (),
) -> None:
    """Print rows under a header, in columns as wide as their widest cell.

    Args:
        out: where to print.
        columns: the header.
        rows: one cell a column.
        left: number of columns that are aligned to the left; the others are aligned to the right.
        total: last row, in bold, if there is one.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, name in enumerate(columns):
        table.add_column(plain(name), justify="left" if place < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(plain, row))
    if total:
        table.add_row(*map(plain, total), style="bold")
    for line in out.render_lines(table, out.options.update(width=_WIDEST), pad=False):
        text = Text.assemble(*((part.text, part.style or "") for part in line))
        text.rstrip()
        out.print(text, soft_wrap=True)


def plain(cell: str) -> Text:
    """Return a cell in one line of printable text."""
    return Text(" ".join(printable(cell).splitlines()).expandtabs(1))
