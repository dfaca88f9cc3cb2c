"""Scores that are made while a run goes on are those that are made of it afterwards."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, rows, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status
from thence.engine.ahead import Ahead
from thence.scoring.results import Results


class Slow(Solver):
    """Takes its time; is wrong now and then, and fails for good on what it is told to."""

    def __init__(self, path: str, failing: range = range(0)) -> None:
        super().__init__(path)
        self.failing = failing

    def __call__(self, body: dict[str, Any], count: int) -> Answer | Fault:
        place = list(self.right).index(self.prompt(body))
        if place in self.failing:
            return Status(400)
        return Answer("?" if place % 5 == 4 else self.reply(body), delay=0.03)


def run(solver: Slow, *options: object, status: int = 0) -> str:
    with FakeEndpoint.in_thread(solver) as fake:
        place = ("--base-url", fake.url, "-o", "run", "--max-connections", 4)
        return thence("run", "samples.jsonl", "--model", "x/m", *place, *options, status=status).out


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many samples were scored before each run ended."""
    found: list[int] = []
    results = Ahead.results

    def counted(self: Ahead) -> Results:
        found.append(self._scored)
        return results(self)

    monkeypatch.setattr(Ahead, "results", counted)
    return found


def check(printed: str, status: int = 0) -> None:
    """Scores once more from what is on disk, and compares."""
    kept = Path("run/scores.jsonl").read_bytes()
    again = thence("score", "run", status=status).out
    assert Path("run/scores.jsonl").read_bytes() == kept
    assert again.splitlines() == printed.partition("summary:")[0].splitlines()


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--epochs", 3),
        ("--epochs", 3, "--reduce", "majority"),
        ("--protocol", "are_you_sure"),
    ],
)
def test_they_are_those_of_the_whole(ahead: list[int], options: tuple[object, ...]) -> None:
    samples(size=40)
    check(run(Slow("samples.jsonl"), *options))
    assert 0 < ahead[0] <= 40


def test_a_run_that_goes_on_scores_what_was_on_disk_too(ahead: list[int]) -> None:
    samples(size=40)
    check(run(Slow("samples.jsonl", range(10, 13)), status=1), status=1)
    outcomes = [row["outcome"] for row in rows("run/scores.jsonl")]
    assert outcomes.count("provider_error") == 3
    check(run(Slow("samples.jsonl")))
    outcomes = [row["outcome"] for row in rows("run/scores.jsonl")]
    assert (len(outcomes), outcomes.count("correct")) == (40, 32)
    check(run(Slow("samples.jsonl"), "--epochs", 2))
    assert len(rows("run/scores.jsonl")) == 80
    assert ahead[0] > 0


def test_scores_that_a_killed_run_left_half_written_are_taken_away() -> None:
    samples(size=4)
    run(Slow("samples.jsonl"))
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, others = (
        Path(f"run/.scores.jsonl.{number}.part") for number in (ended.pid, os.getppid())
    )
    for path in (left, others):
        path.write_text("half", encoding="utf-8")
    run(Slow("samples.jsonl"))
    assert not left.exists()
    assert others.exists()
