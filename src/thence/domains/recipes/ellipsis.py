"""The implicit arguments of a clause: what "simmer gently" simmers, and what milk is added to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thence.domains.recipes.clauses import Chunk, Clause
from thence.domains.recipes.hand import FATS, Hand
from thence.domains.recipes.lexicon import (
    ADDING,
    AREAS,
    BOILED,
    COOKING,
    INTO_FAT,
    STATES,
    UPON,
    Kind,
    stem,
)
from thence.domains.recipes.listed_mentions import SINGLY
from thence.domains.recipes.nodes import Node

_WITH = frozenset(("to", "into", "with", "over", "on", "in", "onto", "and"))
TARGET = frozenset(("to", "into", "over", "on", "onto", "in"))
"""Prepositions before what something is added to."""
_IN = frozenset(("in", "into", "over", "through", "on"))
_PREPARING = frozenset(
    ["grease", "line", "coat", "butter", "oil", "flour", "spray", "dust", "brush", "rub", "heat",
     "wipe", "rinse", "wash", "clean", "warm"]
)  # fmt: skip
_PUTTING = frozenset(("tip", "put", "pop", "slide", "lower", "empty", "dump"))
_SOAKING = frozenset(("soak", "wash", "rinse", "soften", "clean"))
_DRYING = frozenset(("rinse", "dry", "drain", "place", "put", "leave", "set", "keep"))
_WARMING = frozenset(("heat", "warm", "preheat"))
_WHOLLY = frozenset(("taste", "serve", "ladle"))
_EMPTYING = frozenset(("remove", "transfer", "move"))
_TAKING_OUT = _EMPTYING | {"take", "lift", "pull"}
_RECEIVING = frozenset(("dust", "season", "top", "garnish", "finish", "decorate", "dress"))
_FRYING = frozenset(("brown", "fry", "saute", "sauté", "sear", "stir-fry", "toss"))  # not in stock
_COOKING_LIQUIDS = frozenset(("water", "stock", "broth", "milk", "wine"))
_IN_HOT_FAT = _FRYING - {"brown", "toss"} | {"deep-fry"}
_SOFTENING = frozenset(("sweat", "wilt", "caramelise", "caramelize", "crisp", "char"))
_SLIDING = frozenset(("drop", "slide", "lower"))
_PASTA = frozenset(("pasta", "noodle"))
_BOWLS = frozenset(("bowl", "jug", "dish", "tin", "container"))
_BOILING = frozenset(("boil", "cook", "simmer"))


@dataclass(slots=True)
class Interpretation:
    """A clause with its noun phrases, and what these were found to be.

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


def complete(hand: Hand, said: Interpretation) -> None:
    """Add the implicit arguments of a clause."""
    verb = said.part.verb
    eats = [chunk for chunk in said.objects if chunk.kind is not Kind.TOOL]
    if hand.careful and verb == "dip" and eats and not said.others:
        _dip_again(hand)
    if not (said.meanwhile or _has_bowl(hand, said)) and _into_medium(hand, said.part, eats):
        return
    puts_in = verb in ADDING or (hand.careful and verb in _PUTTING)
    if not eats and _is_fried(hand, said):
        hand.unsaid("unsaid", other=True)  # "heat the oil, fry until golden"
    elif said.had:  # this step's food in hand is meant
        same = all(chunk.kind is Kind.PRONOUN for chunk in eats)
        same = same and not any(_is_vessel_of_step(hand, said.part, x) for x in said.others)
        joins = not hand.found or _joins_alone(hand, said.part, eats)
        if hand.careful and verb == "add" and same and eats and joins:
            joins = not hand.unsaid("unsaid", other=True)  # "dice the onion, add it"
        if said.part.trailing == "alongside" and verb == "serve":
            hand.take(hand.memory.main(), "unsaid")
        elif said.part.trailing in _IN and puts_in and not said.target and joins:
            hand.unsaid("unsaid", other=True)
    elif not eats:
        _without_food(hand, said)
    elif not (said.target or said.meanwhile or any(x.head in STATES for x in said.others)):
        _without_target(hand, said)


