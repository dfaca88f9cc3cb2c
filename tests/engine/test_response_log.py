"""The log of responses: whole lines only, and on the disk before long."""

from __future__ import annotations

import asyncio
import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, rows, samples, the_line, thence, until
from tests.fake_endpoint import Answer, FakeEndpoint, Fault
from thence.engine.response_log import ResponseLog
from thence.errors import DiskError
from thence.scoring.judge import Response

PATH = Path("responses.jsonl")


class Failing:
    """A file that takes so many writes, then half of one, then no more; it cannot be cut either."""

    def __init__(self, file: Any, left: int) -> None:
        self._file = file
        self._left = left

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: bytes) -> int:
        self._left -= 1
        if self._left == -1:
            return int(self._file.write(data[: len(data) // 2]))
        if self._left < -1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return int(self._file.write(data))

    def truncate(self, size: int) -> int:
        raise OSError(errno.EIO, "Input/output error")


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files and folders that the disk was told to keep, in order."""
    found: list[str] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        name = Path(f"/proc/self/fd/{descriptor}").readlink().name
        found.append(re.sub(r"\.\d+-\d+(?=\.part$)", "", name))  # the process and the thread
        fsync(descriptor)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc")
    monkeypatch.setattr(os, "fsync", noted)
    return found


def test_nothing_is_appended_behind_a_write_that_failed() -> None:
    with ResponseLog(PATH) as log:
        log.append(Response("a", response="x"))
        log._file = Failing(log._file, left=0)
        before = PATH.read_bytes()
        with pytest.raises(DiskError, match="the disk is full"):
            log.append(Response("b", response="y" * 100))
        torn = PATH.read_bytes()
        assert torn.startswith(before)
        log._file._left = 99  # there is room again
        with pytest.raises(DiskError, match="the disk is full"):
            log.append(Response("c", response="z"))
        assert PATH.read_bytes() == torn
        assert log.count == 1
    with ResponseLog(PATH) as log:
        assert log.mended
        log.append(Response("c", response="z"))
    assert [row["id"] for row in rows(PATH)] == ["a", "c"]


def test_a_run_whose_log_fails_ends_and_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=12)
    solver = Solver("samples.jsonl")
    opened = ResponseLog._open

    def failing(self: ResponseLog) -> None:
        opened(self)
        self._file = Failing(self._file, left=3)

    def slow(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(solver.reply(body), delay=0.05 if count else 0)

    with FakeEndpoint.in_thread(slow) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        with monkeypatch.context() as patch:
            patch.setattr(ResponseLog, "_open", failing)
            done = thence(*run, "--max-connections", 8, status=3)
        assert "run/responses.jsonl: the disk is full" in the_line(done.err)
        lines = Path("run/responses.jsonl").read_bytes().split(b"\n")
        assert len(lines) == 4  # three responses, and half of one
        asked = len(fake.requests)
        assert "torn last line was taken off" in the_line(thence(*run).err)
        assert len(fake.requests) == asked + 9
    assert len(rows("run/responses.jsonl")) == 12


def test_the_disk_keeps_a_run_before_the_first_request(synced: list[str]) -> None:
    samples()
    solver, before = Solver("samples.jsonl"), list[str]()

    def answer(body: dict[str, Any], count: int) -> Answer:
        before.extend(synced if not count else ())
        return Answer(solver.reply(body))

    synced.clear()
    with FakeEndpoint.in_thread(answer) as fake:
        thence("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
    run, questions = ".run.json.part", ".samples.jsonl.part"
    assert before.index(questions) > before.index(run)
    assert "run" in before[before.index(questions) :]
    assert Path.cwd().name in before  # the folder of the run's folder
    assert "responses.jsonl" in synced
    assert ".scores.jsonl.part" in synced


async def test_the_disk_keeps_responses_every_so_often(synced: list[str]) -> None:
    with ResponseLog(PATH) as log:
        syncing = asyncio.create_task(log.sync_regularly(0.01))
        log.append(Response("a", response="x"))
        await asyncio.to_thread(until, lambda: PATH.name in synced)
        synced.clear()
        await asyncio.sleep(0.1)
        assert synced == []  # nothing came since
        log.append(Response("b", response="x"))
        syncing.cancel()
    assert synced == [PATH.name]


async def test_a_disk_that_cannot_keep_responses_ends_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    log = ResponseLog(PATH).__enter__()
    log.append(Response("a", response="x"))
    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(DiskError, match=r"responses\.jsonl: Input/output error"):
        await log.sync_regularly(0)
    with pytest.raises(DiskError, match="Input/output error"):
        log.append(Response("b", response="x"))
    with pytest.raises(DiskError, match="Input/output error"):
        log.__exit__(None, None, None)
