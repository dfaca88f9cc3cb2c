"""Results of the steps of a recipe, and the links between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thence.domains.recipes.lexicon import (
    ADDING,
    COOKING,
    CUT_OF,
    CUTS,
    EDIBLE,
    RAW,
    RAW_WITH_CARE,
    VERBS,
    Kind,
    stem,
)
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.saying import Said

_SAME_VESSEL = {"skillet": "pan", "saucepan": "pan", "frypan": "pan", "wok": "pan", "pot": "pan",
                "casserole": "pan", "griddle": "pan", "kettle": "pan", "tray": "sheet"}  # fmt: skip
IN_OR_ONTO = frozenset(("in", "into", "on", "onto", "over", "to"))
"""Prepositions before that to which something comes."""
_EXTRA = frozenset(("extra", "additional"))
_NOTHING: frozenset[str] = frozenset()
_HEATING_WATER = frozenset(("bring", "boil", "heat"))
_PUTTING = frozenset(("put", "set", "get"))
_NO_NAMES = CUTS | {*CUT_OF} | {"mince", "brisket", "loin"} | (VERBS - EDIBLE)
_USING_WATER = (
    COOKING | ADDING | {"blanch", "parboil", "scald", "melt", "tip", "plunge", "drop", "dip"}
)


class Link(NamedTuple):
    """A link: step ``to`` uses the result of step ``source``.

    Attributes:
        source: 0-based.
        to: 0-based.
        rule: the reason, in a word: ``named``, ``oven``, ``pronoun``, ``whole``, ``product``,
            ``tool``, ``unsaid``, ``all`` or ``guess``.
        sure: confidence, the share of correct links of this kind, between 0 and 1.
        stays: whether the result still exists afterwards.
        spare: the thing beside the source's result that is used, such as a part that it set aside,
            or the water that it boiled; empty for the result.
    """

    source: int
    to: int
    rule: str
    sure: float
    stays: bool = False
    spare: str = ""


class Node:
    """The result of a step.

    Attributes:
        said: the interpretation of its text alone.
        own: nouns of its own text.
        modifiers: those of them that only stand before another noun, as cream in "cream cheese".
        holds: its own nouns and those of all its sources.
        names: those of them that a text that is read with care has as names, not as modifiers.
        tools: vessels and places that it names.
        kind: ``food``, ``oven``, ``tool`` or ``none``.
        lit: whether it heats an oven or grill.
        moved: whether its food was taken out of its vessel.
        into: vessels that its food was moved into.
        left: nouns of which it used or set apart a part only.
        shared: those of ``left`` of which a part came in, and the rest did not.
        medium: whether it is only fat or water for cooking other things.
        both: whether it is read with care, heats an oven, and makes food as well.
        alive: whether no later step has consumed it yet.
        kept: whether a part of it has been taken.
        brings: ingredients that come in here, as written.
        called: what a text that is read with care calls what the step works on.
        called_later: what a later step of such a text calls the result, as "the flour mixture".
        product: the name that the text gives to the result; empty for none.
        takes: the links to its sources.
        lines: lines of the text's list of ingredients of which it has something, and for each the
            clause in which it came in; -1 where an earlier step had it.
        apart: nouns of what came in here as an object, of which nothing has been taken since.
        unplaced: definite things without an antecedent.
    """

    __slots__ = (
        "alive",
        "apart",
        "both",
        "brings",
        "called",
        "called_later",
        "holds",
        "into",
        "kept",
        "kind",
        "left",
        "lines",
        "lit",
        "medium",
        "modifiers",
        "moved",
        "names",
        "own",
        "product",
        "said",
        "shared",
        "takes",
        "tools",
        "unplaced",
    )  # fmt: skip

    def __init__(self, said: Said) -> None:
        self.said = said
        self.own: set[str] = set()
        self.modifiers: set[str] = set()
        self.holds: set[str] = self.own
        self.names: set[str] = self.own
        self.tools: set[str] = set()
        self.into: set[str] = set()
        self.kind = "none"
        self.lit = self.moved = self.medium = self.kept = self.both = False
        self.left: frozenset[str] = _NOTHING
        self.shared: frozenset[str] = _NOTHING
        self.alive = True
        self.brings: list[str] = []
        self.product = self.called = self.called_later = ""
        self.takes: Sequence[Link] = ()
        self.lines: dict[int, int] = {}
        self.apart: set[str] = set()
        self.unplaced: list[str] = []

    def note(self, chunk: Chunk) -> None:
        """Take the words of a noun phrase up among its own nouns."""
        known = self.own - self.modifiers
        self.own.update(chunk.stems)
        if chunk.head not in _NO_NAMES:  # "the chicken" of "the chicken pieces"
            self.modifiers.update(chunk.stems)
        self.modifiers -= known | {chunk.head}


def sets_apart(node: Node) -> bool:
    """Return whether a step sets an amount aside without a name for it."""
    named = (Kind.NOUN, Kind.PRODUCT, Kind.WHOLE, Kind.PRONOUN)
    return any(
        part.apart and part.chunks and not any(chunk.kind in named for chunk in part.objects)
        for part in node.said.parts
    )


def mixes(node: Node, head: str) -> bool:
    """Return whether an ingredient came into a step as one of several: its rest is elsewhere."""
    return len(node.brings) > 1 and any(stem(each.split()[-1]) == head for each in node.brings)


def _boils_water(part: Clause) -> bool:
    """Return whether a clause brings water to the boil, with nothing but salt in it."""
    foods = {chunk.head for chunk in part.chunks if chunk.kind is not Kind.TOOL}
    told = part.verb in _HEATING_WATER or (part.verb in _PUTTING and part.trailing == "on")
    return told and "water" in foods and foods <= {"water", "salt", "boil"}


def leaves_water(node: Node) -> bool:
    """Return whether a step boils water that it does not use, beside its result."""
    parts = node.said.parts
    at = next((k for k, part in enumerate(parts) if _boils_water(part)), None)
    if at is None or node.medium:
        return False
    return {part.verb for part in parts[at + 1 :]}.isdisjoint(_USING_WATER)


def vessel(name: str) -> str:
    """Return the kind of vessel of a name: a skillet and a wok are pans."""
    return _SAME_VESSEL.get(name, name)


def is_other_sort(chunk: Chunk, node: Node, *, by_name: bool) -> bool:
    """Return whether a thing only shares a word with a noun phrase: butter, and peanut butter."""
    if by_name and chunk.head in node.modifiers:
        return True
    sorts = RAW_WITH_CARE.intersection(chunk.stems[:-1])
    plain = chunk.kind is Kind.NOUN and chunk.head in RAW
    return plain and chunk.head not in CUTS and bool(sorts) and sorts.isdisjoint(node.holds)


def waits_aside(node: Node) -> bool:
    """Return whether the last that a step does is to set its food aside."""
    return any(part.apart for part in node.said.parts[-1:])


def cooks_on(node: Node) -> bool:
    """Return whether food cooked in a step and was not set aside."""
    cooks = any(part.verb in COOKING for part in node.said.parts)
    return cooks and not node.medium and not waits_aside(node)


def is_more(chunk: Chunk, node: Node) -> bool:
    """Return whether more of an ingredient comes in: "lemon juice", after a sauce that has some."""
    bare = not (chunk.definite or chunk.rest or chunk.part or chunk.prep in IN_OR_ONTO)
    in_other = node.product not in ("", chunk.head) and mixes(node, chunk.head)
    return bare and in_other and chunk.head in RAW


def was_done(node: Node, words: Sequence[str]) -> bool:
    """Return whether a step did what an adjective tells, as "melted" after "melt"."""
    done = {verb for word in words if word.endswith("ed") for verb in _verbs_of(word)}
    return any(part.verb in done for part in node.said.parts)


def _verbs_of(participle: str) -> list[str]:
    """Return what the verb of a word in -ed may be: "toast", "bake", "chop" or "fry"."""
    base = participle[:-2]
    found = [base, base + "e"]
    if base.endswith("i"):
        found.append(base[:-1] + "y")
    elif len(base) > 2 and base[-1] == base[-2]:
        found.append(base[:-1])
    return found


def is_extra(chunk: Chunk) -> bool:
    """Return whether more of an ingredient comes in, as "the extra tablespoon of flour"."""
    more = not _EXTRA.isdisjoint(chunk.words) and "virgin" not in chunk.words
    return more and chunk.head in RAW and not chunk.rest
