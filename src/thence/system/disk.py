"""Files on disk: replaced whole or not at all, read by lines or by pieces."""

from __future__ import annotations

import errno
import glob
import json
import os
import weakref
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

import orjson

from thence.errors import DiskError, FileError

# Writing -----------------------------------------------------------------------------------------


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into one line about a path.

    Raises:
        DiskError: in place of any OSError.
    """
    try:
        yield
    except OSError as error:
        raise DiskError.of(path, error) from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to, which replaces ``path`` once all is written and on the disk."""
    part = part_of(path)
    remove_leftovers(path)
    try:
        with disk(path):
            yield part
            with part.open("r+b") as file:
                sync(file.fileno())
            rename(part, path)
    finally:
        with suppress(OSError):  # else it would stand in for the error that left the file there
            part.unlink(missing_ok=True)


def part_of(path: Path) -> Path:
    """Return the path at which this thread writes the replacement of a file."""
    return path.with_name(f".{path.name}.{os.getpid()}-{get_ident()}.part")


def remove_leftovers(path: Path) -> None:
    """Delete the unfinished replacements of a file that killed processes left."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        if not _is_running(part.name.split(".")[-2].partition("-")[0]):
            with suppress(OSError):  # another user's
                part.unlink()


def _is_running(process: str) -> bool:
    """Return whether a process of that number runs, as far as one may know."""
    if not process.isdecimal():
        return False
    if os.name == "nt":  # where the question would interrupt the process
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is another user's
        pass
    return True


def rename(source: Path, target: Path) -> None:
    """Move a file to the place of another one, and have the disk keep that."""
    source.replace(target)
    sync_folder(target.parent)


def sync(descriptor: int) -> None:
    """Sync an open file to the disk."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


_NO_SYNC = frozenset((errno.EINVAL, errno.ENOTSUP, errno.EROFS))  # pipes and devices


def sync_folder(path: Path) -> None:
    """Have the disk keep the names of the files in a folder, where the system can do so."""
    with suppress(OSError):  # Windows opens no folder
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# Reading -----------------------------------------------------------------------------------------

_LINES = 1 << 16  # bytes of lines that are read at a time


def file_hash(path: Path) -> str:
    """Return the SHA-256 of the bytes of a file, hexadecimal."""
    with disk(path), path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


class FileSlices:
    """A file from which several threads may read pieces; it is open as long as this lives."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        with disk(path):
            self._file = path.open("rb")
        weakref.finalize(self, self._file.close)

    def read(self, start: int, length: int) -> bytes:
        """Return so many bytes from a place on."""
        with self._lock, disk(self._path):
            self._file.seek(start)
            return self._file.read(length)


def lines_of(path: Callable[[], Path]) -> Iterator[bytes]:
    """Yield the lines of a file that may be moved meanwhile.

    It is open only while some of them are read: Windows moves no open file.

    Args:
        path: tells where the file is now.
    """
    start = 0
    while True:
        with disk(path()), path().open("rb") as file:
            file.seek(start)
            lines = file.readlines(_LINES)
        if not lines:
            return
        yield from lines
        start += sum(map(len, lines))


type Lines = Generator[tuple[int, dict[str, Any]], None, None]
"""Objects with the number of their lines; closing it closes the file, at once and not some time."""


def read_lines(path: Path) -> Lines:
    """Yield the objects of a file of JSON lines, with their line numbers; blank lines are skipped.

    Raises:
        FileError: a line that is not a JSON object in UTF-8.
    """
    with disk(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _parse_line(path, number, line)


def parse_json(text: bytes) -> Any:
    """Return the value of a JSON text, also of one that only the standard parser takes.

    Raises:
        ValueError: it is no JSON text.
        RecursionError: it is nested too deeply.
    """
    if _LONG not in text.translate(_DIGITS):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:  # a lone surrogate, NaN, another encoding, or no JSON
            pass
    return json.loads(text)


# The fast parser makes floats of integers beyond 64 bits, which have 19 digits at least.
_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
_LONG = b"0" * 19


def _parse_line(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Return the object of a line."""
    try:
        row = parse_json(line)
    except UnicodeDecodeError as error:
        raise FileError(f"{path}:{number}: not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", None) or "too deeply nested or too large a number"
        raise FileError(f"{path}:{number}: not JSON: {reason}") from error
    if not isinstance(row, dict):
        raise FileError(f"{path}:{number}: must be a JSON object, not {type(row).__name__}")
    return row
