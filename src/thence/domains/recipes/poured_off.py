"""Liquids and parts that a step leaves beside its result: what was kept, or is poured off."""

from __future__ import annotations

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import RAW_WITH_CARE, Kind
from thence.domains.recipes.memory import STOCKS
from thence.domains.recipes.phrases import Chunk, Clause

_POURING_OFF = frozenset(("strain", "drain", "reduce", "reheat"))
_GETTING_RID = frozenset(("pour", "drain", "tip", "spoon", "discard"))
_FATS_LEFT = frozenset(("fat", "grease", "dripping", "oil"))
COOKING_FAT = "cooking fat"  # no name by which a later step would find it again
_DISSOLVED = frozenset(("yeast", "sugar", "coffee", "gelatine"))  # nothing is left of these
_KEPT = frozenset(("liquid", "liquor", "juice", "marinade", "brine", "dripping"))
_OF_COOKING = frozenset(("cooking", "pasta", "soaking", "starchy"))


def take_set_apart(hand: Hand, chunk: Chunk) -> bool:
    """Take "the reserved dressing", of which a step only said: "set aside half a cup".

    Returns:
        Whether there was such a thing, as all functions of this module do.
    """
    apart = hand.memory.set_apart() if chunk.rest and chunk.kind is Kind.PRODUCT else None
    return apart is not None and hand.take_spare(apart, chunk.head)


def take_poured_off(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Take a liquid out of which food was lifted, as in "strain the milk"; the food stays."""
    memory = hand.memory
    if not chunk.definite or memory.named(chunk) is not None:
        return False
    if _take_fat_in_pan(hand, chunk, part):
        return True
    found = None
    if chunk.head in STOCKS and len(chunk.words) == 1 and not memory.goods.named(chunk):
        found = memory.boiled()
    elif part.verb in _POURING_OFF:
        found = memory.mixed(frozenset((chunk.head,)))
    if found is None or not memory.nodes[found].moved:
        return False
    return hand.take_spare(found, chunk.head)


def take_kept(hand: Hand, chunk: Chunk) -> bool:
    """Take a liquid that a step kept beside its result, as "keep the soaking liquid".

    Once it was taken, "the liquid" alone is another.
    """
    head, found = chunk.head, hand.memory.left(chunk.head)
    of_cooking = not _OF_COOKING.isdisjoint(chunk.words) or _is_of(hand, found, chunk)
    if not (chunk.definite and (head in _KEPT or (head == "water" and of_cooking))):
        return False
    took = {(each.source, each.spare) for node in hand.memory.nodes for each in node.takes}
    again = of_cooking or chunk.rest or (found, head) not in took
    return found is not None and again and hand.take_spare(found, head)


def take_drained(hand: Hand, chunk: Chunk) -> bool:
    """Take the liquid of something that stays, as "the porcini liquid" leaves the porcini."""
    of = frozenset(chunk.stems[:-1])
    found = hand.memory.named(chunk)
    if found is None:
        found = hand.memory.holding(of)
    stays = of.isdisjoint(_DISSOLVED)
    if found is None or not of or not hand.take(found, "named", stays=stays):
        return False
    if stays:
        hand.parted.add(found)
    hand.node.own.add(chunk.head)
    return True


def _is_of(hand: Hand, place: int | None, chunk: Chunk) -> bool:
    """Return whether a liquid that a step kept is named by its food, as "the mushroom water"."""
    sorts = RAW_WITH_CARE.intersection(chunk.stems[:-1])
    return place is not None and not sorts.isdisjoint(hand.memory.nodes[place].names)


def _take_fat_in_pan(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Take the fat that food left in its pan when it was taken out: "pour off the fat"."""
    latest = hand.memory.latest()
    if hand.local or latest is None or chunk.head not in _FATS_LEFT or chunk.prep:
        return False
    pan = hand.memory.nodes[latest]
    if not (pan.moved and part.verb in _GETTING_RID and chunk in part.objects):
        return False
    hand.node.kind = "food"
    hand.node.tools |= pan.tools - pan.into
    return hand.take_spare(latest, COOKING_FAT)
