"""The installed command ``thence``, called in this process."""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest import mock

HERE = Path(__file__).parent
# What the papers' authors published, beside the repository or above it; may be absent.
SHARED = next(
    (folder / "shared/data" for folder in HERE.parents[2:] if (folder / "shared/data").is_dir()),
    HERE.parents[2] / "shared/data",
)


@cache
def _main() -> Any:
    (entry,) = entry_points(group="console_scripts", name="thence")
    return entry.load()


@cache
def _cache() -> tempfile.TemporaryDirectory[str]:
    """A cache of this process, so that a map which was made before hides no change."""
    return tempfile.TemporaryDirectory(prefix="thence-golden-")


def cache_folder() -> Path:
    """A folder for files that several cases share; it goes when the process ends."""
    return Path(_cache().name)


def remove_cache() -> None:
    """Removes that folder now: a worker of the tests ends without its exit handlers."""
    if _cache.cache_info().currsize:
        _cache().cleanup()


def thence(*arguments: object, status: int = 0) -> str:
    """Runs the command and returns its standard output.

    Raises:
        AssertionError: it ended with another status.
    """
    words = ["thence", *map(str, arguments)]
    out, err = io.StringIO(), io.StringIO()
    arguments_given = mock.patch.object(sys, "argv", words)
    with _signals(), arguments_given, redirect_stdout(out), redirect_stderr(err):
        try:
            ended = _main()()
        except SystemExit as stop:
            ended = stop.code
    assert (ended or 0) == status, f"{' '.join(words)} ended with {ended}: {err.getvalue()}"
    return out.getvalue()


@contextmanager
def workplace() -> Iterator[Path]:
    """A fresh working folder with the files of ``data``, and no setting from outside.

    The published data, where they are, are below ``shared``: paths are part of some samples.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("THENCE_") and not name.endswith("_API_KEY")
    }
    kept |= {"COLUMNS": "200", "THENCE_CACHE": _cache().name, "XDG_CACHE_HOME": _cache().name}
    with tempfile.TemporaryDirectory(prefix="thence-golden-") as folder:
        shutil.copytree(HERE / "data", folder, dirs_exist_ok=True)
        if SHARED.is_dir():
            (Path(folder) / "shared").symlink_to(SHARED, target_is_directory=True)
        with mock.patch.dict(os.environ, kept, clear=True), chdir(folder):
            yield Path(folder)


@contextmanager
def _signals() -> Iterator[None]:
    """Puts back the handlers of signals that the command may set."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    ]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
