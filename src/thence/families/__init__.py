"""The benchmarks, one package each. Packages in this folder are discovered; nothing lists them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fnmatch import fnmatchcase
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType

from thence.core.family import Family
from thence.core.registry import added, importing, modules, nearest
from thence.core.task import Task
from thence.errors import ParameterError, UsageError

ENTRY_POINTS = "thence.families"


class _Catalog:
    """Every family, with the tasks of the families used so far: most commands need few.

    Attributes:
        families: the families by name.
        packages: the package of each family, by the family's name.
        known: the tasks loaded so far, by full name.
    """

    def __init__(self) -> None:
        self.families: dict[str, Family] = {}
        self.packages: dict[str, str] = {}
        self.known: dict[str, Task] = {}
        self._modules: dict[str, ModuleType] = {}
        self._tasks: dict[str, dict[str, Task]] = {}
        for package in [*modules(import_module("thence.families")), *added(ENTRY_POINTS)]:
            if not hasattr(package, "FAMILY"):
                raise UsageError(
                    f"{package.__name__} has no constant FAMILY; add it or uninstall it"
                )
            family: Family = package.FAMILY
            if family.name in self.families:
                raise UsageError(
                    f"family '{family.name}' is defined by {self.packages[family.name]} "
                    f"and by {package.__name__}; remove one of the two packages"
                )
            self.families[family.name] = family
            self.packages[family.name] = package.__name__
            self._modules[family.name] = package

    def tasks(self, family: str) -> Mapping[str, Task]:
        """Return the tasks of a family by full name, in the order of tables."""
        if family not in self._modules:
            return {}
        if family not in self._tasks:
            package = self._modules[family]
            held: dict[str, Task] = {}
            with importing(f"the tasks of '{family}'", package.__name__):
                module = import_module(f"{package.__name__}.tasks")
                each = [*modules(module)] if hasattr(module, "__path__") else [module]
            found = [task for module in each for task in tasks_of(module)]
            for task in sorted(found, key=lambda task: (task.rank, task.name)):
                if task.full_name in held or task.full_name in self.known:
                    raise UsageError(
                        f"task '{task.full_name}' is defined twice in {package.__name__}; "
                        "rename one"
                    )
                held[task.full_name] = task
            self._tasks[family] = held
            self.known.update(held)
        return self._tasks[family]

    @cached_property
    def listed(self) -> Mapping[str, Task]:
        """The tasks of all packages."""
        return {name: each for family in self._modules for name, each in self.tasks(family).items()}


@cache
def _catalog() -> _Catalog:
    return _Catalog()


_NONE: Mapping[str, Task] = {}
_given: ContextVar[Mapping[str, Task]] = ContextVar("given tasks", default=_NONE)


@contextmanager
def using(tasks: Iterable[Task]) -> Iterator[None]:
    """Have tasks outside of any package, such as those of a notebook, found within a context.

    Only the caller's thread and what it starts with its context see them. The templates of such a
    task lie in the folder ``templates`` of the package of its generator's class, or in the user's.

    Raises:
        ParameterError: a package has another task of a name, or two of the tasks have one name.
    """
    before = _given.get()
    _given.set({**before, **_by_name(tasks)})
    try:
        yield
    finally:
        _given.set(before)


def use(tasks: Iterable[Task]) -> None:
    """Have tasks found from now on, in a process that works for one call alone."""
    _given.set(_by_name(tasks))


def _by_name(tasks: Iterable[Task]) -> dict[str, Task]:
    found: dict[str, Task] = {}
    for each in tasks:
        name, catalog = each.full_name, _catalog()
        packaged = catalog.tasks(each.family).get(name)
        if packaged is each:
            continue
        if packaged is not None:
            package = catalog.packages[each.family]
            raise ParameterError(
                "tasks", name, f"a task of {package} has this name; choose another"
            )
        if found.setdefault(name, each) is not each:
            raise ParameterError("tasks", name, "two tasks have this name; choose another")
    return found


def given() -> Sequence[Task]:
    """Return the tasks outside of any package in this context; see `using`."""
    return list(_given.get().values())


def _family_of(task: Task) -> Family:
    return Family(task.family, task.family, "", task.summary)


def _package_of(task: Task) -> str:
    """Return the package of the class of a task's generator; empty where there is none."""
    name = type(task.generator).__module__
    module = sys.modules.get(name)
    return name if module is None or hasattr(module, "__path__") else name.rpartition(".")[0]


def tasks_of(module: ModuleType) -> Sequence[Task]:
    """Return the constant ``TASK`` of a module, or ``TASKS`` where a module makes several."""
    return [module.TASK] if hasattr(module, "TASK") else getattr(module, "TASKS", ())


def families() -> Mapping[str, Family]:
    """Return every family by name."""
    found, own = _catalog().families, _given.get()
    if not own:
        return found
    return {**{each.family: _family_of(each) for each in own.values()}, **found}


def packages() -> Mapping[str, str]:
    """Return the package of each family, by the family's name."""
    found, own = _catalog().packages, _given.get()
    return {**{each.family: _package_of(each) for each in own.values()}, **found} if own else found


def tasks() -> Mapping[str, Task]:
    """Return every task of the packages by its full name, in the order of tables."""
    return _catalog().listed


def task(name: str) -> Task:
    """Return the task of a full name; no other family's modules are imported for it.

    Raises:
        UsageError: there is no such task.
    """
    catalog = _catalog()
    known = _given.get().get(name) or catalog.known.get(name)
    if known is not None:  # as it is for every sample but the first
        return known
    family = name.partition("/")[0]
    if family in catalog.families:
        catalog.tasks(family)
    if name not in catalog.known and name not in catalog.listed:
        raise UsageError(
            f"unknown task '{name}'{nearest(name, list(catalog.listed))} (see: thence list tasks)"
        )
    return catalog.known[name]


def in_order(names: Iterable[str]) -> list[str]:
    """Return full names of tasks in the order of tables."""
    catalog = _catalog()
    places = {family: place for place, family in enumerate(catalog.families)}
    held = {name: task(name) for name in names}

    def place(name: str) -> tuple[int, int, str]:
        each = held[name]
        return places.get(each.family, len(places)), each.rank, each.name

    return sorted(held, key=place)


def matching(pattern: str) -> set[str]:
    """Return the full names of the tasks that a family, task name or glob matches."""
    return {name for name, task in tasks().items() if _matches(pattern, name, task)}


def _matches(pattern: str, name: str, task: Task) -> bool:
    if task.by_name and not pattern.startswith(name.rpartition("/")[0]):
        return False
    return pattern in (name, task.family) or fnmatchcase(name, pattern)


def select(patterns: Iterable[str]) -> list[Task]:
    """Return the tasks that families, task names or globs match, once each, in tables' order.

    Raises:
        UsageError: a pattern that matches nothing.
    """
    known = tasks()
    chosen: set[str] = set()
    for pattern in patterns:
        names = matching(pattern)
        if not names:
            within = any(name.startswith(f"{pattern.rstrip('/')}/") for name in known if pattern)
            hint = nearest(pattern, [*known, *families()])
            if within:  # part of a name, such as fable/plans
                hint = f"; did you mean '{pattern.rstrip('/')}/*'?"
            raise UsageError(f"unknown task '{pattern}'{hint} (see: thence list tasks)")
        chosen |= names
    return [task for name, task in known.items() if name in chosen]
