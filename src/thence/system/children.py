"""Groups of child processes that are killed together where this process is interrupted."""

from __future__ import annotations

from typing import Protocol

_groups: set[ProcessGroup] = set()
_killed: list[bool] = []


class ProcessGroup(Protocol):
    """Child processes that can be killed."""

    def kill(self) -> None:
        """Kill all of them, without waiting; may be called in a signal handler."""


def add(group: ProcessGroup) -> None:
    """Note a group, until it is discarded."""
    _groups.add(group)


def discard(group: ProcessGroup) -> None:
    """Forget a group whose processes have ended."""
    _groups.discard(group)


def kill_all() -> None:
    """Kill the processes of every group; those that are started later are to be killed at once."""
    _killed.append(True)
    for group in list(_groups):
        group.kill()


def all_killed() -> bool:
    """Return whether `kill_all` was called."""
    return bool(_killed)
