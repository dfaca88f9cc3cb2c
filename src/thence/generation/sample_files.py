"""Files of samples as JSON lines or Parquet: written whole or not at all, and checked when read."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from thence import families
from thence.core.digest import compact_json
from thence.core.sample import Sample
from thence.errors import DiskError, FileError, MissingExtra, ParameterError
from thence.generation.plan import Plan
from thence.generation.repetition import Tally
from thence.system.disk import Lines, disk, file_hash, read_lines, replacing
from thence.system.version import VERSION

SUFFIXES = (".jsonl", ".parquet")
STDIN = ("-", "/dev/stdin")
_GZIP = b"\x1f\x8b"
COLUMNS = ("id", "family", "task", "version", "input", "target", "metadata", "canary")
"""Columns of a table of samples, all text; ``target`` and ``metadata`` are JSON."""
_JSON = ("target", "metadata")
_BATCH = 4096  # rows that are written at a time
_READ = 16  # rows that are read at a time
_LONGEST = 16 << 20  # bytes of a text in Parquet, of which that many rows may share one
_LARGEST_GROUP = 2 << 30  # bytes of a group of rows, unpacked; one is held in memory


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise an error if an output cannot be written, or would overwrite without permission.

    Raises:
        ParameterError: another suffix, no such folder, or a file that may not be replaced.
    """
    if path.suffix not in SUFFIXES:
        raise ParameterError("path", path, f"must end in {' or '.join(SUFFIXES)}")
    if path.is_dir():
        raise ParameterError("path", path, "is a folder; name a file")
    if not path.parent.is_dir():
        raise ParameterError("path", path, f"folder {path.parent} does not exist; make it first")
    for each in (path, manifest_of(path)):
        if each.exists() and not overwrite:
            what = "exists" if each == path else f"{each.name} exists"
            raise ParameterError("path", path, f"{what}; overwrite=True replaces it")
    if path.suffix == ".parquet":
        pyarrow()


def write_samples(path: Path, samples: Iterable[Sample]) -> int:
    """Write samples in the format of the suffix; return their number."""
    if path.suffix != ".parquet":
        return write_lines(path, (compact_json(sample.to_json()) for sample in samples))
    with replacing(path) as part:
        return _write_parquet(part, samples)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines of JSON; return their number."""
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(line + "\n")
            count += 1
    return count


def table_row(sample: Sample) -> dict[str, Any]:
    """Return the row of a sample in a table with `COLUMNS`."""
    row = sample.to_json()
    return row | {name: compact_json(row[name]) for name in _JSON}


def _write_parquet(path: Path, samples: Iterable[Sample]) -> int:
    arrow, parquet = pyarrow()
    schema = arrow.schema([(name, arrow.string()) for name in COLUMNS])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        rows: list[dict[str, Any]] = []
        for sample in samples:
            rows.append(table_row(sample))
            count += 1
            if len(rows) == _BATCH:
                writer.write_table(arrow.Table.from_pylist(rows, schema))
                rows.clear()
        writer.write_table(arrow.Table.from_pylist(rows, schema))
    return count


def pyarrow() -> tuple[Any, Any]:
    """Return the library of Parquet files, and its module for them.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("reading and writing Parquet", "parquet") from error


def manifest_of(path: Path) -> Path:
    """Return the path of the manifest of a file of samples."""
    return path.with_name(f"{path.name}.manifest.json")


def manifest(plan: Plan, tally: Tally) -> dict[str, Any]:
    """Return the contents of a manifest: the samples and their request."""
    held = {
        "thence": VERSION,
        "request": plan.to_json(),
        "samples": sum(counts.total() for counts in tally.groups.values()),
        "groups": {task: dict(counts) for task, counts in tally.groups.items()},
        "redrawn_duplicates": tally.redrawn,
    }
    notes = _notes(plan)
    for task, count in tally.left_out.items():
        held_of = notes.setdefault(task, {})
        held_of["excluded" if plan.exclude else "missing"] = count
        if task in tally.reasons:
            held_of["missing_because"] = tally.reasons[task]
    if notes:
        held["notes"] = notes
    return held


def write_manifest(path: Path, held: Mapping[str, Any]) -> Path:
    """Write ``FILE.manifest.json``: contents of the file, its request, and its hash."""
    whole = {"file": path.name, "sha256": file_hash(path), **held}
    target = manifest_of(path)
    with replacing(target) as part:
        part.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return target


def _notes(plan: Plan) -> dict[str, Any]:
    """Return the tasks' remarks on their samples by task, with the reason where one has none."""
    notes: dict[str, Any] = {name: {"not_offered": each} for name, each in plan.skipped.items()}
    for name in plan.tasks:
        task = families.task(name)
        generator = task.generator
        excluded = plan.exclude.procedures(task.family)
        values = generator.without(generator.configure(plan.settings), excluded)
        reason = generator.unavailable(values)
        if reason:
            notes[name] = {"not_offered": reason}
        elif remarks := {
            **generator.notes(values, plan.seed),
            **generator.choice_notes(values, plan.size, plan.seed),
        }:
            notes[name] = remarks
    return notes


