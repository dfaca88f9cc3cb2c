"""Worker processes: their number, their end, and results that are handed to them."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from multiprocessing import get_context, parent_process
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, overload

from thence.errors import WorkerError
from thence.system import children

MOST_WORKERS = 1_024

_allowed: ContextVar[int | None] = ContextVar("workers", default=None)


@contextmanager
def allowing(count: int | None) -> Iterator[None]:
    """Bound the number of processes that may work within this context; None for one a core."""
    before = _allowed.set(count)
    try:
        yield
    finally:
        _allowed.reset(before)


def processes() -> int:
    """Return how many processes may work: one in a worker, elsewhere as many as are allowed."""
    return 1 if parent_process() is not None else _allowed.get() or cores()


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def script_lacks_guard() -> bool:
    """Return whether the program is a script that every worker process would run again.

    Such a script has no ``if __name__ == "__main__":`` around what it does.
    """
    program = sys.modules.get("__main__")
    path = getattr(program, "__file__", None)
    if path is None or getattr(program, "__spec__", None) is not None:
        return False
    try:
        return "__main__" not in Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


class WorkerPool(Protocol):
    """Workers for the time of a ``with`` block.

    Attributes:
        count: of workers.
    """

    count: int

    def submit[Result](self, work: Callable[..., Result], /, *arguments: Any) -> Future[Result]:
        """Return the future result of a function of a module."""


@overload
def pool(count: int, prepare: Callable[..., None] | None = None, *arguments: Any) -> _Pool: ...


@overload
def pool(
    count: int | str, prepare: Callable[..., None] | None = None, *arguments: Any
) -> AbstractContextManager[WorkerPool]: ...


def pool(
    count: int | str, prepare: Callable[..., None] | None = None, *arguments: Any
) -> AbstractContextManager[WorkerPool]:
    """Return a pool of workers, which leave Ctrl-C to this process and end with it.

    Args:
        count: of workers; or the cluster that has them, such as ``ray``.
        prepare: called in each of them first, with the arguments.
        arguments: of ``prepare``.
    """
    if isinstance(count, str):
        from thence.system.ray_cluster import ClusterPool

        return ClusterPool(count, _begin_far, prepare, arguments)
    return _undisturbed(
        lambda: _Pool(
            count,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(prepare, arguments),
        )
    )


class _Pool(ProcessPoolExecutor):
    """Pool whose workers hear no Ctrl-C, and are killed where its block is left by an exception."""

    def __init__(self, count: int, **settings: Any) -> None:
        super().__init__(count, **settings)
        self.count = count
        children.add(self)

    def submit[**P, Result](
        self, work: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[Result]:
        """Submit work as to any pool; a worker may be started here."""
        submit = super().submit
        future = _undisturbed(lambda: submit(work, *args, **kwargs))
        if children.all_killed():
            self.kill()
        return future

    def kill(self) -> None:
        """Kill the workers, without waiting."""
        for process in list((self._processes or {}).values()):
            with suppress(ValueError):  # it is closed: it has ended
                process.kill()
        # One may have died in the middle of a result, whose end the pool awaits for as long as
        # this process could still write it.
        results: Any = self._result_queue
        with suppress(AttributeError, OSError):  # it has ended
            results._writer.close()  # noqa: SLF001

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers when they have done what they do."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        children.discard(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.kill()
        self.shutdown(cancel_futures=True)
        if isinstance(error, BrokenProcessPool) and not children.all_killed():
            raise WorkerError(
                "a worker process ended in the middle of its work: the memory did not suffice, or "
                'a script calls this without `if __name__ == "__main__":`; give workers=1'
            ) from error


def _undisturbed[Result](call: Callable[[], Result]) -> Result:
    """Return the result of a call in a thread of its own, which no interrupt leaves half done.

    Interrupts are raised in the main thread alone. SIGINT is blocked in the thread, which processes
    that it starts inherit: they print nothing at a Ctrl-C of the terminal.
    """
    made: Future[Result] = Future()

    def work() -> None:
        if hasattr(signal, "pthread_sigmask"):  # Windows has none
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            made.set_result(call())
        except BaseException as error:  # noqa: BLE001 - the caller meets it
            made.set_exception(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        return made.result()
    finally:
        thread.join()


def spread[Item, Result](
    work: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item], size: int
) -> list[Result]:
    """Return a function's results for some items, in their order, from several processes if many.

    Args:
        work: gives a result for each of some items; a function of a module, or a `partial` of one.
        items: all of them.
        size: how many to hand over at a time; below twice as many no other process is started.
    """
    count = processes()
    if count < 2 or len(items) < 2 * size:
        return work(items)
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    with pool(count) as workers:
        made = [workers.submit(work, part) for part in parts]
        return [each for part in made for each in part.result()]


def _begin_far(prepare: Callable[..., None] | None, arguments: Sequence[Any]) -> None:
    """Set up a worker process of a cluster, whose other cores have workers of their own."""
    _allowed.set(1)
    if prepare is not None:
        prepare(*arguments)


def _begin(prepare: Callable[..., None] | None, arguments: Sequence[Any]) -> None:
    """Set up a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()  # what is loaded stays
    gc.set_threshold(50_000, 20, 20)  # samples have no cycles to look for
    if prepare is not None:
        prepare(*arguments)


def _end_with_parent() -> None:
    """End this process when the one that started it ends."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
