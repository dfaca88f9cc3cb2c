"""A run held for a page: the same scores and the same page from one process as from two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import settle, thence
from thence.engine import scored_run
from thence.engine.directory import RunDirectory
from thence.engine.packing import packed, unpacked
from thence.engine.response_index import Held, Stored
from thence.engine.scored_run import Kept
from thence.report import page

TASKS = ("procbench/sort", "releval/comparison", "catbench/order", "fable/recipes/intervals")


@pytest.fixture(autouse=True)
def _a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
    thence("run", *TASKS, "--size", "6", "--epochs", "2", "--reduce", "majority",
           "--model", "baseline/random", "-o", "run")  # fmt: skip
    lines = Path("run/responses.jsonl").read_text().splitlines(keepends=True)
    Path("run/responses.jsonl").write_text("".join(lines[:-3]))


def test_two_processes_score_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Kept(RunDirectory(Path("run")))
    monkeypatch.setattr(scored_run, "_LARGE", 0)
    beside = Kept(RunDirectory(Path("run")))
    assert list(beside.results.rows) == list(alone.results.rows)
    assert beside.results.notes == alone.results.notes
    assert beside.results.missing == alone.results.missing > 0
    for row in beside.results.rows:
        assert beside.find(row) == alone.find(row)
        assert beside.find(row)[0].input


def test_two_processes_write_the_page_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    thence("report", "run", "-o", "alone.html", status=1)
    monkeypatch.setattr(scored_run, "_LARGE", 0)
    monkeypatch.setattr(page, "_MANY", 0)
    thence("report", "run", "-o", "beside.html", status=1)
    assert Path("beside.html").read_bytes() == Path("alone.html").read_bytes()


def test_responses_that_have_no_room_in_memory_are_read_when_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = Path("run/responses.jsonl")
    held, stored = Held(path), Stored(path)
    alone = Kept(RunDirectory(Path("run")))
    names = {row.sample.id for row in alone.results.rows}
    assert all(held.of(name) == stored.of(name) for name in names)
    assert held.of("none") == {}
    monkeypatch.setattr(scored_run, "_ROOM", 0)
    assert list(Kept(RunDirectory(Path("run"))).results.rows) == list(alone.results.rows)


@pytest.mark.parametrize("trusted", [True, False])
def test_the_first_answered_samples_of_each_task(trusted: bool) -> None:
    path = Path("run/responses.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line[:40] != lines[0][:40]))  # one question
    directory = RunDirectory(Path("run"))
    directory._trusted = trusted
    run = Kept(directory)
    answered: dict[str, list[str]] = {}
    for row in run.results.rows:
        held = answered.setdefault(row.sample.task, [])
        held += [row.sample.id] * (row.sample.id not in held)
    expected = [name for held in answered.values() for name in held[:4]]
    assert min(map(len, answered.values())) < 6
    found = list(run.first(4))
    assert sorted(sample.id for sample in found) == sorted(expected)
    assert all(sample.input for sample in found)


def test_scores_arrive_as_they_were_sent() -> None:
    rows = list(Kept(RunDirectory(Path("run"))).results.rows)
    assert unpacked(packed(rows)) == rows
    assert unpacked(packed([])) == []
