"""Which step works with what which earlier step left: reference, ellipsis and mixtures by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thence.domains.recipes.clauses import Chunk, Clause, clauses
from thence.domains.recipes.lexicon import (
    ADDING,
    BOTTLED,
    COOKING,
    HEATING,
    KINDS_OF_FOOD,
    MADE_OF,
    RAW,
    SORTS,
    STAPLES,
    STATES,
    Kind,
    stem,
)

_VESSELS = {"skillet": "pan", "saucepan": "pan", "frypan": "pan", "wok": "pan", "pot": "pan",
            "casserole": "pan", "griddle": "pan", "kettle": "pan"}  # fmt: skip
_AREAS = frozenset(
    [
        "heat",
        "flame",
        "temperature",
        "hand",
        "room",
        "table",
        "surface",
        "counter",
        "hob",
        "stove",
        "stovetop",
        "burner",
        "food",
    ]
)
_ALL = frozenset(("everything", "all", "ingredient"))


_INTO_FAT = frozenset(
    [
        "add",
        "fry",
        "cook",
        "brown",
        "saute",
        "sauté",
        "sear",
        "put",
        "place",
        "soften",
        "toss",
        "stir-fry",
        "drop",
        "tip",
    ]
)
_WITH = frozenset(("to", "into", "with", "over", "on", "in", "onto", "and"))
_UPON = frozenset(
    [
        "add",
        "return",
        "fold",
        "top",
        "sprinkle",
        "scatter",
        "drizzle",
        "garnish",
        "season",
        "dust",
        "pour",
        "decorate",
        "dot",
        "crumble",
        "finish",
        "spoon",
        "throw",
    ]
)


@dataclass(frozen=True, slots=True)
class Link:
    """Step ``to`` works with what step ``source`` left.

    Attributes:
        source: 0-based.
        to: 0-based.
        rule: why, in a word: ``named``, ``oven``, ``pronoun``, ``whole``, ``product``, ``tool``,
            ``unsaid``, ``all`` or ``guess``.
        sure: how often such a link is right, between 0 and 1.
        stays: whether it is still there afterwards.
    """

    source: int
    to: int
    rule: str
    sure: float
    stays: bool = False


SURE = {"named": 0.95, "oven": 0.97, "pronoun": 0.9, "whole": 0.9, "product": 0.85, "tool": 0.8,
        "unsaid": 0.9, "all": 0.8, "guess": 0.6}  # fmt: skip


@dataclass(slots=True)
class Node:
    """What a step leaves.

    Attributes:
        own: nouns of its own text.
        holds: those and the ones of everything that went into it.
        tools: vessels and places that it names.
        kind: ``food``, ``oven``, ``tool`` or ``none``.
        medium: it is only fat or water, in which other things are cooked.
        alive: nothing has taken it up yet.
        kept: a part of it has been taken.
        brings: ingredients that come in here, as written.
        product: the name that the text gives to what is made; empty for none.
        takes: what it works with.
        unplaced: definite things that nothing before explains.
    """

    own: set[str] = field(default_factory=set)
    holds: set[str] = field(default_factory=set)
    tools: set[str] = field(default_factory=set)
    kind: str = "none"
    medium: bool = False
    alive: bool = True
    kept: bool = False
    brings: list[str] = field(default_factory=list)
    product: str = ""
    takes: list[Link] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)


def link(texts: Sequence[str], title: str = "") -> list[Node]:
    """What every step leaves and works with; the title tells what the whole may be called."""
    linker = _Linker(title)
    for text in texts:
        linker.step(clauses(text))
    return linker.nodes


class _Linker:
    def __init__(self, title: str) -> None:
        self.title = frozenset(stem(word) for word in title.lower().split())
        self.nodes: list[Node] = []
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
        latest = self._latest()
        if (
            latest is not None
            and self.nodes[latest].medium
            and not meanwhile
            and latest not in self.found
            and verb in _INTO_FAT
            and latest == len(self.nodes) - 1
        ):
            self._take(latest, "unsaid", None)
            return
        if had:
            return  # what this step has in hand is meant
        if not eats:
            tools = [chunk for chunk in objects if chunk.head not in _AREAS]
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
        upon = verb in _UPON and not (into_new and verb in ("pour", "fold"))
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
        place = self._find(chunk)
        if place is not None:
            self._take(place, "named", chunk)
            self.local = True
            self.node.own.update(self._nouns(chunk))
            return "old"
        if kind is Kind.PRODUCT:
            return self._product(chunk, part, had)
        general = KINDS_OF_FOOD.get(head)
        if general is not None and (chunk.definite or chunk.same or head not in RAW):
            place = self._holding(general)
            if place is not None:
                self._take(place, "named", chunk)
                self.local = True
                return "old"
        if head in self.node.own and self.local:
            return "old"
        if not had and (
            (chunk.definite and head not in RAW) or (head in self.title and head not in RAW)
        ):
            place = self._latest(whole=True)
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
        self.node.own.update(self._nouns(chunk))
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
                place = self._find_any([sort])
                if place is None or not self.nodes[place].takes:
                    return self._new(chunk)
            onto = chunk.prep in ("into", "to", "over", "onto") and chunk.head not in self.node.own
            if had and not onto:
                return "old"
            place = self._made(chunk.head)
            if place is not None:
                self._take(place, "product", chunk)
                self.local = True
                self.node.own.add(chunk.head)
                return "old"
            if chunk.definite:
                self.node.unplaced.append(" ".join(chunk.words))
        return self._new(chunk)

    def _made(self, name: str) -> int | None:
        """The latest thing that may be called so."""
        likely = MADE_OF.get(name, frozenset())
        for held in ("own", "holds"):
            for place in range(len(self.nodes) - 1, -1, -1):
                node = self.nodes[place]
                if (
                    node.alive
                    and node.kind == "food"
                    and place not in self.found
                    and not likely.isdisjoint(node.own if held == "own" else node.holds)
                ):
                    return place
        return None if name in RAW else self._latest(whole=True)

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
            source = self._find_any(chunk.words[:-1])
            if source is not None:
                self._take(source, "whole", chunk)
                self.local = True
                return "old"
        if not had:
            self._unsaid("whole")
        return "old"

    def _tool(self, chunk: Chunk, part: Clause) -> str:
        head = chunk.head
        if head in _AREAS:
            return ""
        if head in ("oven", "grill", "broiler"):
            return "tool"
        if not chunk.indefinite:
            place = self._vessel(head)
            if place is not None:
                self._take(place, "tool", chunk)
                if self.nodes[place].kind == "food":
                    self.local = True
                self.node.tools.add(head)
                return "tool"
        self.node.tools.add(head)
        return ""

    def _vessel(self, head: str) -> int | None:
        same = _VESSELS.get(head, head)
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if (
                node.alive
                and node.kind != "oven"
                and (
                    head in node.tools
                    or any(_VESSELS.get(tool, tool) == same for tool in node.tools)
                )
            ):
                return place
        return None

    # Finding --------------------------------------------------------------------------------

    def _nouns(self, chunk: Chunk) -> list[str]:
        return [stem(word) for word in chunk.words]

    def _find(self, chunk: Chunk) -> int | None:
        head = chunk.head
        staple = head in STAPLES and not chunk.definite and not chunk.rest
        if staple:
            return None
        names = self._nouns(chunk)
        if chunk.rest:
            for place in range(len(self.nodes) - 1, -1, -1):
                node = self.nodes[place]
                if node.alive and node.kept and head in node.own:
                    return place
        best = None
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if not node.alive or node.kind == "oven":
                continue
            if head in node.own or head == node.product:
                if head in STAPLES and not chunk.definite and not node.kept:
                    continue
                if len(names) == 1 or any(name in node.own for name in names[:-1]):
                    return place
                if best is None:
                    best = place
        if best is not None:
            return best
        if head in STAPLES:
            return None
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if node.alive and node.kind == "food" and head in node.holds:
                return place
        return None

    def _holding(self, names: frozenset[str]) -> int | None:
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if node.alive and node.kind == "food" and not names.isdisjoint(node.own):
                return place
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if node.alive and node.kind == "food" and not names.isdisjoint(node.holds):
                return place
        return None

    def _find_any(self, words: Sequence[str]) -> int | None:
        names = [stem(word) for word in words]
        for owned in (True, False):
            for place in range(len(self.nodes) - 1, -1, -1):
                node = self.nodes[place]
                held = node.own if owned else node.holds
                if node.alive and node.kind == "food" and any(name in held for name in names):
                    return place
        return None

    def _latest(self, *, whole: bool = False) -> int | None:
        """The latest food that is there; for ``whole``, more than fat or water where there is."""
        if whole:
            for place in range(len(self.nodes) - 1, -1, -1):
                node = self.nodes[place]
                if (
                    node.alive
                    and node.kind == "food"
                    and not node.medium
                    and place not in self.found
                ):
                    return place
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if node.alive and node.kind == "food":
                return place
        return None

    # Linking --------------------------------------------------------------------------------

    def _take(self, place: int, rule: str, chunk: Chunk | None) -> None:
        if place not in self.found:
            stays = self.nodes[place].kind == "oven" or (
                chunk is not None and chunk.part and not chunk.rest
            )
            self.found[place] = Link(place, len(self.nodes), rule, SURE[rule], stays)

    def _unsaid(self, rule: str) -> None:
        place = self._latest(whole=rule != "unsaid")
        if place is None:
            return
        self._take(place, rule, None)
        self.local = True

    def _oven(self, verb: str) -> None:
        place = self._lit()
        if verb in ("reduce", "lower", "raise", "turn") and place is not None:
            self._take(place, "oven", None)
        if self.node.kind == "none":
            self.node.kind = "oven"

    def _lit(self) -> int | None:
        for place in range(len(self.nodes) - 1, -1, -1):
            if self.nodes[place].kind == "oven":
                return place
        return None

    def _into_oven(self, part: Clause) -> None:
        named = any(chunk.head in ("oven", "grill", "broiler") for chunk in part.chunks)
        if part.verb in COOKING or named or part.verb in HEATING:
            place = self._lit()
            if place is not None and (named or part.verb in ("bake", "roast", "broil", "grill")):
                self._take(place, "oven", None)
