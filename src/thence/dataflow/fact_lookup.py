"""The facts of a step in a form in which one is found fast."""

from __future__ import annotations

from collections.abc import Collection

_MANY = 8  # facts of a step that are searched faster than hashed


def searched(facts: tuple[str, ...]) -> Collection[str]:
    """Return the facts of a step, each once; many of them as a dictionary, for fast look-up."""
    if len(facts) < 2:
        return facts
    held = dict.fromkeys(facts)
    return held if len(held) > _MANY else tuple(held)
