"""The referent of a noun phrase: an earlier result, a new ingredient, or a tool."""

from __future__ import annotations

from collections.abc import Collection

from thence.domains.recipes.goods import WASTE
from thence.domains.recipes.hand import Hand
from thence.domains.recipes.lexicon import (
    ADDING,
    COOKING,
    CUT_OF,
    CUTS,
    CUTS_OF,
    KINDS_OF_FOOD,
    RAW,
    RAW_WITH_CARE,
    SHAPING,
    STATES,
    Kind,
)
from thence.domains.recipes.listed_mentions import (
    SINGLY,
    by_list,
    is_apart,
    is_cut_pepper,
    lines_apart,
    take_what_waits,
)
from thence.domains.recipes.memory import BOILING, INNER
from thence.domains.recipes.other_names import by_other_name, call_by_name, name_of, take_purpose
from thence.domains.recipes.phrases import Chunk, Clause
from thence.domains.recipes.poured_off import (
    take_drained,
    take_kept,
    take_poured_off,
    take_set_apart,
)
from thence.domains.recipes.product_mentions import product_mention
from thence.domains.recipes.vessel_mentions import FILLING, readies_vessel, vessel_mention
from thence.domains.recipes.whole_mentions import ONTO, whole_mention

_LIQUIDS = frozenset(("liquid", "liquor"))
_OFF = frozenset(("off", "from"))
_ASIDE = frozenset(("add", "return", "skim", "discard"))  # the object is not what stays
_TAKEN_OUT = frozenset(("bay", "cinnamon", "anise", "lemongrass", "stalk", "sprig", "pod", "thyme"))
_TOPPED = frozenset(("top", "cover", "spread", "fill", "decorate", "dust", "garnish", "brush"))
_READYING = frozenset(("peel", "scrub", "wash", "rinse", "trim", "core", "deseed", "shell", "pit"))
_OF_EGGS = frozenset(("white", "yolk"))  # of which the other is left
_PARTS_OF_THINGS = frozenset(("seed", "juice", "zest", "rind"))
_TWO_PARTS = (_OF_EGGS, frozenset(("juice", "zest")))

_OUTER = frozenset(("skin", "stalk", "shell", "peel", "rind", "stem", "root"))
_WHOLE_KINDS = frozenset(("fruit", "vegetable", "veg", "berry", "nut", "meat", "fish"))
_SEEDS = frozenset(("seed", "membrane", "rib", "pith"))
_SCRAPING_OUT = frozenset(("remove", "discard", "scoop", "take", "scrape"))
_FLAVOURS = frozenset(("spice", "aromatic", "flavouring", "flavoring"))
_HOLLOWS = frozenset(("hollow", "hole", "dent", "indentation", "slit"))
_PLACES = frozenset(("top", "center", "centre", "middle", "surface", "bottom", "inside"))


