"""The file of the scores of a run, which is written while they go by."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from thence.core.digest import compact_json
from thence.errors import DiskError
from thence.scoring.judge import Scored
from thence.system.disk import disk, part_of, remove_leftovers, rename, sync


def line_of(row: Scored) -> str:
    """Return the line of a score."""
    return compact_json(row.to_json()) + "\n"


class ScoreFile:
    """``scores.jsonl``, replaced once all is written.

    Args:
        path: the file.
        complain: called, once, with an error of the disk, after which nothing is written; None:
            the error is raised.
    """

    def __init__(self, path: Path, complain: Callable[[DiskError], None] | None = None) -> None:
        self._path = path
        self._part = part_of(path)
        self._complain = complain
        self._whole = True

    def __enter__(self) -> Self:
        self._try(self._open)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._whole and kind is None:
                self._try(self._replace)
        finally:
            with suppress(OSError, AttributeError):  # it may never have been opened
                self._file.close()
            with suppress(OSError):
                self._part.unlink(missing_ok=True)

    def write(self, row: Scored) -> None:
        """Write one line; fails as `write_lines` does."""
        if self._whole:
            self.write_lines(line_of(row))

    def write_lines(self, text: str) -> None:
        """Write some lines.

        Raises:
            DiskError: the disk did not take them, and nothing was given to complain to.
        """
        if self._whole:
            self._try(lambda: self._file.write(text))

    def _open(self) -> None:
        remove_leftovers(self._path)
        self._file = self._part.open("w", encoding="utf-8", newline="\n")

    def _replace(self) -> None:
        self._file.flush()
        sync(self._file.fileno())
        self._file.close()
        rename(self._part, self._path)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            with disk(self._path):
                action()
        except DiskError as error:
            self._whole = False
            if self._complain is None:
                raise
            self._complain(error)
