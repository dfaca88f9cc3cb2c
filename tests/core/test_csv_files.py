"""CSV files with long fields are read, and nobody else's limit is changed by it."""

from __future__ import annotations

import csv

import pytest

from thence.core.csv_files import read_columns, read_rows
from thence.errors import FileError

LONG = "a reply, " * 100_000


def written(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_long_fields_are_read_and_the_limit_of_others_stays(tmp_path):
    path = written(tmp_path / "x.csv", ["id", "reply"], [1, LONG], [2, "N/A"], [3, ""])
    limit = csv.field_size_limit()
    seen = []
    for line, fields in read_columns(path, ("reply",)):
        assert csv.field_size_limit() == limit
        seen.append((line, fields))
    assert seen == [(2, [LONG]), (3, ["N/A"]), (4, [""])]
    assert [row["reply"] for _, row in read_rows(path)] == ["", LONG, "N/A", ""]
    assert csv.field_size_limit() == limit
    with pytest.raises(csv.Error):
        list(csv.reader([f'"{LONG}"']))


def test_the_limit_is_restored_after_an_error_and_between_two_files_read_at_once(tmp_path):
    limit = csv.field_size_limit()
    whole = written(tmp_path / "whole.csv", ["a"], *([str(number)] for number in range(5)))
    torn = tmp_path / "torn.csv"
    torn.write_text('a\n"cut off')
    pairs = zip(read_rows(whole), read_rows(whole), strict=True)
    assert all(one == other for one, other in pairs)
    with pytest.raises(FileError, match=r"torn\.csv:2: not a whole CSV file"):
        list(read_columns(torn, ("a",)))
    assert csv.field_size_limit() == limit


def test_rows_that_are_short_are_filled_or_refused(tmp_path):
    path = written(tmp_path / "x.csv", [" a ", "b"], [1], [], [2, 3, 4])
    assert [row for _, row in read_rows(path)] == [
        {"a": "", "b": ""},
        {"a": "1", "b": ""},
        {"a": "2", "b": "3"},
    ]
    with pytest.raises(FileError, match=r"x\.csv:2: 1 fields where the header has 2"):
        list(read_columns(path, ("b",)))
    empty = written(tmp_path / "empty.csv")
    assert list(read_rows(empty)) == []
    with pytest.raises(FileError, match="column 'a' is missing"):
        list(read_columns(empty, ("a",)))
    with pytest.raises(FileError, match=r"none\.csv: cannot be read: No such file"):
        list(read_rows(tmp_path / "none.csv"))
