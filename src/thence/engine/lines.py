"""Reading our own files of JSON lines, fast."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from thence.kernel.disk import disk
from thence.kernel.sample import Sample

# The fast parser makes floats of integers beyond 64 bits, which have 19 digits at least.
_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
_LONG = b"0" * 19


def parse(line: bytes) -> dict[str, Any]:
    """The object of a line.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    try:
        row = json.loads(line) if _LONG in line.translate(_DIGITS) else orjson.loads(line)
    except orjson.JSONDecodeError:  # a lone surrogate, which is written as its escape
        row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError(f"must be a JSON object, not {type(row).__name__}")  # noqa: TRY004
    return row


def samples(path: Path) -> Iterator[Sample]:
    """The samples of a file that is known to hold what was checked and written by us."""
    with disk(path), path.open("rb") as file:
        for line in file:
            row = parse(line)
            yield Sample(
                row["id"],
                row["family"],
                row["task"],
                row["version"],
                row["input"],
                row["target"],
                row["metadata"],
                row["canary"],
            )
