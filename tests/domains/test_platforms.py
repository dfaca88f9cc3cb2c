"""The domains import where the system is neither Linux nor any other Unix."""

from __future__ import annotations

import subprocess
import sys

ELSEWHERE = """
import importlib, os, pkgutil, signal, sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
for owner, names in (
    (os, ("sched_getaffinity", "fork", "killpg", "memfd_create", "pidfd_open", "posix_spawn")),
    (signal, ("SIGHUP", "SIGALRM", "SIGKILL", "setitimer", "pthread_sigmask")),
):
    for name in names:
        if hasattr(owner, name):
            delattr(owner, name)
import thence.domains
for module in pkgutil.walk_packages(thence.domains.__path__, "thence.domains."):
    importlib.import_module(module.name)
    print(module.name)
"""


def test_every_module_imports_without_what_only_some_systems_have():
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "thence.domains.plans.planner_worker" in done.stdout
    assert "thence.domains.routes.tiles" in done.stdout
