"""Putting off Python's search for objects that hold each other in a cycle."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_running: list[bool] = []  # for each piece of work under way, whether it stopped the search


@contextmanager
def put_off() -> Iterator[None]:
    """Make many objects without a search for cycles, which looks at all of them again and again.

    The search goes on when the last piece of work ends that any thread does so.
    """
    with _lock:
        _running.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _running.pop():  # only the first of them can have stopped it
                gc.freeze()  # what was made counts as old,
                gc.unfreeze()  # so that the next search does not begin with it
                gc.enable()
