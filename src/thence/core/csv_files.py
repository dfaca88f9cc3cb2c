"""CSV files of others: fields of any length, "N/A" as text, errors that name file and line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock

from thence.errors import FileError

_LONGEST_FIELD = 1 << 30  # characters; replies pass the csv module's own limit of 131,072
_LOCK = Lock()


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the last line of each row, and the row's fields in the named columns.

    Raises:
        FileError: a column is missing, a row is cut off, or the file is not CSV in UTF-8.
    """
    records = _records(path, strict=True)
    _, header = next(records, (0, []))
    missing = [name for name in columns if name not in header]
    if missing:
        raise FileError(
            f"{path}: column '{missing[0]}' is missing; it must have {', '.join(columns)}"
        )
    places = [header.index(name) for name in columns]
    for line, fields in records:
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
    records = _records(path, strict=False)
    line, header = next(records, (0, None))
    if header is None:
        return
    names = [name.strip() for name in header]
    yield line, dict.fromkeys(names, "")
    for line, fields in records:
        if fields:
            padded = [*fields, *[""] * (len(names) - len(fields))]
            yield line, dict(zip(names, padded, strict=False))


def _records(path: Path, *, strict: bool) -> Iterator[tuple[int, list[str]]]:
    line = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=strict)
            while (fields := _next(reader)) is not None:
                line = reader.line_num
                yield line, fields
    except csv.Error as error:
        raise FileError(
            f"{path}:{line + 1}: not a whole CSV file: {error}; copy it anew"
        ) from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}:{line + 1}: not UTF-8 text: {error}") from error
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error


def _next(reader: Iterator[list[str]]) -> list[str] | None:
    """Return the next record, read under a limit that other users of the module never see."""
    with _LOCK:
        limit = csv.field_size_limit(_LONGEST_FIELD)
        try:
            return next(reader, None)
        finally:
            csv.field_size_limit(limit)
