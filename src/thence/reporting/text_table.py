"""Tables of plain text for the terminal, drawn by rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from thence.errors import printable
from thence.reporting.printable_console import width

_WIDEST = 100_000  # columns; no line is wrapped or cut
_GAP = 2  # blanks between columns


def print_text_table(
    out: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int = 1,
    total: Sequence[str] = (),
) -> None:
    """Print rows under a header, in columns as wide as their widest cell.

    What is wider than a terminal comes in parts, one below the other, each with the names in front;
    elsewhere a row is a line.

    Args:
        out: where to print.
        columns: the header.
        rows: one cell a column.
        left: number of columns that are aligned to the left; the others are aligned to the right.
        total: last row, in bold, if there is one.
    """
    cells = [[plain(cell) for cell in row] for row in (columns, *rows)]
    last = [plain(cell) for cell in total]
    widths = [
        max(cell_len(cell.plain) for cell in column)
        for column in zip(*cells, *([last] if last else []), strict=True)
    ]
    parts: list[Sequence[int]] = [range(len(widths))]
    if out.is_terminal:
        parts = _parts(widths, _names(cells[1:], widths, width()), width())
    for number, places in enumerate(parts):
        if number:
            out.print()
        _print_part(out, places, cells, left, last)


def _names(rows: list[list[Text]], widths: Sequence[int], most: int) -> int:
    """Return how many of the first columns tell rows apart; 1 where others have no room beside."""
    for count in range(1, len(widths)):
        if _width([*widths[:count], max(widths[count:])]) > most:
            break
        if len({tuple(cell.plain for cell in row[:count]) for row in rows}) == len(rows):
            return count
    return 1


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _parts(widths: Sequence[int], names: int, most: int) -> list[Sequence[int]]:
    """Return the places of columns by part: those of the names, and as many as there is room for.

    A part may be wider where it has but one more column.
    """
    parts: list[list[int]] = [list(range(names))]
    for place in range(names, len(widths)):
        held = [widths[each] for each in (*parts[-1], place)]
        if _width(held) > most and len(parts[-1]) > names:
            parts.append(list(range(names)))
        parts[-1].append(place)
    return [*parts]


def _print_part(
    out: Console, places: Sequence[int], cells: list[list[Text]], left: int, total: list[Text]
) -> None:
    """Print some columns of a table."""
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    head, *rows = cells
    for place in places:
        side: Literal["left", "right"] = "left" if place < left else "right"
        table.add_column(head[place], justify=side, no_wrap=True)
    for row in rows:
        table.add_row(*(row[place] for place in places))
    if total:
        table.add_row(*(total[place] for place in places), style="bold")
    for line in out.render_lines(table, out.options.update(width=_WIDEST), pad=False):
        text = Text.assemble(*((part.text, part.style or "") for part in line))
        text.rstrip()
        out.print(text, soft_wrap=True)


def plain(cell: str) -> Text:
    """Return a cell in one line of printable text."""
    return Text(" ".join(printable(cell).splitlines()).expandtabs(1))
