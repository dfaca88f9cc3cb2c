"""Golden files: one JSON file a part, with one entry a case; reading, writing, comparing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from tests.golden.command import HERE, SHARED, workplace

FULL = HERE / "samples.jsonl"  # one sample of each task
LONG = 60  # characters of a value that is kept as it is
SHOWN = 12  # differences that a message names
EXTRAS = {
    "fast_downward": "plans",
    "valhalla": "routes",
    "osmium": "routes",
    "vl_convert": "report",
}


@dataclass(frozen=True)
class Case:
    """One thing to record: a function, run in a fresh working folder.

    Attributes:
        collect: makes the entry, out of JSON values.
        needs: modules of extras without which it cannot be made.
        data: files below the shared data that it reads.
        long: whether only a run of all tests compares it.
    """

    collect: Callable[[], Any]
    needs: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    long: bool = False

    def missing(self) -> str:
        """Why it cannot be made here; empty when it can."""
        for name in self.needs:
            if find_spec(name) is None:
                return f"the extra '{EXTRAS[name]}' is not installed"
        for name in self.data:
            if not (SHARED / name).exists():
                return f"the authors' published {name} are not beside this repository"
        return ""

    def found(self) -> Any:
        """The entry as it is now, as JSON would give it back."""
        with workplace():
            return json.loads(json.dumps(self.collect()))


def file(part: str) -> Path:
    """The golden file of a part."""
    return HERE / f"{part}.json"


def read(part: str) -> dict[str, Any]:
    """The entries of a part by case; none where it was never recorded."""
    path = file(part)
    entries: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    if part == "samples" and FULL.is_file():
        for sample in rows(FULL):
            entries[sample.pop("case")][sample["task"]]["first"] = sample
    return entries


def write(part: str, entries: Mapping[str, Any]) -> None:
    """Writes the entries of a part; full samples go into a file of their own, for reading."""
    if part == "samples":
        lines = [
            {"case": case, **held.pop("first")}
            for case, entry in entries.items()
            for held in entry.values()
            if isinstance(held, dict) and "first" in held
        ]
        FULL.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8"
        )
    text = json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
    file(part).write_text(text, encoding="utf-8")


def digest(value: Any) -> str:
    """A short hash of bytes, of a text, or of the JSON of anything else."""
    if not isinstance(value, bytes | str):
        value = json.dumps(value, sort_keys=True, ensure_ascii=False)
    data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return sha256(data).hexdigest()[:20]


def brief(value: Any) -> Any:
    """A short value as it is, a long one as a hash."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return value if len(text) <= LONG else digest(text)


def rounded(value: Any) -> Any:
    """The same with nine significant digits: the order of additions decides the others."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def rows(path: Path | str) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]


def complaint(part: str, case: str, stored: Any, found: Any) -> str:
    """What differs, and how to record it anew; empty when nothing does."""
    if stored == found:
        return ""
    told = list(islice(differences(stored, found), SHOWN + 1))
    lines = [f"  {line}" for line in told[:SHOWN]] + ["  ..."] * (len(told) > SHOWN)
    return "\n".join(
        [
            f"golden {part}, case {case!r}, differs from {file(part).name}:",
            *lines,
            "If the change is meant, record it and say why in the commit:",
            f"  python -m tests.golden.record {part} '{case}'",
        ]
    )


def differences(stored: Any, found: Any, path: str = "") -> Iterator[str]:
    """The leaves that differ, each with its path."""
    where = path or "entry"
    if isinstance(stored, dict) and isinstance(found, dict):
        for key in stored:
            if key not in found:
                yield f"{path} > {key}: gone"
            elif stored[key] != found[key]:
                yield from differences(stored[key], found[key], f"{path} > {key}" if path else key)
        yield from (f"{path} > {key}: new" for key in found if key not in stored)
    elif isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        for place, (one, other) in enumerate(zip(stored, found, strict=True)):
            if one != other:
                yield from differences(one, other, f"{path}[{place}]")
    elif isinstance(stored, str) and isinstance(found, str):
        yield f"{where}: {_words(stored, found)}"
    else:
        yield f"{where}: was {_short(stored)}, is {_short(found)}"


def _words(stored: str, found: str) -> str:
    """Two texts from a little before the place where they part."""
    pairs = zip(stored, found, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(stored), len(found)))
    start = max(0, same - 30)
    cut = "..." if start else ""
    return f"was {cut}{_short(stored[start:])}, is {cut}{_short(found[start:])}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."
