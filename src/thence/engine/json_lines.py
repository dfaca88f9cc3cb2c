"""Reading of our own files of JSON lines."""

from __future__ import annotations

from typing import Any

from thence.core.sample import Sample
from thence.system.disk import parse_json

_BEGIN = b'{"id":"'  # of a line as we write it


def id_of(line: bytes) -> str:
    """Return the id in the line of a sample or response, which is rarely read for it."""
    name = line[len(_BEGIN) : line.find(b'"', len(_BEGIN))]
    plain = line.startswith(_BEGIN) and name and b"\\" not in name
    return name.decode() if plain else str(parse(line).get("id"))


def parse(line: bytes) -> dict[str, Any]:
    """Return the object of a line.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    row = parse_json(line)
    if not isinstance(row, dict):
        raise ValueError(f"must be a JSON object, not {type(row).__name__}")  # noqa: TRY004
    return row


def sample(line: bytes) -> Sample:
    """Return the sample of a line that was checked before."""
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
