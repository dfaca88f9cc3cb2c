"""Unpacked size of an OpenStreetMap extract as its blocks declare it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from thence.errors import FileError

_LARGEST = 8 << 30  # bytes of all blocks, unpacked: several times the largest state
_RATIO = 50  # of unpacked to packed; that of maps is below 10
_SMALL = 64 << 20  # bytes, unpacked, that any file may have
_HEAD = 64  # bytes at the start of a block, in which it says its size
_LONGEST_HEADER = 64 << 10  # by the format


def check_size(path: Path) -> None:
    """Refuse an extract that takes far more memory than its size tells.

    A file that is not of this form is left to its reader.

    Raises:
        FileError: naming both sizes.
    """
    packed, unpacked = path.stat().st_size, 0
    with path.open("rb") as file:
        for size in _blocks(file):
            unpacked += size
            if unpacked > _LARGEST or (unpacked > _SMALL and unpacked > _RATIO * packed):
                raise FileError(
                    f"{path}: holds {unpacked >> 20:,} MiB or more in {packed:,} bytes, which no "
                    "map does; cut a smaller extract out of a map"
                )


def _blocks(file: BinaryIO) -> Iterator[int]:
    """Yield the size of each block when it is unpacked."""
    while len(length := file.read(4)) == 4:
        header_size = int.from_bytes(length)
        if header_size > _LONGEST_HEADER:
            return
        size = _fields(file.read(header_size)).get(3, 0)  # of the block as it stands in the file
        start = file.tell()
        fields = _fields(file.read(min(size, _HEAD)))
        if size <= 0:
            return
        yield fields.get(2, size)
        file.seek(start + size)


def _fields(text: bytes) -> dict[int, int]:
    """Return the whole numbers of a protobuf message by their field, as far as it is there."""
    found: dict[int, int] = {}
    at = 0
    while at < len(text):
        key, at = _number(text, at)
        value, at = _number(text, at)
        if key & 7 == 0:
            found[key >> 3] = value
        elif key & 7 == 2:
            at += value
        else:
            break
    return found


def _number(text: bytes, at: int) -> tuple[int, int]:
    """Return a number of protobuf, and the place behind it."""
    value = shift = 0
    while at < len(text):
        byte = text[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            break
    return value, at
