"""Files that are replaced whole or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from thence.errors import DiskError
from thence.system.disk import replacing


def test_a_place_below_a_file_is_one_line_about_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "new.txt"
    with pytest.raises(DiskError, match=r"new\.txt: Not a directory"), replacing(path) as part:
        part.write_text("never")


def test_two_threads_replace_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    both = Barrier(2, timeout=60)

    def write(text: str) -> None:
        with replacing(path) as part:
            part.write_text(text)
            both.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ("one", "two")))
    assert path.read_text() in {"one", "two"}
    assert list(tmp_path.iterdir()) == [path]
