"""Interpretation of a step's text alone, before its sources are known.

Many sentences recur in recipe after recipe with other numbers, and no rule examines the numbers:
"bake for 25 minutes" is parsed once for any number of minutes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from thence.domains.recipes.clauses import Clause, cut, sentences, tokens
from thence.domains.recipes.lexicon import COOKING, DROPPED, LONG, MOST_WORDS

DISCARDING = frozenset(("discard", "discarding"))
DROPPING = DROPPED | DISCARDING
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_BYTES = ("utf-8", "surrogatepass")
_THROUGH = frozenset(
    ["bake", "boil", "simmer", "braise", "roast", "stew", "poach", "deep-fry", "steam"]
)
_DONE = ("cooked through", "no longer pink", "juices run clear", "until set", "until done",
         "until tender")  # fmt: skip
_UNTIL_DONE = re.compile(rf"\b(?:{'|'.join(_DONE)})\b")


class Said(NamedTuple):
    """The interpretation of a text.

    Attributes:
        parts: the relevant clauses, without remarks, and without clauses of only time or manner
            if there are others.
        meanwhile: whether independent work begins.
        cooks: whether food seems to be cooked through.
        drops: whether it has a word for throwing away or taking out.
    """

    parts: Sequence[Clause]
    meanwhile: bool
    cooks: bool
    drops: bool


class _Sentence(NamedTuple):
    """The interpretation of a sentence.

    Attributes:
        parts: its clauses but remarks.
        heats: whether it has a word for cooking.
        through: whether it says that something is cooked through.
        drops: whether it has a word for throwing away or taking out.
        numbered: whether a number is in the name of something.
        alone: the interpretation of a text with this sentence only.
    """

    parts: Sequence[Clause]
    heats: bool
    through: bool
    drops: bool
    numbered: bool
    alone: Said


def said(text: str) -> Said:
    """Return the interpretation of a step's text."""
    return _of(text) if len(text) <= LONG else _read(text).alone


@lru_cache(MOST_WORDS)
def _of(text: str) -> Said:
    each = [_sentence(one) for one in sentences(_numberless(text))]
    for one in each:
        if one.numbered:
            return _read(text).alone
    return each[0].alone if len(each) == 1 else _together(each)


def _numberless(text: str) -> str:
    """Return a text with every number set to 0; the detour through bytes is much faster."""
    held = text.encode(*_BYTES).translate(_DIGITS).replace(b"00", b"0").replace(b"00", b"0")
    return held.decode(*_BYTES)


def _together(each: Sequence[_Sentence]) -> Said:
    parts: list[Clause] = []
    heats = through = drops = False
    for one in each:
        parts += one.parts
        heats = heats or one.heats
        through = through or one.through
        drops = drops or one.drops
    return _said(parts, cooks=heats and through, drops=drops)


def _said(every: list[Clause], *, cooks: bool, drops: bool) -> Said:
    parts = [part for part in every if not part.aside] or every
    meanwhile = False
    for part in parts:
        meanwhile = meanwhile or part.meanwhile
    return Said(parts, meanwhile, cooks, drops)


def _read(sentence: str) -> _Sentence:
    words = tokens(sentence)
    parts = [part for part in cut(words) if not part.remark]
    heats = not COOKING.isdisjoint(words)
    through = not _THROUGH.isdisjoint(words) or _until_done(sentence.lower())
    drops = not DROPPING.isdisjoint(words)
    numbered = "0" in sentence and _is_numbered(parts)
    alone = _said(parts, cooks=heats and through, drops=drops)
    return _Sentence(parts, heats, through, drops, numbered, alone)


def _is_numbered(parts: Sequence[Clause]) -> bool:
    """Return whether the only number, 0, is part of a name."""
    for part in parts:
        if part.purpose[:1] == "0":
            return True
        for chunk in part.chunks:
            for word in chunk.words:
                if word[0] == "0":
                    return True
    return False


def _until_done(text: str) -> bool:
    for words in _DONE:  # few texts hold one, so that most need no expression
        if words in text:
            return _UNTIL_DONE.search(text) is not None
    return False


_sentence = lru_cache(MOST_WORDS)(_read)
