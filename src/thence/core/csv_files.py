"""CSV files: those of others read as they are, those for people written so that Excel shows them.

Fields are of any length, "N/A" is text, and errors name file and line.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from thence.core.formulas import disarmed
from thence.errors import FileError

type Cell = str | int | float | None
"""Content of a cell; None and NaN for an empty one."""

ENCODING = "utf-8-sig"
"""The encoding of files for people: without the mark at its beginning Excel reads another one."""


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the last line of each row, and the row's fields in the named columns.

    Raises:
        FileError: a column is missing, a row is cut off, or the file is not CSV in UTF-8.
    """
    found = records(path)
    _, header = next(found, (0, []))
    missing = [name for name in columns if name not in header]
    if missing:
        raise FileError(
            f"{path}: column '{missing[0]}' is missing; it must have {', '.join(columns)}"
        )
    places = [header.index(name) for name in columns]
    for line, fields in found:
        if fields and len(fields) != len(header):
            raise FileError(
                f"{path}:{line}: {len(fields)} fields where the header has {len(header)}; the row "
                "is cut off or not quoted"
            )
        if fields:
            yield line, [fields[place] for place in places]


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of the last line of each row, and its fields by column; the header first.

    The fields of the header are empty, as are those that a row lacks.

    Raises:
        FileError: the file is not CSV in UTF-8.
    """
    found = records(path, strict=False)
    line, header = next(found, (0, None))
    if header is None:
        return
    names = [name.strip() for name in header]
    yield line, dict.fromkeys(names, "")
    for line, fields in found:
        if fields:
            padded = [*fields, *[""] * (len(names) - len(fields))]
            yield line, dict(zip(names, padded, strict=False))


def write_rows(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """Write a header and rows, formulas disarmed; return the number of rows.

    Args:
        file: opened in `ENCODING` with ``newline=""``.
        columns: names of the columns.
        rows: cells in the order of the columns.
    """
    writer = csv.writer(file)
    writer.writerow([disarmed(name) for name in columns])
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last is their number
        writer.writerow([_text(cell) for cell in row])
    return count


def _text(cell: Cell) -> str | int | float | None:
    if isinstance(cell, str):
        return disarmed(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def records(
    path: Path, *, strict: bool = True, encoding: str = "utf-8-sig", separator: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the last line of each record, and its fields.

    Raises:
        FileError: the file is not CSV in that encoding, or cannot be read.
    """
    line = 0
    try:
        with path.open(encoding=encoding, newline="") as file:
            for line, fields in split(file, separator, strict=strict):
                yield line, fields
    except csv.Error as error:
        raise FileError(
            f"{path}:{line + 1}: not a whole CSV file: {error}; copy it anew"
        ) from error
    except UnicodeError as error:
        if encoding.startswith("utf-8"):
            raise FileError(f"{path}:{line + 1}: not UTF-8 text: {error}") from error
        mend = "save it as 'CSV UTF-8'"
        raise FileError(f"{path}:{line + 1}: not {encoding} text: {error}; {mend}") from error
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error


def split(
    lines: Iterable[str], separator: str = ",", *, strict: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the last line of each record, and its fields, of any length.

    The records are those of `csv.reader`, whose bound on a field holds for a whole process.

    Args:
        lines: with their ends.
        separator: one character.
        strict: whether to refuse text after a closing quote, and a quote that is never closed.

    Raises:
        csv.Error: a record that is refused.
    """
    number, fields = 0, list[str]()
    quoted: list[str] | None = None
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if quoted is None and '"' not in text:
            yield number, text.split(separator) if text else []
            continue
        at = 0
        while True:
            if quoted is None and text.startswith('"', at):
                quoted, at = [], at + 1
            if quoted is not None:
                end = text.find('"', at)
                if end < 0:
                    quoted.append(line[at:])
                    break
                quoted.append(text[at:end])
                at = end + 1
                if text.startswith('"', at):
                    quoted.append('"')
                    at += 1
                    continue
                if strict and at < len(text) and text[at] != separator:
                    raise csv.Error(f"'{separator}' expected after '\"'")
            stop = text.find(separator, at)
            fields.append("".join(quoted or ()) + text[at : stop if stop >= 0 else len(text)])
            quoted, at = None, stop + 1
            if stop < 0:
                yield number, fields
                fields = []
                break
    if quoted is not None:
        if strict:
            raise csv.Error("unexpected end of data")
        yield number, [*fields, "".join(quoted)]
