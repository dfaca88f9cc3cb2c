"""A lock that one process holds; what it leaves behind keeps nobody out."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from thence.errors import UsageError
from thence.system.disk import disk


@contextmanager
def locked(path: Path, what: object, mend: str) -> Iterator[None]:
    """Keeps other processes out while a file of this name is held; it is deleted at the end.

    Args:
        path: the lock; folders that lead to it are made.
        what: what is being written under it, such as a run's folder.
        mend: what another process can do instead of writing it too.

    Raises:
        UsageError: another process holds it.
    """
    handle = _held(path, f"{what}: another process is writing it; {mend}")
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        os.close(handle)


def _held(path: Path, refusal: str) -> int:
    """The descriptor of the lock, which is held until it is closed."""
    while True:
        with disk(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise UsageError(refusal) from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        # Whoever held it has deleted it since we opened it: it keeps nobody else out.
        os.close(handle)