def _dip_again(hand: Hand) -> None:
    """Take what an earlier step dipped something in: "dip the remaining ladyfingers"."""
    for node in reversed(hand.memory.nodes):
        if any(part.verb == "dip" for part in node.said.parts):
            there = (each for each in node.takes if each.stays and not each.spare)
            dip = next((each for each in there if each.rule == "named"), None)
            if dip is not None:
                hand.take(dip.source, "unsaid", stays=True, food=False)
            return


def _joins_alone(hand: Hand, part: Clause, eats: Sequence[Chunk]) -> bool:
    """Return whether the one thing that a step works on comes in: "stir the sauce, pour it in"."""
    told = [each for each in hand.found.values() if each.rule in ("named", "product", "whole")]
    alone = hand.careful and len(told) == len(hand.found) == 1 and not hand.node.brings
    came_in = any(each.particle in _IN or each.trailing in _IN for each in hand.earlier(part))
    return alone and not came_in and eats != [] and all(x.kind is Kind.PRONOUN for x in eats)


def _has_bowl(hand: Hand, said: Interpretation) -> bool:
    """Return whether something comes into a new bowl, and not into the oil of the step before."""
    bowls = (x for x in said.others if x.head in _BOWLS and x.indefinite and x.prep in TARGET)
    return hand.careful and said.part.verb not in COOKING and any(bowls)


def _is_fried(hand: Hand, said: Interpretation) -> bool:
    """Return whether what a step does not name comes into its hot fat: "heat oil, drop in ..."."""
    slides = said.part.verb in _SLIDING and said.within()
    browns = hand.node.own <= {"butter", "margarine"}  # "melt the butter, fry until it is nutty"
    fries = said.part.verb in _IN_HOT_FAT and not browns
    return hand.has_fat_alone and (slides or fries)


def _is_vessel_of_step(hand: Hand, part: Clause, chunk: Chunk) -> bool:
    """Return whether a target is new, or was named before in this step, as a pan for its butter."""
    if chunk.prep not in TARGET:
        return False
    return chunk.indefinite or any(chunk.head in each.heads for each in hand.earlier(part))


def _without_food(hand: Hand, said: Interpretation) -> None:
    """Complete a clause without food as its object, as "simmer gently" or "grease a tin"."""
    verb, tools = said.part.verb, [chunk for chunk in said.objects if chunk.head not in AREAS]
    if tools and _is_about_tools(hand, said, tools):
        return
    if hand.careful and _has_only_tools(hand, said):
        return  # "wash the jars, rinse and leave to dry", "oil a grill pan and set over the heat"
    greased = not FATS.isdisjoint(said.part.heads) and _is_empty(hand)
    empty = greased or (not hand.found and _heats_vessel(hand))
    if hand.careful and empty and (said.fresh or verb in _PREPARING):
        return  # "heat a pan and brush with oil", "heat a wok, swirl in the oil"
    if verb in _WHOLLY:
        main = hand.take(hand.memory.main(), "unsaid")
        if main and hand.careful:
            return
    if hand.careful and verb == "combine" and not (said.part.chunks or hand.local):
        for place, _ in [*hand.memory.backwards(food=True)][:2]:
            hand.take(place, "all")  # "combine and mix well", of what was made last
        return
    comes_in = verb in ADDING and said.part.particle in _IN and _is_only_cut(hand)
    upon = hand.careful and said.old and (verb in _RECEIVING or comes_in)  # "top with the cheese"
    hand.unsaid("unsaid", other=upon)


def _is_only_cut(hand: Hand) -> bool:
    """Return whether the one thing that comes in was only got ready: "pour in the beans"."""
    nodes = [hand.memory.nodes[each] for each in hand.taken]
    verbs = {part.verb for node in nodes for part in node.said.parts if part.verb}
    return len(nodes) == 1 and not nodes[0].takes and bool(verbs) and verbs <= SINGLY


def _has_only_tools(hand: Hand, said: Interpretation) -> bool:
    """Return whether a clause goes on with vessels that are washed, or oiled and then heated."""
    verb, before = said.part.verb, {each.verb for each in hand.earlier(said.part)}
    dries = verb in _DRYING and not before.isdisjoint(_SOAKING)
    heats = verb in _WARMING or (verb in _DRYING and "heat" in said.part.heads)
    goes_on = dries or (heats and not before.isdisjoint(_PREPARING))
    return goes_on and hand.node.kind == "tool" and not (hand.found or hand.local)


