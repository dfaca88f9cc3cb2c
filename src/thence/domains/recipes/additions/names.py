"""Whether the words of a recipe have the names of its things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from thence.domains.recipes.additions.lines import RecipeLine
from thence.domains.recipes.lowering import IN_ANY_FORM

_CLEAR = frozenset(["finished", "mixture", "raw", "salad", "served", "unbaked"])
"""Words of a name that need not be said."""

_WORD = re.compile(r"[^\W\d_]+")
_ENDINGS = ("s", "es", "d", "ed", "ing", "e")
_SHORTEST = 3  # letters of a stem
_IRREGULAR = {
    "beaten": "beat", "half": "halve", "marinade": "marinate", "risen": "rise", "soften": "soft",
}  # fmt: skip


def unsaid(lines: Sequence[RecipeLine], title: str) -> frozenset[str]:
    """Return the things that neither the title nor a step working with them names."""
    texts: dict[str, str] = {}
    for line in lines:
        for fact in {*line.uses, *line.defines}:
            if not fact.endswith(IN_ANY_FORM):
                texts[fact] = f"{texts.get(fact, '')} {line.text.lower()}"
    return frozenset(
        fact for fact, text in texts.items() if not is_said(fact, f"{text} {title.lower()}")
    )


def is_said(name: str, text: str) -> bool:
    """Return whether a text has the words of a name, be it in other forms: fried as fry."""
    words = set(_WORD.findall(text.lower()))
    others = set(_WORD.findall(name.lower())) - _CLEAR - words
    if not others:  # most names are said in the same form
        return True
    said = {form for word in words for form in _forms(word)}
    return not any(said.isdisjoint(_forms(word)) for word in others)


@lru_cache(1 << 13)
def _forms(word: str) -> frozenset[str]:
    """Return a word and its stems: without an ending, its doubled consonant or a silent e."""
    whole = _folded(word)
    found = {whole}
    for ending in _ENDINGS:
        stem = whole.removesuffix(ending)
        if stem != whole and len(stem) >= _SHORTEST:
            found |= {stem, stem[:-1]} if stem[-1] == stem[-2] else {stem}
    return frozenset(_IRREGULAR.get(each, each) for each in found)


def _folded(word: str) -> str:
    return word.replace("y", "i")
