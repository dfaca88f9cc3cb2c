"""Sheets that people fill in: written so that any program shows them, read as programs save them.

Written are CSV in UTF-8 with its mark, and workbooks. Read is what Excel and its like save: commas,
semicolons or tabs; UTF-8, UTF-16 or Windows-1252; ``.xlsx``. What had to be guessed is said.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from thence.core import csv_files, workbooks
from thence.core.csv_files import Cell
from thence.core.formulas import restored
from thence.core.sentence_parts import listed
from thence.errors import FileError, ParameterError
from thence.system.disk import replacing

SUFFIXES = (".csv", ".xlsx")
"""The suffixes of sheets that are written."""

READ = (".csv", ".tsv", ".txt", ".xlsx")
"""The suffixes of sheets that are read."""

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_BLOCK = 1 << 20
_SHOWN = 40  # characters of a text in a note
_DECIMAL = re.compile(r"[+-]?[0-9]+,[0-9]+")


# Writing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """A sheet that was written.

    Attributes:
        rows: number of rows below the header.
        cut: number of texts that are longer than a cell of a workbook may be, and were cut.
    """

    rows: int
    cut: int = 0


def check_output(
    path: Path,
    *,
    overwrite: bool = False,
    name: str = "path",
    suffixes: Sequence[str] = SUFFIXES,
) -> None:
    """Raise an error if a file cannot be written, or would overwrite without permission.

    Args:
        path: the file.
        overwrite: whether to replace one that is there.
        name: the parameter that holds the path.
        suffixes: those that are known.

    Raises:
        ParameterError: another suffix, no such folder, or a file that may not be replaced.
        MissingExtra: a workbook without the library for it.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise ParameterError(name, path, "name a file in a folder that exists")
    if path.suffix.lower() not in suffixes:
        raise ParameterError(name, path, f"must end in {listed(suffixes, 'or')}")
    if path.exists() and not overwrite:
        raise ParameterError(name, path, "exists; overwrite=True replaces it")
    if path.suffix.lower() == ".xlsx":
        workbooks.check()


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Written:
    """Write a sheet in the format of its suffix, one row after the other.

    No cell is run as a formula where the sheet is opened. A lone surrogate, which no such file can
    hold, is written as its escape.
    """
    with replacing(path) as part:
        if path.suffix.lower() == ".xlsx":
            try:
                return Written(*workbooks.write(part, columns, rows))
            except FileError as error:
                raise FileError(f"{path}: {error}") from error
        with part.open(
            "w", encoding=csv_files.ENCODING, errors="backslashreplace", newline=""
        ) as file:
            return Written(csv_files.write_rows(file, columns, rows))


