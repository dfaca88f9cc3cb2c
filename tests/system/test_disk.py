"""Files that are replaced whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from thence.errors import DiskError
from thence.system.disk import replacing


def test_a_place_below_a_file_is_one_line_about_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "new.txt"
    with pytest.raises(DiskError, match=r"new\.txt: Not a directory"), replacing(path) as part:
        part.write_text("never")
