"""Which step works with what which earlier step left: reference, ellipsis and mixtures by rule."""

from __future__ import annotations

from collections.abc import Sequence

from thence.domains.recipes.clauses import Chunk, Clause, clauses
from thence.domains.recipes.lexicon import (
    ADDING,
    AREAS,
    BOTTLED,
    COOKING,
    HEATING,
    INTO_FAT,
    KINDS_OF_FOOD,
    MADE_OF,
    RAW,
    SORTS,
    STAPLES,
    STATES,
    UPON,
    Kind,
    stem,
)
from thence.domains.recipes.memory import Link, Memory, Node

__all__ = ["Link", "Node", "link"]

SURE = {"named": 0.95, "oven": 0.97, "pronoun": 0.9, "whole": 0.9, "product": 0.85, "tool": 0.8,
        "unsaid": 0.9, "all": 0.8, "guess": 0.6}  # fmt: skip
_ALL = frozenset(("everything", "all", "ingredient"))
_WITH = frozenset(("to", "into", "with", "over", "on", "in", "onto", "and"))


def link(texts: Sequence[str], title: str = "") -> list[Node]:
    """What every step leaves and works with; the title tells what the whole may be called."""
    linker = _Linker(title)
    for text in texts:
        linker.step(clauses(text))
    return linker.memory.nodes


