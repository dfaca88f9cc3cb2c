"""Frozen sets: questions that published comparisons share, with the SHA-256 of every file.

A set is a JSON file in the folder ``frozen``. ``python -m tests.generation.record_frozen`` writes
its versions, counts and hashes; once released, they stay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from thence import families
from thence.core.registry import nearest
from thence.errors import ParameterError, UsageError
from thence.generation.plan import Plan
from thence.system.version import VERSION

FOLDER = resources.files("thence.generation") / "frozen"


@dataclass(frozen=True)
class FrozenFile:
    """A file of a frozen set.

    Attributes:
        size: number of questions of each task.
        versions: the versions of the tasks by their full names.
        samples: number of questions in all.
        sha256: hash of the file, hexadecimal.
    """

    size: int
    versions: Mapping[str, str]
    samples: int
    sha256: str

    def plan(self, seed: int) -> Plan:
        """Return the request that makes the file, or one like it from another seed."""
        return Plan(list(self.versions), seed, self.size)


@dataclass(frozen=True)
class FrozenSet:
    """A named set of questions.

    Attributes:
        name: such as ``thence-1``.
        thence: the version of this package that recorded it.
        seed: of its questions.
        files: what is in it, by the names of the files.
    """

    name: str
    thence: str
    seed: int
    files: Mapping[str, FrozenFile]

    def check(self, name: str) -> None:
        """Raise if this version of the package asks other questions in a file of the set.

        Raises:
            UsageError: a task is of another version, or there is none.
        """
        for task, version in self.files[name].versions.items():
            now = families.task(task).version if task in families.tasks() else "none"
            if now != version:
                raise UsageError(
                    f"{self.name} asks version {version} of {task}, and thence {VERSION} has "
                    f"{now}; install thence {self.thence}, whose questions are those of the set"
                )


def names() -> list[str]:
    """Return the names of the frozen sets."""
    held = (each.name for each in FOLDER.iterdir())
    return sorted(name.removesuffix(".json") for name in held if name.endswith(".json"))


def frozen_set(name: str) -> FrozenSet:
    """Return a frozen set by its name.

    Raises:
        ParameterError: there is none.
    """
    if name not in names():
        known = f"there is no such set{nearest(name, names())} (known: {', '.join(names())})"
        raise ParameterError("frozen", name, known)
    held: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    files = {each: FrozenFile(**row) for each, row in held["files"].items()}
    return FrozenSet(name, held["thence"], held["seed"], files)
