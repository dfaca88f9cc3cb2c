from pathlib import Path

from tests.models.tiny_gguf import write_tiny_model


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
