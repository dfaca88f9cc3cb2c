"""JSON schemas of replies."""

from __future__ import annotations

from typing import Any


def object_of(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has all of some keys, in this order, and no others.

    Args:
        properties: the schema of each value by its key.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
