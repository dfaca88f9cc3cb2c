"""Kinds of errors that people filled in are counted, and their agreement is measured."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.command import refused, thence
from thence.core import sheets

COLUMNS = ["model", "task", "id", "epoch", "outcome", "reply", "error_type"]


def filled(
    path: str, kinds: Sequence[str], task: str = "catbench/order", outcome: str = "wrong"
) -> str:
    rows = [["m", task, f"q{n}", 0, outcome, "=1+1", kind] for n, kind in enumerate(kinds)]
    sheets.write(Path(path), COLUMNS, rows)
    return path


def test_one_person() -> None:
    filled("a.csv", ["multi-hop", "Misread ", "misread", "multi-hop", "misread", ""])
    done = thence("errors", "a.csv", "--json")
    assert done.err == "thence: left out: 1 row without an error_type\n"
    found = done.json()
    assert (found["raters"], found["unfilled"]) == (["a.csv"], 1)
    held = found["tasks"]["catbench/order"]
    assert held["answers"] == 5
    assert {kind: each["raters"] for kind, each in held["kinds"].items()} == {
        "Misread": {"a.csv": 3},
        "multi-hop": {"a.csv": 2},
    }
    assert held["answers_of_several"] == 0
    shown = thence("errors", "a.csv", "-o", "kinds.csv").out
    assert "Misread" in shown
    assert "Agreement" not in shown
    with Path("kinds.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["answers"], row["share"]) for row in rows] == [
        ("Misread", "3", "0.6"),
        ("multi-hop", "2", "0.4"),
    ]


def test_several_people_and_tasks() -> None:
    filled("a.csv", ["x", "x", "y", "y"])
    filled("b.xlsx", ["x", "y", "y", ""])
    done = thence("errors", "a.csv", "b.xlsx", "--json")
    assert done.err.splitlines() == [
        "thence: b.xlsx: 1 of 4 answers have no error_type: q3",
        "thence: left out: 1 row without an error_type",
    ]
    held = done.json()["tasks"]["catbench/order"]
    assert held["kinds"] == {
        "y": {"raters": {"a.csv": 2, "b.xlsx": 2}, "agreed": 1},
        "x": {"raters": {"a.csv": 2, "b.xlsx": 1}, "agreed": 1},
    }
    assert (held["answers"], held["answers_of_several"]) == (4, 3)
    assert held["equal"] == pytest.approx(2 / 3)
    assert held["kappa"] == pytest.approx((2 / 3 - 0.5) / 0.5)  # each kind half of six
    filled("other.csv", ["z"], "procbench/sort")
    found = thence("errors", "a.csv", "b.xlsx", "other.csv", "--json").json()
    assert list(found["tasks"]) == ["catbench/order", "procbench/sort", "all tasks"]
    assert found["tasks"]["all tasks"]["answers"] == 5
    shown = thence("errors", "a.csv", "b.xlsx").out
    assert "Agreement on the kinds of errors" in shown


def test_a_column_names_the_rater() -> None:
    rows = [["t", "q", 0, "wrong", kind, who] for kind, who in (("x", "Ann"), ("y", "Bo"))]
    sheets.write(Path("a.csv"), ["task", "id", "epoch", "outcome", "error_type", "rater"], rows)
    found = thence("errors", "a.csv", "--json").json()
    assert found["raters"] == ["Ann", "Bo"]
    assert found["tasks"]["t"]["equal"] == 0


@pytest.mark.parametrize(
    ("make", "arguments", "says"),
    [
        (lambda: filled("a.csv", ["", ""]), ["a.csv"], "a.csv: no row has an error_type; fill in"),
        (lambda: filled("a.csv", ["x"]), ["a.csv", "./a.csv"], "a.csv: is given twice"),
        (lambda: Path("a.csv").write_text("id\n"), ["a.csv"], "a.csv: has no column 'task'"),
        (lambda: filled("a.csv", ["x"]), ["a.csv", "-o", "no.txt"], "-o no.txt: must end in"),
        (lambda: filled("a.csv", ["x"]), ["a.csv", "b.csv"], "b.csv: no such file"),
        (lambda: filled("a.csv", ["x"]), ["a.csv", "run"], "give one run, or sheets of one run"),
        (lambda: None, ["run", "--json"], "--json: is for sheets"),
        (
            lambda: (filled("a.csv", ["x"]), filled("b.csv", ["x"], outcome="refused")),
            ["a.csv", "b.csv"],
            "b.csv:2: outcome 'refused' of q0, which is 'wrong' at a.csv:2; give sheets",
        ),
    ],
)
def test_refusals(make: Callable[[], object], arguments: Sequence[str], says: str) -> None:
    make()
    refused("errors", *arguments, says=(says,))


def test_a_sheet_of_a_run_goes_to_people_and_back() -> None:
    thence("run", "procbench/sort", "--size", 6, "--model", "baseline/random", "-o", "run")
    thence("errors", "run", "-o", "e.xlsx")
    sheet = sheets.read(Path("e.xlsx"), COLUMNS)
    rows = [{**row, "error_type": "lost count"} for _, row in sheet.rows]
    sheets.write(Path("ann.csv"), sheet.columns, [list(row.values()) for row in rows])
    found = thence("errors", "ann.csv", "--json").json()
    [kinds] = [held["kinds"] for held in found["tasks"].values()]
    assert kinds["lost count"]["raters"] == {"ann.csv": len(rows)}
    refused("errors", "run", "-o", "e.xls", says=("-o e.xls: must end in .csv or .xlsx",))
