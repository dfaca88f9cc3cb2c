"""Sheets for people: no cell is a formula, what Excel saves is read, and guesses are said."""

from __future__ import annotations

import codecs
import csv
import sys
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from thence import cli
from thence.core import sheets, workbooks
from thence.core.formulas import disarmed, is_formula, restored
from thence.errors import FileError, MissingExtra, ParameterError

ARMED = [
    "=1+1", "+1+1", "@SUM(A1)", "-2+3", "\t=1", "\r=1", "  =1", "' =1", '"=1', "\n@x", "- item",
    "\x00=1", "\u00a0=1", "\uff1d1", "'=1", "''@x",
]  # fmt: skip
PLAIN = [
    "",
    "-5",
    "+3",
    "-1,5",
    "-1.234,5",
    "-0.5e-3",
    "12%",
    "a=1",
    "no, -5",
    "'tis",
    "Step 7",
    "170°C",
]


@pytest.mark.parametrize("text", ARMED)
def test_a_formula_is_disarmed_and_comes_back(text: str) -> None:
    assert disarmed(text) == "'" + text
    assert restored(disarmed(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_formula_stays(text: str) -> None:
    assert disarmed(text) == restored(text) == text


@given(st.text(st.sampled_from("=+-@'\"\t\r\n 1.,ex%"), max_size=8))
def test_every_text_comes_back(text: str) -> None:
    cell = disarmed(text)
    assert restored(cell) == text
    assert cell == text or (cell == "'" + text and is_formula(text))


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_sheet_comes_back_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    texts = [text.replace("\r", "\n").replace("\x00", "") for text in [*ARMED, *PLAIN]]
    rows = [[text, number, number / 2, number % 2 == 0, None] for number, text in enumerate(texts)]
    assert sheets.write(path, ["=a", "b", "c", "d", "e"], rows) == sheets.Written(len(rows))
    found = sheets.read(path, ["=a", "b"])
    assert (found.columns, found.notes) == (["=a", "b", "c", "d", "e"], [])
    for row, (_, fields) in zip(rows, found.rows, strict=True):
        assert fields["=a"] == row[0]
        assert float(fields["c"]) == row[2]
        assert (fields["d"], fields["e"]) == (str(row[3]).lower(), "")


def test_a_csv_has_the_mark_of_utf8_and_holds_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    sheets.write(path, ["a"], [[text] for text in ARMED])
    raw = path.read_bytes()
    assert raw.startswith(codecs.BOM_UTF8)
    assert not raw[3:].startswith(codecs.BOM_UTF8)
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert not [row for row in csv.reader(file) if is_formula(row[0]) and row[0][0] != "'"]


def test_a_workbook_holds_texts_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    long = "\N{GRINNING FACE}" * 20_000 + "\x1b\ud800"
    made = sheets.write(path, ["a"], [["=1+1"], [long], ["-5"], [-5]])
    assert made == sheets.Written(4, cut=1)
    sheet = load_workbook(path).active
    assert sheet is not None
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert [cell.data_type for cell in cells] == ["s", "s", "s", "n"]
    assert cells[0].value == "=1+1"
    assert cells[0].quotePrefix
    text = str(cells[1].value)
    assert text.endswith("a .csv file holds it whole]")
    assert len(text.encode("utf-16-le")) // 2 <= workbooks.LONGEST


def test_a_workbook_ends_where_excels_sheets_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbooks, "MOST_ROWS", 3)
    path = tmp_path / "x.xlsx"
    sheets.write(path, ["a"], [["1"], ["2"]])
    with pytest.raises(FileError, match=r"y\.xlsx: a sheet of Excel holds 3 rows.*\.csv"):
        sheets.write(tmp_path / "y.xlsx", ["a"], [["1"], ["2"], ["3"]])
    assert [each.name for each in tmp_path.iterdir()] == ["x.xlsx"]


def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, says in (
        ("x.xls", r"must end in \.csv or \.xlsx"),
        ("x", r"must end in \.csv or \.xlsx"),
        ("no/x.csv", "name a file in a folder that exists"),
        (".", "name a file in a folder that exists"),
    ):
        with pytest.raises(ParameterError, match=says):
            sheets.check_output(tmp_path / name)
    path = tmp_path / "there.CSV"
    path.write_text("mine")
    with pytest.raises(ParameterError, match="overwrite=True"):
        sheets.check_output(path)
    sheets.check_output(path, overwrite=True)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match=r"\.xlsx needs the extra .excel"):
        sheets.check_output(tmp_path / "x.xlsx")
    (tmp_path / "x.xlsx").write_bytes(b"")
    with pytest.raises(MissingExtra, match=r"\.xlsx needs the extra .excel"):
        sheets.read(tmp_path / "x.xlsx", ["a"])


