"""A run held for a page: the scores of the run, and its samples from the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import settle, thence
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import results, scored_by
from thence.engine.scored_run import ScoredRun

TASKS = ("procbench/sort", "releval/comparison", "catbench/order", "fable/recipes/intervals")


@pytest.fixture(autouse=True)
def _a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
    thence("run", *TASKS, "--size", "6", "--epochs", "2", "--reduce", "majority",
           "--model", "baseline/random", "-o", "run")  # fmt: skip
    lines = Path("run/responses.jsonl").read_text().splitlines(keepends=True)
    Path("run/responses.jsonl").write_text("".join(lines[:-3]))


def test_its_scores_are_those_of_the_run() -> None:
    directory = RunDirectory(Path("run"))
    run, rows, whole = ScoredRun(directory), scored_by(directory), results(directory)
    assert [row.score for row in run.rows] == [row.score for row in rows]
    assert run.results.notes == whole.notes
    for task, frame in whole.frames.items():
        assert run.results.frames[task].data.equals(frame.data)
    assert run.results.missing > 0


def test_what_is_missing_is_counted_each_time_anew() -> None:
    rows = scored_by(RunDirectory(Path("run")))
    counts = set()
    for _ in range(2):
        assert list(rows.with_responses())
        counts.add((rows.missing, rows.replies.total()))
    assert len(counts) == 1


@pytest.mark.parametrize("trusted", [True, False])
def test_it_finds_the_sample_and_the_response_of_a_score(trusted: bool) -> None:
    directory = RunDirectory(Path("run"))
    directory._trusted = trusted
    run, samples = ScoredRun(directory), {each.id: each for each in directory.samples()}
    for row in run.rows:
        assert not row.sample.input
        sample, response = run.find(row)
        assert sample == samples[row.sample.id]
        assert response is not None
        assert (response.id, response.epoch, response.turn) == (sample.id, row.epoch, row.turn)
