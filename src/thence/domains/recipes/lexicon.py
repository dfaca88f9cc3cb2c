"""Word classes of recipe language, from the file ``lexicon.txt`` beside this module.

All classes but nouns are closed: an unlisted word may be an ingredient.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files

MOST_WORDS = 1 << 13  # distinct words, or short texts, that are remembered
LONG = 1000  # characters; a text beyond is not remembered, so that none fills the memory


class Kind(IntEnum):
    """Word class, as far as the parser's rules need it."""

    NOUN = 0
    VERB = 1
    DETERMINER = 2
    PREPOSITION = 3
    CONJUNCTION = 4
    ADVERB = 5
    MEASURE = 6
    TOOL = 7
    PRODUCT = 8
    WHOLE = 9
    PRONOUN = 10
    UNTIL = 11
    TIME = 12
    ADJECTIVE = 13
    PART = 14
    REST = 15


@cache
def _sections() -> dict[str, dict[str, list[str]]]:
    """Return list -> name -> words; the words of a plain list have the empty name."""
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    name = ""
    text = (files("thence.domains.recipes") / "lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            section, name = found.setdefault(line[3:], {}), ""
        elif line and line[0] != "#":  # a line of a table may go on in the next
            head, colon, words = line.partition(":")
            if colon:
                name = head
            section.setdefault(name, []).extend((words if colon else line).split())
    return found


def _list(name: str) -> frozenset[str]:
    return frozenset(_sections()[name][""])


def _table(name: str) -> dict[str, frozenset[str]]:
    return {head: frozenset(words) for head, words in _sections()[name].items()}


def _kinds() -> dict[str, Kind]:
    """Return the class of every word; the last list takes precedence, verbs come first."""
    return {word: kind for kind in _IN_ORDER for word in _sections()[kind.name.lower()][""]}


_IN_ORDER = (
    Kind.VERB, Kind.DETERMINER, Kind.PREPOSITION, Kind.CONJUNCTION, Kind.UNTIL, Kind.ADVERB,
    Kind.MEASURE, Kind.TIME, Kind.TOOL, Kind.PRODUCT, Kind.WHOLE, Kind.PRONOUN, Kind.PART,
    Kind.REST, Kind.ADJECTIVE,
)  # fmt: skip
VERBS = _list("verb")
KINDS = _kinds() | dict.fromkeys(("this", "these", "those"), Kind.DETERMINER)
EDIBLE = _list("edible")
EITHER = EDIBLE | _list("either") | {word for word in VERBS if KINDS[word] is not Kind.VERB}
ADDING = _list("adding")
STAPLES = _list("staples")
COOKING = _list("cooking")
PARTIAL = _list("partial")
PARTICLES = _list("particles")
STATES = _list("states")
BOTTLED = _list("bottled")
SORTS = _list("sorts")
DROPPED = _list("dropped")
NOUNS_IN_ING = _list("nouns in ing")
NOUNS_IN_ED = _list("nouns in ed")
SUBORDINATE = _list("subordinate")
LETS = _list("lets")
AREAS = _list("areas")
INTO_FAT = _list("into fat")
UPON = _list("upon")
BOILED = _list("boiled")
CUTS = _list("cuts")
CUT_OF = _table("cut of")
CUTS_OF = _table("cuts of")
COOKED = _list("cooked")
SHAPING = _list("shaping")
MADE_OF = _table("made of")
KINDS_OF_FOOD = _table("food")
RAW = _list("raw")
RAW_WITH_CARE = RAW | _list("more foods")  # where a text is read with care


@lru_cache(MOST_WORDS)
def kind_of(word: str) -> Kind:
    """Return the class of a single word in lower case."""
    known = KINDS.get(word)
    if known is not None:
        return known
    if not word[0].isalpha():
        return Kind.MEASURE
    if (word.endswith("ly") and len(word) > 4 and word != "jelly") or (
        word.endswith("ing") and word not in NOUNS_IN_ING
    ):
        return Kind.ADVERB
    if word.endswith("ed") and word not in NOUNS_IN_ED:
        return Kind.ADJECTIVE
    if "-" in word:
        tail = word.rpartition("-")[2]
        if tail != word:
            return kind_of(tail) if tail in KINDS else Kind.ADJECTIVE
    return Kind.NOUN


@lru_cache(MOST_WORDS)
def stem(word: str) -> str:
    """Return the singular of a noun."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("oes", "ches", "shes", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        return word[:-1]
    return word


@lru_cache(MOST_WORDS)
def head(name: str) -> str:
    """Return the singular noun of an ingredient's name."""
    return stem(name.rpartition(" ")[2])
