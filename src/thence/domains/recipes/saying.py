"""What a step says, before anybody knows what it works with.

That depends on its text alone, and the same sentences stand in recipe after recipe but for their
numbers, which no rule looks at: "bake for 25 minutes" is read once, whatever the minutes.
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
    """What a text says.

    Attributes:
        parts: the clauses that count: those that only say when or how are left out where others
            are there, remarks always.
        meanwhile: something begins anew.
        cooks: food seems to be cooked through.
        drops: it holds a word for throwing away or taking out.
    """

    parts: Sequence[Clause]
    meanwhile: bool
    cooks: bool
    drops: bool


class _Sentence(NamedTuple):
    """What a sentence says.

    Attributes:
        parts: its clauses but remarks.
        heats: it holds a word for cooking.
        through: it says that something is cooked through.
        drops: it holds a word for throwing away or taking out.
        numbered: a number is in the name of something.
        alone: what a text says that has no other sentence.
    """

    parts: Sequence[Clause]
    heats: bool
    through: bool
    drops: bool
    numbered: bool
    alone: Said


def said(text: str) -> Said:
    """What a step says."""
    return _of(text) if len(text) <= LONG else _read(text).alone


@lru_cache(MOST_WORDS)
def _of(text: str) -> Said:
    each = [_sentence(one) for one in sentences(_numberless(text))]
    for one in each:
        if one.numbered:
            return _read(text).alone
    return each[0].alone if len(each) == 1 else _together(each)


def _numberless(text: str) -> str:
    """A text whose numbers are all 0, as bytes since these are exchanged far quicker."""
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
    """Whether the one number that there is, 0, stands in a name."""
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
