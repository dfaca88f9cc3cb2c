"""What a recipe's own list of ingredients names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from thence.domains.recipes.lexicon import Kind, kind_of, stem

_AFTER = re.compile(r"[,;(\u2013]|\s-\s|\b(?:for|to|from|about|plus|optional|such)\b")
_PARTS = re.compile(r"\s(?:and|or|&)\s|/")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NO_HEAD = frozenset((Kind.MEASURE, Kind.ADJECTIVE, Kind.DETERMINER, Kind.PREPOSITION, Kind.ADVERB))


def listed(lines: Iterable[str]) -> frozenset[str]:
    """Return the nouns, in the singular, of the ingredients on the lines of a list."""
    found: set[str] = set()
    for line in lines:
        for part in _PARTS.split(_AFTER.split(line.lower().strip("-*\u2022 \t"), maxsplit=1)[0]):
            words = [x for x in _WORD.findall(part) if kind_of(x) not in _NO_HEAD]
            if words:
                found.add(stem(words[-1]))
    return frozenset(found)
