"""Progress of long work: reported where the work is done, shown by a watcher."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

type Watch = Callable[[str, int, int | None], None]
"""Is told what is gone through, how many of them are done, and of how many, if that is known."""

_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Have a function told of the progress of all work within this context.

    Args:
        watch: called often, and in the thread of the work: it must be quick.
    """
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def followed[T](items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Return items that report their progress as they go by; the same ones where nobody watches.

    Args:
        items: are gone through once.
        what: their name in the plural.
        total: how many there are; None where that is not known.
    """
    watch = _watch.get()
    return items if watch is None else _followed(items, what, total, watch)


def _followed[T](items: Iterable[T], what: str, total: int | None, watch: Watch) -> Iterator[T]:
    watch(what, 0, total)
    for done, item in enumerate(items, 1):
        yield item
        watch(what, done, total)
