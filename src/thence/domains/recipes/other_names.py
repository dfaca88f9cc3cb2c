"""Things that a text calls by another everyday name than what they were made of.

A dough that was shaped comes back as "the dumplings", fried bread as "the croutons", crushed
peppercorns as "the pepper". Only texts that are read with care are read by these rules.
"""

from __future__ import annotations

from collections.abc import Collection

from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import CUTS, RAW, RAW_WITH_CARE, Kind, kind_of
from thence.domains.recipes.memory import Memory
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.product_mentions import GETTING_READY

_OF_DOUGH = (
    "dumpling cooky cookie biscuit roll bun bread bagel bap pretzel naan flatbread chapati roti "
    "tortilla pizza calzone scone doughnut donut breadstick empanada pierogi ravioli tortellini "
    "noodle loaf cracker puff twist"
)
_OF_BATTER = (
    "cake muffin cupcake pancake waffle crepe crêpe fritter blini popover brownie browny sponge "
    "madeleine doughnut donut loaf"
)
_BREADS = frozenset(["bread", "baguette", "ciabatta", "loaf", "sourdough", "brioche", "bun"])
_OF_CUT_BREAD = frozenset(("crouton", "toast", "crostini", "crumb"))
_CUTTING_BREAD = frozenset(
    ["tear", "cut", "cube", "dice", "slice", "chop", "break", "toast", "fry", "grill", "blitz",
     "process", "pulse", "crush", "grate", "whizz"]
)  # fmt: skip
_OF_CRISP = frozenset(("chip", "crisp"))
_CRISP = frozenset(["potato", "pita", "pitta", "tortilla", "plantain", "kale", "parsnip"])
_MADE_OF: dict[str, frozenset[str]] = {
    "crouton": _BREADS,
    "toast": _BREADS,
    "crostini": _BREADS,
    "crumb": _BREADS | {"cracker", "biscuit", "digestive", "panko"},
    "bread": frozenset(["baguette", "ciabatta", "sourdough", "brioche", "focaccia"]),
    "chip": _CRISP,
    "crisp": _CRISP,
    "fry": frozenset(["potato"]),
    "pepper": frozenset(["peppercorn"]),
    "mushroom": frozenset(["porcini", "shiitake", "morel", "chanterelle", "portobello"]),
    "pie": frozenset(["pastry"]),
    "tart": frozenset(["pastry"]),
    "turnover": frozenset(["pastry"]),
    "dumpling": frozenset(["wrapper", "suet"]),
    "roll": frozenset(["wrapper"]),
    "wonton": frozenset(["wrapper"]),
    "gnocchi": frozenset(["potato", "dough"]),
    "slaw": frozenset(["cabbage"]),
    "guacamole": frozenset(["avocado"]),
    "hummus": frozenset(["chickpea"]),
}
for _names, _made in ((_OF_DOUGH, "dough"), (_OF_BATTER, "batter")):
    for _name in _names.split():
        _MADE_OF[_name] = _MADE_OF.get(_name, frozenset()) | {_made}
_PIECES = CUTS | {
    "chip", "crisp", "crouton", "triangle", "ribbon", "disc", "coin", "shard", "baton", "toast",
    "matchstick", "square", "circle", "round", "segment", "stick", "parcel", "nest", "crumb"
}  # fmt: skip
_DOUGHS = frozenset(("dough", "batter"))
_NEW = frozenset(("fresh", "raw", "dried", "frozen", "new"))
_MIXED = frozenset(
    ["sauce", "dressing", "glaze", "marinade", "topping", "filling", "icing", "frosting", "dip",
     "salsa", "vinaigrette"]
)  # fmt: skip
_SOME = 2  # things that come in, at least, where they make something else
_BY_NAME = frozenset(("named", "product", "whole"))
_NOT_ALONE = frozenset(("ingredient", "content", "stuff"))
DONE_TO = frozenset(
    ["move", "transfer", "cool", "remove", "lift", "turn", "flip", "store", "serve", "rotate",
     "frost", "glaze", "dip", "drizzle", "dust", "take", "slide", "place", "drain"]
)  # fmt: skip
"""Verbs after which a product without an article is one that was made."""


