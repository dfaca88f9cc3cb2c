"""Discovery of tasks and protocols by listing the packages that hold them.

Nothing registers itself and no import has a side effect: a task is the constant ``TASK`` of a
module of its family's package, a protocol the constant ``PROTOCOL`` of its module. Other
distributions add a package by an entry point.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from thence.errors import UsageError


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Yield the modules directly in a package, in alphabetical order."""
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            yield import_module(f"{package.__name__}.{info.name}")


def added(group: str) -> Iterator[ModuleType]:
    """Yield the packages that other distributions add under an entry point group.

    Raises:
        UsageError: a package that cannot be imported.
    """
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        with importing(f"entry point '{entry.name}' of group {group}", entry.value):
            package = import_module(entry.value)
        yield package


@contextmanager
def importing(what: str, package: str) -> Iterator[None]:
    """Turn any error of an import into one line that names the thing and its package.

    Raises:
        UsageError: the code within raised something.
    """
    try:
        yield
    except Exception as error:  # third-party code may raise anything
        raise UsageError(
            f"{what} cannot be imported from {package}: {type(error).__name__}: {error}; "
            "mend or uninstall it"
        ) from error


def nearest(name: str, known: Sequence[str], *, cutoff: float = 0.5) -> str:
    """Return a hint such as ``; did you mean 'sort'?``, or an empty string."""
    close = get_close_matches(name, known, n=1, cutoff=cutoff)
    return f"; did you mean '{close[0]}'?" if close else ""
