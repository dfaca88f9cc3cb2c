"""What a glance at two steps of a procedure shows: which things they and other steps name.

A thing is a word that says more than ``the`` or ``put``, or a name with a number, such as ``truck
2``. Nothing is followed here beyond two more steps.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache

from thence.core.graph import members, union
from thence.core.shortcuts import ShownQuestion, group

_TOKEN = re.compile(
    r"([a-z]+) (\d+)\b(?! ?(?:to|-|and|min|hour|sec|met|cm|gram|kilo|ml|g|%))|[a-z-]+"
)
_NAMED = re.compile(r"\bthe (?:rest of the |half of the )?((?:[a-z-]+ ?){1,3})")
_TAIL = re.compile(r", (?:with|as|now that|once|so that|the)\b(.*)|\b(?:once|after) (.*)")
_AMOUNT = re.compile(r"\b(?:\d|a (?:knob|pinch|handful|splash|spoonful|sprig|little)\b)")
_PRONOUN = re.compile(r"\b(?:it|them|they)\b")
_VERB = re.compile(
    r"(?:^|[.:;] |\band (?=[a-z-]+ (?:the|a|an|it|them|until|for|in|on|with|well)\b))([a-z-]+)"
)
_WAIT = re.compile(r"([a-z]+ \d+): wait here until ([a-z]+ \d+) has (?:done this: (.*)|arrived)")
_SMALL = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about add after again all an and are as at away back be before both bring by cm cup
        degrees do done down each else few first for from g get give go half has have hour hours
        if in into is it its kg large leave let little make meter meters minute minutes ml more
        no not now of off on once one only onto or other out over part place put rest second
        seconds set small so some spoon stand step take tablespoon tablespoons teaspoon
        teaspoons than that the their them then there these they this three to too two under
        until up wait when where which while with you your
        """,
    )
)
_ENDS = re.compile(r"(?<=[a-z]{3})(?:ies|ied|es|ed|ing|s|y|e)$")
_MOST = 4  # things, or steps, that are told apart

type Seen = Mapping[str, Hashable]


def stem(word: str) -> str:
    """Return a word without its ending."""
    return _ENDS.sub("", word)


@lru_cache(1 << 14)
def things(text: str) -> tuple[str, ...]:
    """Return the things that a text in small letters names, and its verbs."""
    found: dict[str, None] = {}
    for each in _TOKEN.finditer(text):
        word, number = each.groups()
        if number and word not in _SMALL:
            found[f"{word} {number}"] = None
        elif not number and each[0] not in _SMALL and len(each[0]) > 2:
            found[stem(each[0])] = None
    return tuple(found)


@lru_cache(1 << 14)
def _verbs(text: str) -> frozenset[str]:
    """Return the verbs of a text: what begins it, a sentence, or a command after ``and``."""
    return frozenset(stem(word) for word in _VERB.findall(text))


