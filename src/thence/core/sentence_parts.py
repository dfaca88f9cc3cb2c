"""Parts of sentences."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return one name or more as a sentence has them, such as ``a, b and c``."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
