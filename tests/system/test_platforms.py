"""Other systems than Linux: the names that they lack are asked for, never assumed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import asyncio, multiprocessing, os, pkgutil, signal, sys
{lacking}
import thence
for each in pkgutil.walk_packages(thence.__path__, "thence."):
    if each.name != "thence.__main__":
        __import__(each.name)
from thence import cli
model = ("--model", "baseline/oracle", "-o", "run")
sys.exit(cli.run(["run", "procbench/sort", "--size", "3", *model]))
"""
WINDOWS = """
import select, selectors, socket, ssl, subprocess, tempfile  # of Python, which has them there
for module, names in (
    (os, ("fork", "pread", "sched_getaffinity", "killpg", "getuid", "geteuid")),
    (signal, ("SIGHUP", "SIGKILL", "pthread_sigmask")),
):
    for name in names:
        delattr(module, name)
os.process_cpu_count = os.cpu_count  # of Python 3.13, which asks where it can
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
"""
MACOS = """
del os.sched_getaffinity, os.memfd_create, os.pidfd_open
os.process_cpu_count = os.cpu_count
"""


@pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has")
@pytest.mark.parametrize("lacking", [WINDOWS, MACOS], ids=["windows", "macos"])
def test_a_run_needs_nothing_that_linux_alone_has(tmp_path: Path, lacking: str) -> None:
    program = PROGRAM.format(lacking=lacking)
    command = [sys.executable, "-W", "error", "-W", "ignore:only soft", "-c", program]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert len((tmp_path / "run/scores.jsonl").read_text().splitlines()) == 3
    assert not list((tmp_path / "run").glob(".lock*"))
