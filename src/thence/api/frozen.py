"""Frozen sets: the questions of published comparisons, and private twins of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from thence.api.dataset import Dataset
from thence.api.given import path_of
from thence.core.bounds import check_count, check_seed
from thence.errors import ParameterError
from thence.generation import frozen_sets
from thence.generation.plan import Plan, available
from thence.generation.sample_files import SUFFIXES, check_output
from thence.system.disk import disk, file_hash, replacing
from thence.system.workers import MOST_WORKERS

HASHES = "SHA256SUMS"


@dataclass(frozen=True)
class WrittenSet:
    """A frozen set on disk.

    Attributes:
        hashes: the SHA-256 of each file of questions by its name.
        samples: number of questions in all.
        differing: names of the files that are not those of the frozen set; none for a private twin,
            which has a seed of its own.
    """

    hashes: dict[str, str]
    samples: int
    differing: list[str]


def write(
    name: str,
    folder: str | Path,
    *,
    seed: int | None = None,
    files: Iterable[str] | None = None,
    workers: int | None = None,
    skip_unavailable: bool = False,
    overwrite: bool = False,
) -> WrittenSet:
    """Write a frozen set to a folder, with a file ``SHA256SUMS`` for ``sha256sum -c``.

    Args:
        name: such as ``thence-1``.
        folder: made if it is not there.
        seed: a seed of your own for a private twin: as many questions of each task, and others;
            None for the set itself.
        files: names of the files to write; None for all.
        workers: processes; None for one a core where that is worth it.
        skip_unavailable: leave out files whose tasks need an extra that is not installed.
        overwrite: replace files that are there.

    Returns:
        The hashes of the files, compared with those of the frozen set.

    Raises:
        ParameterError: there is no such set or file, a file is there already, or the folder has the
            name of one.
        UsageError: the tasks have other versions here than in the set.
        MissingExtra: a task needs an extra that is not installed.
    """
    held = frozen_sets.frozen_set(name)
    check_count("workers", workers, MOST_WORKERS)
    if seed is not None:
        check_seed(seed)
    chosen = list(held.files if files is None else files)
    for each in chosen:
        if each not in held.files:
            raise ParameterError("files", each, f"{name} has: {', '.join(held.files)}")
        held.check(each)
    place = path_of("path", folder)
    if place.exists() and not place.is_dir():
        raise ParameterError("path", place, "is a file; name a folder")
    if place.suffix in SUFFIXES and not place.is_dir() and not str(folder).endswith("/"):
        reason = f"is the name of a file, and {name} has several; name a folder"
        raise ParameterError("path", place, reason)
    every = [task for each in chosen for task in held.files[each].versions]
    offered = {*available(Plan(every), skip=skip_unavailable).tasks}
    chosen = [each for each in chosen if {*held.files[each].versions} <= offered]
    with disk(place):
        place.mkdir(parents=True, exist_ok=True)
    for each in chosen:
        check_output(place / each, overwrite=overwrite)
    hashes, samples = {}, 0
    for each in chosen:
        plan = held.files[each].plan(held.seed if seed is None else seed)
        made = Dataset.planned(plan, workers, plan.tasks)
        hashes[each] = file_hash(made.write(place / each, overwrite=overwrite))
        samples += made.manifest["samples"]
    with replacing(place / HASHES) as part:
        lines = (f"{value}  {each}\n" for each, value in hashes.items())
        part.write_text("".join(lines), encoding="utf-8")
    same = seed is None or seed == held.seed
    differing = [each for each in chosen if same and hashes[each] != held.files[each].sha256]
    return WrittenSet(hashes, samples, differing)
