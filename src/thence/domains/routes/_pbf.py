"""Writing an OpenStreetMap extract in its binary form.

As documented at https://wiki.openstreetmap.org/wiki/PBF_Format: blocks of Protocol Buffers
messages, each behind its length and kind. Nodes, ways and relations follow in that order; the
numbers of each kind count from 1.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

UNITS_PER_DEGREE = 10_000_000  # OpenStreetMap's resolution
MOST = 7_000  # entities in a block

type Array = npt.NDArray[Any]
type Tags = Mapping[str, str]


@lru_cache(1 << 15)
def varint(number: int) -> bytes:
    """A whole number from 0 in groups of seven bits, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def varints(numbers: Array) -> tuple[bytes, Array]:
    """Many whole numbers from 0 below 2**35, one after another, and the bytes that each takes."""
    groups = numbers[:, None] >> np.arange(0, 35, 7)
    sizes = np.maximum(1, (groups > 0).sum(axis=1))
    place = np.arange(5)
    coded = (groups & 0x7F) | np.where(place < sizes[:, None] - 1, 0x80, 0)
    return coded[place < sizes[:, None]].astype(np.uint8).tobytes(), sizes


def signed(numbers: Array) -> Array:
    """Whole numbers with their sign in the lowest bit."""
    return np.where(numbers < 0, -2 * numbers - 1, 2 * numbers)


def deltas(numbers: Array) -> bytes:
    """Many whole numbers, each as what it is above the one before."""
    return varints(signed(np.diff(numbers, prepend=0)))[0]


def rows(lists: Sequence[Sequence[int]]) -> list[bytes]:
    """The deltas of many lists, none of them empty."""
    lengths = np.array([len(each) for each in lists])
    flat = np.fromiter(chain.from_iterable(lists), dtype=np.int64)
    steps = np.diff(flat, prepend=0)
    first = np.cumsum(lengths) - lengths
    steps[first] = flat[first]
    coded, sizes = varints(signed(steps))
    ends = np.cumsum(sizes)[first + lengths - 1].tolist()
    return [coded[start:end] for start, end in pairwise([0, *ends])]


def part(number: int, content: bytes) -> bytes:
    """A field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def whole(number: int, value: int) -> bytes:
    """A field that holds a whole number from 0."""
    return varint(number << 3) + varint(value)


class _Strings:
    """The words of a block, each once with its number as bytes; the first one is empty."""

    def __init__(self) -> None:
        self._codes: dict[str, bytes] = {"": b"\0"}

    def code(self, text: str) -> bytes:
        found = self._codes.get(text)
        if found is None:
            found = self._codes[text] = varint(len(self._codes))
        return found

    def tags(self, tags: Tags) -> bytes:
        """The two fields of keys and values."""
        keys = b"".join([self.code(key) for key in tags])
        values = b"".join([self.code(value) for value in tags.values()])
        return part(2, keys) + part(3, values)

    def table(self) -> bytes:
        return part(1, b"".join([part(1, text.encode()) for text in self._codes]))


def write(
    path: Path,
    nodes: Array,
    signs: Mapping[int, Tags],
    ways: Sequence[tuple[Sequence[int], Tags]],
    relations: Sequence[tuple[Sequence[int], Tags]],
) -> None:
    """Writes an extract.

    Args:
        path: a new file.
        nodes: latitude and longitude of each, in OpenStreetMap's resolution.
        signs: tags of nodes, by their numbers from 0.
        ways: numbers of its nodes from 0, and tags, of each.
        relations: numbers of its ways from 0, which are its outer ring, and tags, of each.
    """
    header = part(4, b"OsmSchema-V0.6") + part(4, b"DenseNodes") + part(16, b"thence")
    blocks = [_blob("OSMHeader", header)]
    blocks += [
        _dense(start, nodes[start : start + MOST], signs) for start in range(0, len(nodes), MOST)
    ]
    for start in range(0, len(ways), MOST):
        some, strings = ways[start : start + MOST], _Strings()
        refs = rows([[node + 1 for node in nodes] for nodes, _ in some])
        group = [
            part(3, whole(1, number) + strings.tags(tags) + part(8, each))
            for number, ((_, tags), each) in enumerate(zip(some, refs, strict=True), start + 1)
        ]
        blocks.append(_block(strings, b"".join(group)))
    strings = _Strings()
    group = [
        part(4, whole(1, number) + strings.tags(tags) + _members(members, strings))
        for number, (members, tags) in enumerate(relations, 1)
    ]
    blocks.append(_block(strings, b"".join(group)))
    path.write_bytes(b"".join(blocks))


def _dense(start: int, nodes: Array, signs: Mapping[int, Tags]) -> bytes:
    """A block of nodes."""
    strings = _Strings()
    numbers = range(start, start + len(nodes))
    words = [
        b"".join([strings.code(word) for pair in signs[number].items() for word in pair])
        if number in signs
        else b""
        for number in numbers
    ]
    found = part(1, deltas(np.array(numbers) + 1))
    found += part(8, deltas(nodes[:, 0])) + part(9, deltas(nodes[:, 1]))
    found += part(10, b"\0".join([*words, b""]))
    return _block(strings, part(2, found))


def _members(ways: Sequence[int], strings: _Strings) -> bytes:
    roles = strings.code("outer") * len(ways)
    kinds = varint(1) * len(ways)  # ways
    return part(8, roles) + part(9, deltas(np.array(ways) + 1)) + part(10, kinds)


def _block(strings: _Strings, group: bytes) -> bytes:
    """A block of one group; latitude and longitude are in units of 100 nanodegrees, as usual."""
    return _blob("OSMData", strings.table() + part(2, group))


def _blob(kind: str, content: bytes) -> bytes:
    blob = whole(2, len(content)) + part(3, zlib.compress(content, 1))
    head = part(1, kind.encode()) + whole(3, len(blob))
    return len(head).to_bytes(4, "big") + head + blob
