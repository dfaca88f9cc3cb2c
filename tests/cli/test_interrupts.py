"""Ctrl-C at any moment of any command: one line, one status, and nothing left behind."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import PATIENCE, Done, alone, ended, process, settle, the_line, thence, until
from thence.cli import INTERRUPTED

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").is_file(), reason="no process table here"
)

HANG = 10.0  # seconds after which a command is held to hang
SECONDS = 3.0  # of a command in which Ctrl-C is pressed
COMMANDS = {
    "generate": ("generate", "fable", "--size", "20", "--workers", "2", "-o", "s.jsonl"),
    "run": ("run", "fable", "--size", "20", "--model", "baseline/random", "-o", "made"),
    "demo": ("demo",),
    "report": ("report", "run", "-o", "page.html"),
    "score": ("score", "run"),
}
MOMENTS = {"report": 0.8, "score": 0.3}  # those that a run of 4,000 samples keeps busy so long


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run that takes a while to score."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        settle(patch, folder)
        thence("run", "procbench/sort", "--size", "4000", "--model", "baseline/oracle", "-o", "run")
        yield folder / "run"


def marked(mark: str) -> list[int]:
    """Ids of the processes that were started with a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:  # it has just ended, or is another user's
            continue
    return found


def handled(started: subprocess.Popen[str]) -> bool:
    """Whether the command handles signals by now."""
    for line in Path(f"/proc/{started.pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def press(name: str, seed: int) -> None:
    """Interrupt a command at a random moment, one to three times."""
    draw, mark = random.Random(f"{name} {seed}"), uuid.uuid4().hex
    moment, presses = draw.uniform(0, MOMENTS.get(name, SECONDS)), draw.randint(1, 3)
    by_terminal = draw.random() < 0.7
    with process(*COMMANDS[name], INTERRUPTED_COMMAND=mark) as started:
        until(lambda: handled(started), started)
        time.sleep(moment)
        if started.poll() == 0:
            return  # a quick machine
        for _ in range(presses):
            if started.poll() is None:
                if by_terminal:
                    os.killpg(started.pid, signal.SIGINT)
                else:
                    started.send_signal(signal.SIGINT)
                time.sleep(draw.uniform(0, 0.4))
        shown = f"{name}, after {moment:.2f} s, {presses} presses"
        try:
            done = Done(*started.communicate(timeout=HANG))
        except subprocess.TimeoutExpired:
            pytest.fail(f"it hangs: {shown}")
        if started.returncode == 0 and "summary: " in done.out:
            return  # all was said and done when the signal came
        assert started.returncode == INTERRUPTED, f"{started.returncode}: {shown}: {done}"
        assert "interrupted" in the_line(done.err), shown
        until(lambda: not marked(mark) and alone(started))


@pytest.mark.parametrize(
    ("name", "seed"), [*((name, 0) for name in COMMANDS), ("run", 1), ("generate", 1), ("demo", 1)]
)
def test_it_ends_at_any_moment(name: str, seed: int, finished: Path) -> None:
    shutil.copytree(finished, "run")
    press(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 10))
@pytest.mark.parametrize("name", COMMANDS)
def test_it_ends_at_many_moments(name: str, seed: int, finished: Path) -> None:
    shutil.copytree(finished, "run")
    press(name, seed)


def test_it_ends_while_it_is_loaded() -> None:
    Path("modules").mkdir()
    Path("modules/click.py").write_text(
        "from pathlib import Path; import time; Path('loading').touch(); time.sleep(60)"
    )
    with process("list", PYTHONPATH="modules") as started:
        until(Path("loading").exists, started)
        started.send_signal(signal.SIGINT)
        done = Done(*started.communicate(timeout=PATIENCE))
    assert started.returncode == INTERRUPTED
    assert "interrupted" in the_line(done.err)


@pytest.mark.parametrize(
    ("served", "command", "says"),
    [
        ("view", ("view", "run"), ()),
        ("ratings", ("ratings", "serve", "run", "--what", "errors"), ()),
        ("ratings", ("ratings", "serve", "--questions", "q.jsonl"), ()),
        ("review", ("extract", "--review", "made"), ("0 of 1 procedure confirmed",)),
    ],
)
def test_it_is_the_ordinary_end_of_a_server(
    served: str, command: tuple[str, ...], says: tuple[str, ...]
) -> None:
    thence("generate", "procbench/sort", "--size", "2", "-o", "q.jsonl")
    thence("run", "q.jsonl", "--model", "baseline/random", "-o", "run")
    Path("tea.txt").write_text("Tea\n\nIngredients\n1 cup water\n\nSteps\n1. Boil the water.\n")
    thence("extract", "tea.txt", "--model", "rules", "-o", "made")
    with process(*command, "--no-browser", PYTHONUNBUFFERED="1") as started:
        assert started.stdout is not None
        assert started.stdout.readline().startswith(f"{served}: http://127.0.0.1:")
        started.send_signal(signal.SIGINT)
        done = ended(started, len(says))  # 1 where a procedure is not confirmed, as by q
    assert (done.out.splitlines(), done.err) == ([f"{served}: ended", *says], "")


STUCK = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from thence import cli
from thence.cli import signals

def stuck(*arguments):
    ThreadPoolExecutor(1).submit(time.sleep, 60)  # the interpreter waits for it as it ends
    print("begun", flush=True)
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            if sys.argv[1] == "swallowed":
                continue
            raise

cli.run = stuck
cli.main()
"""


@pytest.mark.parametrize("how", ["raised", "swallowed"])
def test_it_ends_where_a_thread_or_a_library_would_not(how: str) -> None:
    started = subprocess.Popen(
        [sys.executable, "-c", STUCK, how],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert started.stdout is not None
        assert started.stdout.readline() == "begun\n"
        started.send_signal(signal.SIGINT)
        done = Done(*started.communicate(timeout=HANG))
    finally:
        started.kill()
        started.wait()
    assert started.returncode == INTERRUPTED
    assert "interrupted" in the_line(done.err)


@pytest.mark.parametrize("name", ["generate", "run", "demo"])
def test_a_kill_leaves_nothing(name: str) -> None:
    mark = uuid.uuid4().hex
    with process(*COMMANDS[name], INTERRUPTED_COMMAND=mark) as started:
        until(lambda: len(marked(mark)) > 2, started)
        time.sleep(1)
        started.kill()
        started.wait()
        until(lambda: not marked(mark) and alone(started))


LEAKING = """
import time
from multiprocessing import get_context
from thence import cli

def leave(*arguments):
    held = get_context("spawn").Semaphore()  # no end in order: its tracker finds it
    print("begun", flush=True)
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            continue

cli.run = leave
cli.main()
"""


def test_an_end_by_force_says_its_line_alone() -> None:
    started = subprocess.Popen(
        [sys.executable, "-c", LEAKING],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert started.stdout is not None
        assert started.stdout.readline() == "begun\n"
        started.send_signal(signal.SIGINT)
        done = Done(*started.communicate(timeout=HANG))  # the tracker's end included
    finally:
        started.kill()
        started.wait()
    assert "interrupted" in the_line(done.err)
