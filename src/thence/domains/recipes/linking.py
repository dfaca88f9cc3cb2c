"""Links from each step to its source steps: reference, ellipsis and mixtures, by rules."""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.recipes.clauses import Chunk, Clause
from thence.domains.recipes.ellipsis import TARGET, Interpretation, complete
from thence.domains.recipes.hand import KEEPING, SURE, Hand
from thence.domains.recipes.lexicon import AREAS, COOKING, STAPLES, Kind, kind_of, stem
from thence.domains.recipes.memory import Memory
from thence.domains.recipes.mentions import place
from thence.domains.recipes.nodes import Link, Node
from thence.domains.recipes.saying import said
from thence.domains.recipes.shopping import ShoppingList
from thence.domains.recipes.subjects import subjects, without_times
from thence.domains.recipes.vessel_mentions import OVENS

__all__ = ["Link", "Node", "link"]

_OVEN_VERBS = frozenset(
    ["get", "preheat", "heat", "turn", "set", "light", "raise", "reduce", "lower", "pre-heat"]
)
_TURNING = _OVEN_VERBS | {"increase", "decrease", "adjust", "switch"}
_IN_OVEN = frozenset(("bake", "roast", "broil", "grill"))
_ON_TOP = frozenset(("pan", "saucepan", "pot", "skillet", "wok", "frypan", "griddle", "water"))
_BAKED_IN = frozenset(("dish", "tin", "sheet", "tray", "casserole"))
_HEATING = frozenset(("heat", "preheat", "warm", "get", "put", "place", "set"))
_OILING = frozenset(("oil", "grease", "coat", "brush", "spray"))
_ON_STOVE = COOKING - {"bake", "roast", "microwave"} | {
    "add",
    "brown",
    "lay",
    "melt",
    "sear",
    "toast",
}
_NOT_IN_OVEN = frozenset(("fry", "saute", "sauté", "stir-fry", "boil", "simmer"))
_MOVING = frozenset(
    ["remove", "transfer", "lift", "scoop", "tip", "take", "move", "spoon", "slide", "drain", "set",
     "put", "keep", "reserve"]
)  # fmt: skip
_ELSEWHERE = frozenset(
    ("plate", "bowl", "dish", "board", "rack", "platter", "paper", "towel", "side")
)
_MAKING = frozenset(("flour", "sugar"))  # staples in which nothing is fried or boiled
_AWAY = _ELSEWHERE | {"blender", "processor", "container", "sieve"}
"""The same in a text that is read with care."""
_TOPPING = frozenset(
    ["scatter", "sprinkle", "drizzle", "dot", "top", "garnish", "grate", "taste", "serve", "enjoy"]
)
_NAMESAKES = {"frost": ("frosting", "icing"), "ice": ("icing",), "glaze": ("glaze",),
              "dress": ("dressing", "vinaigrette")}  # fmt: skip


def link(
    texts: Sequence[str],
    title: str = "",
    *,
    careful: bool = False,
    goods: ShoppingList | None = None,
) -> list[Node]:
    """Return the node of every step, with its links.

    Args:
        texts: of the steps.
        title: gives names for the full dish.
        careful: read it by the rules for texts of others, of which `coverage` tells.
        goods: the text's own list of ingredients.
    """
    memory, names = (
        Memory(careful=careful, goods=goods),
        frozenset(stem(word) for word in title.lower().split()),
    )
    for text in texts:
        hand = Hand(memory, names, Node(said(without_times(text) if careful else text)))
        if careful:
            _told(hand, text)
        _step(hand)
        if careful:
            _take_hot_pan(hand)
        if careful and hand.node.said.meanwhile and hand.node.brings:
            hand.found = {
                k: each
                for k, each in hand.found.items()
                if k in (hand.before or ()) or k == hand.subject or _stays_tied(memory, each)
            }
        _close(hand)
    if careful:
        _use_ovens(memory.nodes)
        _use_hot_pans(memory.nodes)
    return memory.nodes


def _use_ovens(nodes: Sequence[Node]) -> None:
    """Link an oven that no step names again to the last step that bakes or cooks something."""
    used = {each.source for node in nodes for each in node.takes if each.rule == "oven"}
    for lit, node in enumerate(nodes):
        cooking = [
            later
            for later in range(lit + 1, len(nodes))
            if any(_bakes(part, nodes[later]) for part in nodes[later].said.parts)
        ]
        if node.lit and lit not in used and cooking:
            oven = Link(lit, cooking[-1], "oven", SURE["oven"], stays=True)
            nodes[cooking[-1]].takes = sorted([*nodes[cooking[-1]].takes, oven])


