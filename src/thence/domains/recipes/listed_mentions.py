"""The referent of a noun phrase where the text has a list of its ingredients."""

from __future__ import annotations

from collections.abc import Collection

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import ADDING, COOKING, STAPLES, Kind
from thence.domains.recipes.memory import INNER
from thence.domains.recipes.nodes import Node
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.shopping import changed

_ALONE = 2  # names of a thing that is hardly mixed with others
SINGLY = frozenset(
    ["boil", "chop", "clean", "core", "crush", "cube", "cut", "deseed", "dice", "drain", "grate",
     "halve", "mince", "peel", "quarter", "rinse", "shred", "slice", "soak", "tear", "toast",
     "trim", "wash", "zest"]
)  # fmt: skip
"""Verbs that get ingredients ready one by one, so that they lie side by side."""
_SEASONING = frozenset(("season", "taste", "grind", "dust"))
_GROUND = frozenset(("black", "white", "ground", "cayenne"))
_SALTS = frozenset(("salt", "seasoning"))
_SPICES = frozenset(("herb", "spice", "seasoning", "flavouring", "flavoring"))
_JOINED = frozenset(("", "with", "on", "onto", "over", "to", "in", "into"))
_JOINING = (
    ADDING
    | COOKING
    | {"sandwich", "serve", "fill", "toss", "put", "place", "pile", "ladle", "dip", "divide"}
)


def by_list(hand: Hand, chunk: Chunk, part: Clause, lines: Collection[int]) -> str:
    """Find the referent by the lines of the list that a noun phrase names; "" where it is open."""
    if not lines or chunk.rest or _is_product(hand, chunk):
        return ""
    if _is_in_hand(hand, chunk, lines):
        return "old"
    memory, known = hand.memory, hand.memory.named(chunk)
    has = set[int]() if known is None else {*memory.nodes[known].lines}
    there = memory.come_in & {*lines}
    if _is_new(hand, chunk, lines, known):
        so = memory.goods.bought_so(chunk, {*lines} - memory.come_in)
        return "" if changed(chunk) and not so else hand.bring(chunk)
    staple = chunk.head in STAPLES and not _is_vegetable(hand, chunk, part, lines)
    if chunk.part or chunk.counted or staple or len(there) < len(lines):
        return ""
    if not has.isdisjoint(there) or not hand.node.lines.keys().isdisjoint(there):
        return ""
    found = memory.of_lines(there)
    return "old" if found not in hand.found and hand.take(found, "named") else ""


def _is_vegetable(hand: Hand, chunk: Chunk, part: Clause, lines: Collection[int]) -> bool:
    """Return whether a pepper is one of the list's vegetables: "the peppers", "bell pepper"."""
    goods = hand.memory.goods
    told = chunk.definite or chunk.words[-1] == "peppers" or goods.tells(chunk, lines)
    if chunk.head != "pepper" or goods.is_ground_pepper(lines):
        return False
    cut = part.verb in SINGLY or not hand.memory.come_in.isdisjoint(lines)
    return told or (cut and is_cut_pepper(chunk, part))  # "slice the onion and pepper"


def is_cut_pepper(chunk: Chunk, part: Clause) -> bool:
    """Return whether a pepper may be a vegetable: it is named without salt, and seasons nothing."""
    seasons = part.verb in _SEASONING or not _SALTS.isdisjoint(part.heads)
    return chunk.head == "pepper" and not seasons and _GROUND.isdisjoint(chunk.words)


def _is_product(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a name calls what a step makes: "grind to a paste", "the coconut paste"."""
    if chunk.kind is Kind.PRODUCT and chunk.prep in ("to", "into") and not chunk.definite:
        return True
    known, sorts = hand.memory.named(chunk), chunk.stems[:-1]
    node = None if known is None else hand.memory.nodes[known]
    return node is not None and node.product == chunk.head and not node.own.isdisjoint(sorts)


def _is_new(hand: Hand, chunk: Chunk, lines: Collection[int], known: int | None) -> bool:
    """Return whether a thing of some lines comes in, though something known may have its name."""
    memory = hand.memory
    has = set[int]() if known is None else {*memory.nodes[known].lines}
    there = memory.come_in & {*lines}
    if not there and known is not None and memory.goods.tells(chunk, lines):
        own, apart = memory.nodes[known].own, memory.goods.telling_apart(chunk, lines)
        # a paste, beside another
        return own.isdisjoint(chunk.stems[:-1]) or (bool(apart) and own.isdisjoint(apart))
    if not there:
        staple = chunk.head in STAPLES and not memory.goods.tells(chunk, lines)
        open_ = chunk.part or chunk.counted or staple
        explained = memory.goods.have(chunk.head, has.difference(lines))
        return explained or (known is None and not open_)
    if len(there) == len(lines):
        return False
    if chunk.part:
        return True  # "half the oil", after the sesame oil
    if known is None or not has:
        return False
    # "the butter" of the filling, after that of the pastry
    return max(len(memory.nodes[known].own), len(has)) > _ALONE and known not in hand.found


def _is_in_hand(hand: Hand, chunk: Chunk, lines: Collection[int]) -> bool:
    """Return whether a step has what a noun calls by its kind, as porcini are the mushrooms."""
    there = not hand.node.lines.keys().isdisjoint(lines)
    return there and chunk.definite and hand.local


def lines_apart(node: Node, lines: Collection[int]) -> bool:
    """Return whether what a step left has other ingredients that lie beside those of some lines."""
    verbs = {part.verb for part in node.said.parts if part.verb}
    clauses = {node.lines.get(each, -1) for each in lines}
    others = {*node.lines.values()} - clauses
    return bool(lines and others) and -1 not in clauses | others and verbs <= SINGLY


def is_apart(node: Node, name: str) -> bool:
    """Return whether a step only cut several ingredients, of which one still lies beside others."""
    verbs = {part.verb for part in node.said.parts if part.verb}
    alone = bool(verbs) and verbs <= SINGLY and not node.takes
    return alone and name in node.apart and len(node.brings) > 1


def take_what_waits(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Link to the latest thing that waits, for a name that no line of the list has."""
    memory = hand.memory
    if not (hand.careful and memory.goods.lacks(chunk)) or part.verb not in _JOINING:
        return False
    general = chunk.head in _SPICES and len(chunk.words) == 1
    if general or memory.goods.kind_waits(chunk.head, memory.come_in):
        return False
    main = memory.main() if chunk.head in hand.title else None
    if chunk.rest or chunk.indefinite or chunk.counted or chunk.kind is not Kind.NOUN:
        return False
    beside = [
        each for each in part.chunks if (each.definite or each.part) and each.prep == chunk.prep
    ]
    if not beside or chunk.prep not in _JOINED or chunk.head in INNER:
        return False
    found = memory.waiting(hand.taken) if main is None or main in hand.found else main
    if found is None or not hand.take(found, "product"):
        return False
    hand.node.own.add(chunk.head)
    return True
