"""Lends the package a family that lies in this folder."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thence import families


@contextmanager
def toy_family() -> Iterator[None]:
    """Within it ``toy/dice`` is a task like any other, found by listing the package."""
    folder = str(Path(__file__).parent)
    families.__path__.append(folder)
    families._catalog.cache_clear()
    try:
        yield
    finally:
        families.__path__.remove(folder)
        families._catalog.cache_clear()
        for name in [name for name in sys.modules if name.startswith("thence.families.toy")]:
            del sys.modules[name]


def known(name: str, **settings: str) -> dict[str, str]:
    """Those of some settings that a task has."""
    knobs = {knob.name for knob in families.task(name).generator.parameters}
    return {key: value for key, value in settings.items() if key in knobs}


def offered() -> list[str]:
    """The tasks that have samples here as they stand, without any setting, and at once.

    Those that cost much to make are looked at by the tests of their own families.
    """
    return [
        name
        for name, task in families.tasks().items()
        if task.generator.effort == 1
        and not task.generator.unavailable(task.generator.configure({}))
    ]
