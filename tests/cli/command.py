"""Calling ``thence`` as a user would, and looking at what it left behind."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.fake_endpoint import Answer, Fault
from thence import cli, families

PATIENCE = 60.0  # seconds that a process may take; only a fault ever waits so long


@dataclass(frozen=True)
class Done:
    """What a command printed."""

    out: str
    err: str

    @property
    def last(self) -> str:
        return self.out.splitlines()[-1]

    def json(self) -> Any:
        """What JSON stands there; NaN and Infinity, which are none, are refused."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def thence(*arguments: object, status: int = 0) -> Done:
    """Runs the command in this process; asserts its exit status."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        ended = cli.run([str(argument) for argument in arguments])
    done = Done(out.getvalue(), err.getvalue())
    shown = f"thence {' '.join(map(str, arguments))}\n{done.out}\n{done.err}"
    assert ended == status, f"ended with {ended}, not {status}: {shown}"
    assert "Traceback" not in shown
    return done


def refused(*arguments: object, says: Iterable[str], status: int = 2, changes: bool = False) -> str:
    """Asserts that a command is refused in one line, and leaves everything as it was.

    Args:
        arguments: the command line.
        says: what the line must hold: the argument, the value, the mend.
        status: the exit status.
        changes: whether the command may have begun to write before it could know.
    """
    before = held(Path())
    done = thence(*arguments, status=status)
    assert done.out == ""
    line = the_line(done.err)
    for text in says:
        assert text in line, f"{text!r} is not in: {line}"
    if not changes:
        assert held(Path()) == before
    return line


def the_line(err: str) -> str:
    """The one line of standard error."""
    lines = [line for line in err.split("\n") if line]  # click ends the line of a ^C
    assert len(lines) == 1, err
    assert lines[0].startswith("thence: ")
    assert lines[0].isprintable()
    return lines[0]


def held(folder: Path) -> dict[str, str]:
    """Every path below a folder with the hash of what it holds."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in sorted(folder.rglob("*"))
    }


def rows(path: Path | str) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]


def write_rows(path: Path | str, held: Iterable[Any]) -> Path:
    """Writes a file of JSON lines."""
    path = Path(path)
    path.write_text("".join(json.dumps(row) + "\n" for row in held), encoding="utf-8")
    return path


def samples(name: str = "samples.jsonl", *, task: str = "procbench/sort", size: int = 4) -> Path:
    """A fresh file of samples in the working folder."""
    thence("generate", task, "--size", size, "-o", name)
    return Path(name)


class Solver:
    """Knows the right reply to every prompt of some samples: looks the prompt's text up."""

    def __init__(self, *paths: Path | str) -> None:
        self.right = {
            row["input"]: families.task(row["task"]).format.write(row["target"])
            for path in paths
            for row in rows(path)
        }
        self.seen: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(self.reply(body))

    def prompt(self, body: dict[str, Any]) -> str:
        """The first message, which names the sample."""
        text: str = body["messages"][0]["content"]
        return text

    def reply(self, body: dict[str, Any]) -> str:
        return self.right[self.prompt(body)]

    def attempt(self, body: dict[str, Any]) -> int:
        """How often the same prompt came before."""
        prompt = self.prompt(body)
        self.seen[prompt] += 1
        return self.seen[prompt] - 1

    def nth(self, *places: int) -> set[str]:
        """The prompts of the samples at some places of the file."""
        prompts = list(self.right)
        return {prompts[place] for place in places}


@contextmanager
def process(*arguments: object, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, which does not outlive the block."""
    started = subprocess.Popen(
        [sys.executable, "-m", "thence", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def ended(started: subprocess.Popen[str], status: int) -> Done:
    """What a process printed; asserts its exit status."""
    done = Done(*started.communicate(timeout=PATIENCE))
    assert started.returncode == status, f"{started.returncode}: {done}"
    assert "Traceback" not in done.err
    return done


def until(condition: Callable[[], bool], started: subprocess.Popen[str] | None = None) -> None:
    """Waits for something that is about to happen."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never happened"
        if started is not None and started.poll() is not None:
            raise AssertionError(f"the process has ended: {started.communicate()}")
        time.sleep(0.005)


def alone(started: subprocess.Popen[str]) -> bool:
    """Whether nothing that an ended process started is left."""
    try:
        os.killpg(started.pid, 0)
    except ProcessLookupError:
        return True
    return False


def kill(started: subprocess.Popen[str]) -> None:
    """Ends a process as a power cut would."""
    started.send_signal(signal.SIGKILL)
    started.wait(PATIENCE)


def settle(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Works in an empty folder, with no default or key from outside."""
    for name in list(os.environ):
        if name.startswith("THENCE_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(folder)
