"""Reading our own files of JSON lines, fast."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thence.kernel.disk import disk, parse_json
from thence.kernel.sample import Sample


def parse(line: bytes) -> dict[str, Any]:
    """The object of a line.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    row = parse_json(line)
    if not isinstance(row, dict):
        raise ValueError(f"must be a JSON object, not {type(row).__name__}")  # noqa: TRY004
    return row


def samples(path: Path, start: int = 0, end: int | None = None) -> Iterator[Sample]:
    """The samples of a file that is known to hold what was checked and written by us.

    Args:
        path: the file.
        start: where the line of the first one begins, in bytes.
        end: where the line after the last one begins; None for all.
    """
    left = math.inf if end is None else end - start
    with disk(path), path.open("rb") as file:
        file.seek(start)
        for line in file:
            if left <= 0:
                return
            left -= len(line)
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
