"""A process that is copied before it reads does what it does when started afresh."""

from __future__ import annotations

import os
import platform
import signal
import sys
import textwrap
from pathlib import Path
from random import Random

import pytest

from thence.domains.plans import _copies, problems
from thence.domains.plans.lowering import WORLDS, world
from thence.domains.plans.planner import Planner, folder

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="not Linux on x86-64"
)


@pytest.fixture
def model():
    made = []

    def make(*command):
        try:
            made.append(_copies.Model(command))
        except PermissionError:
            pytest.skip("tracing one's own children is not allowed here")
        return made[-1]

    yield make
    for each in made:
        each.close()


def children():
    """The processes that this one started and did not wait for."""
    return {each for path in Path("/proc/self/task").iterdir()
            for each in (path / "children").read_text().split()}  # fmt: skip


def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_each_copy_reads_its_own_input_from_the_start(model):
    cat = model("/bin/cat")
    for given in (b"one\n", b"", b"x" * 100_000, b"two"):
        assert ended(cat.start(given)) == 0
        assert cat.told() == given


def test_a_copy_knows_nothing_of_those_before_it_and_its_end_is_told(model):
    shell = model("/bin/sh", "-c", "n=1; while read x; do n=$((n+x)); done; exit $n")
    assert [ended(shell.start(given)) for given in (b"1\n2\n", b"5\n", b"")] == [4, 6, 1]
    copy = model("/bin/sh", "-c", "read x; exec sleep 60").start(b"\n")
    os.kill(copy, signal.SIGKILL)
    assert ended(copy) == -signal.SIGKILL


def test_a_program_that_does_not_read_is_told_and_ended(model, monkeypatch):
    before = children()
    with pytest.raises(OSError, match="the process ended"):
        model("/bin/true")
    with pytest.raises(OSError, match="the process ended"):
        model("/there/is/none")
    monkeypatch.setattr(_copies, "_PATIENCE", 0.2)
    with pytest.raises(OSError, match="in time"):
        model("/bin/sleep", "60")
    assert children() == before  # none of them is left


def test_a_process_that_is_gone_is_told(model):
    cat = model("/bin/cat")
    os.kill(cat._pid, signal.SIGKILL)
    with pytest.raises(OSError, match=r"ended|No such process"):
        cat.start(b"")


def test_plans_are_the_same_where_no_copies_can_be_had(tmp_path):
    pytest.importorskip("fast_downward", reason="the extra 'plans' is not installed")
    worker = Path(_copies.__file__).with_name("_worker.py")
    (tmp_path / "worker.py").write_text(
        textwrap.dedent(
            f"""
            import runpy, sys
            sys.path.append({str(worker.parent)!r})
            import _copies
            def none(command): raise OSError
            _copies.Model = none
            runpy.run_path({str(worker)!r}, run_name="__main__")
            """
        )
    )
    rng = Random("copies")
    asked = [(world(kind), *problems.draw(kind, problems.SIZES[kind], rng)) for kind in WORLDS * 2]
    with Planner() as copying, Planner() as starting:
        starting._command = [sys.executable, str(tmp_path / "worker.py"), str(folder())]
        assert list(copying.plans(asked)) == list(starting.plans(asked))
