"""Runs from code that is asynchronous, and from code that is not."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from _thread import interrupt_main
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, held, rows, samples
from tests.cli.command import until as until_
from tests.fake_endpoint import FakeEndpoint, Hang
from thence.engine.event_loop import Interrupted, in_thread, run_blocking, until
from thence.engine.run_config import RunConfig
from thence.engine.session import PreparedRun, execute, prepare, run_async
from thence.generation.sources import sample_source

HANDLED = [each for each in signal.valid_signals() if each not in (signal.SIGKILL, signal.SIGSTOP)]


def prepared(url: str | None = None, **more: Any) -> PreparedRun:
    model = "x/m" if url else "baseline/oracle"
    questions = sample_source(["samples.jsonl"])
    return prepare(RunConfig(questions, model, base_url=url, folder=Path("run"), **more))


async def test_a_run_within_an_event_loop() -> None:
    samples(size=20)
    before = [signal.getsignal(each) for each in HANDLED]
    loop, turns = asyncio.get_running_loop(), 0

    async def counting() -> None:
        nonlocal turns
        while True:
            turns += 1
            assert [signal.getsignal(each) for each in HANDLED] == before
            await asyncio.sleep(0)

    counter = asyncio.create_task(counting())
    finished = await run_async(prepared())
    assert asyncio.get_running_loop() is loop
    assert turns > 10  # others had their turn
    counter.cancel()
    assert finished.results is not None
    assert finished.results.finished
    assert len(rows("run/scores.jsonl")) == 20


async def test_a_run_from_code_that_a_running_loop_calls() -> None:
    samples()
    finished = execute(prepared())  # as a cell of a notebook does
    assert finished.results is not None
    assert len(rows("run/scores.jsonl")) == 4


async def test_a_run_that_is_cancelled_ends_in_order() -> None:
    samples()
    with FakeEndpoint.in_thread(lambda body, count: Hang()) as fake:
        task = asyncio.create_task(run_async(prepared(fake.url)))
        await asyncio.to_thread(until_, lambda: bool(fake.requests))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert "run/.lock" not in held(Path())
        assert rows("run/responses.jsonl") == []
        fake.behave = Solver("samples.jsonl")
        assert (await run_async(prepared(fake.url))).results is not None


def test_an_interrupt_cancels_what_runs() -> None:
    ended = []

    async def work() -> None:
        threading.Timer(0.1, interrupt_main).start()
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("in order")

    with pytest.raises(KeyboardInterrupt):
        run_blocking(work())
    assert ended == ["in order"]


def test_a_second_interrupt_does_not_wait() -> None:
    async def work() -> None:
        threading.Timer(0.1, interrupt_main).start()
        threading.Timer(0.6, interrupt_main).start()
        end = time.monotonic() + 3
        while time.monotonic() < end:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.05)

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_blocking(work())
    assert time.monotonic() - begun < 2.9


def test_an_error_arrives_as_it_is() -> None:
    async def work() -> None:
        raise ValueError("as it is")

    with pytest.raises(ValueError, match="as it is"):
        run_blocking(work())


async def test_work_in_a_thread_ends_when_nobody_waits_any_more() -> None:
    begun, ended = threading.Event(), list[str]()

    def work(stop: threading.Event) -> None:
        begun.set()
        try:
            for _ in until(stop, iter(lambda: time.sleep(0.01), 1)):
                pass
        except Interrupted:
            ended.append("interrupted")
            raise

    task = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["interrupted"]
