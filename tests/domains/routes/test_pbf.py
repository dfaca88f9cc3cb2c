"""An extract that takes far more memory than its size tells is refused before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from thence.domains.routes.pbf import check_size
from thence.errors import FileError


def number(value: int) -> bytes:
    """A number of protobuf."""
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def blocks(path: Path, sizes: Sequence[int], packed: int = 40) -> Path:
    """A file of blocks that say that they unpack to these sizes."""
    written = b""
    for size in sizes:
        data = b"\x10" + number(size) + b"\x1a" + number(packed) + bytes(packed)
        header = b"\x0a\x07OSMData\x18" + number(len(data))
        written += len(header).to_bytes(4) + header + data
    path.write_bytes(written)
    return path


def test_a_bomb_is_refused_by_what_its_blocks_say(tmp_path: Path) -> None:
    path = blocks(tmp_path / "bomb.osm.pbf", [32 << 20] * 20)
    with pytest.raises(FileError, match=r"bomb.osm.pbf: holds 96 MiB or more in [\d,]+ bytes"):
        check_size(path)


@pytest.mark.parametrize("sizes", [[], [100], [32 << 20] * 2])
def test_what_may_be_a_map_is_left_to_its_reader(tmp_path: Path, sizes: list[int]) -> None:
    check_size(blocks(tmp_path / "map.osm.pbf", sizes))


def test_maps_may_be_large(tmp_path: Path) -> None:
    check_size(blocks(tmp_path / "map.osm.pbf", [32 << 20] * 20, packed=4 << 20))


@pytest.mark.parametrize(
    "text", [b"", b"\0\0", b"\xff" * 99, b"\0\0\0\x0d" + b"\xff" * 40, b"<osm version='0.6'>"]
)
def test_other_files_are_left_to_their_reader(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x.osm.pbf"
    path.write_bytes(text)
    check_size(path)
