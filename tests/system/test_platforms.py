"""Other systems than Linux: the names that they lack are asked for, never assumed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import thence

PROGRAM = """
import asyncio, multiprocessing, os, pkgutil, signal, sys
{lacking}
import thence
for each in pkgutil.walk_packages(thence.__path__, "thence."):
    if each.name != "thence.__main__" and not each.name.startswith("thence.integrations."):
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


POSIX = {  # names of `os` and `signal` that Windows lacks
    "os": {
        "chown", "eventfd", "fchown", "fdatasync", "fork", "forkpty", "getegid", "geteuid",
        "getgid", "getloadavg", "getpgid", "getpgrp", "getuid", "killpg", "memfd_create",
        "mkfifo", "nice", "openpty", "pidfd_open", "posix_fadvise", "posix_fallocate",
        "posix_spawn", "pread", "preadv", "pwrite", "sched_getaffinity", "sched_yield",
        "sendfile", "setpgid", "setsid", "statvfs", "sync", "sysconf", "uname", "wait3",
        "wait4", "waitid", "O_ASYNC", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW",
        "O_NONBLOCK",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGIO", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP",
        "SIGUSR1", "SIGUSR2", "alarm", "pause", "pthread_kill", "pthread_sigmask",
        "setitimer", "sigpending", "sigwait", "sigwaitinfo",
    },
}  # fmt: skip
SOURCE = Path(thence.__file__).parent


def assumed(function: ast.AST) -> Iterator[str]:
    """Names in a function that Windows lacks, unless the function asks what the system has."""
    names = list[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in {("sys", "platform"), ("os", "name")}:
                return
            if node.attr in POSIX.get(node.value.id, ()):
                names.append(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "hasattr":
            return
    yield from names


def test_names_that_windows_lacks_are_asked_for() -> None:
    assert list(assumed(ast.parse("def f():\n    os.pread(1, 2, 3); signal.pause()"))) == [
        "os.pread",
        "signal.pause",
    ]
    found = {
        f"{path.relative_to(SOURCE)}: {name}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in assumed(node)
    }
    assert found == set()
