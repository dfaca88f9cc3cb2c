import importlib
import sys
import time
from pathlib import Path

import pytest

from thence.errors import DiskError, MissingExtra
from thence.models.tiny import write_tiny_model


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first = write_tiny_model(tmp_path / "first.gguf", seed=5).read_bytes()
    again = write_tiny_model(tmp_path / "again.gguf", seed=5).read_bytes()
    other = write_tiny_model(tmp_path / "other.gguf", seed=6).read_bytes()
    assert first == again
    assert first != other
    assert first[:4] == b"GGUF"
    assert len(first) < 1_000_000


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"x" * 2_000_000)
    assert write_tiny_model(path) == path
    assert path.stat().st_size < 1_000_000


def test_writing_is_fast(tmp_path: Path) -> None:
    importlib.import_module("gguf")  # importing takes longer than writing
    times = []
    for number in range(5):
        start = time.perf_counter()
        write_tiny_model(tmp_path / f"{number}.gguf")
        times.append(time.perf_counter() - start)
    assert min(times) < 0.3


def test_a_folder_that_does_not_exist_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match=r"^cannot write .*m\.gguf: No such file or directory$"):
        write_tiny_model(tmp_path / "missing" / "m.gguf")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_one_clear_line() -> None:
    with pytest.raises(DiskError, match=r"^cannot write /dev/full: \S"):
        write_tiny_model(Path("/dev/full"))


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(MissingExtra, match=r"writing a tiny model .*thence\[gguf\]"):
        write_tiny_model(tmp_path / "m.gguf")
    assert not (tmp_path / "m.gguf").exists()
