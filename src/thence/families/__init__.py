"""The benchmarks, one package each. A package that lies here is found; nothing lists them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from types import ModuleType

from thence.errors import UsageError
from thence.kernel.registry import added, modules, nearest
from thence.kernel.task import Family, Task

ENTRY_POINTS = "thence.families"


@cache
def _found() -> tuple[dict[str, Family], dict[str, str], dict[str, Task]]:
    families: dict[str, Family] = {}
    packages: dict[str, str] = {}
    tasks: dict[str, Task] = {}
    for package in [*modules(sys.modules[__name__]), *added(ENTRY_POINTS)]:
        if not hasattr(package, "FAMILY"):
            raise UsageError(f"{package.__name__} has no constant FAMILY; add it or uninstall it")
        family: Family = package.FAMILY
        if family.name in families:
            raise UsageError(
                f"family '{family.name}' is defined by {packages[family.name]} "
                f"and by {package.__name__}; remove one of the two packages"
            )
        families[family.name] = family
        packages[family.name] = package.__name__
        found = [task for module in modules(package) for task in tasks_of(module)]
        for task in sorted(found, key=lambda task: (task.rank, task.name)):
            if task.full_name in tasks:
                raise UsageError(
                    f"task '{task.full_name}' is defined twice in {package.__name__}; rename one"
                )
            tasks[task.full_name] = task
    return families, packages, tasks


def tasks_of(module: ModuleType) -> Sequence[Task]:
    """The constant ``TASK`` of a module, or ``TASKS`` where one module makes several."""
    return [module.TASK] if hasattr(module, "TASK") else getattr(module, "TASKS", ())


def families() -> Mapping[str, Family]:
    """Every family by name."""
    return _found()[0]


def packages() -> Mapping[str, str]:
    """The package of each family, by the family's name."""
    return _found()[1]


def tasks() -> Mapping[str, Task]:
    """Every task by its full name, in the order of tables."""
    return _found()[2]


def task(name: str) -> Task:
    """The task of a full name.

    Raises:
        UsageError: there is none.
    """
    known = tasks()
    if name not in known:
        raise UsageError(
            f"unknown task '{name}'{nearest(name, list(known))} (see: thence list tasks)"
        )
    return known[name]


def select(patterns: Iterable[str]) -> list[Task]:
    """The tasks that some families, task names or globs name, each once, in the order of tables.

    Raises:
        UsageError: a pattern that names nothing.
    """
    known = tasks()
    chosen: set[str] = set()
    for pattern in patterns:
        names = {
            name
            for name, task in known.items()
            if pattern in (name, task.family) or fnmatchcase(name, pattern)
        }
        if not names:
            within = any(name.startswith(f"{pattern.rstrip('/')}/") for name in known if pattern)
            hint = nearest(pattern, [*known, *families()])
            if within:  # part of a name, such as fable/plans
                hint = f"; did you mean '{pattern.rstrip('/')}/*'?"
            raise UsageError(f"unknown task '{pattern}'{hint} (see: thence list tasks)")
        chosen |= names
    return [task for name, task in known.items() if name in chosen]
