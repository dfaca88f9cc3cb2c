"""The referent of a product's name, such as "the sauce": what was made, in hand, or bought."""

from __future__ import annotations

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import (
    BOTTLED,
    KINDS_OF_FOOD,
    MADE_OF,
    RAW,
    RAW_WITH_CARE,
    SHAPING,
    SORTS,
    stem,
)
from thence.domains.recipes.memory import STOCKS
from thence.domains.recipes.phrases import Chunk, Clause

_DISHES = frozenset(("curry", "stew", "soup", "salad", "risotto", "pie", "pizza"))
_TOPPING = frozenset(("sprinkle", "scatter", "top", "garnish", "finish", "decorate", "dress"))
_STEEPING = frozenset(("marinade", "brine", "pickle"))
_EXISTING = frozenset(
    ["strain", "return", "skim", "reserve", "drain", "thicken", "reduce", "taste", "season",
     "remove", "discard", "ladle", "serve"]
)  # fmt: skip
GETTING_READY = frozenset(
    ["cut", "slice", "chop", "dice", "cube", "halve", "quarter", "tear", "crush", "unroll", "soak",
     "boil", "toast", "rinse", "split", "break", "crumble"]
)  # fmt: skip
"""What is done to something bought before it is used."""
_JUICING = frozenset(("squeeze", "juice", "press", "halve", "cut", "zest", "grate"))
_JOINING = frozenset(("in", "into", "over"))
_FINISHING_STOCK = frozenset(("strain", "skim", "season", "taste"))


