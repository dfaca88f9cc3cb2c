"""Links from each step to its source steps: reference, ellipsis and mixtures, by rules."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from thence.domains.recipes.clauses import Chunk, Clause
from thence.domains.recipes.hand import SURE, Hand
from thence.domains.recipes.lexicon import (
    ADDING,
    AREAS,
    BOILED,
    COOKING,
    INTO_FAT,
    STAPLES,
    STATES,
    UPON,
    Kind,
    kind_of,
    stem,
)
from thence.domains.recipes.memory import Link, Memory, Node
from thence.domains.recipes.mentions import OVENS, place
from thence.domains.recipes.saying import said
from thence.domains.recipes.shopping import ShoppingList
from thence.domains.recipes.subjects import subjects, without_times

__all__ = ["Link", "Node", "link"]

_WITH = frozenset(("to", "into", "with", "over", "on", "in", "onto", "and"))
_TARGET = frozenset(("to", "into", "over", "on", "onto", "in"))
_IN = frozenset(("in", "into", "over", "through", "on"))
_OVEN_VERBS = frozenset(
    ["get", "preheat", "heat", "turn", "set", "light", "raise", "reduce", "lower", "pre-heat"]
)
_TURNING = _OVEN_VERBS | {"increase", "decrease", "adjust", "switch"}
_IN_OVEN = frozenset(("bake", "roast", "broil", "grill"))
_ON_TOP = frozenset(("pan", "saucepan", "pot", "skillet", "wok", "frypan", "water"))
_MOVING = frozenset(
    ["remove", "transfer", "lift", "scoop", "tip", "take", "move", "spoon", "slide", "drain", "set",
     "put", "keep", "reserve"]
)  # fmt: skip
_ELSEWHERE = frozenset(
    ("plate", "bowl", "dish", "board", "rack", "platter", "paper", "towel", "side")
)
_MACHINES = frozenset(("blender", "processor", "container"))
_PREPARING = frozenset(
    ["grease", "line", "coat", "butter", "oil", "flour", "spray", "dust", "brush", "rub", "heat",
     "wipe", "rinse", "wash", "clean", "warm"]
)  # fmt: skip
_PUTTING = frozenset(("tip", "put", "pop", "slide", "lower", "empty", "dump"))
_SOAKING = frozenset(("soak", "wash", "rinse", "soften", "clean"))
_WHOLLY = frozenset(("taste", "serve", "ladle"))
_EMPTYING = frozenset(("remove", "transfer", "move"))
_TAKING_OUT = _EMPTYING | {"take", "lift", "pull"}
_RECEIVING = frozenset(("dust", "season", "top", "garnish", "finish", "decorate", "dress"))
_FATS = frozenset(("oil", "butter", "ghee", "lard", "fat", "dripping", "margarine"))
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
        if careful and hand.node.said.meanwhile and hand.node.brings:
            hand.found = {
                k: each
                for k, each in hand.found.items()
                if k in (hand.before or ()) or _stays_tied(memory, each)
            }
        _close(hand)
    if careful:
        _use_ovens(memory.nodes)
    return memory.nodes


def _use_ovens(nodes: Sequence[Node]) -> None:
    """Link an oven that no step names again to the last step that bakes or cooks something."""
    used = {each.source for node in nodes for each in node.takes if each.rule == "oven"}
    for lit, node in enumerate(nodes):
        cooking = [
            later
            for later in range(lit + 1, len(nodes))
            if any(_bakes(part) for part in nodes[later].said.parts)
        ]
        if node.lit and lit not in used and cooking:
            oven = Link(lit, cooking[-1], "oven", SURE["oven"], stays=True)
            nodes[cooking[-1]].takes = sorted([*nodes[cooking[-1]].takes, oven])


def _bakes(part: Clause) -> bool:
    """Return whether a clause cooks in an oven, as far as its words say."""
    on_top = not _ON_TOP.isdisjoint(part.heads)
    return part.verb in _IN_OVEN or (part.verb == "cook" and not on_top)


def _stays_tied(memory: Memory, link: Link) -> bool:
    """Return whether independent work needs what it is linked to: an oven, or boiling water."""
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
            hand.subject = found


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
    for each in takes:
        source = nodes[each.source]
        if each.rule == "oven" or each.source in hand.parted:
            continue
        if each.stays:
            source.kept = source.kept or each.rule != "tool"
            if each.rule == "tool":
                node.tools |= source.tools
                continue
        else:
            source.alive = False
        node.holds |= source.holds
        node.lines |= dict.fromkeys(source.lines.keys() - node.lines.keys(), -1)
        node.tools |= source.tools
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
        and not (hand.careful and "flour" in node.own)  # a dough
    )
    hand.memory.add(node)


@dataclass(slots=True)
class _Doing:
    """The interpretation of a clause.

    Attributes:
        part: the clause.
        objects: its noun phrases without a preposition.
        others: its noun phrases with a preposition.
        had: whether the step had food in hand before it.
        meanwhile: whether it begins independent work.
        target: whether it names a target.
        fresh: whether something new comes in.
        old: whether it names something that is there.
    """

    part: Clause
    objects: Sequence[Chunk]
    others: Sequence[Chunk]
    had: bool
    meanwhile: bool
    target: bool = False
    fresh: bool = False
    old: bool = False

    def within(self) -> bool:
        """Return whether it has "in" or "over" without a noun, as in "stir in the milk"."""
        return self.part.particle in _IN or self.part.trailing in _IN


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
    said = _Doing(part, objects, others, hand.local, meanwhile)
    hand.clause += 1
    for names in _NAMESAKES.get(part.verb, ()):
        hand.take(hand.memory.product(names), "product", food=False)
    for chunks in (objects, others):
        for chunk in chunks:
            result = place(hand, chunk, part, had=said.had)
            if result == "new":
                said.fresh = True
            elif result and chunk.prep in _TARGET:
                said.target = True
            said.old = said.old or result == "old"
    if part.verb in _IN_OVEN or not OVENS.isdisjoint(part.heads):
        hand.take(hand.memory.lit(), "oven", food=False)
    if part.verb or part.back:  # "Back in the oven for 10 minutes."
        _complete(hand, said)
        _moves(hand, part, objects)


def _complete(hand: Hand, said: _Doing) -> None:
    """Add the implicit arguments of a clause."""
    verb = said.part.verb
    eats = [chunk for chunk in said.objects if chunk.kind is not Kind.TOOL]
    if not said.meanwhile and _into_medium(hand, verb, eats):
        return
    puts_in = verb in ADDING or (hand.careful and verb in _PUTTING)
    if said.had:  # this step's food in hand is meant
        same = all(chunk.kind is Kind.PRONOUN for chunk in eats)
        same = same and not any(_is_vessel_of_step(hand, said.part, x) for x in said.others)
        if hand.careful and verb == "add" and same and eats and not hand.found:
            hand.unsaid("unsaid", other=True)  # "dice the onion, add it"
        if said.part.trailing == "alongside" and verb == "serve":
            hand.take(hand.memory.main(), "unsaid")
        elif said.part.trailing in _IN and puts_in and not hand.found and not said.target:
            hand.unsaid("unsaid", other=True)
    elif not eats:
        _without_food(hand, said)
    elif not (said.target or said.meanwhile or any(x.head in STATES for x in said.others)):
        _without_target(hand, said)


def _is_vessel_of_step(hand: Hand, part: Clause, chunk: Chunk) -> bool:
    """Return whether a target is new, or was named before in this step, as a pan for its butter."""
    if chunk.prep not in _TARGET:
        return False
    before = itertools.takewhile(lambda each: each is not part, hand.node.said.parts)
    return chunk.indefinite or any(chunk.head in each.heads for each in before)


def _without_food(hand: Hand, said: _Doing) -> None:
    """Complete a clause without food as its object, as "simmer gently" or "grease a tin"."""
    verb, tools = said.part.verb, [chunk for chunk in said.objects if chunk.head not in AREAS]
    if tools and _is_about_tools(hand, said, tools):
        return
    greased = not _FATS.isdisjoint(said.part.heads) and _is_empty(hand)
    empty = greased or (not hand.found and _heats_vessel(hand))
    if hand.careful and empty and (said.fresh or verb in _PREPARING):
        return  # "heat a pan and brush with oil", "heat a wok, swirl in the oil"
    if verb in _WHOLLY:
        main = hand.take(hand.memory.main(), "unsaid")
        if main and hand.careful:
            return
    hand.unsaid("unsaid")


def _is_about_tools(hand: Hand, said: _Doing, tools: Sequence[Chunk]) -> bool:
    """Return whether a clause only gets tools ready, as "grease a tin", and needs no food."""
    verb = said.part.verb
    if verb in _PREPARING or (
        verb not in _EMPTYING and hand.node.kind in ("tool", "none") and not hand.local
    ):
        if not hand.found and not hand.local:
            hand.node.kind = "tool"  # "grease a tin"
        return True
    if hand.careful and (hand.node.lit or (verb in _TAKING_OUT and _is_empty(hand))):
        return True  # "heat the oven and put a tray inside", "remove the skillet from the oven"
    if said.fresh and all(chunk.indefinite for chunk in tools):
        return True  # "fill a pot with water"
    old = said.target or (hand.careful and (said.old or hand.local))
    return bool(hand.found) and old


def _is_empty(hand: Hand) -> bool:
    """Return whether a step has found vessels alone, of which none has food in it."""
    nodes = [hand.memory.nodes[each.source] for each in hand.found.values()]
    return bool(nodes) and all(node.kind != "food" for node in nodes)


def _without_target(hand: Hand, said: _Doing) -> None:
    """Complete a clause that adds something without a target."""
    verb, within = said.part.verb, said.within()
    if hand.careful and _FATS.issuperset([chunk.head for chunk in said.objects]):
        emptied = [each for each in hand.found.values() if each.rule == "tool" and each.stays]
        if emptied:
            return  # "wipe out the wok, add the remaining oil"
    if not said.fresh or hand.found:
        puts = verb in ADDING or (hand.careful and verb in _PUTTING)
        if said.part.back or verb in ("add", "throw") or (within and puts):
            hand.unsaid("unsaid", other=True)
        return
    others = said.others
    if verb not in ADDING or any(
        chunk.kind is Kind.TOOL and chunk.indefinite and chunk.prep in _TARGET for chunk in others
    ):
        return  # "add the oil to a large pan"
    if verb in _RECEIVING and any(chunk.prep == "with" for chunk in others):
        return
    into_new = verb in ("pour", "fold") and any(
        chunk.prep in _WITH and chunk.kind in (Kind.NOUN, Kind.PRODUCT) for chunk in others
    )
    if hand.careful and hand.tool and not hand.found and (within or _heats_vessel(hand)):
        return  # "line a tin and pour in the oil", "heat a wok, add the broccoli"
    if within or (verb in UPON and not into_new):
        hand.unsaid("unsaid")


def _heats_vessel(hand: Hand) -> bool:
    """Return whether a step begins with heating a vessel that it does not find in use."""
    first = hand.node.said.parts[0]
    return first.verb in ("heat", "warm") and any(x.kind is Kind.TOOL for x in first.objects)


def _into_medium(hand: Hand, verb: str, eats: Sequence[Chunk]) -> bool:
    """Take up hot fat or boiling water as a medium for this clause; return success."""
    memory = hand.memory
    latest = memory.latest()
    if (
        latest is not None
        and (memory.nodes[latest].medium or (hand.careful and _adds_fat(memory.nodes[latest])))
        and latest not in hand.found
        and verb in INTO_FAT
        and not (hand.careful and (_soaks(memory.nodes[latest]) or _in_fat(hand, latest)))
        and latest == len(memory.nodes) - 1
    ):
        if hand.careful and not eats:  # "heat the oil", "fry until golden"
            hand.take(memory.only([*hand.found, latest]), "unsaid")
        return hand.take(latest, "unsaid", food=False)
    if verb in COOKING and any(chunk.head in BOILED for chunk in eats):
        hand.take(memory.water(), "unsaid")
    return False


def _adds_fat(node: Node) -> bool:
    """Return whether a step adds nothing but fat, as "add the oil to the same pan"."""
    return (
        bool(node.brings)
        and not node.moved
        and all(stem(name.split()[-1]) in _FATS for name in node.brings)
    )


def _in_fat(hand: Hand, water: int) -> bool:
    """Return whether a step has a fat of its own to cook in, beside water that waits."""
    has_water = "water" in hand.memory.nodes[water].own
    return has_water and not _FATS.isdisjoint(hand.node.own)


def _soaks(node: Node) -> bool:
    """Return whether a step with nothing but water only soaks or washes something."""
    return any(part.verb in _SOAKING for part in node.said.parts)


def _moves(hand: Hand, part: Clause, objects: Sequence[Chunk]) -> None:
    """Record that food leaves its vessel, or that some of it is set apart."""
    if part.verb in _MOVING and not any(chunk.kind is Kind.TOOL for chunk in objects):
        away = _ELSEWHERE | _MACHINES if hand.careful else _ELSEWHERE
        to = any(chunk.head in away or chunk.prep == "from" for chunk in part.chunks)
        to = to and not (hand.careful and part.back)  # "from the plate back into the pan"
        hand.node.moved = hand.node.moved or to or part.apart
    if part.verb in ("reserve", "save", "keep"):
        kept = {chunk.head for chunk in objects}
        hand.node.left |= kept
        hand.node.shared -= kept  # "save a cup of the water"


def _oven(hand: Hand, verb: str) -> None:
    if verb in ("reduce", "lower", "raise", "turn"):
        hand.take(hand.memory.lit(), "oven", food=False)
    hand.node.lit = True
