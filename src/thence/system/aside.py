"""Work in a process of its own that shares what is in memory already."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

_MOST = 1 << 20  # bytes taken from another process at once


def aside[Found](
    work: Callable[[], Found],
    *,
    worth: bool = True,
    pack: Callable[[Found], Any] | None = None,
    unpack: Callable[[Any], Found] | None = None,
) -> Callable[[], Found]:
    """Begins some work beside this process; what is returned waits for its result.

    The work must change nothing that others see and draw nothing at random, so that where it is
    done makes no difference. Where no process can be had, or its result does not arrive, it is done
    here when it is asked for; so it is if it fails, for the error to be met here.

    Args:
        work: takes nothing and returns what can be pickled.
        worth: whether it takes longer than a process of its own does.
        pack: makes of the result what can be pickled, or what takes less time to be.
        unpack: makes the result of that again.
    """
    if not (worth and sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1):
        return work
    try:
        reader, writer = os.pipe()
        with warnings.catch_warnings():  # threads of libraries are none of the child's concern
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
    except OSError:
        return work
    if not child:
        os.close(reader)
        _send(work if pack is None else lambda: pack(work()), writer)
    os.close(writer)

    sent: list[bytes] = []

    def receive() -> None:
        while part := os.read(reader, _MOST):
            sent.append(part)
        os.close(reader)

    # What is sent is taken at once: a process that waits to get rid of it holds its memory.
    receiving = Thread(target=receive, daemon=True)
    receiving.start()

    def found() -> Found:
        receiving.join()
        _, status = os.waitpid(child, 0)
        if status or not sent:
            return work()
        made = pickle.loads(b"".join(sent))
        sent.clear()
        result: Found = made if unpack is None else unpack(made)
        return result

    return found


@contextmanager
def queue(number: int) -> Iterator[Iterator[int]]:
    """The numbers from 0 on, each taken once by this process or by one begun with `aside`.

    Args:
        number: how many, at most 256.
    """
    reader, writer = os.pipe()
    try:
        os.write(writer, bytes(range(number)))
        os.close(writer)
        yield (held[0] for held in iter(lambda: os.read(reader, 1), b""))
    finally:
        os.close(reader)


def _send(work: Callable[[], Any], writer: int) -> None:
    """Does the work in the child, which ends here: nothing of the parent's is flushed or closed."""
    status = 1
    with suppress(BaseException):
        made = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as file:
            file.write(made)
        status = 0
    os._exit(status)