def place(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    """Find the referent of a noun phrase, and link the step to it.

    Args:
        hand: the step.
        chunk: the noun phrase.
        part: its clause.
        had: whether the step had food in hand before this clause.

    Returns:
        ``old``, ``new``, ``tool``, or an empty string.
    """
    if hand.careful and readies_vessel(chunk, part):
        return ""
    known = {*hand.found}
    found = _referent(hand, chunk, part, had=had)
    if hand.careful and found == "old":
        call_by_name(hand, chunk, hand.found.keys() - known)
    if found == "old" and hand.careful and not hand.node.called and _names_it(chunk, part):
        hand.node.called = name_of(chunk)
    return found


def _names_it(chunk: Chunk, part: Clause) -> bool:
    """Return whether a noun phrase calls what a step works on by its name, as "the koftas"."""
    if part.verb in _ASIDE or chunk.head in WASTE or not _TAKEN_OUT.isdisjoint(chunk.stems):
        return False  # "skim off the scum", "return the meat to the soup", "take out the bay leaf"
    plain = chunk.kind is Kind.NOUN or chunk.kind is Kind.PRODUCT
    return plain and chunk.definite and not (chunk.prep or chunk.rest or chunk.part)


def _referent(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    kind = chunk.kind
    if kind is Kind.PRONOUN:
        if not had and hand.tool and not hand.local:
            return "tool"
        if hand.careful and hand.tool and chunk.prep == "in" and _is_vessel(hand, part):
            return "tool"  # "wipe out the pan and heat the ghee in it"
        if hand.careful and any(x.kind is Kind.PRONOUN for x in _before(chunk, part)):
            return "old"  # "warm it without letting it boil"
        if hand.careful and not had and chunk.prep == "in" and hand.take_hot_fat():
            return "old"  # "melt the butter", "sweat the shallots in it"
        joins = hand.local and part.verb in ADDING and chunk in part.objects
        if hand.careful and joins and hand.subject is not None and hand.subject not in hand.found:
            hand.take(hand.subject, "pronoun")  # "once the potatoes are done, add them"
        if not had and not hand.unsaid("pronoun") and not hand.local:
            hand.node.unplaced.append(chunk.head)
        return "old"
    if kind is Kind.PART:
        return _part(hand, chunk, part)
    if kind is Kind.TOOL:
        return vessel_mention(hand, chunk, part)
    if kind is Kind.WHOLE:
        return whole_mention(hand, chunk, part, had=had)
    return _food(hand, chunk, part, had=had)


def _is_vessel(hand: Hand, part: Clause) -> bool:
    """Return whether "in it" means a vessel: it has no food in it, or is new in this step."""
    new = (x.kind is Kind.TOOL and x.indefinite for y in hand.earlier(part) for x in y.objects)
    return not hand.found or any(new)


def _before(chunk: Chunk, part: Clause) -> list[Chunk]:
    """Return the noun phrases of a clause before one of them."""
    return part.chunks[: next(k for k, each in enumerate(part.chunks) if each is chunk)]


def _food(hand: Hand, chunk: Chunk, part: Clause, *, had: bool) -> str:
    lines = frozenset[int]()
    if chunk.head not in _LIQUIDS:
        lines = hand.memory.goods.named(chunk, cut=part.verb in SINGLY)
    aim = hand.careful and chunk.prep == "for" and chunk.definite
    if aim and (take_purpose(hand, chunk) or hand.memory.goods.lacks(chunk)):
        return ""  # "keep half of it for the slaw"
    if hand.careful and _is_other_part(hand, chunk, lines):
        return hand.bring(chunk)
    told = by_list(hand, chunk, part, lines) or _by_words(hand, chunk, part, lines, had=had)
    if told == "old" and hand.node.product == chunk.head:
        return told  # what the step makes, as "grind to a paste", is on no list
    if told and not chunk.rest:
        if told == "new":  # the butter of the pastry, and that of the filling
            lines = frozenset(sorted(lines - hand.memory.come_in)[:1]) or lines
        elif len(lines) > 1:
            lines &= hand.memory.come_in
        hand.memory.come_in |= lines
        hand.node.own |= hand.memory.goods.meats(lines)
        for each in lines - hand.node.lines.keys():
            hand.node.lines[each] = hand.clause
    return told


def _by_words(hand: Hand, chunk: Chunk, part: Clause, lines: Collection[int], *, had: bool) -> str:
    head = chunk.head
    stays = chunk.part and not chunk.rest
    if hand.careful and (take_kept(hand, chunk) or _is_at_hand(hand, chunk)):
        return "old"
    if hand.careful and _is_hot_water(chunk) and hand.take_water("named"):
        return "old"
    if hand.careful and (take_set_apart(hand, chunk) or take_poured_off(hand, chunk, part)):
        return "old"
    if hand.careful and (_is_of_new_thing(hand, chunk, part) or _waits(hand, chunk, lines)):
        return hand.bring(chunk)
    found = hand.memory.named(chunk)
    if hand.careful and found is None and is_cut_pepper(chunk, part):
        found = hand.memory.cut_pepper()
    spooned = hand.careful and chunk.kind is Kind.PRODUCT and chunk.counted and chunk.definite
    if spooned and not chunk.rest and hand.take(found, "named", stays=True):
        return "old"  # "4 tablespoons of the tomato sauce"
    if found is not None:
        _take_named(hand, chunk, part, found, lines)
        return "old"
    if hand.careful and by_other_name(hand, chunk, part):
        return "old"
    if chunk.kind is Kind.PRODUCT:
        return product_mention(hand, chunk, part, had=had)
    if head in CUTS and len(chunk.words) > 1:  # "the chicken fillets" of "the chicken"
        whole = RAW.intersection(chunk.stems[:-1])
        if hand.take(hand.memory.holding(whole), "named", stays=stays):
            return "old"
    if hand.careful and not chunk.rest and _restated(hand, chunk, part, stays=stays):
        return "old"
    general = KINDS_OF_FOOD.get(head)
    stays = stays or head in _OF_EGGS
    if (
        general is not None
        and (chunk.definite or chunk.same or head not in RAW)
        and hand.take(hand.memory.holding(general), "named", stays=stays)
    ):
        hand.node.own.add(head)
        return "old"
    outer = head in _OUTER and chunk.definite and head not in hand.memory.listed
    out = part.verb in _SCRAPING_OUT and not lines
    if hand.careful and out and chunk.definite and head in _FLAVOURS:  # "fish out the spices"
        return "old" if hand.unsaid("unsaid") else ""
    if hand.careful and (outer or (out and head in _SEEDS)):  # "rub off the skins", "remove seeds"
        return "old" if hand.local or hand.unsaid("unsaid") else ""
    inner = head in INNER and chunk.definite and len(chunk.words) == 1
    if hand.is_another(chunk):
        return hand.bring(chunk)
    if hand.local and (inner or head in hand.node.own):
        if hand.careful and chunk.part and not chunk.rest and _was_cut(hand, part, head):
            hand.node.left |= {head}  # "chop the herbs, mix the butter with most of the herbs"
        return "old"
    if take_what_waits(hand, chunk, part):
        return "old"
    return _unnamed(hand, chunk, part, lines, had=had)


def _unnamed(hand: Hand, chunk: Chunk, part: Clause, lines: Collection[int], *, had: bool) -> str:
    """Take what a noun stands for that no step has named: the dish, the latest, or a new thing."""
    head = chunk.head
    stays = (chunk.part and not chunk.rest) or head in _OF_EGGS
    general = KINDS_OF_FOOD.get(head)
    called = head in hand.title and head not in hand.memory.listed
    called = called and not (hand.careful and _is_raw(hand, head, part))
    general_there = hand.careful and called and general is not None  # "with Berries" of a title
    comes_in = head in RAW or (hand.careful and _is_ingredient(hand, chunk)) or general_there
    if hand.careful and called and general is None and hand.memory.listed and not chunk.part:
        comes_in = False  # "pour over the lemonade", which is not on the list
    waits = hand.memory.goods.waits(head, hand.memory.come_in) or (chunk.rest and bool(lines))
    if head in _WHOLE_KINDS:
        waits = waits or hand.memory.goods.kind_waits(head, hand.memory.come_in)
    comes_in = comes_in or (hand.careful and waits)  # "the sorghum" of "sorghum syrup"
    over = called and chunk.prep in ONTO and len(chunk.words) == 1 and not hand.memory.goods
    if hand.careful and over and not had:
        latest = hand.memory.latest()
        passed = hand.taken if latest is None else [*hand.taken, latest]
        other = hand.memory.only(passed, waiting=True)
        if hand.take(other, "product"):  # "tip over dal", of lentils
            hand.node.own.add(head)
            return "old"
    beside = hand.careful and hand.local and chunk.prep == "to"  # "cut it to your liking"
    more = hand.careful and called and not hand.found and _gets_more(chunk, part)
    alone = not had or more or hand.has_fat_alone  # "heat the oil and brown the meat"
    if alone and not beside and not comes_in and (called or chunk.definite):
        found = hand.memory.main() if called else hand.memory.latest(hand.taken)
        if hand.careful and called and found is not None and _onto_dish(hand, chunk, part):
            found = hand.memory.latest([found])
        if hand.careful and found is not None and hand.memory.nodes[found].medium:
            found = None  # "the meat" is not the water that was boiled
        if hand.take(found, "product", stays=stays):
            hand.node.own.add(head)
            return "old"
    if hand.careful and head == "liquid" and _is_own_liquid(hand, chunk, lines):
        return "old"
    if chunk.rest and head not in hand.node.own and not (hand.careful and head in RAW):
        hand.node.unplaced.append(" ".join(["remaining", *chunk.words]))
    return hand.bring(chunk)


def _is_raw(hand: Hand, head: str, part: Clause) -> bool:
    """Return whether an ingredient that no step has named is got ready, as "peel the potatoes"."""
    return part.verb in _READYING and hand.memory.holding(frozenset((head,))) is None


def _gets_more(chunk: Chunk, part: Clause) -> bool:
    """Return whether something comes upon a thing, as in "top each mousse with cream"."""
    with_more = any(each.prep == "with" for each in part.chunks)
    return part.verb in _TOPPED and with_more and chunk in part.objects


def _onto_dish(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Return whether something comes upon what the title names, too: "the tarka over the dal"."""
    others = (x for x in part.others if x is not chunk and x.prep in ONTO)
    return not chunk.prep and any(x.head in hand.title for x in others)


def _take_named(hand: Hand, chunk: Chunk, part: Clause, found: int, lines: Collection[int]) -> None:
    """Link to a thing that a noun phrase names; it stays where only a part of it is meant."""
    node = hand.memory.nodes[found]
    apart = chunk.head in node.left - node.shared
    if hand.careful and chunk.rest and apart and not node.alive and found not in hand.found:
        hand.take_spare(found, chunk.head)
        return
    dips = hand.careful and part.verb == "dip" and chunk.prep in FILLING
    stays = dips or (chunk.part and not chunk.rest)
    if hand.careful and chunk.head in _OF_EGGS:
        stays = stays or node.own >= _OF_EGGS
    if chunk.rest:  # the rest is not in the mixture with the other part
        stays = stays or not node.alive or chunk.head in node.shared
        parted = hand.careful and node.moved and not node.lines.keys() <= {*lines}
        stays = stays or parted  # "lift out the fish and keep the milk": the fish is there
    if hand.careful and lines_apart(node, lines):
        stays = True
        hand.parted.add(found)
    elif hand.careful and not chunk.rest and is_apart(node, chunk.head):
        node.apart.discard(chunk.head)
        stays = bool(node.apart)
        hand.parted.add(found)
        hand.found.pop(found, None)
    hand.take(found, "named", stays=stays)
    hand.node.note(chunk)


def _is_own_liquid(hand: Hand, chunk: Chunk, lines: Collection[int]) -> bool:
    """Take the liquid of what is in hand, or else of the latest: "thicken liquid"."""
    if hand.local:
        return chunk.definite
    bare = not (chunk.prep or chunk.indefinite or chunk.rest or chunk.part or lines)
    return bare and hand.unsaid("unsaid")


def _is_hot_water(chunk: Chunk) -> bool:
    return chunk.head == "water" and chunk.definite and not BOILING.isdisjoint(chunk.words)


def _is_other_part(hand: Hand, chunk: Chunk, lines: Collection[int]) -> bool:
    """Return whether only the other part of a thing came in: the yolks, or the zest of a lemon."""
    pair = next((each for each in _TWO_PARTS if chunk.head in each), None)
    if pair is None:
        return False
    nodes = [node for node in hand.memory.nodes if not node.lines.keys().isdisjoint(lines)]
    came_in = pair & frozenset[str]().union(*(node.own for node in nodes))
    return bool(came_in) and chunk.head not in came_in


def _is_at_hand(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a noun is a part, a kind or the liquid of what the step has in hand."""
    head, node = chunk.head, hand.node
    if head in _OF_EGGS and hand.local and "egg" in node.own:
        node.own.add(head)  # "separate the eggs, putting the whites in a bowl"
        return True
    members = KINDS_OF_FOOD.get(head) if len(chunk.words) == 1 else None
    if members and chunk.definite and hand.local and not members.isdisjoint(node.own):
        return True  # "trim the beef and toss the meat in it"
    return head in _LIQUIDS and take_drained(hand, chunk)


def _was_cut(hand: Hand, part: Clause, head: str) -> bool:
    """Return whether a step has cut all of an ingredient before a clause of it."""
    cut = (each for each in hand.earlier(part) if each.verb in SINGLY)
    return any(x.head == head and not x.part for each in cut for x in each.objects)


def _is_of_new_thing(hand: Hand, chunk: Chunk, part: Clause) -> bool:
    """Return whether a part is of something that comes in: "the seeds of 2 vanilla pods"."""
    behind = part.chunks[part.chunks.index(chunk) + 1 :][:1]
    whole = behind[0] if behind else None
    if chunk.head not in _PARTS_OF_THINGS or whole is None or hand.memory.goods:
        return False
    return whole.counted and not whole.definite and whole.prep == chunk.prep


def _waits(hand: Hand, chunk: Chunk, lines: Collection[int]) -> bool:
    """Return whether "the remaining soy sauce" is on another line of the list than what came in."""
    there = hand.memory.come_in.intersection(lines)
    return chunk.rest and 0 < len(there) < len(lines) and hand.memory.left(chunk.head) is None


def _is_ingredient(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a noun that names nothing there is known, or listed, as an ingredient."""
    return chunk.head in RAW_WITH_CARE or chunk.head in hand.memory.listed


def _restated(hand: Hand, chunk: Chunk, part: Clause, *, stays: bool) -> bool:
    """Return whether a noun is another word for what is there: its cut, or its new shape."""
    if chunk.prep == "into" and not chunk.definite and part.verb in SHAPING:
        return hand.local or hand.unsaid("unsaid")  # "roll into a rope"
    whole = CUT_OF.get(chunk.head)
    if whole is None and not hand.memory.goods.named(chunk):
        whole = CUTS_OF.get(chunk.head)  # "the beef", of a steak
    if whole is None or not chunk.definite or len(chunk.words) > 1:
        return False
    return hand.take(hand.memory.holding(whole), "named", stays=stays)


def _part(hand: Hand, chunk: Chunk, part: Clause) -> str:
    in_place = chunk.head in _PLACES and chunk.prep in FILLING
    filled = hand.careful and chunk.head in _HOLLOWS and chunk.prep == "into"
    if filled and hand.local and not hand.found and hand.unsaid("unsaid", other=True):
        return "old"  # "crack an egg into each hollow"
    if chunk.head in STATES:
        return ""
    if hand.careful and hand.local and part.verb == "let":
        return "old"  # "let it catch on the bottom"
    if hand.careful and not hand.local and any(x.prep in _OFF for x in part.chunks):
        return "old"  # "slice the tops off the peppers"
    if not hand.local:
        hand.unsaid("unsaid")
    elif hand.has_fat_alone and part.verb in COOKING | {"brown", "sear"}:
        hand.unsaid("unsaid", other=True)  # "heat the oil and brown the wedges"
    elif chunk.head == "top" and chunk.prep in ("on", "over"):
        if hand.careful:
            hand.take(hand.memory.beneath(hand.taken), "unsaid")
        else:
            hand.unsaid("unsaid", other=True)
    elif hand.careful and not hand.found and chunk.definite and in_place:
        hand.unsaid("unsaid", other=True)  # "press a nut into the centre of each"
    elif hand.careful and chunk.prep == "along" and hand.found:
        hand.take_just_before("unsaid")  # "arrange the prawns along one edge"
    elif hand.careful and in_place and hand.found and not chunk.indefinite:
        hand.take(hand.memory.only(hand.taken), "unsaid")  # "put the filling in the middle"
    return "old"
