"""The referent of a vessel or an oven: "the same pan", "the tin", "the pan with the onions"."""

from __future__ import annotations

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import AREAS, Kind
from thence.domains.recipes.nodes import vessel
from thence.domains.recipes.phrases import Chunk, Clause

OVENS = frozenset(("oven", "grill", "broiler", "barbecue", "bbq"))
FILLING = frozenset(("in", "into", "among", "between", "on", "onto"))
"""Prepositions before what something is put into."""
_COATING = frozenset(("grease", "dust", "flour", "butter", "oil", "brush", "spray", "coat", "rub"))
_CLEANING = frozenset(("wipe", "wash", "clean"))
_WASHING = frozenset(("soak", "wash", "rinse", "scrub", "clean"))
_IMPLEMENTS = frozenset(("spoon", "fork", "knife", "thermometer"))  # nothing lies in them
_JUGS = frozenset(("jug", "cup"))  # of which nothing stays when they are emptied
_SIZES = frozenset(("small", "medium", "large", "big"))


def vessel_mention(hand: Hand, chunk: Chunk, part: Clause) -> str:
    """Find the referent of a vessel, and link the step to it; see `mentions.place`."""
    head = chunk.head
    if head in AREAS or (hand.careful and (head in _IMPLEMENTS or _is_lining(chunk, part))):
        return ""
    if hand.careful and part.verb in _CLEANING and chunk in part.objects:
        return _cleaned(hand, head)
    if head in OVENS:
        if "preheated" in chunk.words and hand.memory.lit() is None and not hand.node.lit:
            hand.node.unplaced.append(" ".join(chunk.words))
        return "tool"
    hand.tool = True
    is_new = chunk.indefinite or (hand.careful and _is_new_bowl(chunk))
    if hand.careful and not is_new and _is_in_use(hand, chunk, part):
        return "tool"
    found = None if is_new else _earlier(hand, chunk, part)
    hand.node.tools.add(head)
    if found is None or _is_left(hand, found):
        return ""
    node = hand.memory.nodes[found]
    empty = chunk.same or node.moved or node.lit
    hand.take(found, "tool", stays=empty, food=node.kind == "food" and not empty)
    return "tool"


def _is_lining(chunk: Chunk, part: Clause) -> bool:
    """Return whether a vessel is lined with something, in which nothing has lain: "with paper"."""
    return part.verb == "line" and chunk.prep == "with" and not chunk.definite


def _is_left(hand: Hand, found: int) -> bool:
    """Return whether a step works on what food left in its pan: "pour off the fat from the pan"."""
    return hand.careful and ~found in hand.found and bool(hand.found[~found].spare)


def _cleaned(hand: Hand, name: str) -> str:
    """Forget what was in a vessel that is wiped or washed."""
    found = hand.memory.vessel(name)
    if found is not None and hand.memory.nodes[found].moved and not hand.local:
        hand.take(found, "tool", stays=True, food=False)  # once its food was taken out
    hand.memory.empty(name)
    if hand.local:  # the food of this step was in it
        hand.node.tools.discard(name)
        return ""
    hand.tool = True
    hand.node.tools.add(name)
    return "tool"


def _is_in_use(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Return whether a vessel holds what the step has in hand, or is new in this step."""
    if not chunk.same and _in_hand(hand, chunk.head):
        return True
    return chunk.definite and _of_this_step(hand, chunk, part)


def _earlier(hand: Hand, chunk: Chunk, part: Clause) -> int | None:
    """Return the place of the step that used, heated or prepared a vessel."""
    found = _told_by_content(hand, chunk, part) if hand.careful else None
    if found is None:
        found = hand.memory.vessel(chunk.head)
    emptied = found is not None and hand.memory.nodes[found].moved
    if emptied and hand.careful and chunk.head in _JUGS and not chunk.same:
        return None
    if found is None and chunk.same:
        return hand.memory.latest()
    if found is None and hand.careful and chunk.definite and chunk.prep in FILLING:
        return hand.memory.prepared()
    return found


def _told_by_content(hand: Hand, chunk: Chunk, part: Clause) -> int | None:
    """Return the place of a vessel that is told by what is in it: "the pan with the onions"."""
    behind = part.chunks[part.chunks.index(chunk) + 1 :][:1]
    told = behind and (behind[0].prep == "of" or (behind[0].prep == "with" and behind[0].definite))
    if not (chunk.definite and told):
        return None
    found = hand.memory.named(behind[0])
    there = found is not None and vessel(chunk.head) in map(vessel, hand.memory.nodes[found].tools)
    return found if there else None


def _is_new_bowl(chunk: Chunk) -> bool:
    """Return whether a vessel is new though it has no article: "in large bowl, ..."."""
    sized = chunk.head == "bowl" and not _SIZES.isdisjoint(chunk.words)
    return sized and chunk.prep == "in" and not chunk.definite


def _of_this_step(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Return whether a vessel is new in this step, or what its food comes back to."""
    if part.verb == "return" and hand.local and not hand.found:
        return True  # "boil the potatoes, drain and return to the pan"
    named = [x for each in hand.earlier(part) for x in each.chunks if x.head == chunk.head]
    return bool(named) and named[0].indefinite


def _in_hand(hand: Hand, name: str) -> bool:
    """Return whether what a step has in hand comes from a vessel of that name."""
    nodes = [hand.memory.nodes[each] for each in hand.taken]
    return any(name in node.tools and node.kind == "food" and not node.moved for node in nodes)


def readies_vessel(chunk: Chunk, part: Clause) -> bool:
    """Return whether a noun phrase is for a vessel: "dust a tin with flour", "wash the jars"."""
    if part.verb in _WASHING and chunk.head == "water" and chunk.kind is Kind.NOUN:
        return bool(part.objects) and all(x.kind is Kind.TOOL for x in part.objects)
    on_vessel = [x for x in part.objects if x.kind is Kind.TOOL and x.head not in OVENS]
    coats = part.verb in _COATING and chunk.prep == "with" and chunk.kind is Kind.NOUN
    return coats and bool(on_vessel) and len(on_vessel) == len(part.objects)
