"""Files as the disk holds them: replaced whole or not at all, read line by line."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from thence.errors import DiskError, FileError


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Turns what the disk may do to us into one line.

    Raises:
        DiskError: in place of any OSError.
    """
    try:
        yield
    except OSError as error:
        reason = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
        raise DiskError(f"{path}: {reason}") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to that takes the place of ``path`` only once all is written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with disk(path):
            yield part
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


_BLOCK = 1 << 24  # bytes; between two blocks a thread waits for whatever else Python is doing


def file_hash(path: Path) -> str:
    """SHA-256 of the bytes of a file, hexadecimal."""
    hashed = sha256()
    with disk(path), path.open("rb") as file:
        while block := file.read(_BLOCK):
            hashed.update(block)
    return hashed.hexdigest()


type Lines = Generator[tuple[int, dict[str, Any]], None, None]
"""Objects with the number of their lines; closing it closes the file, at once and not some time."""


def read_lines(path: Path, length: int | None = None) -> Lines:
    """The objects of a file of JSON lines, with the number of their lines; blank lines are skipped.

    Args:
        path: the file.
        length: bytes to read of it; None for all.

    Raises:
        FileError: a line that is not a JSON object in UTF-8.
    """
    with disk(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if length is not None:
                if length <= 0:
                    return
                length -= len(line)
            if not line.strip():
                continue
            yield number, _parse_line(path, number, line)


def parse_json(text: bytes) -> Any:
    """The value of a JSON text: whatever the standard parser takes, at three times its speed.

    Raises:
        ValueError: it is none.
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
