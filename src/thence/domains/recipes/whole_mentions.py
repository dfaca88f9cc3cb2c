"""The referent of words for all that is there: "the mixture", "everything", "the rest"."""

from __future__ import annotations

from thence.domains.recipes.hand import KEEPING, Hand
from thence.domains.recipes.lexicon import KINDS_OF_FOOD
from thence.domains.recipes.nodes import was_done
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.product_mentions import sorts

_DISCARDING = frozenset(("discard", "throw", "freeze", "store"))

_ALL = frozenset(("everything", "ingredient"))
ONTO = frozenset(("over", "onto", "on", "into", "to"))
"""Prepositions before what something comes upon."""


def whole_mention(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    """Find the referent of such a word, and link the step to it; see `mentions.place`."""
    ingredients = chunk.head == "ingredient"
    if hand.careful and chunk.rest and hand.memory.holding(sorts(chunk)) in hand.found:
        return "old"  # "half the dry ingredients, then the rest of the dry ingredients"
    prepared = hand.careful and chunk.words[:-1] == ["prepared"]  # "all prepared ingredients"
    if ingredients and len(chunk.words) > 1 and not (chunk.rest or prepared):
        return _ingredients_of_a_sort(hand, chunk)
    if chunk.head in _ALL and not chunk.rest:
        return _everything(hand, chunk)
    if ingredients:
        return _other_ingredients(hand, chunk)
    if chunk.head == "rest":
        return _rest(hand, part)
    return _mixture(hand, chunk, part, had=had)


def _ingredients_of_a_sort(hand: Hand, chunk: Chunk) -> str:
    """Find "the dry ingredients"."""
    if hand.careful and hand.local and not hand.node.own.isdisjoint(sorts(chunk)):
        return "old"  # "stir it into the dry ingredients" of this step
    if chunk.definite and hand.take(hand.memory.holding(sorts(chunk)), "whole"):
        return "old"
    return hand.bring(chunk)


def _everything(hand: Hand, chunk: Chunk) -> str:
    """Find "everything", or "the ingredients"."""
    if hand.careful and hand.begins and not hand.local:
        hand.node.kind, hand.local = "food", True  # "make the sauce by mixing everything"
        return "new"
    if hand.local:
        if hand.careful and chunk.prep in ONTO:  # "pour it over everything"
            hand.take(hand.memory.latest(hand.taken), "whole")
        return "old"
    there = [place for place, _ in hand.memory.backwards(food=True)]
    for each in reversed(there):
        hand.take(each, "all")
    return "old" if there else hand.bring(chunk)


def _other_ingredients(hand: Hand, chunk: Chunk) -> str:
    """Find "the remaining ingredients"."""
    if hand.careful and chunk.prep in ONTO:  # "on top of the other ingredients"
        return "old" if hand.take(hand.memory.latest(hand.taken), "whole") else ""
    if hand.careful:  # those that steps got ready are among them
        for each, node in [*hand.memory.backwards(food=True)]:
            if each not in hand.found and not node.takes:
                hand.take(each, "all")
    hand.node.kind = "food"
    hand.local = True
    hand.node.own.add("ingredient")
    return "new"


def _rest(hand: Hand, part: Clause) -> str:
    """Find "the rest", of something that was kept."""
    if hand.careful and _is_of_this_step(hand, part):
        return "old"  # "stir half of the sauce into it and set the rest aside"
    found = hand.memory.kept()
    left = hand.node.left if found is None else None
    if hand.careful and hand.local and (part.verb in _DISCARDING or left):
        return "old"  # "save a cup of it and discard the rest", "set half aside, fry the rest"
    hand.take(hand.memory.latest(hand.taken) if found is None else found, "whole")
    return "old"


def _is_of_this_step(hand: Hand, part: Clause) -> bool:
    """Return whether the rest is of what the step took a part of, and take it if it comes in."""
    parts = [k for k, x in hand.found.items() if x.stays and x.rule not in ("oven", "tool")]
    if len(parts) != 1 or hand.found[parts[0]].spare:
        return False
    if not part.apart and part.verb not in KEEPING | _DISCARDING:
        hand.found[parts[0]] = hand.found[parts[0]]._replace(stays=False)
    return True


def _mixture(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    """Find "the mixture", perhaps by what is in it or was done to it."""
    keeps = hand.careful and (part.verb in KEEPING or part.apart)
    stays = (chunk.part or (keeps and chunk.counted)) and not chunk.rest
    parts = (each for each in hand.found.values() if each.rule not in ("oven", "tool"))
    if hand.careful and chunk.rest and any(each.stays for each in parts):
        return "old"  # "keep a cup of the mixture, add the cream to the remaining mixture"
    kinds = KINDS_OF_FOOD.get(chunk.head)  # "pour in the wet"
    if hand.careful and kinds and hand.take(hand.memory.holding(kinds), "whole", stays=stays):
        return "old"
    if len(chunk.words) > 1:
        names = sorts(chunk)
        if hand.careful and hand.local and not hand.found and not names.isdisjoint(hand.node.own):
            return "old"  # "combine the cream and sugar, add the pod to the cream mixture"
        own = not hand.careful  # "the onion mixture" is the latest that holds onions
        found = hand.memory.holding(names) if own else hand.memory.mixed(names)
        kept = hand.memory.kept(names) if hand.careful and chunk.rest else None
        found = found if kept is None else kept  # "the remaining cream mixture"
        if hand.take(found, "whole", stays=stays):
            return "old"
    if hand.careful and not hand.local and hand.take(_told_by(hand, chunk), "whole", stays=stays):
        return "old"
    over = hand.careful and not chunk.prep and part.particle == "over"  # "spoon over the mixture"
    if not had or over or hand.has_fat_alone or chunk.prep in ("to", "into", "over", "onto"):
        found = hand.memory.latest(hand.taken)
        if not hand.take(found, "whole", stays=stays) and not hand.local:
            hand.node.unplaced.append(" ".join(chunk.words))
    return "old"


def _told_by(hand: Hand, chunk: Chunk) -> int | None:
    """Return what an adjective tells, as in "the chilled mixture", or the dish's own name."""
    if not hand.title.isdisjoint(chunk.stems[:-1]):
        return hand.memory.main()  # "the falafel mixture"
    for word in chunk.words[:-1]:
        for place, node in hand.memory.backwards(food=True):
            if was_done(node, [word]):
                return place
    return None