# Reading -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """A sheet that is read row by row.

    Attributes:
        columns: names in the header.
        rows: the place of each row for messages, and its fields by column; blank rows are left out.
        notes: one line for each thing that had to be guessed.
    """

    columns: Sequence[str]
    rows: Iterator[tuple[str, dict[str, str]]]
    notes: Sequence[str] = field(default=())


def read(path: Path, needed: Sequence[str]) -> Sheet:
    """Read a sheet that has some columns.

    Args:
        path: ends in .csv, .tsv, .txt or .xlsx.
        needed: columns that tell the separator, or the sheet of a workbook: with the right one the
            header holds them all.

    Raises:
        FileError: no such file, another kind of file, a column that is missing or there twice.
    """
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    if path.suffix.lower() not in READ:
        raise FileError(f"{path}: sheets are read from {listed(READ, 'or')}")
    notes: list[str] = []
    if path.suffix.lower() == ".xlsx":
        return _checked(path, needed, _of_workbook(path, needed), notes)
    encoding, note = _encoding(path)
    notes += note
    return _checked(path, needed, _of_text(path, needed, encoding), notes)


def number(text: str) -> float:
    """Return the number of a cell, also of one that is written with a decimal comma.

    Raises:
        ValueError: it is no number.
    """
    return float(text.replace(",", ".") if _DECIMAL.fullmatch(text.strip()) else text)


type _Records = Iterator[tuple[int, list[str]]]
type _Found = tuple[list[str], _Records, str]
"""The fields of a header, the records below, and in words what was taken for its form."""


def _checked(path: Path, needed: Sequence[str], found: _Found, notes: Sequence[str]) -> Sheet:
    header, records, form = found
    names = [restored(name).strip() for name in header]
    for name in needed:
        if name not in names:
            shown = _printable(", ".join(filter(None, names))[:200]) or "nothing"
            raise FileError(
                f"{path}: has no column '{name}'; it needs {', '.join(needed)}; read {form}, its "
                f"header holds {shown}"
            )
        if names.count(name) > 1:
            raise FileError(f"{path}: column '{name}' is there {names.count(name)} times; keep one")
    return Sheet(names, _rows(path, names, records), notes)


def _rows(
    path: Path, names: Sequence[str], records: _Records
) -> Iterator[tuple[str, dict[str, str]]]:
    for row, (line, fields) in enumerate(records, 2):
        if not any(fields):
            continue
        place = f"{path}:{line}" + (f" (row {row})" if row != line else "")
        if any(fields[len(names) :]):
            raise FileError(
                f"{place}: {len(fields)} fields where the header has {len(names)}; the row is not "
                "quoted, save the sheet anew"
            )
        texts = [restored(text) for text in fields] + [""] * (len(names) - len(fields))
        yield place, dict(zip(names, texts, strict=False))


def _of_workbook(path: Path, needed: Sequence[str]) -> _Found:
    """Return the first sheet of a workbook that has the columns, else the first of all."""
    first: _Found | None = None
    for title, records in workbooks.sheets(path):
        _, header = next(records, (0, []))
        found = header, records, f"from the sheet '{_printable(title)}'"
        if {restored(name).strip() for name in header}.issuperset(needed):
            return found
        first = first or found
    return first or ([], iter(()), "as a workbook without sheets")


def _of_text(path: Path, needed: Sequence[str], encoding: str) -> _Found:
    """Return the records by the separator with which the header has most of the columns."""
    best: tuple[int, int, str] = (-1, 0, ",")
    start = _separator_line(path, encoding)
    for separator in start or _SEPARATORS:
        records = csv_files.records(path, encoding=encoding, separator=separator)
        try:
            header = [restored(name).strip() for name in _header(records, start)]
        except FileError:  # not with this separator
            continue
        best = max(best, (len(set(needed) & set(header)), len(header), separator), key=_rank)
    separator = best[2]
    records = csv_files.records(path, encoding=encoding, separator=separator)
    form = f"as {encoding.removesuffix('-sig').upper()} with {_SEPARATORS[separator]}"
    return _header(records, start), records, form


def _rank(found: tuple[int, int, str]) -> tuple[int, int]:
    return found[:2]


def _header(records: _Records, start: str) -> list[str]:
    if start:
        next(records, None)
    return next(records, (0, []))[1]


def _separator_line(path: Path, encoding: str) -> str:
    """Return the separator that a first line names, as Excel takes it; empty where none does."""
    with path.open(encoding=encoding, errors="replace") as file:
        found = re.fullmatch(r'"?sep=([,;\t])"?', file.readline(20).rstrip("\r\n"))
    return found[1] if found else ""


def _encoding(path: Path) -> tuple[str, list[str]]:
    """Return the encoding of a text file, with a note where it is not certain.

    What is UTF-8 from end to end is taken for it: another encoding is so by chance only where no
    letter is beyond ASCII.

    Raises:
        FileError: a workbook, or text in an encoding that is not known.
    """
    with path.open("rb") as file:
        head = file.read(4)
    if head == b"PK\x03\x04":
        raise FileError(f"{path}: is an Excel workbook; name it .xlsx")
    for mark, name in _BOMS.items():
        if head.startswith(mark):
            return name, []
    if b"\0" in head[:2]:
        raise FileError(f"{path}: UTF-16 without its mark; save it as 'CSV UTF-8'")
    place = _not_utf8(path)
    if place is None:
        return "utf-8", []
    line, raw = place
    try:
        text = _printable(raw.decode("cp1252"))
    except UnicodeDecodeError as error:
        raise FileError(
            f"{path}:{line}: neither UTF-8 nor Windows-1252; save it as 'CSV UTF-8'"
        ) from error
    note = (
        f"{path}: not UTF-8, so read as Windows-1252: line {line} then holds '{text}'; if that is "
        "not what was written, save it as 'CSV UTF-8'"
    )
    return "cp1252", [note]


def _printable(text: str) -> str:
    """Return a text of a file for one line of the terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _not_utf8(path: Path) -> tuple[int, bytes] | None:
    """Return the first line that is not UTF-8, and the bytes around the place; None without any."""
    with path.open("rb") as file:
        for line, raw in enumerate(file, 1):
            try:
                raw.decode("utf-8")
            except UnicodeDecodeError as error:
                start = max(0, error.start - _SHOWN // 2)
                return line, raw[start : error.start + _SHOWN // 2].strip()
    return None