class _Linker:
    def __init__(self, title: str) -> None:
        self.title = frozenset(stem(word) for word in title.lower().split())
        self.memory = Memory()
        self.nodes = self.memory.nodes
        self.node = Node()
        self.found: dict[int, Link] = {}
        self.local = False  # this step has food in hand
        self.said = False  # an explicit reference or new food was found in this step

    # One step -------------------------------------------------------------------------------

    def step(self, parts: Sequence[Clause]) -> None:
        """Reads a step and closes it."""
        self.node, self.found, self.local = Node(), {}, False
        parts = [part for part in parts if not part.aside] or list(parts)
        meanwhile = any(part.meanwhile for part in parts)
        for part in parts:
            self._clause(part, meanwhile)
        if not self.found and self.node.kind == "none":
            self._unsaid("guess")
        self._close()

    def _close(self) -> None:
        node = self.node
        node.takes = sorted(self.found.values(), key=lambda each: each.source)
        node.holds |= node.own
        for each in node.takes:
            source = self.nodes[each.source]
            if source.kind == "oven":
                continue
            node.holds |= source.holds
            node.tools |= source.tools
            if each.stays:
                source.kept = True
            else:
                source.alive = False
            if node.kind in ("none", "tool") and source.kind == "food":
                node.kind = "food"
        node.medium = (
            node.kind == "food" and not node.takes and not node.product and node.own <= STAPLES
        )
        self.nodes.append(node)

    # One clause -----------------------------------------------------------------------------

    def _clause(self, part: Clause, meanwhile: bool) -> None:
        verb = part.verb
        objects = [chunk for chunk in part.chunks if chunk.prep in ("", "of")]
        others = [chunk for chunk in part.chunks if chunk.prep not in ("", "of")]
        if verb in ("preheat", "heat", "turn", "set", "light", "raise", "reduce", "lower") and any(
            chunk.head in ("oven", "grill", "broiler", "barbecue", "bbq") for chunk in objects
        ):
            self._oven(verb)
            return
        had = self.local
        placed = False  # the clause says what it works on
        fresh = False
        for chunk in objects:
            result = self._chunk(chunk, part, had)
            placed = placed or result != ""
            fresh = fresh or result == "new"
        target = False
        for chunk in others:
            result = self._chunk(chunk, part, had)
            target = target or (
                result in ("old", "tool")
                and chunk.prep in ("to", "into", "over", "on", "onto", "in")
            )
            fresh = fresh or result == "new"
        if verb in HEATING or any(chunk.head in ("oven", "grill", "broiler") for chunk in others):
            self._into_oven(part)
        self._complete(part, objects, others, had, placed, target, fresh, meanwhile)

    def _complete(
        self,
        part: Clause,
        objects: Sequence[Chunk],
        others: Sequence[Chunk],
        had: bool,
        placed: bool,
        target: bool,
        fresh: bool,
        meanwhile: bool,
    ) -> None:
        """Finds what is left unsaid in a clause."""
        verb = part.verb
        if not verb:
            return
        eats = [chunk for chunk in objects if chunk.kind is not Kind.TOOL]
        latest = self.memory.latest()
        if (
            latest is not None
            and self.nodes[latest].medium
            and not meanwhile
            and latest not in self.found
            and verb in INTO_FAT
            and latest == len(self.nodes) - 1
        ):
            self._take(latest, "unsaid", None)
            return
        if had:
            return  # what this step has in hand is meant
        if not eats:
            tools = [chunk for chunk in objects if chunk.head not in AREAS]
            if tools and self.node.kind in ("tool", "none") and not self.local:
                self.node.kind = "tool"  # "grease a tin"
                return
            self._unsaid("unsaid")
            return
        if not (verb in ADDING and fresh) or target or self.found or meanwhile or not self.nodes:
            return
        into_new = any(
            chunk.prep in _WITH and chunk.kind in (Kind.NOUN, Kind.PRODUCT) for chunk in others
        )
        upon = verb in UPON and not (into_new and verb in ("pour", "fold"))
        if upon or part.particle in ("in", "into", "over", "through", "on"):
            self._unsaid("unsaid")

    # One noun phrase ------------------------------------------------------------------------

    def _chunk(self, chunk: Chunk, part: Clause, had: bool) -> str:
        """Places a noun phrase: ``old``, ``new``, ``tool``, or nothing."""
        kind, head = chunk.kind, chunk.head
        if kind is Kind.PRONOUN:
            if not had:
                self._unsaid("pronoun")
            return "old"
        if kind is Kind.PART:
            if head in STATES:
                return ""
            if not had:
                self._unsaid("unsaid")
            return "old"
        if kind is Kind.TOOL:
            return self._tool(chunk, part)
        if kind is Kind.WHOLE:
            return self._whole(chunk, had)
        place = self.memory.named(chunk)
        if place is not None:
            self._take(place, "named", chunk)
            self.local = True
            self.node.own.update(_nouns(chunk))
            return "old"
        if kind is Kind.PRODUCT:
            return self._product(chunk, part, had)
        general = KINDS_OF_FOOD.get(head)
        if general is not None and (chunk.definite or chunk.same or head not in RAW):
            place = self.memory.holding(general)
            if place is not None:
                self._take(place, "named", chunk)
                self.local = True
                return "old"
        if head in self.node.own and self.local:
            return "old"
        if not had and (
            (chunk.definite and head not in RAW) or (head in self.title and head not in RAW)
        ):
            place = self.memory.latest([*self.found])
            if place is not None:
                self._take(place, "product", chunk)
                self.local = True
                self.node.own.add(head)
                return "old"
        return self._new(chunk)

    def _new(self, chunk: Chunk) -> str:
        words = chunk.words
        if chunk.head in self.node.own and self.local:
            return "old"
        self.node.own.update(_nouns(chunk))
        self.node.brings.append(" ".join(words))
        self.node.kind = "food"
        self.local = True
        return "new"

    def _product(self, chunk: Chunk, part: Clause, had: bool) -> str:
        result = part.verb in ("make", "form") or chunk.prep in ("to", "into", "for")
        if self.local and result and (had or not chunk.definite):
            self.node.product = chunk.head
            self.node.own.add(chunk.head)
            return "old"
        if chunk.definite or chunk.same or (chunk.head in MADE_OF and not chunk.indefinite):
            sort = chunk.words[-2] if len(chunk.words) > 1 else ""
            if chunk.head in BOTTLED and (sort in SORTS or stem(sort) in RAW):
                place = self._any([sort])
                if place is None or not self.nodes[place].takes:
                    return self._new(chunk)
            onto = chunk.prep in ("into", "to", "over", "onto") and chunk.head not in self.node.own
            if had and not onto:
                return "old"
            place = self.memory.made_as(chunk.head, [*self.found])
            if place is not None:
                self._take(place, "product", chunk)
                self.local = True
                self.node.own.add(chunk.head)
                return "old"
            if chunk.definite:
                self.node.unplaced.append(" ".join(chunk.words))
        return self._new(chunk)

    def _whole(self, chunk: Chunk, had: bool) -> str:
        if chunk.head in _ALL and not chunk.rest:
            if not self.local:
                any_found = False
                for place, node in enumerate(self.nodes):
                    if node.alive and node.kind == "food":
                        self._take(place, "all", chunk)
                        any_found = True
                self.local = True
                return "old" if any_found else self._new(chunk)
            return "old"
        if chunk.rest and chunk.head == "ingredient":
            self.node.kind = "food"
            self.local = True
            self.node.own.add("ingredient")
            return "new"
        if len(chunk.words) > 1:
            source = self._any(chunk.words[:-1])
            if source is not None:
                self._take(source, "whole", chunk)
                self.local = True
                return "old"
        if not had:
            self._unsaid("whole")
        return "old"

    def _tool(self, chunk: Chunk, part: Clause) -> str:
        head = chunk.head
        if head in AREAS:
            return ""
        if head in ("oven", "grill", "broiler"):
            return "tool"
        if not chunk.indefinite:
            place = self.memory.vessel(head)
            if place is not None:
                self._take(place, "tool", chunk)
                if self.nodes[place].kind == "food":
                    self.local = True
                self.node.tools.add(head)
                return "tool"
        self.node.tools.add(head)
        return ""

    def _any(self, words: Sequence[str]) -> int | None:
        return self.memory.holding(frozenset(stem(word) for word in words))

    # Linking --------------------------------------------------------------------------------

    def _take(self, place: int, rule: str, chunk: Chunk | None) -> None:
        if place not in self.found:
            stays = self.nodes[place].kind == "oven" or (
                chunk is not None and chunk.part and not chunk.rest
            )
            self.found[place] = Link(place, len(self.nodes), rule, SURE[rule], stays)

    def _unsaid(self, rule: str) -> None:
        place = self.memory.latest(None if rule == "unsaid" else [*self.found])
        if place is None:
            return
        self._take(place, rule, None)
        self.local = True

    def _oven(self, verb: str) -> None:
        place = self.memory.lit()
        if verb in ("reduce", "lower", "raise", "turn") and place is not None:
            self._take(place, "oven", None)
        if self.node.kind == "none":
            self.node.kind = "oven"

    def _into_oven(self, part: Clause) -> None:
        named = any(chunk.head in ("oven", "grill", "broiler") for chunk in part.chunks)
        if part.verb in COOKING or named or part.verb in HEATING:
            place = self.memory.lit()
            if place is not None and (named or part.verb in ("bake", "roast", "broil", "grill")):
                self._take(place, "oven", None)


def _nouns(chunk: Chunk) -> list[str]:
    return [stem(word) for word in chunk.words]
