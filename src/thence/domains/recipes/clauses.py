"""Sentences of a recipe split into clauses: a verb, its objects and its prepositional phrases.

One pass over the words, by rules alone: no word is looked at more than twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from thence.domains.recipes.lexicon import (
    COOKED,
    COOKING,
    EDIBLE,
    EITHER,
    LETS,
    LONG,
    MOST_WORDS,
    PARTIAL,
    PARTICLES,
    STAPLES,
    SUBORDINATE,
    VERBS,
    Kind,
    kind_of,
)
from thence.domains.recipes.openings import opening
from thence.domains.recipes.phrases import Chunk, Clause, RecipeDraft

__all__ = ["Chunk", "Clause", "cut", "sentences", "tokens"]

_TOKEN = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*|\d[\w./°%½¼¾⅓⅔-]*|[½¼¾⅓⅔]|[.,;:!?()\n]")
_STOPS = frozenset(".;!?\n")
_PAUSES = frozenset(",()")
_NOT_AFTER_ONCE = frozenset((".", ",", "more", "or", "again"))
_ENDS_ASIDE = frozenset(("serving", "ready", "needed", "required"))
_AFTER_ALL = frozenset(("together", "to", "in", "into", "over", "with", ".", ",", "and"))
_POINTING = frozenset(("this", "that", "these", "those"))
_INDEFINITE = frozenset(("a", "an", "some", "any", "each", "every", "all", "both"))
_FUNCTION = frozenset(
    (Kind.DETERMINER, Kind.PREPOSITION, Kind.PRONOUN, Kind.UNTIL, Kind.CONJUNCTION, Kind.ADVERB)
)
_NO_NOUN = frozenset((Kind.PREPOSITION, Kind.CONJUNCTION, Kind.ADVERB, Kind.UNTIL))
_SPECIAL = VERBS | PARTICLES | PARTIAL | {"all"}


def tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text, in lower case."""
    text = text.lower().replace("dutch oven", "pot")
    if "\n" in text or len(text) > LONG:  # an end of line is a mark by itself
        return _TOKEN.findall(text)
    found: list[str] = []
    known = _pieces.get
    for piece in text.split():  # no token but that one reaches over a blank
        found += known(piece) or _cut_up(piece)
    return found


_pieces: dict[str, list[str]] = {}  # text between two spaces -> its tokens: few are new


def _cut_up(piece: str) -> list[str]:
    found: list[str] = _TOKEN.findall(piece)
    if len(_pieces) >= MOST_WORDS:
        _pieces.clear()
    _pieces[piece] = found
    return found


def sentences(text: str) -> list[str]:
    """Split a text at each full stop that follows a word and precedes a space.

    No clause crosses such a place; after a number or in a bracket, a full stop may end no sentence.
    """
    place = text.find(". ")
    if place < 0:
        return [text]
    found: list[str] = []
    start = 0
    while place >= 0:
        if text[text.rfind(" ", start, place) + 1 : place].isalpha():
            found.append(text[start : place + 2])
            start = place + 2
        place = text.find(". ", place + 2)
    if start < len(text):
        found.append(text[start:])
    return found


def cut(words: Sequence[str]) -> list[Clause]:
    """Return the clauses of a step, asides included and marked as such.

    Args:
        words: the step cut into words by `tokens`.
    """
    found: list[Clause] = []
    start = 0
    for place, word in enumerate(words, 1):
        if word in _STOPS:
            found += _read(words[start:place])
            start = place
    if start < len(words):
        found += _read([*words[start:], "."])
    return found


