"""Workbooks of Excel (``.xlsx``), written row by row and read within bounds of memory.

The extra ``excel`` brings openpyxl; it is imported only where a workbook is written or read.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

from thence.core.csv_files import Cell
from thence.core.formulas import disarmed, is_formula
from thence.core.statistics import finite
from thence.errors import FileError, MissingExtra

MOST_ROWS = 1_048_576  # of a sheet, as Excel has it
LONGEST = 32_767  # characters of a cell, as Excel has it
_MOST_COLUMNS = 256  # that are read
_MOST_BYTES = 256 << 20  # of a workbook once it is unpacked
_CUT = " [... cut here; a .csv file holds it whole]"
_NOT_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]")
_SEEN = 20  # rows by which the width of the columns is chosen
_LONG, _WIDE = 40, 60  # characters of a text that is wrapped, and of its column

_DAMAGES = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, IndexError, AttributeError,
    OverflowError, EOFError, NotImplementedError, SyntaxError, RecursionError, OSError,
)  # fmt: skip
"""What openpyxl and the parts of the library below it raise for a damaged workbook."""


def check() -> None:
    """Raise an error where the library that knows workbooks is not there.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import openpyxl  # noqa: F401 - that it is there
    except ImportError as error:
        raise MissingExtra("reading and writing .xlsx", "excel") from error


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> tuple[int, int]:
    """Write a workbook of one sheet; return the numbers of rows and of texts that were cut.

    Texts are stored as text, so that none is run as a formula, also after it was edited.

    Raises:
        FileError: there are more rows than a sheet holds.
    """
    check()
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("thence")
    sheet.freeze_panes = "A2"
    left = iter(rows)
    first = list(islice(left, _SEEN))
    for place, name in enumerate(columns):
        long = any(len(str(row[place])) > _LONG for row in first)
        width = _WIDE if long else max(8, len(name) + 2)
        sheet.column_dimensions[get_column_letter(place + 1)].width = width
    count = cut = 0
    try:
        sheet.append([_cell(sheet, name) for name in columns])
        for count, row in enumerate(chain(first, left), 1):
            if count >= MOST_ROWS:
                raise FileError(
                    f"a sheet of Excel holds {MOST_ROWS:,} rows, and there are more; write a .csv "
                    "file"
                )
            sheet.append([_cell(sheet, each) for each in row])
            cut += sum(isinstance(each, str) and _units(each) > LONGEST for each in row)
    finally:
        sheet.close()
    book.save(path)
    return count, cut


def _cell(sheet: Any, value: Cell) -> Any:
    """Return a cell that holds a text as text, and a number as a number."""
    if not isinstance(value, str):
        return finite(value) if isinstance(value, float) else value
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment

    text = disarmed(value) if value.startswith("'") else value  # as `restored` takes one away
    text = text.encode("utf-8", "backslashreplace").decode()
    text = _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    if _units(text) > LONGEST:
        whole = text.encode("utf-16-le")[: 2 * (LONGEST - len(_CUT))]
        text = whole.decode("utf-16-le", "ignore") + _CUT
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    cell.quotePrefix = is_formula(text)
    if len(text) > _LONG:
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    return cell


def _units(text: str) -> int:
    """Return the length of a text as Excel counts it."""
    return len(text) if len(text) * 2 <= LONGEST else len(text.encode("utf-16-le", "replace")) // 2


def sheets(path: Path) -> Iterator[tuple[str, Iterator[tuple[int, list[str]]]]]:
    """Yield the name of each sheet of a workbook, and its rows with their numbers.

    The library below warns of what it leaves aside, such as the lists of drop-down cells.

    Raises:
        FileError: the file is no workbook, or one that unpacks to more than is read.
    """
    check()
    _check_size(path)
    from openpyxl import load_workbook

    file = BytesIO(path.read_bytes())  # the library leaves the file of a damaged workbook open
    try:
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
    except _DAMAGES as error:
        raise _damaged(path, error) from error
    for sheet in book.worksheets:
        yield str(sheet.title), _rows(path, sheet)


def _rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[str]]]:
    sheet.reset_dimensions()  # a file may state any
    rows = iter(sheet.iter_rows(max_col=_MOST_COLUMNS, values_only=True))
    for number in range(1, MOST_ROWS + 1):
        try:
            row = next(rows, None)
        except _DAMAGES as error:
            raise _damaged(path, error) from error
        if row is None:
            return
        texts = [_text(value) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        yield number, texts


def _text(value: Any) -> str:
    """Return the text of a cell: 4 for 4.0, as Excel has only one kind of number."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _check_size(path: Path) -> None:
    """Refuse a file that is no workbook, or that unpacks to more than is read.

    The library below reads no more of a part than the file states here.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            held = sum(part.file_size for part in archive.infolist())
        held = max(held, path.stat().st_size)
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise FileError(
            f"{path}: not an .xlsx workbook; one with a password or an older .xls has to be saved "
            "as .xlsx or .csv"
        ) from error
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error
    if held > _MOST_BYTES:
        raise FileError(
            f"{path}: unpacks to {held / (1 << 20):,.0f} MiB, and {_MOST_BYTES >> 20} are read; "
            "save it as .csv"
        )


def _damaged(path: Path, error: Exception) -> FileError:
    told = " ".join(str(error).split())[:120]
    return FileError(f"{path}: not a whole .xlsx workbook ({told}); save it anew")
