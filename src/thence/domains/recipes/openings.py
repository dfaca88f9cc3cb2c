"""The opening of a sentence: a purpose, a simultaneous action, or a subject."""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.recipes.lexicon import SUBORDINATE, VERBS, Kind, kind_of, stem
from thence.domains.recipes.phrases import RecipeDraft

_LONGEST_OPENING = 12  # words
_LONGEST_SUBJECT = 6
_SUBJECTS = frozenset(
    ["i", "you", "we", "they", "he", "she", "it", "it's", "there", "there's", "note", "you'll",
     "you'd", "i've", "i'd", "don't", "you're", "we're", "be", "never", "avoid", "remember"]
)  # fmt: skip
_TELLING = frozenset(
    ["is", "are", "was", "were", "will", "should", "can", "may", "might", "would", "could", "must",
     "needs", "makes", "has", "have"]
)  # fmt: skip
_STILL = frozenset(("still", "warm", "hot"))  # "while still warm" does not loosen the order
_MARKS = frozenset(".,;:!?\n")


def opening(tokens: Sequence[str], place: int, draft: RecipeDraft) -> int:
    """Read the opening of a sentence: "for the sauce, ...", "to serve, ...", "while it bakes, ...".

    Returns:
        The place of the first word after the opening.
    """
    first = tokens[place] if place < len(tokens) else "."
    if (first not in VERBS or first == "be") and _tells(tokens, place):
        draft.remark = draft.clause.remark = True
    if first not in ("for", "to", "while", "whilst"):
        return place
    words = tokens[place + 1 : place + 1 + _LONGEST_OPENING]
    end = next((k for k, word in enumerate(words) if word in _MARKS), None)
    if not end or words[end] not in ",:":
        return place
    inside = words[:end]
    if first in ("while", "whilst"):
        draft.meanwhile = draft.clause.meanwhile = _STILL.isdisjoint(inside)
        return place
    if first == "for":
        if any(kind_of(word) in (Kind.TIME, Kind.MEASURE, Kind.VERB) for word in inside):
            return place
    elif inside[0] not in VERBS:
        return place
    else:
        inside = inside[1:] if inside[0] in ("make", "prepare") else []
    if inside:
        draft.purpose = draft.clause.purpose = stem(inside[-1])
        draft.meanwhile = draft.clause.meanwhile = True
    return place + 2 + end


def _tells(tokens: Sequence[str], place: int) -> bool:
    """Return whether a sentence has a subject, and so is not an instruction."""
    if place < len(tokens) and tokens[place] == "(":
        place += 1
    first = tokens[place] if place < len(tokens) else "."
    if first in _SUBJECTS or (first == "do" and "not" in tokens[place + 1 : place + 2]):
        return True
    if first in VERBS:
        return False
    for word in tokens[place : place + _LONGEST_SUBJECT]:
        if word in _TELLING:
            return True
        if not word[0].isalpha() or word in SUBORDINATE or kind_of(word) is Kind.UNTIL:
            return False
    return False
