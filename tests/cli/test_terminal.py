"""A terminal gets nothing that it would obey, wherever a text comes from."""

from __future__ import annotations

import json
import os
import pty
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, rows, samples, thence, write_rows
from tests.fake_endpoint import FakeEndpoint, Status
from thence import cli
from thence.errors import printable
from thence.system.terminal_text import TerminalStream

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eabc\u2066\x08\x7f\u200f"
OBEYED = ("\x1b]", "\x1b[2J", "\x9b", "\x07", "\x08", "\x7f", "\u202e", "\u2066", "\u200f")


class Screen:
    """What a terminal gets; `bytes` is whole once the streams are closed."""

    def __init__(self) -> None:
        self.bytes = b""
        self._master, self.slave = pty.openpty()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        try:
            while piece := os.read(self._master, 65536):
                self.bytes += piece
        except OSError:  # the other end was closed
            pass

    def close(self) -> None:
        self._reader.join(60)
        os.close(self._master)


def on_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> str:
    """What a command writes to a terminal."""
    screen = Screen()
    with monkeypatch.context() as patch:
        streams = []
        for name in ("stdout", "stderr"):
            streams.append(os.fdopen(os.dup(screen.slave), "w", encoding="utf-8"))
            patch.setattr(sys, name, streams[-1])
        os.close(screen.slave)
        patch.setenv("TERM", "xterm")
        cli.prepare_streams()
        cli.run([str(argument) for argument in arguments])
        for stream in streams:
            stream.close()
    screen.close()
    return screen.bytes.decode()


@pytest.fixture
def run() -> Path:
    """A run with a wrong answer."""
    samples()
    thence("run", "samples.jsonl", "--model", "baseline/random", "-o", "run", "--limit", "2")
    return Path("run")


def told(path: Path, **changes: Any) -> None:
    """Changes what ``run.json`` says; ``request__x`` stands for a field of the request."""
    held = json.loads(path.read_text())
    for name, value in changes.items():
        inner = held["request"] if name.startswith("request__") else held
        inner[name.removeprefix("request__")] = value
    path.write_text(json.dumps(held))


def model(run: Path) -> None:
    told(run / "run.json", request__model=EVIL)


def protocol(run: Path) -> None:
    told(run / "run.json", request__protocol=EVIL)


def versions(run: Path) -> None:
    told(run / "run.json", versions={EVIL: EVIL})


def sample_ids(run: Path) -> None:
    found = [row | {"id": EVIL} for row in rows(run / "samples.jsonl")[:1]]
    write_rows(run / "samples.jsonl", found)


def sample_tasks(run: Path) -> None:
    write_rows(
        run / "samples.jsonl", [r | {"task": f"procbench/{EVIL}"} for r in rows("samples.jsonl")]
    )


def sample_groups(run: Path) -> None:
    changed = rows(run / "samples.jsonl")
    for row in changed:
        row["metadata"]["group"] = EVIL
    write_rows(run / "samples.jsonl", changed)


def reply_texts(run: Path) -> None:
    write_rows(
        run / "responses.jsonl",
        [row | {"text": EVIL, "error": None} for row in rows(run / "responses.jsonl")],
    )


RUNS = (model, protocol, versions, sample_ids, sample_tasks, sample_groups, reply_texts)


def harmless(shown: str) -> None:
    """Asserts that a terminal got the texts, and nothing of them that it would obey."""
    assert shown
    for mark in OBEYED:
        assert mark not in shown


@pytest.mark.parametrize("change", RUNS, ids=[each.__name__ for each in RUNS])
def test_a_run_from_elsewhere(monkeypatch: pytest.MonkeyPatch, run: Path, change: Any) -> None:
    change(run)
    for verb in ("score", "errors"):
        harmless(on_terminal(monkeypatch, verb, "run"))
    harmless(on_terminal(monkeypatch, "compare", "run", "run"))


YAML = f"""
goal: {json.dumps(EVIL)}
steps:
  - text: {json.dumps("Mix " + EVIL)}
    uses: [{json.dumps(EVIL)}]
    defines: [{json.dumps("b" + EVIL)}]
"""


@pytest.mark.parametrize(
    "option", [(), ("--json",), ("--mermaid", "steps"), ("--dot", "steps"), ("--mermaid", EVIL)]
)
def test_a_procedure_from_elsewhere(
    monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...]
) -> None:
    Path("p.yaml").write_text(YAML)
    harmless(on_terminal(monkeypatch, "analyze", "p.yaml", *option))


