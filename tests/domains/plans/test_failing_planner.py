"""Where the planner dies or hangs a command recovers or ends in one line; no process stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thence.domains.plans.planner import folder

pytest.importorskip("fast_downward", reason="the extra 'plans' is not installed")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

PROGRAM = """\
#!{python} -IS
import os, signal, subprocess, sys, time
given = sys.stdin.buffer.read()
mark = {mark!r}
if {always} or not os.path.exists(mark):
    open(mark, "w").close()
    {fault}
done = subprocess.run([{real!r}, *sys.argv[1:]], input=given, check=False)
sys.exit(done.returncode)
"""
DIES = "os.kill(os.getpid(), signal.SIGKILL)"
HANGS = "time.sleep(600)"
SPINS = "while True: pass"
SOLVING = """\
from random import Random
from thence.domains.plans import problems
from thence.domains.plans.lowering import built_in_domain
from thence.domains.plans.planner import Planner
problem, base = problems.random_problem("ferry", problems.SIZES["ferry"], Random(0))
Planner(seconds={seconds}).plan(built_in_domain("ferry"), problem, base)
"""


@pytest.fixture
def place(tmp_path):
    """A folder with a planner in whose place a binary of ours can be put."""
    built = tmp_path / "up_fast_downward" / "downward" / "builds" / "release" / "bin"
    built.mkdir(parents=True)
    (tmp_path / "up_fast_downward" / "__init__.py").touch()
    (built / "fast_downward").symlink_to(folder() / "fast_downward")
    return built


def put(place, program):
    binary = place / "downward"
    binary.write_text(program)
    binary.chmod(0o755)


def failing(place, fault, *, always=False):
    mark, real = str(place / "mark"), str(folder() / "downward")
    put(
        place,
        PROGRAM.format(python=sys.executable, mark=mark, always=always, fault=fault, real=real),
    )


def generated(tmp_path, *options, seconds=20):
    """The ended command, run with the planner in ``tmp_path``, and the file it was to write."""
    file = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "thence", "generate", "fable/plans/concurrency"]
    command += ["--dialect", "published", "--size", "3", "--set", "kinds=ferry"]
    command += ["--set", "cars=1-2", "--set", "shores=2-3", "--overwrite"]
    command += ["--set", f"planner_seconds={seconds}", *options, "-o", str(file)]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done, file


def left(place):
    """Processes with the planner's folder in their command lines, a moment after the command."""
    for _ in range(50):
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(place).encode() in path.read_bytes():
                    found.append(path)
            except OSError:
                continue
        if not found:
            break
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the command writes where nothing fails."""
    done, file = generated(tmp_path_factory.mktemp("whole"))
    assert done.returncode == 0, done.stderr
    return file.read_bytes()


@pytest.mark.parametrize(("fault", "said", "seconds"), [(DIES, "died", 20), (HANGS, "hung", 2)])
def test_a_planner_that_fails_once_is_replaced_and_the_file_is_the_same(
    tmp_path, place, whole, fault, said, seconds
):
    failing(place, fault)
    done, file = generated(tmp_path, seconds=seconds)
    assert done.returncode == 0, done.stderr
    assert f"the planner {said} on problem 'ferry'; another takes its place" in done.stderr
    assert [file.read_bytes()] == [whole]
    assert not left(place)


@pytest.mark.parametrize(
    ("fault", "seconds", "status", "told"),
    [
        (DIES, 20, 3, "problem 'ferry': the planner died on it twice; try a smaller one"),
        (HANGS, 1, 2, "problem 'ferry': no plan within 1 s; give a smaller problem or a longer"),
        pytest.param(
            "sys.exit('odd')",
            20,
            3,
            "problem 'ferry': the planner failed: the search ended with",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_planner_that_always_fails_ends_the_command_in_one_line(
    tmp_path, place, fault, seconds, status, told
):
    failing(place, fault, always=True)
    done, file = generated(tmp_path, seconds=seconds)
    assert done.returncode == status, done.stderr
    said = [line for line in done.stderr.splitlines() if "takes its place" not in line]
    assert len(said) == 1 and told in said[0]
    assert not file.exists()
    assert not left(place)


def test_a_planner_that_cannot_be_started_at_all_is_one_line(tmp_path, place):
    put(place, "not a program")
    done, file = generated(tmp_path)
    assert done.returncode == 3, done.stderr
    (line,) = done.stderr.splitlines()
    assert "the planner failed: its binary cannot be started" in line and "install" in line
    assert not file.exists() and not left(place)


def solving(tmp_path, place, fault, seconds):
    """A process that asks for a plan, once the binary in ``place`` has begun to fail."""
    failing(place, fault, always=True)
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVING.format(seconds=seconds)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    while not (place / "mark").exists():
        assert process.poll() is None
        time.sleep(0.05)
    return process


def test_worker_and_search_end_when_the_process_that_asked_is_killed(tmp_path, place):
    process = solving(tmp_path, place, HANGS, 600)
    process.kill()
    process.wait()
    assert not left(place)


def test_a_search_ends_by_itself_when_its_worker_is_killed_as_well(tmp_path, place):
    process = solving(tmp_path, place, SPINS, 1)
    (worker,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    os.kill(int(worker), signal.SIGKILL)
    process.wait()
    assert not left(place)


@pytest.mark.long
def test_with_two_processes_too(tmp_path, place):
    failing(place, DIES, always=True)
    done, _ = generated(tmp_path, "--workers", "2")
    assert done.returncode == 3, done.stderr
    assert "died on it twice" in done.stderr.splitlines()[-1]
    assert not left(place)
