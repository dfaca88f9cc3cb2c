"""A program that is started once, stopped as it begins to read, and copied for each input.

More than half of what the planner's search binary costs on a small problem passes before it looks
at the problem: the loader links five libraries, and static constructors compile regular
expressions. All of this is the same every time. So one process is led, as a debugger would, to
where it first reads its standard input; for each problem it is made to fork there, and the copy
reads the problem from a file in memory and goes on by itself, untraced, an ordinary child of the
caller. The program is not changed and does what it does when started afresh.

This needs Linux on x86-64 and the right to trace one's own children; where it cannot be had, making
a `Model` raises OSError, and the caller starts the program for each input.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

_REQUESTS = {"traceme": 0, "go on": 7, "read registers": 12, "set registers": 13, "let go": 17,
             "go on to a system call": 24, "options": 0x4200, "message": 0x4201}  # fmt: skip
_TELL_CALLS, _TRACE_FORK, _END_WITH_US = 1, 2, 1 << 20  # options
_AT_A_CALL = signal.SIGTRAP | 1 << 7  # the stop before or after a system call
_FORKED = signal.SIGTRAP | 1 << 8  # the stop within a fork
_READ, _CLONE, _NONE = 0, 56, (1 << 64) - 1  # system calls
_INSTRUCTION = 2  # bytes of ``syscall``
_AS_OUR_CHILD = 0x8000 | signal.SIGCHLD
_STOPS = 20_000  # system calls before the first read, at most
_PATIENCE = 5.0  # seconds for it all


_ORDER = (
    "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi",
    "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs",
    "gs",
)  # fmt: skip


class _Registers(ctypes.Structure):
    """The kernel's ``user_regs_struct``."""

    _fields_ = [(name, ctypes.c_uint64) for name in _ORDER]


class Model:
    """A process that stands before its first read of standard input.

    Args:
        command: the program, by its path, and its arguments.

    Raises:
        OSError: no such process can be had here, or the program ends without reading.
    """

    def __init__(self, command: Sequence[str]) -> None:
        if sys.platform != "linux" or platform.machine() != "x86_64":
            raise OSError("copying a process is for Linux on x86-64")
        self._trace = ctypes.CDLL(None, use_errno=True).ptrace
        self._trace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self._trace.restype = ctypes.c_long
        self._source, self._told = os.memfd_create("input"), os.memfd_create("output")
        self._message, self._on_its_way = ctypes.c_ulong(), False
        self._pid = 0
        try:
            with _in_time(_PATIENCE):
                self._pid = self._started(command)
                self._lead(self._pid)
        except BaseException:
            self.close()
            raise

    def start(self, given: bytes) -> int:
        """Copies the process for another input; gives the process id of the copy, our child.

        One copy at a time: the next one takes over the files of the last.

        Raises:
            OSError: the process is no longer there, or does not fork in time.
        """
        for file in (self._source, self._told):
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
        os.pwrite(self._source, given, 0)
        with _in_time(_PATIENCE):
            if self._on_its_way and self._stopped(self._pid) != _AT_A_CALL:
                raise OSError("the process did something else than fork")
            self._ask("set registers", self._pid, self._forking)
            self._ask("go on", self._pid)
            if self._stopped(self._pid) != _FORKED:
                raise OSError("the process did not fork")
            self._ask("message", self._pid, self._message)
            copy = self._message.value
            self._stopped(copy)
            self._ask("set registers", copy, self._reading)
            self._ask("let go", copy)
            self._ask("go on to a system call", self._pid)  # which is the end of the fork
        self._on_its_way = True
        return copy

    def told(self) -> bytes:
        """What the last copy wrote to its standard output and error."""
        return os.pread(self._told, os.fstat(self._told).st_size, 0)

    def close(self) -> None:
        """Ends the process."""
        if self._pid:
            with suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)
                while not _is_over(os.waitpid(self._pid, 0)[1]):
                    pass
            self._pid = 0
        for file in (self._source, self._told):
            with suppress(OSError):
                os.close(file)

    def _started(self, command: Sequence[str]) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                os.dup2(self._source, 0)
                os.dup2(self._told, 1)
                os.dup2(self._told, 2)
                self._ask("traceme", 0)
                os.execv(command[0], list(command))
            finally:
                os._exit(127)
        return pid

    def _lead(self, pid: int) -> None:
        """Leads the process to its first read, and from there to where it can be copied."""
        self._stopped(pid)  # it has just become the program
        self._ask("options", pid, data=_END_WITH_US | _TELL_CALLS)
        found, why = _Registers(), int(signal.SIGTRAP)
        for _ in range(_STOPS):
            passed = why if why not in (_AT_A_CALL, signal.SIGTRAP) else 0  # a signal to it
            self._ask("go on to a system call", pid, data=passed)
            why = self._stopped(pid)
            self._ask("read registers", pid, found)
            if why == _AT_A_CALL and (found.orig_rax, found.rdi) == (_READ, 0):
                break
        else:
            raise OSError("the program does not read its input")
        # Registers with which a process that goes on does the read, or a fork instead of it.
        self._reading = _Registers.from_buffer_copy(found)
        self._reading.orig_rax, self._reading.rax = _NONE, _READ
        self._reading.rip -= _INSTRUCTION
        self._forking = _Registers.from_buffer_copy(self._reading)
        self._forking.rax, self._forking.rdi = _CLONE, _AS_OUR_CHILD
        self._forking.rsi = self._forking.rdx = self._forking.r10 = self._forking.r8 = 0
        found.orig_rax = _NONE  # of this read nothing comes
        self._ask("set registers", pid, found)
        self._ask("go on to a system call", pid)
        self._stopped(pid)
        self._ask("options", pid, data=_END_WITH_US | _TELL_CALLS | _TRACE_FORK)

    def _ask(
        self,
        request: str,
        pid: int,
        filled: _Registers | ctypes.c_ulong | None = None,
        data: int | None = None,
    ) -> None:
        where = ctypes.addressof(filled) if filled is not None else data
        if self._trace(_REQUESTS[request], pid, None, where) == -1:
            number = ctypes.get_errno()
            raise OSError(number, f"ptrace ({request}): {os.strerror(number)}")

    def _stopped(self, pid: int) -> int:
        """Waits until the process stops; why it did."""
        status = os.waitpid(pid, 0)[1]
        if not os.WIFSTOPPED(status):
            if pid == self._pid:
                self._pid = 0
            raise OSError("the process ended")
        return status >> 8


def _is_over(status: int) -> bool:
    return os.WIFEXITED(status) or os.WIFSIGNALED(status)


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    """Raises OSError where what is done within takes longer."""

    def late(number: int, frame: FrameType | None) -> None:
        raise OSError("the program did not read its input, or fork, in time")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
