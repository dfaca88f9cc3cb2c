"""Coroutines run from synchronous code, and blocking work awaited by coroutines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from contextvars import copy_context
from typing import Any

_LOOK = 0.2  # seconds for which an interrupt may go unseen


def run_blocking[T](work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, which runs in an event loop and a thread of its own.

    So it can be called while another loop runs, as one does in a notebook, and no signal handler
    is touched. Where the wait is interrupted, the coroutine is cancelled and ends in order, unless
    it is interrupted once more.
    """
    ended: Future[T] = Future()
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    interrupted = threading.Event()

    async def whole() -> T:
        task = asyncio.current_task()
        assert task is not None
        running.append((asyncio.get_running_loop(), task))
        if interrupted.is_set():
            raise asyncio.CancelledError
        return await work

    def serve() -> None:
        with closing(work), closing(whole()) as begun:  # neither is said never to be awaited
            try:
                ended.set_result(asyncio.run(begun))
            except BaseException as error:  # noqa: BLE001 - the caller meets it
                ended.set_exception(error)

    threading.Thread(target=copy_context().run, args=(serve,), daemon=True).start()
    try:
        return _result(ended)
    except KeyboardInterrupt:
        interrupted.set()
        for loop, task in running:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(task.cancel)
        with suppress(Exception, asyncio.CancelledError):
            _result(ended)
        raise


def _result[T](ended: Future[T]) -> T:
    """Return the result of another thread; an interrupt ends the wait, on Windows too."""
    while not ended.done():
        wait((ended,), _LOOK)
    return ended.result()


class Interrupted(Exception):
    """Work in a thread was left because the wait for its result was cancelled."""


async def in_thread[T](work: Callable[[threading.Event], T]) -> T:
    """Return the result of a function that runs in a thread.

    Args:
        work: is given an event that is set when the wait is cancelled; see `until`.
    """
    stop = threading.Event()
    made = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(made)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([made])
        made.exception()  # it is of no concern any more
        raise


def until[T](stop: threading.Event, items: Iterable[T]) -> Iterator[T]:
    """Yield items until an event is set.

    Raises:
        Interrupted: it was set.
    """
    for item in items:
        if stop.is_set():
            raise Interrupted
        yield item