def _read(words: Sequence[str]) -> list[Clause]:
    """Return the clauses of a sentence, whose last word is its final punctuation mark."""
    draft = RecipeDraft()
    fresh = True  # a verb may stand here
    size = len(words) - 1
    place = opening(words, 0, draft) if size else 0
    while place < size:
        word, after = words[place], words[place + 1]
        place += 1
        if word == ":":
            draft.end(sentence=False)
            fresh = True
            place = opening(words, place, draft)
            continue
        if word in _PAUSES:
            draft.flush()
            if draft.clause.aside:
                draft.end(sentence=False)
            fresh = True
            continue
        kind = kind_of(word)
        if word == "once" and fresh and after not in _NOT_AFTER_ONCE:
            kind = Kind.CONJUNCTION
        elif draft.clause.aside and word in VERBS and words[place - 2] in _ENDS_ASIDE:
            draft.end(sentence=False)  # "just before serving add the herbs"
            fresh = True
        if kind is Kind.CONJUNCTION:
            _conjunction(draft, word, words[place : place + 3])
            fresh = True
        elif fresh and _is_verb(word, after, draft):
            if draft.clause.verb or draft.clause.chunks:
                draft.end(sentence=False)
            draft.clause.verb = word if word in VERBS else word.rpartition("-")[2]
            draft.clause.back = word == "return"
            draft.prep = ""
            fresh = False
        elif word in _SPECIAL and _is_special(draft, word, after):
            fresh = False
        else:
            fresh = _BY_KIND[kind](draft, word, after, fresh)
    draft.end(sentence=True)
    return draft.clauses


def _conjunction(draft: RecipeDraft, word: str, following: Sequence[str]) -> None:
    draft.flush()
    if word in SUBORDINATE:
        if draft.clause.verb or draft.clause.chunks:
            draft.end(sentence=False)
        draft.clause.aside = True
    elif draft.clause.aside and word in ("and", "then") and _resumes(word, following):
        draft.end(sentence=False)


def _resumes(word: str, following: Sequence[str]) -> bool:
    """Return whether a command follows after an aside: "until soft and add the tomatoes"."""
    verb, after = following[0], following[1] if len(following) > 1 else "."
    if verb in ("then", "gently", "carefully") and len(following) > 2:
        verb, after, word = after, following[2], "then"
    if verb not in VERBS or verb in LETS:
        return False
    if verb in EITHER:
        return kind_of(after) in (Kind.DETERMINER, Kind.PRONOUN) or after in ("into", "onto")
    return word == "then" or kind_of(after) in _FUNCTION or kind_of(after) is Kind.MEASURE


def _is_verb(word: str, after: str, draft: RecipeDraft) -> bool:
    """Return whether a word at a possible verb position is a verb."""
    clause = draft.clause
    if clause.aside:
        return False
    if word not in VERBS:
        return "-" in word and word.rpartition("-")[2] in COOKING
    if word not in EITHER:
        return True
    following = kind_of(after)
    if not clause.verb and not clause.chunks and clause.opens and draft.chunk is None:
        return (
            word not in EDIBLE
            or following in (Kind.DETERMINER, Kind.PRONOUN, Kind.MEASURE)
            or (after not in ("and", ",", "of") and word not in STAPLES)
        )
    if following in (Kind.DETERMINER, Kind.PRONOUN):
        return True
    if word in EDIBLE and word not in COOKED:
        return False
    return following in _FUNCTION or following is Kind.MEASURE or after in (".", ";", ",", "and")


def _is_special(draft: RecipeDraft, word: str, after: str) -> bool:
    """Handle a particle, a share or a verb that belongs to the one before; return success."""
    clause = draft.clause
    if word == "back":
        clause.back = True
    elif word == "aside":
        clause.apart = True
    elif word == "all" and draft.chunk is None and clause.verb and after in _AFTER_ALL:
        draft.nominal("everything", Kind.WHOLE)
        return True
    if word in PARTICLES and clause.verb and not clause.chunks and not draft.chunk:
        clause.particle = clause.particle or word
        return True
    if word in PARTIAL and (word not in VERBS or draft.chunk is not None):
        draft.mark().part = True
        return True
    if word not in VERBS or not clause.verb or draft.chunk is not None:
        return False
    if draft.prep != "to" and (clause.verb not in LETS or draft.prep):
        return False
    if clause.verb == "use":
        clause.chunks = [each for each in clause.chunks if each.kind is not Kind.TOOL]
        clause.verb = word  # "use half of it to cover the cake"
    elif clause.verb not in LETS:
        draft.why = True  # "stir to dissolve the sugar"
    draft.prep = ""  # "let stand", "leave to cool": one verb with the one before
    return True


