"""A step's text in the words that the parser knows, for recipes as people post them.

Only what is read with care is put into plain words: the rules and the lexicon, on which published
questions rest, stay as they are. Words for food are left alone, so that names remain the text's.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from thence.domains.recipes.lexicon import (
    EDIBLE,
    KINDS,
    MOST_WORDS,
    RAW_WITH_CARE,
    VERBS,
    Kind,
    kind_of,
    stem,
)

_PARENTHESIS = re.compile(
    r"\s*\((?!\s*(?:reserv|sav|keep|discard)\w*\b)[^()]{0,400}\)", re.IGNORECASE
)
_LABEL = re.compile(r"(?P<verb>[^\W\d_]+)(?: [^.:;,]{2,40})?: (?=[A-Z])")  # a heading over steps
_PART = re.compile(
    r"(?:(?:Now|Next|Then) (?:for )?)?(?:The )?(?P<name>(?:[^\W\d_]+ )?(?P<noun>[^\W\d_]+)): ",
    re.IGNORECASE,
)
_DASH = re.compile(r"\s+[-\u2013\u2014]+\s+|\u2014")
_BLANKS = re.compile(r"[ \t]{2,}")
_BEFORE_STOP = re.compile(r"[ ,]+(?=[.,;:])")
_AFTER_NUMBER = re.compile(r"(\d[\w°/½¼¾]*)\.(?=\s|$)")
_WORD = re.compile(r"[a-z]+|&", re.IGNORECASE)
_GERUND = re.compile(
    r"(?P<before>(?:^|[,:;]|\b(?:by|and|then))\s*)(?P<word>[a-z]+ing)\b"
    r"(?= +(?!(?:all )?the (?:\w+ )?(?:time|while))(?P<after>[\w½¼¾⅓⅔]+))",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:now |then )?(?:start|begin|keep|continue|finish)(?: on| off| by)? (?P<word>[a-z]+ing)\b",
    re.IGNORECASE,
)
_BRINGING = frozenset(
    ["add", "keep", "reserve", "save", "sprinkle", "drizzle", "pour", "scatter", "fold", "discard",
     "remove", "stir", "mix", "whisk", "beat", "top", "toss", "squeeze", "blend", "combine", "melt",
     "heat", "crush", "mash", "chop", "slice", "put", "place", "cook", "fry", "cut", "peel", "soak",
     "rinse", "drain", "boil", "brown", "grate", "make", "preheat", "prepare", "roast", "steam",
     "toast", "trim", "warm", "wash", "whip", "lift", "transfer", "tip"]
)  # fmt: skip
_TAKEN = frozenset(
    ["a", "an", "the", "your", "some", "half", "most", "all", "any", "each", "it", "them",
     "everything", "in", "together", "up", "one", "two", "three", "four", "five", "six"]
)  # fmt: skip


_STRANGE_VERB = re.compile(
    r"(?P<before>(?:^|[.;:!?] )(?:then |now |next,? )?)(?P<word>[A-Za-z]{3,})"
    r"(?= (?P<after>the|your|it|them|all|each|this|these|in|on|out|up|over|through|down|back)\b)"
)
_STRANGE_VERB_LATER = re.compile(
    r"(?P<before> (?:and|then) )(?P<word>[a-z]{3,})(?= (?P<after>it|them)\b)"
)
_LASTING = re.compile(r"(?P<word>[a-z]+) (?=\d[\d\u2013-]* (?:min|hour))", re.IGNORECASE)
_BEFORE_TIMES = frozenset(
    ["for", "about", "around", "another", "extra", "least", "most", "to", "or", "and", "every",
     "after", "in", "of", "than", "further", "within", "the", "then", "next", "last", "first",
     "only", "just", "by"]
)  # fmt: skip
_REST_OF_TWO = re.compile(
    r"\b(?P<rest>[Tt]he (?:remaining|rest of the)) (?P<one>[a-z]+) and (?P<other>[a-z]+)"
    r"(?=[.,;]| (?:in|into|to|over|with|on|onto|for)\b)"
)
_NO_VERBS = frozenset(("lid", "lids", "note", "notes", "tip", "here", "such", "yes", "not"))
_MOVING = frozenset(("in", "on", "over", "through"))


class _Rules(NamedTuple):
    """Rules for texts that have one of some words.

    Attributes:
        words: one of which a text must have.
        rules: what is said, and the plain words for it.
    """

    words: frozenset[str]
    rules: list[tuple[re.Pattern[str], str]]


@lru_cache(MOST_WORDS)
def plainly(text: str) -> str:
    """Return a step's text in plainer words, with the same things in it."""
    text = text.replace("\u2019", "'")
    label = _LABEL.match(text)
    if label and label["verb"].lower() in VERBS:
        text = text[label.end() :]
    part = _PART.match(text)
    if part and kind_of(part["noun"].lower()) is Kind.PRODUCT:
        text = f"For the {part['name'].lower()}: {text[part.end() :]}"
    if "(" in text:
        text = _PARENTHESIS.sub("", text)
    text = _LASTING.sub(_for, _DASH.sub(", ", text))
    table, words = _table()
    has = set(_WORD.findall(text.lower()))
    for each in table:
        if not has.isdisjoint(each.words):
            for pattern, plain in each.rules:
                text = pattern.sub(plain, text)
    if "remaining" in has or "rest" in has:
        text = _REST_OF_TWO.sub(_each, text)
    if not has.isdisjoint(words):
        text = _WORD.sub(lambda found: words.get(found[0].lower(), found[0]), text)
    if "ing" in text:
        text = _GERUND.sub(_told, _BEGUN.sub(_begun, text))
    text = _BEFORE_STOP.sub("", _BLANKS.sub(" ", text)).strip(" ,")
    text = _AFTER_NUMBER.sub(r"\1 .", text)
    return _STRANGE_VERB_LATER.sub(_put, _STRANGE_VERB.sub(_put, text))


