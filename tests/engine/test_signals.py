"""A run that is asked to end: by a scheduler, or as its terminal closes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, alone, ended, process, rows, samples, the_line, thence, until
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Hang
from tests.models.tiny_gguf import write_tiny_model

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Hanging(Solver):
    """Leaves all requests but the first three without an answer, until it is told."""

    hangs = True

    def __call__(self, body: dict[str, Any], count: int) -> Answer | Fault:
        return Hang() if self.hangs and count >= 3 else super().__call__(body, count)


def command(fake: FakeEndpoint) -> tuple[object, ...]:
    return (
        "run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "--max-connections", "2",
        "-o", "run",
    )  # fmt: skip


def answered() -> int:
    path = Path("run/responses.jsonl")
    return len(path.read_bytes().splitlines()) if path.is_file() else 0


@pytest.mark.parametrize("number", SIGNALS)
def test_it_ends_as_by_ctrl_c(number: signal.Signals) -> None:
    samples(size=8)
    solver = Hanging("samples.jsonl")
    with FakeEndpoint.in_thread(solver) as fake:
        with process(*command(fake)) as started:
            until(lambda: answered() == 3 and len(fake.requests) == 5, started)
            started.send_signal(number)
            done = ended(started, 128 + number)
        assert the_line(done.err) == (
            "thence: interrupted; what was written is kept in run: the same command goes on"
        )
        assert done.out == ""
        assert not Path("run/.lock").exists()
        told = json.loads(Path("run/run.json").read_text())
        assert told["responses"] == len(rows("run/responses.jsonl")) == 3
        solver.hangs = False
        thence(*command(fake))
        assert len(fake.requests) == 5 + 5
    assert {row["outcome"] for row in rows("run/scores.jsonl")} == {"correct"}


@pytest.mark.parametrize("number", SIGNALS)
def test_samples_that_are_being_made_are_left(number: signal.Signals) -> None:
    run = ("run", "procbench/sort", "--size", "20000", "--model", "baseline/oracle", "-o", "run")
    with process(*run, "--workers", "1") as started:
        until(lambda: any(Path("run").glob(".samples.*.part")), started)
        started.send_signal(number)
        the_line(ended(started, 128 + number).err)
    with process("generate", "procbench/sort", "--size", "20000", "-o", "s.jsonl") as started:
        until(lambda: any(Path().glob("*.part")) or any(Path().glob(".*.part")), started)
        started.send_signal(number)
        the_line(ended(started, 128 + number).err)
    assert not Path("s.jsonl").exists()
    assert not [*Path().glob("*.part"), *Path().glob(".*.part")]


def test_nohup_is_heeded() -> None:
    samples(size=8)
    solver = Hanging("samples.jsonl")
    with FakeEndpoint.in_thread(solver) as fake:
        shell = ("sh", "-c", "trap '' HUP; exec \"$@\"", "sh", sys.executable, "-m", "thence")
        started = subprocess.Popen(
            [*shell, *map(str, command(fake))],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            until(lambda: answered() == 3 and len(fake.requests) == 5, started)
            started.send_signal(signal.SIGHUP)
            started.send_signal(signal.SIGTERM)
            ended(started, 128 + signal.SIGTERM)
        finally:
            if started.poll() is None:
                started.kill()
                started.communicate()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_local_server_ends_with_it(number: signal.Signals) -> None:
    pytest.importorskip("gguf")
    pytest.importorskip("xllamacpp")
    tiny = write_tiny_model(Path("tiny.gguf"))
    samples(size=24)
    run = ("run", "samples.jsonl", "--model", f"gguf/{tiny}", "--max-connections", "1")
    with process(*run, "--max-tokens", "400", "-o", "run") as started:
        until(lambda: answered() > 0, started)
        threads = Path(f"/proc/{started.pid}/task").glob("*/children")
        children = [child for thread in threads for child in thread.read_text().split()]
        assert children
        started.send_signal(number)
        the_line(ended(started, 128 + number).err)
        assert alone(started)
        for child in children:
            until(lambda child=child: not Path(f"/proc/{child}").exists())


def test_a_terminal_of_ascii_alone_shows_what_it_can() -> None:
    samples(size=2)
    run = ("run", "samples.jsonl", "--model", "x/m\u00f6del", "-o", "run", "--base-url")
    with (
        FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake,
        process(*run, fake.url, PYTHONIOENCODING="ascii") as started,
    ):
        assert ended(started, 0).out.startswith("x/m\\xf6del\n")
    assert len(rows("run/scores.jsonl")) == 2


def test_streams_that_are_closed_stop_nothing() -> None:
    run = ["run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run"]
    shut = "import os; [os.close(n) for n in (0, 1, 2)]; os.execv(*ARGS)".replace(
        "ARGS", repr((sys.executable, [sys.executable, "-m", "thence", *run]))
    )
    ran = subprocess.run([sys.executable, "-c", shut], check=False, env=dict(os.environ))
    assert ran.returncode == 0
    assert len(rows("run/scores.jsonl")) == 2
