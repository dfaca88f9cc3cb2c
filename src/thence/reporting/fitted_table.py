"""Tables that fit the width of the terminal: what matters least goes first, and no name is cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from thence.errors import printable
from thence.reporting.printable_console import width
from thence.reporting.text_table import plain

_LEAST = 20  # columns below which a wrapped column is not narrowed
_NAME = 9  # columns below which names are not narrowed: those of families go in

type Row = Sequence[str | Text]


def print_fitted(
    out: Console,
    head: Sequence[str],
    rows: Sequence[Row],
    *,
    optional: Sequence[str] = (),
    left: int = 1,
    wrap: bool = False,
) -> None:
    """Print rows under a header in the width that there is.

    In turn, until they fit: a header of several lines, fewer optional columns, the shared first
    parts of names as headings, narrow gaps, a wrapped last column, names over several lines.

    Args:
        out: where to print.
        head: the header.
        rows: cells; their styles are kept on a terminal with colours.
        optional: columns that may be left out, the last of them first.
        left: number of columns that are aligned to the left; the others are aligned to the right.
        wrap: whether the last column may be broken between words.
    """
    cells = [[_cell(each) for each in row] for row in rows]
    lines: list[Text] = []
    for header, body, gap in _forms(head, cells, optional, headings=not wrap):
        lines = _lines(header, body, gap, left)
        if _widest(lines) <= width():
            break
    else:
        if wrap:
            lines = _wrapped(*_narrowed(head, cells, optional), left)
        if _widest(lines) > width():
            lines = _folded(*_narrowed(head, _by_heading(cells), optional), left, wrap=wrap)
    for line in lines:
        out.print(line, soft_wrap=True)


def say(out: Console, sentence: str | Text, style: str = "") -> None:
    """Print a sentence: a terminal breaks it between words, a pipe gets it whole."""
    text = Text(sentence, style=style) if isinstance(sentence, str) else sentence
    broken = width() if out.is_terminal else None
    out.print(text, width=broken, soft_wrap=not out.is_terminal)


def broken(text: str, room: int) -> Iterator[str]:
    """Yield the lines of a text broken between words, and within a word that is longer."""
    line = ""
    for word in text.split():
        if line and cell_len(line) + 1 + cell_len(word) > room:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
        while cell_len(line) > room:
            yield line[:room]
            line = line[room:]
    if line:
        yield line


def _cell(cell: str | Text) -> Text:
    return plain(cell) if isinstance(cell, str) else Text(printable(cell.plain), style=cell.style)


def _forms(
    head: Sequence[str], rows: list[list[Text]], optional: Sequence[str], *, headings: bool
) -> Iterator[tuple[list[list[str]], list[list[Text]], int]]:
    """Yield header, rows and gap of ever narrower forms of a table."""
    for count in range(len(optional) + 1):
        kept = _kept(head, rows, optional[: len(optional) - count], optional)
        yield [list(kept[0])], kept[1], 2
        yield _stacked(kept[0]), kept[1], 2
    if headings:
        names, body = _narrowed(head, _by_heading(rows), optional)
        yield _stacked(names), body, 2
        yield _stacked(names), body, 1


def _kept(
    head: Sequence[str], rows: list[list[Text]], wanted: Sequence[str], optional: Sequence[str]
) -> tuple[list[str], list[list[Text]]]:
    places = [at for at, name in enumerate(head) if name in wanted or name not in optional]
    return [head[at] for at in places], [[row[at] for at in places] for row in rows]


def _narrowed(
    head: Sequence[str], rows: list[list[Text]], optional: Sequence[str]
) -> tuple[list[str], list[list[Text]]]:
    return _kept(head, rows, (), optional)


def _stacked(head: Sequence[str]) -> list[list[str]]:
    """Return the lines of a header with a word of each name on a line."""
    words = [name.split() for name in head]
    height = max(map(len, words))
    padded = [["" for _ in range(height - len(each))] + each for each in words]
    return [list(line) for line in zip(*padded, strict=True)]


def _by_heading(rows: list[list[Text]]) -> list[list[Text]]:
    """Return rows with the first parts of their names as headings above those that share them."""
    found: list[list[Text]] = []
    for start, held in groupby(rows, lambda row: row[0].plain.rpartition("/")[0]):
        if start:
            found.append([Text(start), *[Text("")] * (len(rows[0]) - 1)])
        for row in held:
            name = row[0].plain.rpartition("/")[2]
            found.append([Text("  " * bool(start) + name, style=row[0].style), *row[1:]])
    return found


def _lines(header: list[list[str]], rows: list[list[Text]], gap: int, left: int) -> list[Text]:
    heads = [[Text(name, style="bold") for name in line] for line in header]
    table = [*heads, *rows]
    widths = [max(cell_len(cell.plain) for cell in column) for column in zip(*table, strict=True)]
    found = []
    for row in table:
        line = Text()
        for place, (cell, size) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (size - cell_len(cell.plain))
            line.append(" " * gap if place else "")
            if place >= left:
                line.append(blank)
            line.append_text(cell)
            if place < left:
                line.append(blank)
        line.rstrip()
        found.append(line)
    return found


def _wrapped(
    head: list[str], rows: list[list[Text]], left: int, most: int | None = None
) -> list[Text]:
    """Return lines whose last column is broken between words, and names at so many columns."""
    names = _longest(rows, 0)
    kept = names if most is None else most
    over = _widest(_lines([head], rows, 2, left)) - width() - (names - kept)
    room = max(_LEAST, _longest(rows, -1) - over)
    return _lines([head], list(_tall(rows, kept, room)), 2, left)


def _folded(head: list[str], rows: list[list[Text]], left: int, *, wrap: bool) -> list[Text]:
    """Return lines whose names go over several lines, so that no two of them read alike."""
    lines = _wrapped(head, rows, left) if wrap else _lines(_stacked(head), rows, 1, left)
    most = max(_NAME, _longest(rows, 0) - (_widest(lines) - width()))
    names = [_short(head[0], most), *head[1:]]
    if wrap:
        return _wrapped(names, rows, left, most)
    return _lines(_stacked(names), list(_tall(rows, most)), 1, left)


def _tall(rows: list[list[Text]], most: int, room: int | None = None) -> Iterator[list[Text]]:
    """Yield the lines of rows whose names, and last cells, have so many columns at most."""
    for row in rows:
        name, *others = (cell.plain for cell in row)
        columns = [_pieces(name, most), *([each] for each in others)]
        if others and room is not None:
            columns[-1] = list(broken(others[-1], room))
        for line in zip_longest(*columns, fillvalue=""):
            yield [Text(text, style=cell.style) for text, cell in zip(line, row, strict=True)]


def _pieces(name: str, most: int) -> list[str]:
    """Return a name in parts of so many columns, the further ones indented by one more."""
    text = name.lstrip()
    indent = name[: min(2, len(name) - len(text))]
    found = list[str]()
    while cell_len(text) > (room := most - len(indent)):
        begun = set_cell_size(text, room)
        begun = begun if text.startswith(begun) else begun[:-1]  # half a character is a blank
        size = _joint(begun) or len(begun)
        if not found:
            further = f"{indent} "
        found.append(indent + text[:size])
        indent, text = further, text[size:]
    return [*found, indent + text]


def _joint(text: str) -> int:
    """Return the length of a text up to its last mark that joins words; 0 for none past half."""
    size = max(text.rfind(mark) for mark in "_-./ ") + 1
    return size if 2 * size > len(text) else 0


def _short(text: str, most: int) -> str:
    return text if cell_len(text) <= most else set_cell_size(text, most - 1) + "…"


def _longest(rows: Iterable[list[Text]], place: int) -> int:
    return max((cell_len(row[place].plain) for row in rows), default=0)


def _widest(lines: Iterable[Text]) -> int:
    return max((cell_len(line.plain) for line in lines), default=0)