# A word of each kind that is neither verb, mark nor conjunction; each of these functions says
# whether a verb may follow. --------------------------------------------------------------------


def _until(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    draft.end(sentence=False)
    draft.clause.aside = True
    return False


def _preposition(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    chunk = draft.chunk
    if word == "of" and chunk is not None and (chunk.rest or chunk.part or not chunk.head):
        chunk.indefinite = False  # "a ball of dough"
        return False
    draft.flush()
    clause = draft.clause
    if clause.chunks:
        if not after[0].isalnum() or kind_of(after) in _NO_NOUN:
            clause.trailing = word
    elif clause.verb and not clause.particle:
        clause.particle = word if kind_of(after) is not Kind.TIME else ""
    draft.prep = "" if word == "of" and not clause.chunks else word
    return False


def _determiner(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    if word in _POINTING and draft.chunk is None and _stands_alone(after):
        return _pronoun(draft, word, after, fresh)
    if draft.chunk is not None and draft.chunk.head:
        draft.flush()
    chunk = draft.mark()
    chunk.definite = word not in _INDEFINITE
    chunk.indefinite = word in ("a", "an")
    return False


def _stands_alone(after: str) -> bool:
    """Return whether "this" or "those" is a pronoun, without a noun after it."""
    kind = kind_of(after) if after[0].isalpha() else Kind.VERB
    return kind in _FUNCTION or kind is Kind.VERB


def _pronoun(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    draft.flush()
    draft.nominal(word, Kind.PRONOUN)
    draft.flush()
    return False


def _rest(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    draft.mark().rest = True
    return False


def _adverb(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    if word in ("meanwhile", "meantime"):
        draft.meanwhile = draft.clause.meanwhile = True
        draft.chunk, draft.prep = None, ""
        return True
    if word == "alongside":
        draft.clause.trailing = word
    if word == "well" and draft.chunk is not None and draft.chunk.indefinite:
        return _noun(draft, word, after, fresh)  # "make a well"
    if fresh and draft.clause.verb and word.endswith("ing"):
        draft.end(sentence=False)
        draft.clause.aside = True
    return fresh


def _time(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    if draft.chunk is not None and draft.chunk.head and draft.chunk.definite:
        draft.flush()  # "roast the squash 30 minutes"
    draft.chunk = None
    return fresh


def _measure(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    chunk = draft.mark()
    if chunk.definite and not chunk.words:  # it stands alone after "the", as in "the pieces"
        draft.nominal(word, Kind.PRODUCT if word == "drizzle" else Kind.PART)
    elif not chunk.words:
        chunk.counted = True
    return False


def _adjective(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    if word in ("another", "separate", "second"):
        draft.mark().indefinite = True
    elif word == "same":
        draft.mark().same = True
    else:
        draft.nominal(word, Kind.ADJECTIVE)
    return False


def _verb(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    if draft.chunk is not None or word in EITHER:  # else: "serve cut into wedges"
        draft.nominal(word, Kind.NOUN)
    return False


def _noun(draft: RecipeDraft, word: str, after: str, fresh: bool) -> bool:
    draft.nominal(word, Kind.PART if word == "well" else kind_of(word))
    return False


_BY_KIND: dict[Kind, Callable[[RecipeDraft, str, str, bool], bool]] = {
    Kind.UNTIL: _until, Kind.PREPOSITION: _preposition, Kind.DETERMINER: _determiner,
    Kind.PRONOUN: _pronoun, Kind.REST: _rest, Kind.ADVERB: _adverb, Kind.TIME: _time,
    Kind.MEASURE: _measure, Kind.ADJECTIVE: _adjective, Kind.VERB: _verb, Kind.NOUN: _noun,
    Kind.TOOL: _noun, Kind.PRODUCT: _noun, Kind.WHOLE: _noun, Kind.PART: _noun,
}  # fmt: skip
