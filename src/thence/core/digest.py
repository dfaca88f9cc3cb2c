"""Hashes and JSON text that are the same on every machine, in every process."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import orjson


def canonical_json(value: Any) -> bytes:
    """Return JSON text that depends on the value alone: sorted keys, no spaces, UTF-8.

    A tuple is written as a list, and a frozenset as the sorted list of its members' texts.
    """
    try:
        return orjson.dumps(value, _members, orjson.OPT_SORT_KEYS)
    except TypeError:  # integers beyond 64 bits, lone surrogates
        form: Any = {"ensure_ascii": False, "separators": (",", ":"), "sort_keys": True}
        return json.dumps(value, default=_members, **form).encode("utf-8", "surrogatepass")


def _members(value: Any) -> list[str]:
    """Return the sorted texts of the members of a frozenset.

    Raises:
        TypeError: it is of another type.
    """
    if not isinstance(value, frozenset):
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    return sorted(canonical_json(each).decode("utf-8", "surrogatepass") for each in value)


def compact_json(value: Any) -> str:
    """Return the JSON text of a value for one line of a file: original key order, no spaces.

    A lone surrogate, which no UTF-8 file can hold, is written as its escape.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"))


def as_text(value: Any) -> str:
    """Return a text as it is, and any other value as JSON."""
    return value if isinstance(value, str) else compact_json(value)


def storable(value: Any) -> Any:
    """Return a value; of a text the lone surrogates, which UTF-8 cannot hold, as escapes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def digest(*parts: Any, size: int = 16) -> str:
    """Return the hexadecimal BLAKE2b hash of JSON values, ``2 * size`` characters long."""
    return blake2b(canonical_json(parts), digest_size=size).hexdigest()
