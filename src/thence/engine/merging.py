"""Shards put together: files of samples, and runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from thence.core.digest import canonical_json, compact_json
from thence.core.failures import plural
from thence.core.sample import Sample
from thence.core.versions import comparable
from thence.engine.batch_notes import BatchNotes
from thence.engine.differences import differences
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.response_index import whole_length
from thence.engine.run_information import RunInformation, RunRequest
from thence.errors import FileError, UsageError
from thence.generation import sample_files
from thence.generation.shards import Shard
from thence.models.base import Usage
from thence.system.disk import disk, file_hash, replacing, sync_folder


def merge_files(paths: Sequence[Path], out: Path, *, overwrite: bool = False) -> int:
    """Write the samples of some files to one, shards in their order; return how many.

    Raises:
        FileError: a shard is missing or of another set or version, or a sample comes twice.
    """
    sample_files.check_output(out, overwrite=overwrite)
    manifests = [sample_files.manifest_beside(path) for path in paths]
    requests = [dict((held or {}).get("request") or {}) for held in manifests]
    order = _ordered(list(map(str, paths)), [each.pop("shard", None) for each in requests])
    _check_same([(str(path), each) for path, each in zip(paths, requests, strict=True)], order)
    found = sample_files.write_samples(out, _distinct([paths[place] for place in order]))
    held = [dict(each) for place in order if (each := manifests[place])]
    if len(held) == len(paths):
        sample_files.write_manifest(out, _manifest(held, requests[0]))
    return found


def _distinct(paths: Iterable[Path]) -> Iterator[Sample]:
    seen: dict[str, Path] = {}
    versions = dict[str, tuple[str, str]]()
    for path in paths:
        for sample in sample_files.read_samples(path):
            if sample.id in seen:
                raise FileError(f"{path}: sample {sample.id} is in {seen[sample.id]} already")
            seen[sample.id] = path
            _check_version(str(path), sample.task, sample.version, versions)
            yield sample


def _check_version(part: str, task: str, version: str, known: dict[str, tuple[str, str]]) -> None:
    """Refuse a version of a task whose scores do not compare with those of a part before.

    Args:
        part: the name of the file or run.
        task: full name of the task.
        version: what the part has of it.
        known: the version of each task so far with its part; takes in that of this one.

    Raises:
        FileError: naming both versions.
    """
    met, first = known.setdefault(task, (version, part))
    if not comparable(version, met):
        raise FileError(
            f"{part}: is of version {version} of {task}, and {first} of {met}; their scores do not "
            "compare, so make all parts by one version"
        )


def _manifest(held: Sequence[Mapping[str, Any]], request: Mapping[str, Any]) -> dict[str, Any]:
    groups: dict[str, dict[str, int]] = {}
    for each in held:
        for task, counts in each.get("groups", {}).items():
            mine = groups.setdefault(task, {})
            for group, count in counts.items():
                mine[group] = mine.get(group, 0) + count
    totals = {name: sum(each.get(name, 0) for each in held) for name in _SUMS}
    first = {name: each for name, each in held[0].items() if name not in ("file", "sha256")}
    return {**first, "request": dict(request), **totals, "groups": groups}


_SUMS = ("samples", "redrawn_duplicates")


def _ordered(names: Sequence[str], shards: Sequence[object]) -> list[int]:
    """Return the places of parts in the order of their shards.

    Raises:
        FileError: some are shards and others not, or one is missing or given twice.
    """
    known = [None if each is None else Shard.of(each) for each in shards]
    if not any(known):
        return list(range(len(names)))
    whole = next(each.count for each in known if each)
    placed: dict[int, int] = {}
    for place, (name, shard) in enumerate(zip(names, known, strict=True)):
        if shard is None or shard.count != whole:
            raise FileError(f"{name}: is not one of the {whole} shards that the other files are")
        if shard.number in placed:
            first = names[placed[shard.number]]
            raise FileError(f"{name}: is shard {shard}, as {first} is; name each shard once")
        placed[shard.number] = place
    missing = [f"{number}/{whole}" for number in range(1, whole + 1) if number not in placed]
    if missing:
        more = f" and {len(missing) - 5:,} more" if len(missing) > 5 else ""
        raise FileError(f"{names[0]}: shard {', '.join(missing[:5])}{more} is missing; name it too")
    return [placed[number] for number in sorted(placed)]


def _check_same(asked: Sequence[tuple[str, Any]], order: Sequence[int]) -> None:
    """Refuse parts of different sets or runs."""
    first, wanted = asked[order[0]]
    for name, request in asked:
        if request and wanted and canonical_json(request) != canonical_json(wanted):
            differs = ", ".join(differences(request, wanted))
            raise FileError(f"{name}: differs from {first} in {differs}")


def merge_runs(paths: Sequence[Path], out: Path) -> int:
    """Put the runs of all shards into one, which the command without a shard goes on with.

    Returns:
        The number of samples.

    Raises:
        FileError: a shard is missing or of another run or version, or is damaged.
        UsageError: the folder is not empty.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out}: is there; name an empty folder, or a new one")
    runs = [RunDirectory(path) for path in paths]
    held = [run.information() for run in runs]
    shards = [each.request.samples.get("shard") for each in held]
    requests = [_without_shard(each.request) for each in held]
    if not all(shards):
        bare = paths[shards.index(None)]
        raise FileError(f"{bare}: is a run of no shard; run what is to be merged with shard=I/N")
    order = _ordered(list(map(str, paths)), shards)
    named = zip(paths, requests, strict=True)
    _check_same([(str(path), each.to_json()) for path, each in named], order)
    versions = dict[str, tuple[str, str]]()
    for path, each in zip(paths, held, strict=True):
        for task, version in each.versions.items():
            _check_version(str(path), task, version, versions)
    for run in runs:
        if left := len(BatchNotes(run.path, "").open()):
            raise FileError(
                f"{run.path}: has {plural(left, 'batch')} under way; run it to its end first"
            )
    runs, held = [runs[place] for place in order], [held[place] for place in order]
    with disk(out):
        out.mkdir(parents=True, exist_ok=True)
    samples = [map(compact_json, (each.to_json() for each in run.samples())) for run in runs]
    by_lines = "files" in requests[0].samples
    lines = chain.from_iterable(zip_longest(*samples) if by_lines else samples)
    count = 0
    with replacing(out / SAMPLES) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            if line is not None:
                file.write(f"{line}\n")
                count += 1
    with replacing(out / RESPONSES) as part, part.open("wb") as target:
        for run in runs:
            _copy(run.path / RESPONSES, target)
    RunDirectory(out).write_information(_information(held, requests[0], count, out))
    sync_folder(out)
    return count