def test_names_and_files_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    samples()
    named = f"x{EVIL}.jsonl"
    Path(named).write_bytes(Path("samples.jsonl").read_bytes())
    write_rows("replies.jsonl", [{"id": EVIL, "response": EVIL}])
    surrogate = os.fsdecode(b"\xff\x1b[2J.jsonl")
    for arguments in (
        ("list", "tasks", EVIL),
        ("show", f"procbench/{EVIL}"),
        ("score", "replies.jsonl", "--samples", "samples.jsonl"),
        ("run", named, "--model", "baseline/oracle", "--limit", "1", "-o", f"r{EVIL}"),
        ("run", "samples.jsonl", "--model", EVIL),
        ("run", surrogate, "--model", "baseline/oracle"),
        (EVIL,),
        ("generate", "procbench/sort", "--set", f"{EVIL}=1", "-o", "y.jsonl"),
    ):
        harmless(on_terminal(monkeypatch, *arguments))


def test_defaults_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in ((EVIL, "x"), ("model", f"openai/{EVIL}"), ("templates", EVIL)):
        Path("thence.toml").write_text(f"{json.dumps(key)} = {json.dumps(value)}\n")
        harmless(on_terminal(monkeypatch, "run", "procbench/sort", "--size", "1", "--dry-run"))
    Path("thence.toml").write_text(f"timeout = {json.dumps(EVIL)}\n")
    harmless(on_terminal(monkeypatch, "run", "--help"))


def test_an_endpoint_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    samples()
    solver, bad = Solver("samples.jsonl"), Status(400, body={"error": {"message": EVIL}})
    broken = solver.nth(1, 2)
    with FakeEndpoint.in_thread(
        lambda body, count: bad if solver.prompt(body) in broken else solver(body, count)
    ) as fake:
        run = ("run", "samples.jsonl", "--model", f"x/{EVIL}", "--base-url", fake.url, "-o", "r")
        harmless(on_terminal(monkeypatch, *run, "-v"))


def test_data_that_is_redirected_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.yaml").write_text(YAML)
    assert "\u202e" in thence("analyze", "p.yaml", "--json", status=1).out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nand Grüße \u65e5\u672c", None),
        ("\U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e", None),  # joined by what is needed
        ("a\r\nb\rc", "a\nb\\x0dc"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202a\u202e\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_is_printable(text: str, shown: str | None) -> None:
    assert printable(text) == (text if shown is None else shown)
    assert printable(printable(text)) == printable(text)


@pytest.fixture
def stream() -> Iterator[TerminalStream]:
    yield TerminalStream(sys.stdout)


def test_no_bytes_go_past_the_filter(stream: TerminalStream) -> None:
    assert not hasattr(stream, "buffer")


@pytest.mark.parametrize(
    "command",
    [
        ("list",),
        ("list", "protocols"),
        ("list", "models"),
        ("list", "parameters"),
        ("show", "catbench/order", "-n", "1"),
        ("compare", "run", "oracle"),
        ("score", "run"),
        ("score", "run", "--full"),
        ("validate", "procbench/sort", "catbench", "--size", "4"),
        ("validate", "--shortcuts", "catbench", "--size", "40"),
        ("power", "releval/comparison"),
        ("errors", "run"),
        ("check-submission", "run"),
        ("run", "samples.jsonl", "--model", "baseline/oracle", "--dry-run"),
    ],
    ids=" ".join,
)
def test_nothing_is_wider_than_a_terminal_of_80_columns(
    monkeypatch: pytest.MonkeyPatch, run: Path, command: tuple[str, ...]
) -> None:
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "oracle", "--limit", "2")
    monkeypatch.setenv("COLUMNS", "80")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(monkeypatch, *command))
    lines = [line.rpartition("\r")[2] for line in shown.split("\n")]
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)


def test_wrong_answers_are_offered_where_there_are_some(
    monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "oracle", "--limit", "2")
    assert "thence errors" not in thence("score", "oracle").out
    assert "next: thence errors run" in thence("score", "oracle", "run").out


def test_a_terminal_has_colours_and_the_next_commands(
    monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    shown = on_terminal(monkeypatch, "score", "run")
    assert "\x1b[" in shown
    for command in ("thence score run --full", "thence errors run", "thence report run -o "):
        assert command in shown
