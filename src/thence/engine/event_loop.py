"""Running asynchronous work from code that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import closing
from typing import Any

from thence.system import signals


def run[T](work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` that a SIGTERM cancels too, and that leaves nothing behind.

    Where an interrupt comes before the first step, Python would say on standard error that the
    work was never awaited, beside our one line.

    Raises:
        Terminated: SIGTERM or SIGHUP came, and the work has ended in order.
    """
    with closing(work), closing(_cancellable(work)) as whole:
        try:
            return asyncio.run(whole)
        except asyncio.CancelledError:
            if signals.came():
                raise signals.Terminated from None
            raise


async def _cancellable[T](work: Coroutine[Any, Any, T]) -> T:
    """Cancels itself at a signal, as `asyncio.run` has it do at Ctrl-C."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def cancel() -> None:
        task.cancel()
        loop.call_soon_threadsafe(lambda: None)  # wakes the loop up

    with signals.cancelling(cancel):
        return await work
