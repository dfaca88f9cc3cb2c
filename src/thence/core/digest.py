"""Hashes and JSON text that are the same on every machine, in every process."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import orjson

_sorted = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def canonical_json(value: Any) -> bytes:
    """Return JSON text that depends on the value alone: sorted keys, no spaces, UTF-8."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # integers beyond 64 bits, lone surrogates
        return _sorted(value).encode("utf-8", "surrogatepass")


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
