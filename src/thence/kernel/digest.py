"""Hashes and JSON text that are the same on every machine, in every process."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

_canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def canonical_json(value: Any) -> str:
    """JSON text that depends on the value alone: keys sorted, no spaces."""
    return _canonical(value)


def compact_json(value: Any) -> str:
    """JSON text of a line in our files: keys in their own order, no spaces.

    A lone surrogate, which no UTF-8 file can hold, is written as its escape.
    """
    text = _compact(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def digest(*parts: Any, size: int = 16) -> str:
    """Hexadecimal BLAKE2b hash, ``2 * size`` characters long, of some JSON values."""
    text = _canonical(parts)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
