"""Signals that end the command: Ctrl-C, SIGTERM of a scheduler, SIGHUP of a closed terminal.

The first one kills the worker processes and raises KeyboardInterrupt, so that what is open is
closed in order; further ones change nothing. A thread bounds how long that may take: it is told of
the signal by the interpreter's C code, also while the main thread is in a long call of a library.
Only the exit status tells the signals apart. The library handles no signals.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Any

from thence.system import children

INTERRUPTED = "interrupted"

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
# multiprocessing starts its tracker with these options; it cleans up after an interrupt in silence
_TRACKER = "ignore::UserWarning:multiprocessing.resource_tracker"
_ORDERLY = 1.2  # seconds in which to close what is open
_came: list[int] = []
_served: list[bool] = []  # whether what came ended a server
_said = threading.Lock()  # held once the line was written


def handle() -> None:
    """Have the signals end this process; one that is ignored stays so, as under nohup."""
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    read, write = os.pipe()
    os.set_blocking(write, False)
    threading.Thread(target=_watch, args=(read, frozenset(numbers)), daemon=True).start()
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    atexit.register(_leave)  # the first that is registered is called last
    sys.warnoptions.append(_TRACKER)
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def came() -> bool:
    """Return whether a signal has come that interrupts the command."""
    return bool(_came) and not _served


def served() -> None:
    """Take Ctrl-C for the ordinary end of a server: the command goes on to an end of its own."""
    if _came == [signal.SIGINT]:
        _served.append(True)


def exit_status() -> int:
    """Return the status of a process that was interrupted: 128 and the number of the signal."""
    return 128 + (_came[0] if _came else signal.SIGINT)


def say(line: str) -> None:
    """Write a line about the interruption to stderr; after a signal only the first is written."""
    if not _came or _said.acquire(blocking=False):
        print(f"thence: {line}", file=sys.stderr, flush=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt in the main thread, once."""
    if not _came:
        _came.append(number)
        sys.excepthook = sys.unraisablehook = _ignore
        children.kill_all()
        raise KeyboardInterrupt


def _ignore(*error: Any) -> None:
    """Print nothing of an exception that nothing catches; `_leave` says the line."""


def _watch(read: int, numbers: frozenset[int]) -> None:
    """Wait for a signal, and end the process some time after it."""
    number = _next(read, numbers)
    time.sleep(_ORDERLY)
    if _served:  # what came next is to end the command
        _next(read, numbers)
        time.sleep(_ORDERLY)
    if not _came:
        _came.append(number)
    children.kill_all()
    if "rich.live" in sys.modules and os.isatty(2):  # there may be a bar, which hides the cursor
        with suppress(OSError):
            os.write(2, b"\r\x1b[K\x1b[?25h")
    if _said.acquire(blocking=False):  # the stream may be locked by a thread that cannot go on
        with suppress(OSError):
            os.write(2, f"thence: {INTERRUPTED}\n".encode())
    os._exit(exit_status())


def _next(read: int, numbers: frozenset[int]) -> int:
    """Return the next signal that comes."""
    while (number := os.read(read, 1)[0]) not in numbers:
        pass
    return number


def _leave() -> None:
    """End an interrupted process at its exit, without waiting until its memory is freed."""
    for name in _ENDING:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # all is done
    if not came():
        return
    say(INTERRUPTED)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(exit_status())
