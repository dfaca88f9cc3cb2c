"""Interpretation of a step's text alone, before its sources are known.

Many sentences recur in recipe after recipe with other numbers, and no rule examines the numbers:
"bake for 25 minutes" is parsed once for any number of minutes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from thence.core.amounts import seconds
from thence.domains.recipes.clauses import Clause, cut, sentences, tokens
from thence.domains.recipes.lexicon import COOKING, DROPPED, LETS, LONG, MOST_WORDS

DISCARDING = frozenset(("discard", "discarding"))
DROPPING = DROPPED | DISCARDING
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_BYTES = ("utf-8", "surrogatepass")
_THROUGH = frozenset(
    ["bake", "boil", "simmer", "braise", "roast", "stew", "poach", "deep-fry", "steam"]
)
_FOR_LONG = 20 * 60  # seconds, after which what is cooked at all is cooked through
_AT_THE_BOIL = 5 * 60
_LET = re.compile(
    rf"\b(?:{'|'.join(sorted(LETS))})\b(?:[^.;:,()]{{0,40}}? )??"
    rf"(?P<verb>{'|'.join(sorted(COOKING))})\b"
)
_INTO_OVEN = re.compile(r"\b(?:in|into|to) (?:the|a|your)(?: [a-z-]+)? oven\b")
_TO_THE_BOIL = re.compile(r"\bto (?:just )?(?:a|the)(?: [a-z]+)? (?:boil|simmer)\b")
_HEATING = re.compile(r"\b(?:brown|heat(?! (?:the |your )?oven)|sear|toast|bubble|reduce)\b")
_PIECES = re.compile(
    r"[.;:!?](?=\s|$)|,|\b(?:and|then)\b(?! (?:a |an )?(?:half|quarter)\b| ?[\d½¼¾])"
)
_WAITING = re.compile(
    r"\b(?:off|from) (?:the )?heat\b|\b(?:turn|switch)\b[^.;,]{0,20} off\b|\b(?:days?|weeks?)\b"
    r"|\b(?:in|into|to) (?:the|a|your) (?:fridge|refrigerator|freezer)\b"
    r"|\b(?:set|put)\b[^.;,]{0,40} aside\b"
    r"|\b(?:prove|infuse|refrigerate|chill|freeze|marinate|soak|steep|knead)\b"
    r"|\bkeep\b[^.;,]{0,30} warm\b|\bto (?:cool|dry|rise|rest|stand|warm)\b"
    r"|\b(?:let|leave|allow)\b[^.;,]{0,40} (?:cool|dry|rise|rest|stand|sit)\b"
)
_MAY_WAIT = frozenset(("cool", "dry", "rest", "rise", "stand", "warm"))  # no verbs everywhere
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


def cooks_by_verbs(text: str, parts: Sequence[Clause]) -> bool:
    """Return whether the clauses of a step that is read with care cook its food through.

    What is only named counts for nothing, as in "take the lid off the stew". Bringing something to
    the boil does not cook it, and cooking it for long does.
    """
    text = text.lower()
    verbs = {part.verb for part in parts if part.verb in COOKING}
    verbs.update(found["verb"] for found in _LET.finditer(text))  # "leave to simmer"
    least = _time_on_heat(text, verbs, {part.verb for part in parts})
    if least >= _FOR_LONG and (verbs or _INTO_OVEN.search(text)):
        return True
    if least >= _AT_THE_BOIL and _TO_THE_BOIL.search(text):
        return True
    if verbs and ("deep-fry" in text or "deep fry" in text):
        return True
    return bool(verbs) and (not _THROUGH.isdisjoint(verbs) or _until_done(text))


def _time_on_heat(text: str, cooking: Collection[str], verbs: Collection[str]) -> float:
    """Return the least sum of the times of a text for which food is on the heat, in seconds.

    Args:
        text: in lower case.
        cooking: its verbs for cooking.
        verbs: its verbs. A time without one of its own belongs to the verb before it.
    """
    every = seconds(text)
    if every is None or every[0] < _AT_THE_BOIL:
        return 0.0
    least = 0.0
    hot = False
    for piece in _PIECES.split(text):
        if _waits(piece, verbs):
            hot = False
        elif _heats(piece, cooking):
            hot = True
        times = seconds(piece) if hot else None
        least += 0.0 if times is None else times[0]
    return least


def _waits(piece: str, verbs: Collection[str]) -> bool:
    """Return whether food waits off the heat, by a piece of a text with its own verb."""
    opening = _MAY_WAIT.intersection(tokens(piece)[:2])  # "dry" of "dry white wine" is no verb
    return not opening.isdisjoint(verbs) or _WAITING.search(piece) is not None


def _heats(piece: str, cooking: Collection[str]) -> bool:
    """Return whether food is on the heat, by a piece of a text with its own verb."""
    words = {part for word in tokens(piece) for part in (word, word.rpartition("-")[2])}
    if not words.isdisjoint(cooking):
        return True
    return any(each.search(piece) for each in (_HEATING, _INTO_OVEN, _TO_THE_BOIL))


def _until_done(text: str) -> bool:
    for words in _DONE:  # few texts hold one, so that most need no expression
        if words in text:
            return _UNTIL_DONE.search(text) is not None
    return False


_sentence = lru_cache(MOST_WORDS)(_read)
