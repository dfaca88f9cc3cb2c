"""Reading the CSV files of FABLE's authors: long replies, "N/A" as text, nothing cut off."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from thence.errors import FileError

_LONGEST_FIELD = 1 << 30  # characters; replies pass the module's own limit of 131,072


def rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The named columns of every row, with the number of the line on which the row ends.

    Raises:
        FileError: a column that is missing, a row that is cut off, or no CSV in UTF-8.
    """
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            missing = [name for name in columns if name not in header]
            if missing:
                raise FileError(
                    f"{path}: column '{missing[0]}' is missing; it must have {', '.join(columns)}"
                )
            places = [header.index(name) for name in columns]
            for row in reader:
                if not row:
                    continue
                if len(row) != len(header):
                    raise FileError(
                        f"{path}:{reader.line_num}: {len(row)} fields where the header has "
                        f"{len(header)}; the row is cut off or not quoted"
                    )
                yield reader.line_num, [row[place] for place in places]
    except csv.Error as error:
        raise FileError(f"{path}: not a whole CSV file: {error}; copy it anew") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8 text: {error}") from error
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error
    finally:
        csv.field_size_limit(limit)
