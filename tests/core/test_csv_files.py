"""CSV files with long fields are read, and nobody else's limit is changed by it."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thence.core.csv_files import read_columns, read_rows, split
from thence.errors import FileError

LONG = "a reply, " * 100_000


def written(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.fixture
def limit():
    """A low limit of the user's own."""
    before = csv.field_size_limit(3)
    yield 3
    assert csv.field_size_limit(before) == 3


def test_long_fields_are_read_under_any_limit_of_others(tmp_path, limit, monkeypatch):
    path = written(tmp_path / "x.csv", ["id", "reply"], [1, LONG], [2, "N/A"], [3, ""])
    monkeypatch.setattr(csv, "field_size_limit", None)  # it is not called
    seen = list(read_columns(path, ("reply",)))
    assert seen == [(2, [LONG]), (3, ["N/A"]), (4, [""])]
    assert [row["reply"] for _, row in read_rows(path)] == ["", LONG, "N/A", ""]
    monkeypatch.undo()
    with pytest.raises(csv.Error):
        list(csv.reader([f'"{LONG}"']))


def test_a_file_that_is_cut_off_is_refused(tmp_path):
    torn = tmp_path / "torn.csv"
    torn.write_text('a\n"cut off')
    with pytest.raises(FileError, match=r"torn\.csv:2: not a whole CSV file: unexpected end"):
        list(read_columns(torn, ("a",)))
    torn.write_text('a\n"b"\n"c" d\n')
    with pytest.raises(FileError, match=r"torn\.csv:3: not a whole .* ',' expected after"):
        list(read_columns(torn, ("a",)))


def by_the_module(text, separator, strict):
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=strict)
    return outcome((reader.line_num, fields) for fields in reader)


def outcome(records):
    found = []
    try:
        found.extend(records)
    except csv.Error as error:
        return found, str(error)
    return found, None


@given(st.text(alphabet='",;ab \r\n', max_size=24), st.sampled_from(",;"), st.booleans())
@settings(max_examples=500, deadline=None)
def test_records_are_those_of_the_csv_module(text, separator, strict):
    ours = outcome(split(StringIO(text, newline=""), separator, strict=strict))
    assert ours == by_the_module(text, separator, strict)


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