@cache
def _table() -> tuple[list[_Rules], dict[str, str]]:
    """Return the rules of ``plainly.txt`` in their order, and its single words."""
    text = (files("thence.domains.recipes") / "plainly.txt").read_text(encoding="utf-8")
    table: list[_Rules] = []
    single: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("== "):
            table.append(_Rules(frozenset(line[3:].split()), []))
        elif "words" in table[-1].words if table else False:
            plain, _, others = line.partition(": ")
            single |= dict.fromkeys(others.split(), plain)
        elif line and not line.startswith("#"):
            said, _, plain = line.partition(" ->")
            first = r"\b" if said[0].isalpha() else ""
            last = "" if "(?=" in said else r"(?!\w)"
            pattern = re.compile(rf"{first}(?:{said}){last}", re.IGNORECASE)
            table[-1].rules.append((pattern, plain.strip().replace(r"\x20", " ")))
    return table, single


def _for(found: re.Match[str]) -> str:
    """Return "cook for" in place of "cook" before a time, as in "cook 10 minutes"."""
    return found[0] if found["word"].lower() in _BEFORE_TIMES else f"{found['word']} for "


def _each(found: re.Match[str]) -> str:
    """Return "the remaining oil and the remaining sumac" for "the remaining oil and sumac"."""
    rest, one, other = found["rest"], found["one"], found["other"]
    verb = other in VERBS and other not in EDIBLE
    return found[0] if verb else f"{rest} {one} and {rest} {other}"


def _begun(found: re.Match[str]) -> str:
    """Return the verb in place of "start melting"."""
    return verb_of(found["word"].lower()) or found[0]


def _told(found: re.Match[str]) -> str:
    """Return a command in place of "adding the peas", where that brings or takes something."""
    verb = verb_of(found["word"].lower())
    before, after = found["before"], found["after"].lower()
    by = before.strip().lower() == "by"
    if verb in _BRINGING and (by or after in _TAKEN or after[0].isdigit()):
        return f", {verb}" if by else before + verb
    return found[0]


def _put(found: re.Match[str]) -> str:
    """Return a plain verb in place of a word that begins a sentence as only a verb can."""
    word = found["word"].lower()
    known = word in KINDS or word in _NO_VERBS or stem(word) in RAW_WITH_CARE
    if known or kind_of(word) is not Kind.NOUN:
        return found[0]
    return found["before"] + ("add" if found["after"] in _MOVING else "press")


def verb_of(gerund: str) -> str:
    """Return the verb of a word in -ing; empty where the lexicon has none."""
    base = gerund[:-3]
    once = base[:-1] if len(base) > 2 and base[-1] == base[-2] else base
    return next((each for each in (base, base + "e", once) if each in VERBS), "")