@lru_cache(1 << 14)
def _parts(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the things after ``the``, and those of the condition at the end of a text."""
    known = things(" ".join(each[1] for each in _NAMED.finditer(text)))
    tail = _TAIL.search(text)
    return frozenset(known), frozenset(things(tail[1] or tail[2] or "") if tail else ())


class Named:
    """The things that each step of a procedure names.

    Args:
        texts: of the steps, in small letters.

    Attributes:
        things: those of each step.
        linked: for each step the others that share a thing with it, as a bit set.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        verbs = frozenset[str]().union(*map(_verbs, texts))
        named = [[each for each in things(text) if each not in verbs] for text in texts]
        self._first = [held[0] if held else None for held in named]
        numbered = [[each for each in held if each[-1].isdigit()] for held in named]
        self._leading = [
            frozenset((names or held)[:2]) for names, held in zip(numbered, named, strict=True)
        ]
        self.things = [frozenset(held) for held in named]
        self._waits = _waits(texts)
        self._where: dict[str, int] = {}
        for place, held in enumerate(self.things):
            for thing in held:
                self._where[thing] = self._where.get(thing, 0) | 1 << place
        self.linked = [
            union(self._where[thing] for thing in held) & ~(1 << place)
            for place, held in enumerate(self.things)
        ]

    def seen(self, i: int, j: int) -> dict[str, Hashable]:
        """Return what a glance at steps i < j shows."""
        one, other, where = self.things[i], self.things[j], self._where
        below, above = (1 << j) - 1, ~((2 << j) - 1)
        known, condition = _parts(self.texts[j])
        own = _parts(self.texts[i])[1]
        between = below & ~((2 << i) - 1)
        after, before = self.linked[i] & ~((2 << i) - 1), self.linked[j] & below
        following = (after & -after).bit_length() - 1
        preceding = before.bit_length() - 1
        shared = one & other
        latest = [(where[thing] & below).bit_length() - 1 for thing in other]
        first = self._first[i]
        further = where[first] & ~((2 << i) - 1) if first else 0
        later = self.linked[i] & above
        return {
            "things of both": min(len(shared), _MOST),
            "things that i brings in": min(
                sum(not where[thing] & ((1 << i) - 1) for thing in shared), _MOST
            ),
            "known things of i": min(len(known & one), 2),
            "things last named in i": min(latest.count(i), _MOST),
            "things named since i": min(sum(place > i for place in latest), _MOST),
            "things of i named after j": min(
                sum(bool(where[thing] & above) for thing in one - other), _MOST
            ),
            "things of j new in i": min(
                sum(not where[thing] & below & ~(1 << i) for thing in shared), _MOST
            ),
            "only after j": bool(later) and not self.linked[i] & (between | 1 << j),
            "next with the object of i": _side((further & -further).bit_length() - 1, j),
            "next with a thing of i": _side(following, j),
            "last with a thing of j": _side(preceding, i),
            "steps with things of both": min(
                (between & self.linked[i] & self.linked[j]).bit_count(), _MOST
            ),
            "joined by a step": bool(shared) or bool(between & self.linked[i] & self.linked[j]),
            "joined by two steps": self._joined(i, j, between),
            "likest to j": _side(self._likest(j, range(j)), i),
            "likest to i": _side(self._likest(i, range(i + 1, len(self.texts))), j),
            "condition of j": min(len(condition & one), 2) if condition else None,
            "conditions of both": min(len(condition & own), 2) if condition and own else None,
            "beside the conditions": bool((one - own) & (other - condition)),
            "goes on": j == i + 1
            and bool(
                _PRONOUN.search(self.texts[j]) or not (known or _AMOUNT.search(self.texts[j]))
            ),
            "only new things": bool(_AMOUNT.search(self.texts[j])) and not known,
            "joined by a wait": self._waited(i, j, self.texts[i].partition(":")[0]),
            "waited for what is later than i": self._waited(i, j),
            "awaited on the way": self._awaited(i, j, 0),
            "awaited since": self._awaited(i, j, i),
            "handed on": self._handed_on(i, j),
            "breaks": min(sum(not self.linked[k] & 1 << k - 1 for k in range(i + 1, j + 1)), _MOST),
            "new starts": min(
                sum(not self.linked[k] & (1 << k) - 1 for k in range(i + 1, j + 1)), _MOST
            ),
        }

    def _joined(self, i: int, j: int, between: int) -> bool:
        """Return whether two steps between, one after the other, join the two by things."""
        ends = self.linked[j] & between
        return any(
            self.linked[k] & ends & ~((2 << k) - 1) for k in members(self.linked[i] & between)
        )

    def _waited(self, i: int, j: int, awaited: str = "") -> bool | None:
        """Return whether whoever does j waited for i or a later step, of anyone or of one."""
        other = self.texts[j].partition(":")[0]
        held = [each for each in self._waits if each[0] <= j and each[1] == other]
        if not self._waits:
            return None
        return any(target >= i and awaited in ("", of) for _, _, of, target in held)

    def _awaited(self, i: int, j: int, since: int) -> int | None:
        """Return how often anyone waited on the way for whoever does i, for that step or later."""
        if not self._waits:
            return None
        doer = self.texts[i].partition(":")[0]
        held = [target for place, _, of, target in self._waits if of == doer and i < place <= j]
        return min(sum(target >= since for target in held), _MOST)

    def _handed_on(self, i: int, j: int) -> bool:
        """Return whether two steps on the way join both by the two things that lead each.

        These are the first two that a step names, of names with a number where it has any.
        """
        leading, given = self._leading, set[str]()
        for k in range(i, j + 1):
            if leading[k] & leading[j] and leading[k] & given:
                return True
            if leading[k] & leading[i]:
                given |= leading[k]
        return False

    def _likest(self, step: int, others: range) -> int:
        """Return which of some steps shares most things with a step; -1 where none has any."""
        held = self.things[step]
        shared = [len(held & self.things[k]) for k in others]
        most = max(shared, default=0)
        return others[shared.index(most)] if most else -1


def _waits(texts: Sequence[str]) -> list[tuple[int, str, str, int]]:
    """Return the places of waits: who waits for whom there, and for which step."""
    found = []
    for place, text in enumerate(texts):
        if held := _WAIT.match(text):
            who, of, told = held.groups()
            done = f"{of}: {told}" if told else f"{of}: you"
            before = [k for k in range(place) if texts[k].startswith(done)]
            found.append((place, who, of, before[-1] if before else -1))
    return found


def _side(place: int, step: int) -> str | None:
    """Return where a place is beside a step: before, at or after it; None where there is none."""
    if place < 0:
        return None
    return "at" if place == step else "before" if place < step else "after"


@lru_cache(1 << 9)
def named(texts: tuple[str, ...]) -> Named:
    """Return what the steps of a procedure name."""
    return Named(texts)


def _glance(shown: ShownQuestion) -> Seen:
    if shown.i is None or shown.j is None:
        return {}
    return named(shown.texts).seen(*sorted((shown.i, shown.j)))


SHORTCUTS = group(
    _glance,
    {
        "things of both": "things that both steps name",
        "things that i brings in": "things of both that the earlier step names first",
        "known things of i": "things of the earlier step that the later one names after 'the'",
        "things last named in i": "things of the later step that were last named in the earlier",
        "things named since i": "things of the later step that were named since the earlier",
        "things of i named after j": "things of the earlier step that come after the later one",
        "things of j new in i": "things of the later step that only the earlier named before",
        "only after j": "things of the earlier step come next after the later one",
        "next with the object of i": "where the next step stands that names the earlier's object",
        "next with a thing of i": "where the next step stands that names a thing of the earlier",
        "last with a thing of j": "where the last step stands that names a thing of the later",
        "steps with things of both": "steps between that name things of both",
        "joined by a step": "both name one thing, or a step between names things of both",
        "joined by two steps": "two steps between join the two by what they name",
        "likest to j": "where the step before stands that shares most things with the later one",
        "likest to i": "where the step after stands that shares most things with the earlier one",
        "condition of j": "things of the earlier step in the later one's last clause",
        "conditions of both": "things in the last clauses of both",
        "beside the conditions": "both name one thing before their last clauses",
        "goes on": "the later step comes next, and says it, them or they, or names nothing",
        "only new things": "the later step states amounts and names nothing after 'the'",
        "joined by a wait": "the later car waited for the earlier step, or one of its car after it",
        "waited for what is later than i": "the later car waited for that, or any step after",
        "awaited on the way": "waits on the way for whoever does the earlier step",
        "awaited since": "those of them that are for the earlier step or a later one",
        "handed on": "two steps on the way join both by the first two names in each",
        "breaks": "steps on the way that share no thing with the one before",
        "new starts": "steps on the way that share no thing with any before them",
    },
)
"""Shortcuts that go by what the two steps and those around them name."""