def _copy(path: Path, target: Any) -> None:
    """Append the whole lines of a file to another one."""
    if path.is_file():
        left = whole_length(path)
        with disk(path), path.open("rb") as file:
            while left and (piece := file.read(min(left, 1 << 20))):
                target.write(piece)
                left -= len(piece)


def _without_shard(request: RunRequest) -> RunRequest:
    """Return the request of the whole of which this is a shard."""
    asked = {name: each for name, each in request.samples.items() if name != "shard"}
    return replace(request, samples=asked)


def _information(
    held: Sequence[RunInformation], request: RunRequest, count: int, out: Path
) -> RunInformation:
    """Return ``run.json`` of the whole."""
    usage = Usage()
    for each in held:
        usage += Usage.from_json(each.usage or {})
    costs = [each.cost_usd for each in held]
    had = [each.conversations or {} for each in held]
    return replace(
        held[0],
        fingerprint=request.fingerprint,
        request=request,
        versions={name: each for part in held for name, each in part.versions.items()},
        samples=count,
        samples_sha256=file_hash(out / SAMPLES),
        conversations={name: sum(each.get(name, 0) for each in had) for name in ("all", "done")},
        responses=sum(each.responses or 0 for each in held),
        responses_sha256=file_hash(out / RESPONSES),
        usage=usage.to_json(),
        cost_usd=None if None in costs else sum(filter(None, costs)),
    )
