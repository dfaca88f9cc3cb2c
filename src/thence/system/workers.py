"""Worker processes: how many there may be, how they end, and what they need not find out again."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any

CARRIED: dict[str, Any] = {}
"""What this process has found out at some cost; it is handed to every worker of `pool`."""

_allowed: list[int] = []  # the number of workers that the user gave, if any


def allow(count: int | None) -> None:
    """Bounds what `processes` gives; None for one a core."""
    _allowed[:] = [] if count is None else [count]


def processes() -> int:
    """How many processes may work: one in a worker, elsewhere what is allowed."""
    if parent_process() is not None:
        return 1
    return _allowed[0] if _allowed else len(os.sched_getaffinity(0))


def pool(
    count: int, prepare: Callable[..., None] | None = None, *arguments: Any
) -> ProcessPoolExecutor:
    """Some workers, which leave Ctrl-C to this process and end with it.

    Args:
        count: of workers.
        prepare: called in each of them first, with the arguments.
        arguments: of ``prepare``.
    """
    return _Pool(
        count,
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(dict(CARRIED), prepare, arguments),
    )


class _Pool(ProcessPoolExecutor):
    """Starts its workers with Ctrl-C blocked: one that is still starting would die of it, aloud."""

    def submit[**P, Result](
        self, work: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[Result]:
        """As of any pool; it is here that a worker may be started."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a child inherits it
        try:
            return super().submit(work, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def spread[Item, Result](
    work: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item], size: int
) -> list[Result]:
    """What a function gives for some items, in their order, by several processes if it is worth it.

    Args:
        work: gives a result for each of some items; a function of a module, or a `partial` of one.
        items: all of them.
        size: how many to hand over at a time; below twice as many no other process is started.
    """
    count = processes()
    if count < 2 or len(items) < 2 * size:
        return work(items)
    workers = pool(count)
    try:
        parts = [items[start : start + size] for start in range(0, len(items), size)]
        return [each for part in workers.map(work, parts) for each in part]
    finally:
        workers.shutdown(cancel_futures=True)


@contextmanager
def uncollected() -> Iterator[None]:
    """Has nobody look for cycles while many things are made that have none."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _begin(
    carried: dict[str, Any], prepare: Callable[..., None] | None, arguments: Sequence[Any]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()  # what is loaded stays
    gc.set_threshold(50_000, 20, 20)  # samples have no cycles to look for
    CARRIED.update(carried)
    if prepare is not None:
        prepare(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
