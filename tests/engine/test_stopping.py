"""What stops a run or never lets it begin, and what is left then."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import gc
import os
import resource
import shutil
import signal
import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import (
    Solver,
    ended,
    held,
    kill,
    process,
    refused,
    rows,
    samples,
    the_line,
    thence,
    until,
)
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Hang, Status
from thence.cli import INTERRUPTED
from thence.engine.directory import RunDirectory
from thence.errors import UsageError

ORACLE = ("--model", "baseline/oracle", "-o", "run")


def command(fake: FakeEndpoint, *more: object) -> tuple[object, ...]:
    return ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run", *more)


def test_a_server_that_always_fails_is_not_asked_for_every_sample() -> None:
    samples(size=200)
    with FakeEndpoint.in_thread(lambda body, count: Status(500, body="out of order")) as fake:
        done = thence(*command(fake, "--max-retries", "0", "--max-connections", "4"), status=1)
        assert "stopped: 20 requests in a row failed: " in the_line(done.err)
        assert "out of order" in done.err
        assert done.err.count("out of order") == 1
        assert len(fake.requests) <= 24
        fake.behave = Solver("samples.jsonl")
        thence(*command(fake))
    assert len([row for row in rows("run/responses.jsonl") if row["error"] is None]) == 200


def test_requests_that_wait_for_their_repeat_end_with_the_run() -> None:
    samples(size=60)
    with FakeEndpoint.in_thread(lambda body, count: Status(401 if count else 503)) as fake:
        done = thence(*command(fake, "--max-connections", "30"), status=2)
        assert "the key was refused" in the_line(done.err)


# Replacing ---------------------------------------------------------------------------------------


def test_what_overwrite_replaces_is_kept_until_there_is_an_answer() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        before = held(Path("run"))
        fake.behave = lambda body, count: Status(401)
        refused(*command(fake, "--overwrite"), says=("the key was refused",))
        refused(*command(fake, "--overwrite", "--temperature", "1"), says=("the key",))
        assert held(Path("run")) == before
        fake.behave = lambda body, count: Status(500)
        more = ("--overwrite", "--max-retries", "0")
        done = thence(*command(fake, *more), status=1)
        assert done.out == ""
        assert "no request was answered (4 server): the run that was in run is kept" in done.err
        assert held(Path("run")).keys() == before.keys()
        assert held(Path("run"))["responses.jsonl"] == before["responses.jsonl"]
        fake.behave = Solver("samples.jsonl")
        thence(*command(fake, "--overwrite", "--temperature", "1"))
    assert held(Path("run")).keys() == before.keys()
    assert held(Path("run"))["responses.jsonl"] != before["responses.jsonl"]


def test_what_was_there_stays_after_a_kill() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        before = held(Path("run"))
        fake.behave = lambda body, count: Hang()
        count = len(fake.requests)
        with process(*command(fake, "--overwrite", "--temperature", "1")) as started:
            until(lambda: len(fake.requests) > count, started)
            kill(started)
        now = held(Path("run"))
        assert now.keys() - before.keys() >= {".new/run.json", ".new/samples.jsonl"}
        assert {name: now[name] for name in before} == before
        fake.behave = Solver("samples.jsonl")
        thence(*command(fake))
        assert len(fake.requests) == count + 1
    assert held(Path("run")) == before


@pytest.mark.parametrize("steps", range(5))
def test_a_replacement_may_be_interrupted_anywhere(steps: int) -> None:
    """A process dies after so many renamings; the next finds the old run, or the new one."""
    thence("run", "procbench/sort", "--size", "2", *ORACLE)
    before = held(Path("run"))
    thence("run", "procbench/sort", "--size", "3", "--model", "baseline/oracle", "-o", "other")
    Path("other/scores.jsonl").unlink()
    after = held(Path("other"))
    Path("other").rename("run/.new")
    directory, left, replace = RunDirectory(Path("run")), [steps], Path.replace

    def dying(self: Path, target: Any) -> Path:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return replace(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", dying)
        with suppress(KeyboardInterrupt):
            directory.replace_by(RunDirectory(Path("run/.new")))
    directory.recover()
    assert held(Path("run")) == (after if steps else before)


def test_a_disk_that_fails_while_a_run_is_replaced_loses_neither() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        replace = Path.replace

        def failing(self: Path, target: Any) -> Path:
            if self == Path("run/.new/samples.jsonl"):
                raise OSError(errno.EIO, "Input/output error")
            return replace(self, target)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "replace", failing)
            more = ("--overwrite", "--temperature", "1")
            done = thence(*command(fake, *more), status=3)
        assert "Input/output error" in the_line(done.err)
        count, answered = len(fake.requests), len(rows("run/responses.jsonl"))
        assert answered >= 1
        thence(*command(fake, "--temperature", "1"))
        assert len(fake.requests) == count + 4 - answered
    assert not Path("run/.new").exists()


def test_scores_that_a_killed_run_left_half_written_are_taken_away() -> None:
    thence("run", "procbench/sort", "--size", "2", *ORACLE)
    dead = subprocess.Popen(["true"])
    dead.wait()
    left, others = (Path(f"run/.scores.jsonl.{number}.part") for number in (dead.pid, os.getppid()))
    for path in (left, others):
        path.write_text("half", encoding="utf-8")
    thence("run", "procbench/sort", "--size", "2", *ORACLE)
    assert not left.exists()
    assert others.exists()


# Locks -------------------------------------------------------------------------------------------


def test_a_run_that_is_refused_leaves_an_empty_folder_empty() -> None:
    samples()
    Path("run").mkdir()
    url = "http://127.0.0.1:9/v1"
    refused(
        "run", "samples.jsonl", "--model", "x/m", "--base-url", url, "-o", "run", says=("cannot",)
    )
    assert list(Path("run").iterdir()) == []


def test_a_finished_run_leaves_no_lock() -> None:
    thence("run", "procbench/sort", "--size", "2", *ORACLE)
    assert not Path("run/.lock").exists()


def test_a_lock_that_was_deleted_locks_nobody_out_and_protects_nobody() -> None:
    directory = RunDirectory(Path("run"))
    opened, flock = [], fcntl.flock

    def late(handle: int, how: int) -> None:
        if not opened:  # whoever held it deletes it between our opening and our locking
            opened.append(handle)
            Path("run/.lock").unlink()
        flock(handle, how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fcntl.flock", late)
        with directory.locked():
            assert Path("run/.lock").exists()
            with pytest.raises(UsageError, match="another process"), directory.locked():
                pass
    assert not Path("run").exists()


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks_locks_all_the_same(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refusing(handle: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refusing)
    directory = RunDirectory(Path("run"))
    with directory.locked(), pytest.raises(UsageError, match="another process"), directory.locked():
        pass
    thence("run", "procbench/sort", "--size", "2", *ORACLE)
    assert not list(Path("run").glob(".lock*"))


def test_a_lock_that_cannot_be_made_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(handle: int, how: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("fcntl.flock", failing)
    run = ("run", "procbench/sort", "--size", "2", *ORACLE)
    refused(*run, says=("run/.lock: Input/output error",), status=3, changes=True)


# Interrupts and disks ----------------------------------------------------------------------------


def test_an_interrupt_while_samples_are_made_ends_it() -> None:
    with FakeEndpoint.in_thread() as fake:
        run = ("run", "procbench/sort", "--size", "20000", "--workers", "1", "--model", "x/m")
        with process(*run, "--base-url", fake.url, "-o", "run") as started:
            until(lambda: any(Path("run").glob(".samples.*.part")), started)
            started.send_signal(signal.SIGINT)
            done = ended(started, INTERRUPTED)
        assert "the same command begins anew" in the_line(done.err)
        assert fake.requests == []
    assert not Path("run").exists()


def test_an_interrupt_before_the_first_step_says_no_more_than_any_other(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    def interrupted() -> asyncio.AbstractEventLoop:
        raise KeyboardInterrupt

    samples()
    monkeypatch.setattr(asyncio.events, "new_event_loop", interrupted)
    done = thence("run", "samples.jsonl", *ORACLE, status=INTERRUPTED)
    gc.collect()
    assert "the same command begins anew" in the_line(done.err)
    assert [str(each.message) for each in recwarn] == []


def test_an_interrupt_while_requests_hang_or_wait_ends_it() -> None:
    samples(size=40)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer("x") if count < 3 else (Hang() if count % 2 else Status(500))

    with (
        FakeEndpoint.in_thread(answer) as fake,
        process(*command(fake, "--max-connections", "8")) as started,
    ):
        until(lambda: len(fake.requests) > 12, started)
        started.send_signal(signal.SIGINT)
        done = ended(started, INTERRUPTED)
    assert "the same command goes on" in the_line(done.err)
    assert len(rows("run/responses.jsonl")) >= 3


def test_a_disk_that_fills_up_in_the_middle_of_a_line() -> None:
    samples(size=12)

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    with FakeEndpoint.in_thread(lambda body, count: Answer("x" * 30_000)) as fake:
        full = subprocess.run(
            [sys.executable, "-m", "thence", *command(fake, "--max-connections", "2")],
            capture_output=True, text=True, preexec_fn=small, check=False,
        )  # fmt: skip
        assert full.returncode == 3
        assert "run/responses.jsonl: " in the_line(full.stderr)
        kept = rows("run/responses.jsonl")
        assert len(kept) == 3
        asked = len(fake.requests)
        thence(*command(fake))
        assert len(fake.requests) == asked + 9
    assert rows("run/responses.jsonl")[:3] == kept


# Bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--rpm", "0"), ("--rpm 0", "from 0.001 to")),
        (("--rpm", "-3"), ("--rpm -3", "from 0.001 to")),
        (("--tpm", "nan"), ("--tpm nan", "from 0.001 to")),
        (("--tpm", "many"), ("'--tpm'", "'many'")),
        (("--connect-timeout", "0"), ("--connect-timeout 0", "over 0 seconds")),
        (("--first-byte-timeout", "-1"), ("--first-byte-timeout -1", "over 0 seconds")),
    ],
)
def test_limits_that_are_none(more: tuple[str, ...], says: tuple[str, ...]) -> None:
    refused("run", "procbench/sort", "--size", "2", *ORACLE, *more, says=says)


@pytest.mark.parametrize(
    ("value", "says"), [("0", "--epochs 0: must be at least 1"), ("two", "'two' is not a valid")]
)
def test_a_bad_default_is_named_by_its_place(
    monkeypatch: pytest.MonkeyPatch, value: str, says: str
) -> None:
    run = ("run", "procbench/sort", "--size", "2", *ORACLE)
    monkeypatch.setenv("THENCE_EPOCHS", value)
    refused(*run, says=("THENCE_EPOCHS in the environment", says))
    thence(*run, "--epochs", "1")
    monkeypatch.delenv("THENCE_EPOCHS")
    Path("thence.toml").write_text(f'[run]\nepochs = "{value}"\n')
    refused(*run, says=("thence.toml: ", says))


def test_a_certificate_that_cannot_be_trusted(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    samples()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    with tls_endpoint(context) as url:
        refused(
            "run", "samples.jsonl", "--model", "x/m", "--base-url", url, "-o", "run",
            says=("cannot be reached", "certificate cannot be trusted", "self-signed"),
            changes=True,
        )  # fmt: skip


class tls_endpoint:  # noqa: N801 - reads as a function
    """Listens with TLS, in a thread, and hangs up on whoever gets through."""

    def __init__(self, context: ssl.SSLContext) -> None:
        import socket
        import threading

        self._socket = socket.create_server(("127.0.0.1", 0))
        self._context = context
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        while True:
            try:
                taken, _ = self._socket.accept()
            except OSError:
                return
            taken.settimeout(5)
            try:
                self._context.wrap_socket(taken, server_side=True).close()
            except OSError:
                taken.close()

    def __enter__(self) -> str:
        self._thread.start()
        return f"https://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def __exit__(self, *error: object) -> None:
        import socket

        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)
