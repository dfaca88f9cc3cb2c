"""HTTP server of a GGUF file: llama.cpp in a process of its own.

The process is separate since native code may abort, run out of memory or hold the interpreter's
lock while it loads gigabytes; the run then gets an error and goes on.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from thence.errors import FileError, MissingExtra, UsageError
from thence.models.gguf_worker import SMALL
from thence.system.workers import cores

_MAGIC = b"GGUF"
MOST_SLOTS = 256  # llama.cpp's own limit
_MOST_CONTEXT = 2**31 - 1  # tokens of all slots together, which llama.cpp counts in 32 bits
_GRACE = 3.0  # seconds between asking the process to end and killing it
_LOG_BYTES = 65_536
_LINE = 300  # characters of a line of the log that an error quotes


class LocalServer:
    """OpenAI-compatible server of llama.cpp for one file; an asynchronous context manager.

    Requests beyond the number of slots wait for their turn. A slot's context is cut to the one that
    the model was trained with, where that is shorter.

    Attributes:
        path: the file that is served.
        url: base URL, such as ``http://127.0.0.1:41873/v1``; empty unless started.
    """

    def __init__(
        self, path: Path, slots: int, context: int = 8192, ready_within: float = 120.0
    ) -> None:
        """Check the numbers, without reading or starting anything.

        Args:
            path: GGUF file; of a split model, its first part.
            slots: requests that are answered at a time, 1 to 256.
            context: tokens of prompt and reply together that each slot holds; llama.cpp rounds it
                up to a multiple of 256.
            ready_within: seconds that loading may take.

        Raises:
            UsageError: ``slots`` or ``context`` is out of llama.cpp's range.
        """
        if not 1 <= slots <= MOST_SLOTS:
            raise UsageError(f"llama.cpp serves 1 to {MOST_SLOTS} requests at a time, not {slots}")
        if not 1 <= context * slots <= _MOST_CONTEXT:
            raise UsageError(
                f"llama.cpp holds 1 to {_MOST_CONTEXT} tokens of context in all, "
                f"not {slots} times {context}"
            )
        self.path = path
        self.url = ""
        self._slots = slots
        self._context = context
        self._ready_within = ready_within
        self._process: Process | None = None
        self._log: IO[bytes] | None = None
        self._log_start = 0

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> str:
        """Start the server and wait until the model answers; does nothing where it has started.

        Returns:
            The base URL, as in ``url``.

        Raises:
            FileError: the file is missing, is not GGUF, or llama.cpp cannot load it.
            MissingExtra: the ``gguf`` extra is not installed.
            UsageError: the model was not ready in time.
        """
        if self._process is not None:
            return self.url
        check_file(self.path)
        if find_spec("xllamacpp") is None:
            raise MissingExtra("serving a GGUF file", "gguf")
        try:
            self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
            self._log_start = 0
            # A session of its own: Ctrl-C reaches us alone, and we decide when the server ends.
            self._process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=PIPE,
                stdout=PIPE,
                stderr=self._log,
                start_new_session=True,
            )
            self.url = await self._wait_until_ready(self._process)
        except BaseException:
            await self.stop()
            raise
        self._log_start = os.fstat(self._log.fileno()).st_size
        return self.url

    async def stop(self) -> None:
        """End the server, by force after 3 s; does nothing where none runs."""
        process, self._process = self._process, None
        self.url = ""
        try:
            if process is not None:
                await _end(process)
        finally:
            if self._log is not None:
                self._log.close()
                self._log = None

    def failure(self) -> str | None:
        """Return one line on how the server ended by itself; None if it runs or was stopped."""
        if self._process is None or self._process.returncode is None:
            return None
        how = f"llama.cpp's server for {self.path} {_ending(self._process.returncode)}"
        lines = _telling_lines(self._log_text())
        return f"{how}; its log ends in: {lines[-1]}" if lines else how

    def _command(self) -> list[str]:
        """Return the command line of the process."""
        numbers = (self._slots, self._slots * self._context, _threads(self.path))
        return [
            sys.executable,
            "-P",  # modules in the user's folder must not stand in for ours
            "-m",
            "thence.models.gguf_worker",
            str(self.path.resolve()),
            *map(str, numbers),
        ]

    async def _wait_until_ready(self, process: Process) -> str:
        """Return the base URL that the process reports."""
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self._ready_within):
                line = await process.stdout.readline()
                if not line:
                    await process.wait()
        except TimeoutError as error:
            raise UsageError(
                f"llama.cpp did not load {self.path} within {self._ready_within:g} s"
            ) from error
        if not line:
            assert process.returncode is not None
            lines = _telling_lines(self._log_text())
            cause = lines[0] if lines else f"its process {_ending(process.returncode)}"
            raise FileError(f"llama.cpp cannot serve {self.path}: {cause}")
        url: str = json.loads(line)["url"]
        return url

    def _log_text(self) -> str:
        """Return the log of the ended process: since it was ready, or all if it never was."""
        assert self._log is not None
        end = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(self._log_start, end - _LOG_BYTES))
        return self._log.read().decode(errors="replace")


def check_file(path: Path) -> None:
    """Check by its first four bytes that a file is a GGUF file.

    Raises:
        FileError: it is none.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise FileError(f"{path} is a folder: name a .gguf file in it")
        if not stat.S_ISREG(mode):  # opening a pipe would wait for its writer
            raise FileError(f"{path} is not a regular file")
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise FileError(f"{path} does not exist") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise FileError(
            f"{path} is not a GGUF file: it begins with {magic!r}, not {_MAGIC!r}; "
            "name a file that llama.cpp can load"
        )


