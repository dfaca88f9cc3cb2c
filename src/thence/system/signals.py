"""Ending in order when a scheduler (SIGTERM) or a terminal that closes (SIGHUP) asks for it.

Both do what Ctrl-C does; only the exit status tells them apart.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_held: dict[str, Callable[[], object]] = {}  # what the next signal calls in place of raising
_came: list[int] = []


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP came."""


def heed() -> None:
    """Has SIGTERM and SIGHUP end this process as Ctrl-C does; one that is ignored stays so.

    A process under nohup outlives its terminal.
    """
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def exit_status() -> int:
    """That of a process that was interrupted: 128 and the number of the signal."""
    return 128 + (_came[0] if _came else signal.SIGINT)


@contextmanager
def cancelling(cancel: Callable[[], object]) -> Iterator[None]:
    """The first signal calls this within the block; whoever is called has it raise `Terminated`.

    A second one does not wait for that.
    """
    _held["cancel"] = cancel
    try:
        yield
    finally:
        _held.pop("cancel", None)


def came() -> bool:
    """Whether any of the signals came."""
    return bool(_came)


def _end(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    cancel = _held.pop("cancel", None)
    if cancel is None:
        raise Terminated
    cancel()
