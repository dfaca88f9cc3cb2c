"""Signals that end the command in order: SIGTERM of a scheduler, SIGHUP of a terminal that closes.

Both do what Ctrl-C does; only the exit status tells them apart. The library handles no signals.
"""

from __future__ import annotations

import signal
from types import FrameType

_ENDING = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_came: list[int] = []


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP came."""


def handle() -> None:
    """Have SIGTERM and SIGHUP end this process as Ctrl-C does; one that is ignored stays so.

    A process under nohup outlives its terminal.
    """
    for number in [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def exit_status() -> int:
    """Return the status of a process that was interrupted: 128 and the number of the signal."""
    return 128 + (_came[0] if _came else signal.SIGINT)


def _end(number: int, frame: FrameType | None) -> None:
    """Note the signal, and end what runs."""
    _came.append(number)
    raise Terminated