# Reading -----------------------------------------------------------------------------------------

TABLE = [["id", "note", "rating"], ["q1", "170°C; naïve, “so”", "4"], ["q2", "two\nlines", "5"]]


def text(separator: str) -> str:
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in TABLE]
    return "".join(separator.join(row) + "\r\n" for row in quoted)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("first", ["", "sep"])
def test_what_excel_saves_is_read(
    tmp_path: Path, separator: str, encoding: str, first: str
) -> None:
    path = tmp_path / "x.csv"
    line = f"sep={separator}\r\n" if first else ""
    path.write_bytes((line + text(separator)).encode(encoding))
    found = sheets.read(path, ["id", "rating"])
    assert [list(row.values()) for _, row in found.rows] == TABLE[1:]
    if encoding == "cp1252":
        [note] = found.notes
        assert "x.csv: not UTF-8, so read as Windows-1252" in note
        assert "170°C" in note
    else:
        assert not found.notes


def test_a_file_that_is_utf8_is_read_as_that_whatever_else_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("id,note\nq,Ã©\n".encode())
    assert next(sheets.read(path, ["id"]).rows)[1]["note"] == "Ã©"
    path.write_bytes("id,note\nq,Ã©\n".encode("cp1252"))  # the same bytes as é in UTF-8
    assert next(sheets.read(path, ["id"]).rows)[1]["note"] == "é"


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        ("x.csv", b"id,note\nq,\x81\xff\n", r"x\.csv:2: neither UTF-8 nor Windows-1252.*CSV UTF-8"),
        ("x.csv", b"id\nq\xe9\np\x81\n", r"x\.csv:\d: not cp1252 text.*CSV UTF-8"),
        ("x.csv", b"i\0d\0", r"x\.csv: UTF-16 without its mark"),
        ("x.csv", b"PK\x03\x04", r"x\.csv: is an Excel workbook; name it \.xlsx"),
        ("x.xls", b"", r"x\.xls: sheets are read from \.csv, \.tsv, \.txt or \.xlsx"),
        ("x.csv", b"", r"x\.csv: has no column 'id'.*header holds nothing"),
        ("x.csv", b"a;b\n1;2\n", r"no column 'id'; .*; read as UTF-8 with semicolons.*a, b"),
        ("x.csv", b"id;id\n1;2\n", r"column 'id' is there 2 times; keep one"),
        ("x.csv", b"id,b\n1,2,3\n", r"x\.csv:2: 3 fields where the header has 2"),
        ("x.csv", b'id\n"1', r"x\.csv:2: not a whole CSV file.*copy it anew"),
        ("x.xlsx", b"id\n1\n", r"x\.xlsx: not an \.xlsx workbook.*saved as"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, raw: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(FileError, match=says):
        list(sheets.read(path, ["id"]).rows)


def test_rows_are_named_by_line_and_by_number(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('id\n"a\nb"\n\n"c"\n')
    assert [place for place, _ in sheets.read(path, ["id"]).rows] == [
        f"{path}:3 (row 2)",
        f"{path}:5 (row 4)",
    ]


@pytest.mark.parametrize(("text_", "value"), [("4", 4), ("4,0", 4), (" 3,5", 3.5), ("3.5", 3.5)])
def test_numbers_with_a_decimal_comma(text_: str, value: float) -> None:
    assert sheets.number(text_) == value


@pytest.mark.parametrize("text_", ["", "1,000,000", "four", "1,2.3"])
def test_what_is_no_number(text_: str) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        sheets.number(text_)


def test_the_sheet_of_a_workbook_that_has_the_columns_is_read(tmp_path: Path) -> None:
    book = Workbook()
    assert book.active is not None
    book.active.append(["notes"])
    sheet = book.create_sheet("ratings")
    sheet.append(["id", "rating", "done"])
    sheet.append(["q", 4.0, True])
    sheet.append([])
    sheet.append(["p", 3.5, None])
    book.save(tmp_path / "x.xlsx")
    found = sheets.read(tmp_path / "x.xlsx", ["id", "rating"])
    assert [(place.rpartition(":")[2], *row.values()) for place, row in found.rows] == [
        ("2", "q", "4", "true"),
        ("4", "p", "3.5", ""),
    ]
    with pytest.raises(FileError, match=r"no column 'other'.*from the sheet 'Sheet'.*notes"):
        sheets.read(tmp_path / "x.xlsx", ["other"])


def changed(path: Path, part: str, old: str, new: str, to: Path) -> Path:
    """A workbook with one of its parts changed."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            held = source.read(name).decode()
            target.writestr(name, held.replace(old, new) if name.endswith(part) else held)
    return to


def test_a_hostile_workbook_takes_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, bad = tmp_path / "x.xlsx", tmp_path / "bad.xlsx"
    sheets.write(path, ["id"], [["q"]])
    # A cell at the far end, where a reader of the whole grid would hold 17,179,869,184 cells.
    changed(path, "sheet1.xml", 'r="A2"', 'r="XFD2"', bad)
    assert list(sheets.read(bad, ["id"]).rows) == []
    changed(path, "sheet1.xml", 'r="2"', 'r="99999999999"', bad)
    monkeypatch.setattr(workbooks, "MOST_ROWS", 100)
    assert list(sheets.read(bad, ["id"]).rows) == []
    for part, old, new in (
        ("sheet1.xml", "<sheetData>", "<sheetData><row"),
        ("sheet1.xml", 't="inlineStr"', 't="s"'),
        ("workbook.xml", "<sheets>", "<sheets"),
        ("Content_Types].xml", "<Types", "<Tipes"),
    ):
        with pytest.raises(FileError, match=r"bad\.xlsx: "):
            list(sheets.read(changed(path, part, old, new, bad), ["id"]).rows)
    monkeypatch.setattr(workbooks, "_MOST_BYTES", 1 << 20)
    sheets.write(path, ["id"], [["a" * 30_000] for _ in range(40)])
    assert path.stat().st_size < 1 << 16
    with pytest.raises(FileError, match=r"x\.xlsx: unpacks to 1 MiB, and 1 are read; save it as"):
        sheets.read(path, ["id"])


def test_what_the_library_below_leaves_aside_is_warned_of_and_no_filter_is_touched(
    tmp_path, monkeypatch
):
    plain, path = tmp_path / "plain.xlsx", tmp_path / "x.xlsx"
    sheets.write(plain, ["id"], [["1"]])
    listed = b'<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"/></extLst></worksheet>'
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w") as after:
        for part in before.namelist():
            after.writestr(part, before.read(part).replace(b"</worksheet>", listed))
    monkeypatch.setattr(warnings, "simplefilter", None)  # neither is called
    monkeypatch.setattr(warnings, "catch_warnings", None)
    shown = []
    monkeypatch.setattr(warnings, "showwarning", lambda *told: shown.append(str(told[0])))
    monkeypatch.setattr(warnings, "filters", [])
    assert [row for _, row in sheets.read(path, ["id"]).rows] == [{"id": "1"}]
    assert shown == ["Data Validation extension is not supported and will be removed"]
    shown.clear()
    monkeypatch.setattr(cli.signals, "handle", lambda: None)
    monkeypatch.setattr(cli, "prepare_streams", lambda: None)
    monkeypatch.setattr(cli, "run", lambda _: 0)
    with pytest.raises(SystemExit):
        cli.main()
    assert [row for _, row in sheets.read(path, ["id"]).rows] == [{"id": "1"}]
    assert shown == []  # the command is quiet of it
