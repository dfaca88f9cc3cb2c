"""Results by the reason that decides a question, and by its depth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import thence
from thence.core.sample import Sample

CELLS = ("fable/recipes/concurrency", "fable/recipes/taint")
REASONS = {"Yes": ("same_use", "nothing_in_common"), "No": ("chain", "conflict")}


def told() -> list[Sample]:
    """Questions with a reason and a depth, as generators of sound questions write them."""
    made = thence.generate(CELLS, seed=0, size=8, workers=1)
    return [
        replace(
            each,
            metadata={
                **each.metadata,
                "reason": REASONS[each.target][place % 2],
                "depth": (1, 2, 3, 12)[place % 4],
            },
        )
        for place, each in enumerate(made)
    ]


def test_reason_and_depth_are_dimensions_of_questions_that_tell_them() -> None:
    asked = told()
    wrong = {"Yes": "No", "No": "Yes"}
    replies = {s.id: s.target if s.metadata["depth"] < 3 else wrong[s.target] for s in asked}
    found = thence.score(asked, replies).to_json()
    by = found["overall"]["fable"]["by"]
    assert {name: held["accuracy"] for name, held in by["depth"].items()} == {
        "1": 1.0, "2": 1.0, "3": 0.0, "12": 0.0,
    }  # fmt: skip
    assert "reason" not in by
    of_task = found["groups"][CELLS[0]]["by"]["reason"]
    assert sum(held["n"] for held in of_task.values()) == 8
    plain = list(thence.generate(CELLS, seed=0, size=2, workers=1, dialect="published"))
    by = thence.score(plain, {s.id: s.target for s in plain}).to_json()["overall"]["fable"]["by"]
    assert not {"reason", "depth"} & by.keys()


def test_tables_and_the_page_tell_accuracy_by_depth_and_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thence.families.fable.shared.tables import tables

    monkeypatch.chdir(tmp_path)
    run = thence.run(told(), "baseline/oracle", out="told")
    made = {table.name: table for table in tables(run.scores().results)}
    depths = made["fable-depth"]
    assert [row[:3] for row in depths.rows] == [
        ["baseline/oracle", depth, 4] for depth in (1, 2, 3, 12)
    ]
    reasons = made["fable-reasons"]
    assert {row[3] for row in reasons.rows if row[2] == "No"} == {"chain", "conflict"}
    assert sum(row[4] for row in reasons.rows if isinstance(row[4], int)) == 16
    page = thence.report(run, "page.html").read_text()
    for text in ("Accuracy by depth", "nothing_in_common", "depth 12"):
        assert text in page
    asked = thence.generate(CELLS, seed=0, size=2, workers=1, dialect="published")
    plain = thence.run(asked, "baseline/oracle", out="plain")
    names = {table.name for table in tables(plain.scores().results)}
    assert not {"fable-depth", "fable-reasons"} & names


def test_tables_and_the_page_of_runbooks_alone_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thence.families.fable.shared.tables import tables

    monkeypatch.chdir(tmp_path)
    cells = [f"fable/runbooks/{each}" for each in ("intervals", "type_state", "concurrency")]
    asked = thence.generate(cells, seed=0, size=2, workers=1)
    run = thence.run(asked, "baseline/oracle", out="runbooks")
    made = {table.name: table for table in tables(run.scores().results)}
    assert [row[:2] for row in made["fable-table-6"].rows] == [["runbooks", "baseline/oracle"]]
    assert made["fable-table-7"].rows[0][:4] == ["baseline/oracle", "runbooks", 3, 100.0]
    assert "Accuracy by cell" in thence.report(run, "page.html").read_text()
