"""Places of quoted words in a text: blanks, case and the form of quotation marks do not count."""

from __future__ import annotations

import re
from typing import NamedTuple

_ALIKE = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u00a0", "''\"\"-- ")
_LONGEST = 5000  # characters of a quotation


class Range(NamedTuple):
    """Characters of a text: the first, and the one behind the last."""

    start: int
    end: int


class QuotedText:
    """A text in which quotations are looked for.

    Attributes:
        text: as it is.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = text.translate(_ALIKE)

    def find(self, words: str, start: int = 0, end: int | None = None) -> Range | None:
        """Return where words stand within a part of the text; None where they do not."""
        parts = words[:_LONGEST].translate(_ALIKE).split()
        if not parts:
            return None
        pattern = r"\s+".join(map(re.escape, parts))
        whole = re.compile(
            (r"\b" if parts[0][0].isalnum() else "")
            + pattern
            + (r"\b" if parts[-1][-1].isalnum() else ""),
            re.IGNORECASE,
        )
        limit = len(self._plain) if end is None else end
        found = whole.search(self._plain, start, limit)
        return None if found is None else Range(*found.span())
