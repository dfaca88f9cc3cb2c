"""What ``thence batch status`` says of the batches of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import held, refused, rows, samples, thence
from tests.engine.test_batches import KEY, KEYS, Once, command, each_vendor
from tests.fake_batches import FakeBatches
from tests.fake_endpoint import Status
from thence.engine.batch_notes import BatchNotes


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, KEY)


def looked(fake: FakeBatches, *more: object, status: int = 1) -> list[dict[str, Any]]:
    """The batches of the run as they are said; nothing in its folder changes."""
    before = held(Path("run"))
    done = thence("batch", "status", "run", "--base-url", fake.url, "--json", *more, status=status)
    assert held(Path("run")) == before
    [run] = done.json()
    assert run["path"] == "run"
    return list(run["batches"])


@each_vendor
def test_a_batch_is_followed_from_its_making_to_its_results(vendor: str) -> None:
    samples(size=4)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.looks = 3
        run = command(fake, vendor)
        thence(*run, "--batch", "--batch-submit", status=1)
        [made] = looked(fake)
        assert (made["state"], made["requests"], made["fault"]) == ("made", 4, None)
        assert made["batch"]
        assert made["word"]
        for _ in range(3):
            [seen] = looked(fake)
        assert (seen["state"], seen["batch"]) == ("ended", made["batch"])
        said = thence("batch", "status", "run", "--base-url", fake.url, status=1).out
        assert said.startswith("run/batch/0001.json: 4 requests since 20")
        assert said.endswith("thence run ... -o run --batch takes the results\n")
        assert said.count("\n") == 1
        thence(*run, "--batch")
        [taken] = looked(fake, status=0)
    assert (taken["state"], taken["note"]) == ("taken", "run/batch/0001.json")
    assert len(rows("run/responses.jsonl")) == 4


def test_what_the_endpoint_does_not_tell_is_said_beside_what_the_notes_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        thence(*command(fake, "anthropic"), "--batch", "--batch-submit", status=1)
        fake.faults = {"_look": [Status(404, body={"error": {"message": f"no {KEY}"}})]}
        [seen] = looked(fake)
        assert (seen["state"], seen["requests"], seen["answered"]) == ("made", 2, None)
        assert "no ***" in seen["fault"]
        # Where the key goes is not for the run's folder to decide.
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        before = len(fake.seen)
        done = thence("batch", "status", "run", status=1)
        assert "ANTHROPIC_API_KEY is not set" in done.out
        assert "2 requests since" in done.out
        assert len(fake.seen) == before
        held_headers = ("--header", "X-A=b", "--auth-command", "echo t")
        [seen] = looked(fake, *held_headers)
        assert seen["word"]


def test_files_of_requests_and_batches_in_doubt_are_said() -> None:
    samples(size=2)
    ask = ("batch", "export", "samples.jsonl", "--model", "x/m", "--base-url", "http://x/v1")
    thence(*ask, "-o", "run", "--requests", "in.jsonl")
    said = thence("batch", "status", "run", status=1).out
    assert "2 requests since" in said
    assert "in a file; thence batch import run RESULTS takes the results" in said
    [note] = BatchNotes(Path("run"), "").all()
    note.state = "meant"
    note.write()
    said = thence("batch", "status", "run", status=1).out
    assert "unknown; whether it was made is not known" in said


def test_a_run_without_batches_and_a_folder_without_a_run() -> None:
    samples(size=1)
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
    assert thence("batch", "status", "run").out == "run: no batches\n"
    assert json.loads(thence("batch", "status", "run", "--json").out) == [
        {"path": "run", "batches": []}
    ]
    refused("batch", "status", "none", says=("none", "no such run directory"))
