"""The referent of a noun phrase where the text has a list of its ingredients."""

from __future__ import annotations

from collections.abc import Collection

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import ADDING, COOKING, STAPLES, Kind
from thence.domains.recipes.memory import INNER, Node
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.shopping import changed

_SINGLY = frozenset(
    ["boil", "chop", "clean", "core", "crush", "cube", "cut", "deseed", "dice", "drain", "grate",
     "halve", "mince", "peel", "quarter", "rinse", "shred", "slice", "soak", "tear", "toast",
     "trim", "wash", "zest"]
)  # fmt: skip
_JOINED = frozenset(("", "with", "on", "onto", "over", "to", "in", "into"))
_JOINING = (
    ADDING | COOKING | {"serve", "fill", "toss", "put", "place", "pile", "ladle", "dip", "divide"}
)


def by_list(hand: Hand, chunk: Chunk, lines: Collection[int]) -> str:
    """Find the referent by the lines of the list that a noun phrase names; "" where it is open."""
    if not lines or chunk.rest:
        return ""
    memory, known = hand.memory, hand.memory.named(chunk)
    has = set[int]() if known is None else {*memory.nodes[known].lines}
    there = memory.come_in & {*lines}
    some = chunk.part or chunk.counted
    staple = chunk.head in STAPLES and not memory.goods.tells(chunk, lines)
    if not there:
        explained = memory.goods.have(chunk.head, has.difference(lines))
        new = explained or (known is None and not (some or staple))
        return hand.bring(chunk) if new and not changed(chunk) else ""
    if chunk.part and len(there) < len(lines):
        return hand.bring(chunk)  # "half the oil", after the sesame oil
    if some or chunk.head in STAPLES or len(there) < len(lines):
        return ""
    if not has.isdisjoint(there) or not hand.node.lines.keys().isdisjoint(there):
        return ""
    found = memory.of_lines(there)
    return "old" if found not in hand.found and hand.take(found, "named") else ""


def lines_apart(node: Node, lines: Collection[int]) -> bool:
    """Return whether what a step left has other ingredients that lie beside those of some lines."""
    verbs = {part.verb for part in node.said.parts if part.verb}
    clauses = {node.lines.get(each, -1) for each in lines}
    others = {*node.lines.values()} - clauses
    return bool(lines and others) and -1 not in clauses | others and verbs <= _SINGLY


def is_made(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Link to the latest thing that waits, for a name that no line of the list has."""
    memory = hand.memory
    if not (hand.careful and memory.goods.lacks(chunk)) or part.verb not in _JOINING:
        return False
    main = memory.main() if chunk.head in hand.title else None
    if chunk.rest or chunk.indefinite or chunk.counted or chunk.kind is not Kind.NOUN:
        return False
    beside = [
        each for each in part.chunks if (each.definite or each.part) and each.prep == chunk.prep
    ]
    if not beside or chunk.prep not in _JOINED or chunk.head in INNER:
        return False
    found = memory.waiting([*hand.found]) if main is None or main in hand.found else main
    if found is None or not hand.take(found, "product"):
        return False
    hand.node.own.add(chunk.head)
    return True
