"""Reading our own files of JSON lines, fast."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thence.core.sample import Sample
from thence.system.disk import disk, parse_json


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
    return (sample for sample, _, _ in placed(path, start, end))


def placed(path: Path, start: int = 0, end: int | None = None) -> Iterator[tuple[Sample, int, int]]:
    """Like `samples`, each with where its line begins and how long that is, in bytes."""
    last = math.inf if end is None else end
    with disk(path), path.open("rb") as file:
        file.seek(start)
        for line in file:
            if start >= last:
                return
            yield sample(line), start, len(line)
            start += len(line)


def sample(line: bytes) -> Sample:
    """The sample of a line that was checked before."""
    row = parse(line)
    return Sample(
        row["id"],
        row["family"],
        row["task"],
        row["version"],
        row["input"],
        row["target"],
        row["metadata"],
        row.get("canary") or "",
    )