def _heats_pan(node: Node) -> bool:
    """Return whether a step only gets a pan hot."""
    verbs = {part.verb for part in node.said.parts}
    heats = verbs <= _HEATING | _OILING and not verbs <= _OILING and not node.lit
    return node.kind == "tool" and heats and not node.tools.isdisjoint(_ON_TOP)


def _take_hot_pan(hand: Hand) -> None:
    """Link a step that cooks, and names no vessel, to the step just before that heats a pan."""
    nodes = hand.memory.nodes
    cooks = any(part.verb in _ON_STOVE for part in hand.node.said.parts)
    if nodes and cooks and _heats_pan(nodes[-1]) and not _vessels(hand.node):
        hand.take(len(nodes) - 1, "tool", stays=True, food=False)


def _use_hot_pans(nodes: Sequence[Node]) -> None:
    """Link a pan that is heated, and that no step names again, to the next step that cooks."""
    used = {each.source for node in nodes for each in node.takes}
    for hot, node in enumerate(nodes):
        if hot in used or not _heats_pan(node):
            continue
        cooking = (
            later
            for later in range(hot + 1, len(nodes))
            if _vessels(nodes[later]) <= node.tools
            and any(part.verb in _ON_STOVE for part in nodes[later].said.parts)
        )
        later = next(cooking, None)
        if later is not None:
            pan = Link(hot, later, "tool", SURE["tool"], stays=True)
            nodes[later].takes = sorted([*nodes[later].takes, pan])


def _vessels(node: Node) -> set[str]:
    """Return the vessels that a step itself names."""
    chunks = (chunk for part in node.said.parts for chunk in part.chunks)
    return {x.head for x in chunks if x.kind is Kind.TOOL} - AREAS


def _bakes(part: Clause, node: Node) -> bool:
    """Return whether a clause of a step cooks in an oven, as far as its words say."""
    on_top = any(
        not _ON_TOP.isdisjoint(each.heads) or each.verb in _NOT_IN_OVEN for each in node.said.parts
    )
    still = not (node.moved or node.tools.isdisjoint(_ON_TOP) or node.tools & _BAKED_IN)
    return part.verb in _IN_OVEN or (part.verb == "cook" and not on_top and not still)


def _stays_tied(memory: Memory, link: Link) -> bool:
    """Return whether independent work needs what it is linked to: an oven, a pan, hot water."""
    emptied = link.rule == "tool" and link.stays and memory.nodes[link.source].kind == "food"
    if link.spare or emptied:
        return True
    return link.rule == "oven" or (link.rule == "named" and memory.nodes[link.source].medium)


def _told(hand: Hand, text: str) -> None:
    """Take up what the openings of a step name: what it works on, or what goes on meanwhile."""
    memory = hand.memory
    for each in subjects(text):
        found = memory.called(each.head)
        if each.waits:
            latest = memory.latest()
            if found is None and latest is not None and kind_of(each.head) is Kind.PRODUCT:
                memory.nodes[latest].own.add(each.head)  # "while the curry is bubbling"
        elif hand.subject is None:
            named = found is None and each.head in hand.title  # "when the biscuits are cold"
            hand.subject = memory.main() if named else found


def _step(hand: Hand) -> None:
    said = hand.node.said
    for part in said.parts:
        if part.meanwhile and hand.before is None:
            hand.before = {*hand.found}
        _clause(hand, part, meanwhile=said.meanwhile or hand.begins)
    if said.parts and not hand.found and hand.node.kind == "none" and not hand.node.lit:
        hand.unsaid("guess")
    if hand.careful and not hand.found and not said.meanwhile and _only_tops(said.parts):
        hand.take(hand.memory.main(), "unsaid")


def _only_tops(parts: Sequence[Clause]) -> bool:
    """Return whether a step only puts something upon what is there, as "scatter with basil"."""
    verbs = {part.verb for part in parts}
    return bool(verbs) and verbs <= _TOPPING