async def _end(process: Process) -> None:
    """Ask the process to end, then kill it."""
    _send(process.terminate)
    try:
        # communicate() also waits until the pipes are closed, as no other call does.
        async with asyncio.timeout(_GRACE):
            await process.communicate()
    except TimeoutError:
        pass
    finally:  # also where this very call is cancelled
        _send(process.kill)
        await process.communicate()


def _send(send: Callable[[], None]) -> None:
    """Send a signal to a process that may have ended."""
    with suppress(ProcessLookupError):
        send()


def _threads(path: Path) -> int:
    """Return the number of threads: one for a small model, else one for each usable core.

    ``OMP_NUM_THREADS`` bounds them, as a cluster sets it for one of several on a machine.

    llama.cpp's threads wait for each other busily: on cores that others use too, two of them took
    four times as long over a model of 1 MB as one.
    """
    told = os.environ.get("OMP_NUM_THREADS", "")
    most = int(told) if told.isdecimal() and int(told) else cores()
    return 1 if path.stat().st_size < SMALL else min(most, cores())


def _ending(status: int) -> str:
    """Return a clause on how a process ended; a negative status is a signal's number."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:  # real-time signals have no names
        return f"was ended by signal {-status}"
    return f"was ended by {name}{' (too little memory?)' if name == 'SIGKILL' else ''}"


def _telling_lines(log: str) -> list[str]:
    """Return the errors in llama.cpp's log without their stamps, or its last line.

    The first error names the cause; those after it are its callers giving up in turn.
    """
    lines = [_printable(line) for line in log.splitlines() if line.strip()]
    errors = []
    for line in lines:
        # An error looks like "0.00.008.674 E llama_model_load: error loading model: ...".
        stamp, level, message = (*line.split(" ", 2), "", "")[:3]
        if level == "E" and stamp.replace(".", "").isdigit():
            errors.append(message.rpartition("error loading model: ")[2])
        elif "GGML_ASSERT" in line:
            errors.append(line)
    return errors or lines[-1:]


def _printable(line: str) -> str:
    """Return a line, which may quote a hostile file, cut off and safe for a terminal."""
    return "".join(c if c.isprintable() else "?" for c in line.strip()[:_LINE])
