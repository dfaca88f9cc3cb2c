"""The step that is being read, with the food that it has in hand so far."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from thence.domains.recipes.lexicon import Kind, head, kind_of
from thence.domains.recipes.memory import BOILING, Memory
from thence.domains.recipes.nodes import Link, Node
from thence.domains.recipes.phrases import Chunk, Clause

# How often a link is right by its rule, on the flow-graph corpus.
SURE = {"named": 0.9, "oven": 0.97, "pronoun": 0.85, "whole": 0.95, "product": 0.85, "tool": 0.85,
        "unsaid": 0.95, "all": 0.8, "guess": 0.6}  # fmt: skip
FATS = frozenset(("oil", "butter", "ghee", "lard", "fat", "dripping", "margarine"))
KEEPING = frozenset(("reserve", "save", "keep"))
_LOOKS = frozenset(("brown", "dark", "light", "plain", "self-raising", "golden", "whole"))
_NO_SORTS = frozenset((Kind.ADJECTIVE, Kind.ADVERB, Kind.MEASURE))
_OVER = frozenset(("in", "into", "over"))


class Hand:
    """The current step, with the food that it has in hand so far.

    Attributes:
        memory: the results of earlier steps.
        title: words of the title, which may name the full dish.
        node: the future result of the step.
        found: links by the place of their source; ~place for a second one to the same source, to
            its oven beside its tin, or to a thing that it left beside its result.
        local: whether it has food in hand.
        subject: place of what the step's opening names; None for nothing.
        before: places that it was linked to before independent work begins; None where none does.
        parted: places of which only some of what lies there side by side was taken.
        clause: the number of the clause that is being read.
        tool: whether it has only named a tool, to which "it" may refer.
        begins: whether it begins independent work, as in "make the sauce".
        careful: whether the text is read with care.
    """

    __slots__ = (
        "before", "begins", "careful", "clause", "found", "local", "memory", "node", "parted",
        "subject", "title", "tool",
    )  # fmt: skip

    def __init__(self, memory: Memory, title: frozenset[str], node: Node) -> None:
        self.careful = memory.careful
        self.memory = memory
        self.title = title
        self.node = node
        self.found: dict[int, Link] = {}
        self.subject: int | None = None
        self.before: set[int] | None = None
        self.parted: set[int] = set()
        self.clause = 0
        self.local = self.tool = self.begins = False

    @property
    def taken(self) -> list[int]:
        """The places that it is linked to."""
        return [place for place in self.found if place >= 0]

    @property
    def has_fat_alone(self) -> bool:
        """Whether a step that is read with care has nothing but fat to fry in, in hand."""
        foods = {each for each in self.node.own if kind_of(each) is not Kind.ADJECTIVE}
        return self.careful and self.local and not self.found and foods <= FATS

    def take(self, place: int | None, rule: str, *, stays: bool = False, food: bool = True) -> bool:
        """Link to the result of an earlier step; return whether there was one.

        Args:
            place: the place of the earlier step; None for none.
            rule: the reason.
            stays: whether the result still exists afterwards.
            food: whether it is in hand from now on.
        """
        if place is None:
            return False
        known = self.found.get(place)
        over = self.careful and known is not None and (known.rule == "oven") != (rule == "oven")
        if over and self.memory.nodes[place].both:  # "bake in the prepared tin": oven and tin
            if rule == "oven":
                self.found[~place] = Link(
                    place, len(self.memory.nodes), rule, SURE[rule], stays=True
                )
                return True
            if known is not None:
                self.found[~place] = known
        if known is None or (over and rule != "oven" and food):
            stays = stays or rule == "oven" or self.memory.nodes[place].kind == "oven"
            self.found[place] = Link(place, len(self.memory.nodes), rule, SURE[rule], stays)
        self.local = self.local or food
        return True

    def take_spare(self, place: int, thing: str) -> bool:
        """Link to a thing that an earlier step left beside its result; see `Link`."""
        self.found[~place] = Link(
            place, len(self.memory.nodes), "named", SURE["named"], stays=True, spare=thing
        )
        self.local = True
        self.node.own.add(thing)
        return True

    def take_water(self, rule: str) -> bool:
        """Link to the step that boils water, also to one that got other things ready as well."""
        water = self.memory.medium("water")
        pot = self.memory.pot() if self.careful and water is None else None
        if pot is not None:
            return self.take_spare(pot, "water")
        return self.take(water, rule)

    def take_hot_fat(self) -> bool:
        """Link to the step just before; return whether that only got hot fat or water ready."""
        latest = self.memory.latest()
        hot = latest is not None and self.memory.nodes[latest].medium
        return hot and self.take_just_before("pronoun")

    def take_just_before(self, rule: str) -> bool:
        """Link to the step just before; return whether its food is there, not in hand already."""
        latest = self.memory.latest()
        there = latest == len(self.memory.nodes) - 1 and latest not in self.found
        return there and self.take(latest, rule)

    def earlier(self, part: Clause) -> Iterator[Clause]:
        """Return the clauses of the step before one of them."""
        return itertools.takewhile(lambda each: each is not part, self.node.said.parts)

    def unsaid(self, rule: str, *, other: bool = False) -> bool:
        """Take the latest food; with ``other``, food that this step has not taken already."""
        if self.subject is not None and self.subject not in self.found:
            return self.take(self.subject, "named")
        passed = self.taken if other or rule != "unsaid" else None
        found = self.memory.latest(passed)
        if self.careful and rule == "unsaid" and found is not None:
            found = self.memory.at_work(found, self.taken)
        return self.take(found, rule)

    def is_another(self, chunk: Chunk) -> bool:
        """Return whether what is in hand with a phrase's noun is of another sort.

        Fish sauce is another than soy sauce, and so is soy sauce than the sauce that it goes into.
        """
        node = self.node
        sorts = {x for x in chunk.stems[:-1] if x in _LOOKS or kind_of(x) not in _NO_SORTS}
        if not (self.careful and sorts and chunk.head in node.own) or chunk.rest:
            return False
        lines = self.memory.goods.named(chunk)
        if lines:
            return lines.isdisjoint(node.lines) and not lines <= self.memory.come_in
        names = [each.split() for each in node.brings if head(each) == chunk.head]
        told = any(len(each) > 1 for each in names) or node.product == chunk.head
        looks = sorts & _LOOKS  # "dark soy sauce, light soy sauce"
        differs = told and not chunk.definite and bool(looks) and looks.isdisjoint(node.own)
        other = differs or sorts.isdisjoint(node.own)
        return other and (told or not chunk.definite)

    def bring(self, chunk: Chunk) -> str:
        """Bring in what a noun phrase names; return "new", or "old" if it is in hand."""
        node = self.node
        if chunk.head in node.own and self.local and not self.is_another(chunk):
            return "old"
        node.note(chunk)
        heating = chunk.prep in _OVER and not BOILING.isdisjoint(chunk.words)
        if not (heating and chunk.head == "water"):  # "over simmering water": no ingredient
            name = chunk.name
            if self.careful:
                measure, _, rest = name.partition(" ")
                measured = kind_of(measure) is Kind.MEASURE or measure in ("cup", "cups")
                name = rest if rest and measured else name
            if chunk.prep in ("", "of"):
                node.apart.add(chunk.head)
            node.brings.append(name)  # "the remaining tablespoon of butter"
        if chunk.part or (self.careful and chunk.counted and chunk.definite):
            names = {chunk.head, *chunk.stems} if self.careful else {chunk.head}
            node.left |= names
            node.shared |= names  # "the rest of the soy" of soy sauce
        node.kind = "food"
        self.local = True
        return "new"