def _is_about_tools(hand: Hand, said: Interpretation, tools: Sequence[Chunk]) -> bool:
    """Return whether a clause only gets tools ready, as "grease a tin", and needs no food."""
    verb = said.part.verb
    if hand.careful and verb == "fill" and not (hand.local or said.fresh):
        return False  # "fill the tins two thirds full"
    if (
        verb in _PREPARING
        or (hand.careful and verb in _SOAKING and not hand.found)
        or (verb not in _EMPTYING and hand.node.kind in ("tool", "none") and not hand.local)
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


def _without_target(hand: Hand, said: Interpretation) -> None:
    """Complete a clause that adds something without a target."""
    verb, within = said.part.verb, said.within()
    if hand.careful and FATS.issuperset([chunk.head for chunk in said.objects]):
        nodes = hand.memory.nodes
        tools = [each for each in hand.found.values() if each.rule == "tool"]
        if any(each.stays or nodes[each.source].kind != "food" for each in tools):
            return  # "wipe out the wok, add the remaining oil", "take out the hot skillet, add oil"
    if not said.fresh or hand.found:
        puts = verb in ADDING or (hand.careful and verb in _PUTTING)
        joins = within and any(x.prep == "with" and x.definite for x in said.others)
        if hand.careful and said.old and joins:
            return  # "pour the beer in with the vegetables"
        if said.part.back or verb in ("add", "throw") or (within and puts):
            hand.unsaid("unsaid", other=True)
        return
    others = said.others
    if verb not in ADDING or any(
        chunk.kind is Kind.TOOL and chunk.indefinite and chunk.prep in TARGET for chunk in others
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


def _into_medium(hand: Hand, part: Clause, eats: Sequence[Chunk]) -> bool:
    """Take up hot fat or boiling water as a medium for this clause; return success."""
    memory, verb = hand.memory, part.verb
    latest = memory.latest()
    if (
        latest is not None
        and (memory.nodes[latest].medium or (hand.careful and _adds_fat(memory.nodes[latest])))
        and latest not in hand.found
        and (verb in INTO_FAT or (hand.careful and verb in _SOFTENING))
        and not (hand.careful and (_soaks(memory.nodes[latest]) or _in_fat(hand, latest)))
        and not (hand.careful and verb in _FRYING and FATS.isdisjoint(memory.nodes[latest].own))
        and latest == len(memory.nodes) - 1
    ):
        if hand.careful and not (eats or hand.local):  # "heat the oil", "fry until golden"
            hand.take(memory.only([*hand.taken, latest]), "unsaid")
        return hand.take(latest, "unsaid", food=False)
    if verb in COOKING and any(_needs_water(hand, chunk) for chunk in eats):
        if hand.careful and (verb not in _BOILING or _has_liquid(part)):
            hand.take(memory.medium("water"), "unsaid")
        else:
            hand.take_water("unsaid")
    return False


def _needs_water(hand: Hand, chunk: Chunk) -> bool:
    """Return whether a thing is boiled: pasta, or shells that the list says are pasta."""
    goods = hand.memory.goods
    listed = hand.careful and chunk.kind is Kind.NOUN and goods.have_any(_PASTA, goods.named(chunk))
    return chunk.head in BOILED or listed


def _has_liquid(part: Clause) -> bool:
    """Return whether a clause names what something is cooked in."""
    return any(x.prep in ("in", "with") and x.kind is not Kind.TOOL for x in part.others)


def _adds_fat(node: Node) -> bool:
    """Return whether a step adds nothing but fat, as "add the oil to the same pan"."""
    return (
        bool(node.brings)
        and all(each.rule == "tool" for each in node.takes)
        and not node.moved
        and all(stem(name.split()[-1]) in FATS for name in node.brings)
    )


def _in_fat(hand: Hand, water: int) -> bool:
    """Return whether a step has a fat of its own to cook in, beside water that waits."""
    has_water = not _COOKING_LIQUIDS.isdisjoint(hand.memory.nodes[water].own)
    return has_water and not FATS.isdisjoint(hand.node.own)


def _soaks(node: Node) -> bool:
    """Return whether a step with nothing but water only soaks or washes something."""
    return any(part.verb in _SOAKING for part in node.said.parts)
