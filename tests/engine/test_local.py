"""A local GGUF file goes the way of any other model."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ended, kill, process, rows, samples, the_line, thence, until
from tests.models.stand_in import FOLDER, install_vllm
from tests.models.test_hf import write_tiny
from tests.models.tiny_gguf import write_tiny_model
from thence.cli import INTERRUPTED

pytest.importorskip("gguf")
pytest.importorskip("xllamacpp")

RUN = ("run", "procbench/sort", "--size", "4", "--max-tokens", "32", "--max-connections", "2")


@pytest.fixture
def tiny() -> Path:
    return write_tiny_model(Path("tiny.gguf"))


def test_every_sample_has_an_outcome(tiny: Path) -> None:
    done = thence(*RUN, "--model", f"gguf/{tiny}", "-o", "run", "--temperature", "0")
    assert done.err == ""
    kept = rows("run/responses.jsonl")
    assert len(kept) == 4
    assert {row["error"] for row in kept} == {None}
    assert all(1 <= row["usage"]["output_tokens"] <= 32 for row in kept)
    found = thence("score", "run", "--json").json()["groups"]["procbench/sort"]
    assert found["n"] == 4
    assert sum(found["outcomes"].values()) == 4
    assert found["outcomes"]["provider_error"] == 0
    address = json.loads(Path("run/run.json").read_text())["address"]
    assert address.startswith("http://127.0.0.1:")
    # No server is there any more, and the same command needs none... but for its own check.
    again = thence(*RUN, "--model", f"gguf/{tiny}", "-o", "run", "--temperature", "0")
    assert again.out == done.out
    assert rows("run/responses.jsonl") == kept


def test_structured_replies_fit_the_schema_as_far_as_they_go(tiny: Path) -> None:
    thence(*RUN, "--model", f"gguf/{tiny}", "-o", "run", "--structured")
    kept = rows("run/responses.jsonl")
    assert len(kept) == 4
    for row in kept:
        assert row["response"].lstrip().startswith("{")
        if row["finish_reason"] == "stop":
            held: dict[str, Any] = json.loads(row["response"])
            assert set(held) == {"intermediate", "final"}
    [found] = thence("score", "run", "--json").json()["groups"].values()
    assert found["n"] == 4


def test_an_interrupted_local_run_leaves_no_server(tiny: Path) -> None:
    samples(size=24)
    run = ("run", "samples.jsonl", "--model", f"gguf/{tiny}", "--max-connections", "1")
    with process(*run, "--max-tokens", "400", "-o", "run") as started:
        responses = Path("run/responses.jsonl")
        until(lambda: responses.is_file() and responses.stat().st_size > 0, started)
        threads = Path(f"/proc/{started.pid}/task").glob("*/children")
        servers = [server for thread in threads for server in thread.read_text().split()]
        started.send_signal(2)
        the_line(ended(started, INTERRUPTED).err)
        for server in servers:
            until(lambda server=server: not Path(f"/proc/{server}").exists())


@pytest.mark.parametrize(
    "provider", ["gguf", pytest.param("hf", marks=pytest.mark.long), "vllm-offline"]
)
def test_a_killed_local_run_goes_on(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=12)
    model = f"{provider}/{weights(provider)}"
    run = ("run", "samples.jsonl", "--model", model, "--max-tokens", "64", "-o", "run")
    responses, stalled = Path("run/responses.jsonl"), Path("stalled")
    with monkeypatch.context() as patched:
        patched.setenv("PYTHONPATH", str(FOLDER), prepend=os.pathsep)
        patched.setenv("STALLED", str(stalled))  # the stand-in answers too soon to be killed
        with process(*run, "--max-connections", "2") as started:
            until(lambda: responses.is_file() and responses.stat().st_size > 0, started)
            if provider == "vllm-offline":
                until(stalled.exists, started)
            kill(started)
    if provider == "vllm-offline":
        install_vllm(monkeypatch)
    thence(*run)
    assert len({row["id"] for row in rows(responses)}) == len(rows(responses)) == 12


def weights(provider: str) -> Path:
    """A small model for a provider; of vLLM's engine, which is a stand-in, an empty folder."""
    if provider == "gguf":
        return write_tiny_model(Path("tiny.gguf"))
    Path("tiny").mkdir()
    return Path(write_tiny(Path("tiny"))) if provider == "hf" else Path("./tiny")
