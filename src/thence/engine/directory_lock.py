"""A lock on a folder or file that one process writes at a time."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, SoftFileLock, Timeout

from thence.errors import UsageError
from thence.system.disk import disk

SOFT = ".soft"  # ends the name of the file that is a lock where the file system has none
_PATIENCE = 0.2  # seconds; a process that has just ended may be deleting its lock
_NO_LOCKS = frozenset((errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP))


@contextmanager
def locked(path: Path, what: object, mend: str) -> Iterator[None]:
    """Hold a lock, which is deleted at the end.

    Args:
        path: the file of the lock; folders that lead to it are made.
        what: the file or folder that is being written, for the error.
        mend: what the user can do instead of writing it too.

    Raises:
        UsageError: another process holds the lock.
        DiskError: the lock cannot be made.
    """
    with disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock = _acquired(path)
        except Timeout as error:
            raise UsageError(f"{what}: another process is writing it; {mend}") from error
    try:
        yield
    finally:
        with suppress(OSError):  # Windows deletes no open file
            path.unlink(missing_ok=True)  # while it is held, or another's would be deleted
        lock.release()


def _acquired(path: Path) -> BaseFileLock:
    """Return a lock that is held.

    Where the file system has no locks, another file is the lock by being there; if a killed process
    left it, it counts no longer.
    """
    lock: BaseFileLock = FileLock(path, thread_local=False, fallback_to_soft=False)
    try:
        lock.acquire(_PATIENCE)
    except OSError as error:
        if error.errno not in _NO_LOCKS:  # a Timeout has no number
            raise
        lock = SoftFileLock(path.with_name(path.name + SOFT), thread_local=False)
        lock.acquire(_PATIENCE)
    return lock
