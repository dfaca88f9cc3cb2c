"""Mutants of valid inputs, drawn by hypothesis so that what fails is made small."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

_FAR = 1 << 30

ODD_VALUES: Sequence[Any] = (
    None, True, False, 0, 1, -1, 2, 7, 1000, 10**6, 10**9, 2**31, 2**53 + 1, 2**63, 2**64, 10**30,
    10**400, 0.5, -0.0, 1e308, 1e-320, float("inf"), float("-inf"), float("nan"), "", " ", "x",
    "\x00", "\ud800", "\u202e", "\x1b[31m", "1e400", "9" * 400, "a" * 5000, [], {}, [[]], [0],
    [None], [[1, 2]], {"x": 1}, [float("inf"), 2], ["x", "y"], {"": None}, "-1", "NaN", "True",
)  # fmt: skip

ODD_PIECES: Sequence[str] = (
    "", " ", "\n", "\r\n", "\t", "\x00", "\x1b[2J", "\u202e", "\u2028", "\ufeff", "\ud800",
    "0", "-1", "1e400", "9" * 30, "9" * 400, "18446744073709551616", "Infinity", "NaN", "null",
    "(", ")", "((((((((", "[", "]", "{", "}", "[[[[[[[[", '"', "'", "`", "```", "```json\n", ":",
    ",", ";", "|", "<", ">", "\\", "/", "%", "#", "&a", "*a", "!!python/object:os.system", "---\n",
    "- ", "{{", "}}", "{% for i in range(10**9) %}", "{{ x.__class__ }}", "</think>", "<think>",
    "**", "yes", "no", "True", "Yes\n1. Cycle: <a, b>", "OUTPUT: ", "Answer: ", "=1+1", "N/A",
    "a" * 3000,
)  # fmt: skip

_ODD_BYTES: Sequence[bytes] = (
    b"", b"\x00", b"\xff", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80", b"\xfe\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x00" * 64, b"\xef\xbb\xbf", b"\xc3", b"PAR1",
)  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """One change of a text: at a place, so many characters go and a piece comes."""

    place: int
    length: int
    kind: int
    piece: Any


def _edits(pieces: Sequence[Any]) -> st.SearchStrategy[list[Edit]]:
    edit = st.builds(
        Edit,
        st.integers(0, _FAR),
        st.one_of(st.integers(0, 4), st.integers(0, 400)),
        st.integers(0, 4),
        st.sampled_from(pieces),
    )
    return st.lists(edit, min_size=1, max_size=6)


def texts(seeds: Sequence[str]) -> st.SearchStrategy[str]:
    """Mutants of texts."""
    return st.builds(_edited, st.sampled_from(seeds), _edits(ODD_PIECES))


def blobs(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Mutants of bytes; those of a text are mutants of the text most of the time."""
    raw = st.builds(_edited, st.sampled_from(seeds), _edits(_ODD_BYTES))
    plain = [text for text in map(_text, seeds) if text is not None]
    if not plain:
        return raw
    mutants = texts(plain).map(lambda text: text.encode("utf-8", "surrogatepass"))
    return st.one_of(mutants, mutants, mutants, raw)


def _text(seed: bytes) -> str | None:
    try:
        return seed.decode()
    except UnicodeDecodeError:
        return None


def _edited(seed: Any, edits: Sequence[Edit]) -> Any:
    for edit in edits:
        at = edit.place % (len(seed) + 1)
        end = at + edit.length
        match edit.kind:
            case 0:  # replaced
                seed = seed[:at] + edit.piece + seed[end:]
            case 1:  # put in
                seed = seed[:at] + edit.piece + seed[at:]
            case 2:  # taken out
                seed = seed[:at] + seed[end:]
            case 3:  # doubled
                seed = seed[:end] + seed[at:]
            case _:  # cut off
                seed = seed[:at] + edit.piece
    return seed


def values(seeds: Sequence[Any]) -> st.SearchStrategy[Any]:
    """Mutants of JSON values: a part is replaced, taken out, doubled or put elsewhere."""
    change = st.tuples(
        st.integers(0, _FAR),
        st.integers(0, 5),
        st.one_of(st.sampled_from(ODD_VALUES), st.integers(), st.floats(), st.text(max_size=8)),
    )
    changes = st.lists(change, min_size=1, max_size=3)
    return st.builds(_changed, st.sampled_from(seeds), changes)


def lines(seeds: Sequence[Any]) -> st.SearchStrategy[bytes]:
    """Mutants of files of JSON lines, each made of all the seeds."""
    whole = st.builds(_changed, st.just(list(seeds)), _changes())
    from_values = whole.map(lambda rows: b"\n".join(map(dumped, _listed(rows))) + b"\n")
    text = b"\n".join(map(dumped, seeds)) + b"\n"
    return st.one_of(from_values, from_values, from_values, blobs([text]))


def _changes() -> st.SearchStrategy[list[tuple[int, int, Any]]]:
    change = st.tuples(st.integers(0, _FAR), st.integers(0, 5), st.sampled_from(ODD_VALUES))
    return st.lists(change, min_size=1, max_size=3)


def _listed(rows: Any) -> list[Any]:
    return rows if isinstance(rows, list) else [rows]


def dumped(value: Any) -> bytes:
    """A JSON value as a line, whatever is in it."""
    return json.dumps(value).encode()


def _changed(seed: Any, changes: Sequence[tuple[int, int, Any]]) -> Any:
    held = [copy.deepcopy(seed)]
    for place, kind, value in changes:
        spots = list(_spots(held))
        holder, key = spots[place % len(spots)]
        _change(holder, key, kind, value)
        if not held:
            held.append(None)
    return held[0]


def _change(holder: Any, key: Any, kind: int, value: Any) -> None:
    value = copy.deepcopy(value)
    match kind:
        case 0 if holder and not (isinstance(holder, list) and len(holder) < 2):
            del holder[key]
        case 1 if isinstance(holder, list) and len(holder) < 200:
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2 if isinstance(holder, dict):
            holder[str(value)[:20]] = holder.pop(key)
        case 3 if isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = holder[key] * 1000 if abs(holder[key]) < 1e9 else -1
        case 4:
            holder[key] = [holder[key]]
        case _:
            holder[key] = value


def _spots(held: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a JSON value, as what holds it and its key there."""
    stack = [held]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            found: Any = each.items()
        elif isinstance(each, list):
            found = enumerate(each)
        else:
            continue
        for key, value in found:
            yield each, key
            stack.append(value)