def _close(hand: Hand) -> None:
    node, nodes = hand.node, hand.memory.nodes
    node.takes = takes = sorted(hand.found.values())  # by their sources
    node.holds = set(node.own)
    node.names = node.own - node.modifiers
    for each in takes:
        source = nodes[each.source]
        if each.spare:
            node.holds.add(each.spare)
        if each.rule == "oven" or each.spare or each.source in hand.parted:
            source.alive = source.alive and (each.stays or each.source not in hand.parted)
            continue
        if each.stays:
            source.kept = source.kept or each.rule != "tool"
            if each.rule == "tool":
                node.tools |= source.tools
                continue
        else:
            source.alive = False
        node.holds |= source.holds
        node.names |= source.names
        node.lines |= dict.fromkeys(source.lines.keys() - node.lines.keys(), -1)
        stays_there = hand.careful and not source.into.isdisjoint(_BAKED_IN)
        node.tools |= source.into if stays_there else source.tools
        if node.kind in ("none", "tool") and source.kind == "food":
            node.kind = "food"
    if node.kind == "none" and node.lit:
        node.kind = "oven"
    node.both = hand.careful and node.lit and node.kind != "oven"
    node.medium = (
        node.kind == "food"
        and not node.product
        and all(each.stays for each in takes)
        and all(word in STAPLES or kind_of(word) is Kind.ADJECTIVE for word in node.own)
        and not (hand.careful and not _MAKING.isdisjoint(node.own))  # a dough, or creamed butter
    )
    hand.memory.add(node)


def _clause(hand: Hand, part: Clause, *, meanwhile: bool) -> None:
    objects, others = part.objects, part.others
    if part.purpose and not hand.node.product:
        hand.node.product = part.purpose
        hand.node.own.add(part.purpose)
    said_alone = not part.verb and len(part.chunks) == 1 and not part.back  # "Oven 200C."
    if (said_alone or part.verb in _OVEN_VERBS) and not OVENS.isdisjoint([x.head for x in objects]):
        _oven(hand, part.verb)
        return
    turns = hand.careful and part.verb in _TURNING and len(hand.node.said.parts) > 1
    if turns and objects and AREAS.issuperset([chunk.head for chunk in objects]):
        return  # "reduce the heat and ..."
    if hand.careful and part.trailing == "alongside" and part.verb in COOKING:
        objects = ()  # "roast alongside the chicken"
    reading = Interpretation(part, objects, others, hand.local, meanwhile)
    hand.clause += 1
    for names in _NAMESAKES.get(part.verb, ()):
        hand.take(hand.memory.product(names), "product", food=False)
    for chunks in (objects, others):
        for chunk in chunks:
            result = place(hand, chunk, part, had=reading.had)
            if result == "new":
                reading.fresh = True
                reading.target = reading.target or (hand.careful and chunk.prep == "into")
            elif result and chunk.prep in TARGET and not _tells_result(hand, chunk):
                reading.target = True
            reading.old = reading.old or result == "old"
    if part.verb in _IN_OVEN or not OVENS.isdisjoint(part.heads):
        hand.take(hand.memory.lit(), "oven", food=False)
    if part.verb or part.back:  # "Back in the oven for 10 minutes."
        complete(hand, reading)
        _moves(hand, part, objects)


def _tells_result(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a noun phrase only tells what a clause makes: "into a batter"."""
    return hand.careful and chunk.prep == "into" and hand.node.product == chunk.head


def _moves(hand: Hand, part: Clause, objects: Sequence[Chunk]) -> None:
    """Record that food leaves its vessel, or that some of it is set apart."""
    if part.verb in _MOVING and not any(chunk.kind is Kind.TOOL for chunk in objects):
        away = _AWAY if hand.careful else _ELSEWHERE
        to = any(chunk.head in away or chunk.prep == "from" for chunk in part.chunks)
        to = to and not (hand.careful and part.back)  # "from the plate back into the pan"
        hand.node.moved = hand.node.moved or to or part.apart
        if hand.node.moved:
            hand.node.into |= {x.head for x in part.chunks if x.kind is Kind.TOOL}
    if part.verb in KEEPING or (hand.careful and part.apart):
        kept = {chunk.head for chunk in objects}
        hand.node.left |= kept
        hand.node.shared -= kept  # "save a cup of the water"


def _oven(hand: Hand, verb: str) -> None:
    if verb in ("reduce", "lower", "raise", "turn"):
        hand.take(hand.memory.lit(), "oven", food=False)
    hand.node.lit = True
