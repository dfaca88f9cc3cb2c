"""The file to which the responses of a run are appended."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from thence.core.digest import compact_json
from thence.engine.response_index import whole_length
from thence.errors import DiskError
from thence.scoring.judge import Response
from thence.system.disk import disk, sync, sync_folder


class ResponseLog:
    """An append-only file of responses; each is in the file when `append` returns.

    After a write that failed it takes nothing more: a line behind half of another would spoil both.

    Attributes:
        mended: whether the last line was torn when the file was opened; it was taken off.
        count: how many responses were appended.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()  # a thread syncs the file that others append to
        self._failure: DiskError | None = None
        self._synced = 0
        self.mended = False
        self.count = 0

    def __enter__(self) -> Self:
        with disk(self._path):
            if self._path.is_file():
                self._mend()
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.sync()
        except DiskError:
            if error is None:
                raise
        finally:
            self._close()

    def append(self, response: Response) -> None:
        """Write one line, or nothing.

        Raises:
            DiskError: the disk did not take it, or a line before it.
        """
        if self._failure is not None:
            raise DiskError(str(self._failure))
        line = (compact_json(response.to_json()) + "\n").encode()
        rest = line
        try:
            with disk(self._path):
                while rest:
                    rest = rest[self._file.write(rest) :]
        except DiskError as failure:
            self._failure = failure
            with suppress(OSError):  # a device has no length; the next start mends the line
                self._file.truncate(self._size)
            raise
        self._size += len(line)
        self.count += 1

    def sync(self) -> None:
        """Sync the appended lines to the disk.

        Raises:
            DiskError: it cannot.
        """
        with self._lock, disk(self._path):
            count = self.count
            if count > self._synced and not self._file.closed:
                sync(self._file.fileno())
                self._synced = count

    async def sync_regularly(self, seconds: float = 1.0) -> None:
        """Sync appended lines to the disk about once a second until this is cancelled.

        Raises:
            DiskError: it cannot; nothing more is appended then.
        """
        while True:
            await asyncio.sleep(seconds)
            try:
                await asyncio.to_thread(self.sync)
            except DiskError as failure:
                self._failure = failure
                raise

    @contextmanager
    def moving(self, path: Path) -> Iterator[None]:
        """Close the file while it is moved to another path, where it is opened again."""
        self.sync()
        self._close()
        yield
        self._path = path
        self._open()

    def _open(self) -> None:
        """Open the file, which is made where there is none."""
        with disk(self._path):
            self._file = self._path.open("ab", buffering=0)
            self._size = self._file.seek(0, os.SEEK_END)
        sync_folder(self._path.parent)

    def _close(self) -> None:
        """Close the file once no thread syncs it."""
        with self._lock:
            self._file.close()

    def _mend(self) -> None:
        """Take a torn last line off; end one that only lacks its end."""
        whole = whole_length(self._path)
        with self._path.open("r+b") as file:
            file.seek(whole)
            rest = file.read()
            if not rest:
                return
            try:
                complete = isinstance(json.loads(rest), dict)
            except (ValueError, RecursionError):
                complete = False
            if complete:
                file.write(b"\n")
            else:
                file.truncate(whole)
                self.mended = True