def read_samples(path: Path) -> Iterator[Sample]:
    """Yield the samples of a file.

    Raises:
        FileError: no such file, another kind of file, or a line that is not a sample; the line is
            named.
    """
    if reason := _unreadable(path):
        raise FileError(f"{path}: {reason}")
    rows = _parquet_rows(path) if path.suffix == ".parquet" else read_lines(path)
    empty = True
    with closing(rows):  # a stored exception would keep them and the file open
        for number, row in rows:
            empty = False
            try:
                yield Sample.from_json(row)
            except ValueError as error:
                raise FileError(f"{path}:{number}: not a sample: {error}") from error
    if empty:
        raise FileError(f"{path}: holds no samples")


def files_in(folder: Path) -> list[Path]:
    """Return the files of samples in a folder and the folders below it, sorted by path."""
    return sorted(path for kind in SUFFIXES for path in folder.rglob(f"*{kind}") if path.is_file())


def _unreadable(path: Path) -> str:
    """Return why a path cannot hold samples, with the mend; empty where it may."""
    kinds = " or ".join(SUFFIXES)
    if str(path) in STDIN:
        return f"samples are read twice, so from no stream; write them to a file in {kinds}"
    if not path.is_file():
        return _no_file(path, kinds)
    with disk(path), path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    if packed:
        name = path if path.suffix == ".gz" else f"< {path} > unpacked{path.suffix}"
        return f"is compressed; unpack it first: gunzip {name}"
    return "" if path.suffix in SUFFIXES else f"samples are read from {kinds}"


def _no_file(path: Path, kinds: str) -> str:
    """Return what stands at a path in place of a file."""
    if path.is_dir():
        return "is a folder; name a file in it"
    if path.exists():
        return f"is a pipe or a device; write the samples to a file in {kinds}"
    if path.is_symlink():
        return f"is a link to {path.readlink()}, which is not there; mend the link"
    folder = path.parent
    beside = {each.name: str(each) for each in folder.glob("*.*")} if folder.is_dir() else {}
    close = get_close_matches(path.name, beside, n=1, cutoff=0.5)
    return f"no such file; did you mean '{beside[close[0]]}'?" if close else "no such file"


def _parquet_rows(path: Path) -> Lines:
    arrow, parquet = pyarrow()
    number = 0
    try:
        # A text that many rows share stands in the file once, and so in memory.
        leaves = parquet.read_metadata(path).schema
        paths = [leaves.column(place).path for place in range(len(leaves))]
        names = [name for name in paths if name in COLUMNS]
        with parquet.ParquetFile(path, read_dictionary=names) as file:
            _check_size(path, file.metadata)
            for batch in file.iter_batches(_READ):
                _check_texts(path, number, batch)
                for row in batch.to_pylist():
                    number += 1
                    for name in _JSON:
                        row[name] = json.loads(row.get(name) or "null")
                    yield number, row
    except (
        arrow.ArrowException,
        OSError,
        ValueError,
        TypeError,
        LookupError,
        RecursionError,
    ) as error:
        if isinstance(error, OSError) and error.errno:
            raise DiskError.of(path, error) from error
        raise FileError(f"{path}: row {number}: not a Parquet file of samples") from error


def _check_size(path: Path, held: Any) -> None:
    """Refuse a group of rows that takes too much memory, by what the file says of it."""
    for group in range(held.num_row_groups):
        size = held.row_group(group).total_byte_size
        if not 0 <= size <= _LARGEST_GROUP:
            raise FileError(
                f"{path}: row group {group} takes {size:,} bytes unpacked, and at most "
                f"{_LARGEST_GROUP:,} are read; write smaller groups of rows"
            )


def _check_texts(path: Path, number: int, batch: Any) -> None:
    """Refuse rows with a text that is too long, before each row takes a copy of it."""
    compute = importlib.import_module("pyarrow.compute")
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        held = getattr(column, "dictionary", column)
        if str(held.type) not in ("string", "large_string"):
            continue
        longest = compute.max(compute.binary_length(held)).as_py() or 0
        if longest > _LONGEST:
            raise FileError(
                f"{path}: row {number + 1} or one of the next {_READ}: field '{name}' has "
                f"{longest:,} bytes; at most {_LONGEST:,} are read"
            )


def manifest_beside(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest of a file; None where there is none, or it is damaged."""
    try:
        held = json.loads(manifest_of(path).read_bytes())
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) else None


def description(samples: Collection[Sample]) -> dict[str, Any]:
    """Return a manifest without a request: the number of samples, by task and group."""
    counts: dict[str, Counter[str]] = {}
    for sample in samples:
        group = str(sample.metadata.get("group", ""))
        counts.setdefault(sample.task, Counter())[group] += 1
    groups = {task: dict(held) for task, held in counts.items()}
    return {"thence": VERSION, "samples": len(samples), "groups": groups}
