"""Writing responses down: only ever appended, and in the file before they count."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from thence.core.digest import compact_json
from thence.engine.response_index import whole_length
from thence.scoring.judge import Response
from thence.system.disk import disk


class ResponseLog:
    """Appends responses to a run; whatever `append` returned from is in the file.

    Attributes:
        mended: whether the last line was torn when the file was opened; it was taken off.
        count: how many responses were appended.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.mended = False
        self.count = 0

    def __enter__(self) -> Self:
        with disk(self._path):
            if self._path.is_file():
                self._mend()
            self._handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            self._size = os.fstat(self._handle).st_size
        return self

    def _mend(self) -> None:
        """Takes a torn last line off; one that only lacks its end is ended."""
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._handle)

    def append(self, response: Response) -> int:
        """Writes one line, or nothing; returns where it begins.

        Raises:
            DiskError: the disk did not take it.
        """
        data = (compact_json(response.to_json()) + "\n").encode()
        length = len(data)
        with disk(self._path):
            try:
                while data:
                    data = data[os.write(self._handle, data) :]
            except OSError:
                with suppress(OSError):  # a device has no length; the next start mends the line
                    os.ftruncate(self._handle, self._size)
                raise
        self._size += length
        self.count += 1
        return self._size - length