def by_other_name(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Link to what a noun phrase calls by a new name; return whether there was such a thing."""
    memory = hand.memory
    if not _names_made_thing(chunk, part) or memory.goods.named(chunk):
        return False
    sorts = RAW_WITH_CARE.intersection(chunk.stems[:-1])
    there = [k for k, x in memory.backwards(food=True) if k not in hand.found and not x.medium]
    made_of = _MADE_OF.get(chunk.head, frozenset())
    if chunk.head in RAW and part.verb in GETTING_READY:
        made_of -= _DOUGHS  # "soak the noodles" are bought ones
    if not sorts and any(_may_be(memory, k, chunk.head, made_of) for k in hand.taken):
        hand.node.own.add(chunk.head)
        return True  # "swirl batter around the pan, stack the crepes on a plate"
    if not sorts:
        found = [k for k in there if _may_be(memory, k, chunk.head, made_of)]
    elif chunk.head in _PIECES:
        found = [k for k in there if not sorts.isdisjoint(memory.nodes[k].holds)]
    else:
        found = []  # "the almond biscuits" may be bought
    return bool(found) and _take(hand, found[0], chunk)


def _names_made_thing(chunk: Chunk, part: Clause) -> bool:
    """Return whether a noun phrase names something that is there, and does not tell what comes."""
    if chunk.indefinite or chunk.rest or chunk.part or not _NEW.isdisjoint(chunk.words):
        return False
    makes = part.verb in ("make", "prepare") and not chunk.prep
    return not makes and (chunk.definite or _is_bare_product(chunk, part))


def _take(hand: Hand, place: int, chunk: Chunk) -> bool:
    hand.take(place, "product")
    hand.node.own.add(chunk.head)
    node = hand.memory.nodes[place]
    node.called_later = node.called_later or name_of(chunk)
    return True


def _is_bare_product(chunk: Chunk, part: Clause) -> bool:
    """Return whether a product has no article where its verb works on it: "move cookies"."""
    bare = not (chunk.counted or chunk.prep) and chunk in part.objects
    return bare and chunk.kind is Kind.PRODUCT and part.verb in DONE_TO


def _may_be(memory: Memory, place: int, name: str, made_of: frozenset[str]) -> bool:
    """Return whether a step's result may be what a name calls, by what it was made of."""
    node = memory.nodes[place]
    if name in _OF_CRISP:
        return not made_of.isdisjoint(node.holds)
    if name in _OF_CUT_BREAD and not _was_cut(memory, place):
        return False
    return not made_of.isdisjoint(node.names)


def _was_cut(memory: Memory, place: int) -> bool:
    """Return whether a result was cut up, torn or fried on the way."""
    node = memory.nodes[place]
    if any(part.verb in _CUTTING_BREAD for part in node.said.parts):
        return True
    return any(_was_cut(memory, each.source) for each in node.takes)


_NO_PART_OF_NAME = frozenset(
    ["warm", "hot", "cold", "cool", "cooled", "chilled", "remaining", "reserved", "rest",
     "prepared", "resulting", "whole", "entire", "same", "other"]
)  # fmt: skip


def call_by_name(hand: Hand, chunk: Chunk, taken: Collection[int]) -> None:
    """Give what a step takes up the name that a noun phrase calls it by, where it has none."""
    places = [place for place in taken if place >= 0]
    if len(places) != 1 or chunk.rest or hand.found[places[0]].rule not in _BY_NAME:
        return
    name, node = name_of(chunk), hand.memory.nodes[places[0]]
    told = chunk.kind is Kind.PRODUCT or (chunk.kind is Kind.WHOLE and " " in name)
    if told and not node.called_later and chunk.head not in _NOT_ALONE:
        node.called_later = name


def take_purpose(hand: Hand, chunk: Chunk) -> bool:
    """Name what a step makes of new things alone, as "mix vinegar and sugar for the sauce".

    Returns:
        Whether it makes such a thing.
    """
    if hand.found or hand.node.product or chunk.head not in _MIXED or len(hand.node.brings) < _SOME:
        return False
    hand.node.product = chunk.head
    hand.node.own.add(chunk.head)
    return True


def name_of(chunk: Chunk) -> str:
    """Return a noun phrase without how its thing looks by then: "cake" of "the warm cake"."""
    words = [x for x in chunk.name.split() if x not in _NO_PART_OF_NAME]
    words = [x for x in words if kind_of(x) is not Kind.ADJECTIVE]
    return " ".join(words) or chunk.name