def _bought(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a product comes in ready made: listed, stock without bones, or juice."""
    head, nodes = chunk.head, hand.memory.nodes
    lines = hand.memory.goods.named(chunk)
    if lines - hand.memory.come_in and hand.memory.goods.tells(chunk, lines):
        return True  # "the ginger-garlic paste", beside a paste that was made
    if head in STOCKS:
        return hand.memory.holding(MADE_OF["broth"] - {"water"}) is None
    if any(head in node.own for node in nodes):
        return False
    if head == "juice" and not RAW.isdisjoint(chunk.stems[:-1]):
        return not any(part.verb in _JUICING for node in nodes for part in node.said.parts)
    # "the sauce" does not name a soy sauce
    return bool(lines) and " ".join(chunk.stems[-2:]) in hand.memory.listed


def _is_own_stock(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a stock on no list is that in which what is in hand was boiled."""
    if not any("water" in hand.memory.nodes[each].holds for each in hand.taken):
        return False
    return chunk.head in STOCKS and chunk.definite and not hand.memory.goods.named(chunk)


def product_mention(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    """Find the referent of a product's name, and link the step to it; see `mentions.place`."""
    head = chunk.head
    if part.verb in ("make", "prepare") and not chunk.prep and not hand.local and not chunk.rest:
        hand.node.product, hand.node.kind, hand.begins = head, "food", True
        hand.node.own.add(head)
        return ""
    if hand.careful and part.verb in _FINISHING_STOCK and _is_own_stock(hand, chunk):
        hand.node.own.add(head)  # "strain the broth", of what was boiled in it
        return "old"
    if hand.careful and not chunk.rest and _bought(hand, chunk):
        return hand.bring(chunk)
    if hand.careful and head in _STEEPING and hand.found and hand.memory.product(head) is None:
        hand.node.own.add(head)  # what the food in hand lay in
        return "old"
    lines = part.verb in ("line", "prepare") and chunk.prep == "with" and not chunk.definite
    if hand.careful and lines and hand.memory.product(head) is None:
        return hand.bring(chunk)  # "line a dish with pastry", of nothing made before
    if hand.careful and chunk.prep == "for" and chunk.definite:
        return ""  # "keep a spoonful for the sauce"
    if hand.local and _is_result(chunk, part, had=had):
        hand.node.product = head
        hand.node.own.add(head)
        return "old"
    spooned = hand.careful and chunk.counted and hand.memory.goods.lacks(chunk)
    made = head in MADE_OF and (spooned or not chunk.indefinite)  # "a spoonful of filling"
    if chunk.definite or chunk.same or made:
        return _known(hand, chunk, part, had=had)
    return hand.bring(chunk)


def _is_result(chunk: Chunk, part: Clause, *, had: bool) -> bool:
    """Return whether a name calls what the step makes, as "roll into rounds"."""
    made = part.verb in ("make", "form") and (had or not chunk.definite)
    into = chunk.prep in ("to", "into") and not chunk.definite
    shaped = into and (chunk.indefinite or part.verb in SHAPING)
    return made or shaped or chunk.prep == "for"


def _known(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    """Find the referent of a product's name that a step may have made before."""
    head = chunk.head
    sort = chunk.words[-2] if len(chunk.words) > 1 else ""
    if head in BOTTLED and (sort in SORTS or stem(sort) in RAW):
        found = hand.memory.holding(sorts(chunk))
        made = found is not None and hand.memory.nodes[found].takes
        unheard = hand.careful and found is None and hand.memory.product(head) is None
        if not made and (sort in SORTS or not chunk.definite or unheard):
            return hand.bring(chunk)  # "the miso paste", of no miso that is there
    onto = chunk.prep in ("into", "to", "over", "onto", "on") and head not in hand.node.own
    if hand.local and chunk.prep == "from":
        return "old"
    beside = chunk.prep == "with" and not had
    surely = (had and not onto) or beside or (head in RAW and chunk.words[0].endswith("ed"))
    if hand.careful and _is_dish(hand, chunk, part) and hand.take(hand.memory.main(), "product"):
        hand.node.own.add(head)
        return "old"
    found = hand.memory.owning(KINDS_OF_FOOD.get(head, frozenset()) | sorts(chunk))
    if found is None and hand.careful and beside:  # "with the peanut sauce"
        found = hand.memory.mixed(sorts(chunk) & RAW_WITH_CARE)
    if found is None and hand.careful and chunk.counted and head not in RAW:
        found = hand.memory.product(head)  # "a ladle of batter"
    raw = head in RAW and not (hand.careful and hand.memory.goods.lacks(chunk))
    if found is None and not surely and raw and not onto and part.verb not in _EXISTING:
        return hand.bring(chunk)
    if found is None and hand.careful and part.verb in GETTING_READY:
        found = hand.memory.made_as(head, hand.taken, surely=True)
        if found is None and head not in hand.title:
            return hand.bring(chunk)  # "cut the sponge into cubes", of nothing made before
    if found is None:
        found = _made_as(hand, chunk, surely=surely)
    some = hand.careful and chunk.counted and chunk.definite  # "2 spoons of the sauce"
    if some and hand.take(found, "product", stays=True):
        return "old"
    if hand.take(found, "product", stays=chunk.part and not chunk.rest):
        hand.node.own.add(head)
        if hand.careful and chunk.part and found is not None:
            hand.memory.nodes[found].own.add(head)  # of which there is a rest
        return "old"
    spooned = chunk.counted and hand.memory.goods.lacks(chunk)
    joins = chunk in part.objects and (part.verb == "add" or part.particle in _JOINING)
    told = spooned or (chunk.definite and (chunk.prep or not had or joins))
    if hand.careful and told and head not in RAW:
        served = beside and not hand.local  # beside the dish, which is taken after it
        main = hand.memory.main() if served else None
        taken = hand.taken if main is None else [*hand.taken, main]
        only = hand.memory.only(taken, waiting=joins)
        if hand.take(only, "product", stays=chunk.part or spooned):
            return "old"
    if surely and not beside:
        return "old"
    if chunk.definite:
        hand.node.unplaced.append(" ".join(chunk.words))
    return hand.bring(chunk)


def _is_dish(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Return whether a name calls the dish: "scatter the curry with coriander", without a title."""
    topped = part.verb in _TOPPING and any(x.prep == "with" for x in part.others)
    here = chunk.definite and chunk in part.objects and not (chunk.rest or chunk.part)
    return topped and here and chunk.head in _DISHES and len(chunk.words) == 1 and not hand.taken


def _made_as(hand: Hand, chunk: Chunk, *, surely: bool) -> int | None:
    """Return the thing that a product's name may refer to; see `Memory.made_as`."""
    memory, taken, head = hand.memory, hand.taken, chunk.head
    likely = MADE_OF.get(head, frozenset())
    in_hand = [each for each in taken if not likely.isdisjoint(memory.nodes[each].holds)]
    if hand.careful and in_hand and not chunk.prep:
        return in_hand[0]  # "take the pan off the heat, taste the gravy"
    found = memory.made_as(head, taken, surely=surely or hand.careful)
    main = memory.main() if head in hand.title else None
    if hand.careful and surely and found is None and not chunk.prep and not taken:
        return main  # "heat the oil, fry half the dumplings"
    if surely or found is not None or not hand.careful:
        return found
    if main is not None and main not in taken:
        return main
    found = memory.main(taken) if head in _DISHES else memory.made_as(head, taken, surely=False)
    if found is None or found in taken or memory.nodes[found].medium:
        return None
    unlikely = in_hand and likely.isdisjoint(memory.nodes[found].holds)
    return in_hand[0] if unlikely else found  # "fold the whites into the batter", beside a sauce


def sorts(chunk: Chunk) -> frozenset[str]:
    """Return the words of a noun phrase, with the members of each general word."""
    names = frozenset(chunk.stems[:-1])
    return names.union(*[KINDS_OF_FOOD.get(word, ()) for word in names])
