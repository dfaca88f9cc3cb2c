"""What the steps of a recipe have left so far, and how a later step finds it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from thence.domains.recipes.clauses import Chunk
from thence.domains.recipes.lexicon import MADE_OF, RAW, STAPLES, stem

_SAME_VESSEL = {"skillet": "pan", "saucepan": "pan", "frypan": "pan", "wok": "pan", "pot": "pan",
                "casserole": "pan", "griddle": "pan", "kettle": "pan"}  # fmt: skip


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


def vessel(name: str) -> str:
    """The kind of vessel that a name stands for: a skillet and a wok are pans."""
    return _SAME_VESSEL.get(name, name)


class Memory:
    """The nodes of the steps read so far; whoever asks for one gets its place."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def backwards(self, *, food: bool = False) -> Iterator[tuple[int, Node]]:
        """The nodes that nothing has taken up, the latest first."""
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            if node.alive and (node.kind == "food" or (not food and node.kind != "oven")):
                yield place, node

    def named(self, chunk: Chunk) -> int | None:
        """What goes by the name of a noun phrase, or holds what does."""
        head = chunk.head
        if head in STAPLES and not chunk.definite and not chunk.rest:
            return None
        names = [stem(word) for word in chunk.words]
        if chunk.rest:
            for place, node in self.backwards():
                if node.kept and head in node.own:
                    return place
        best = None
        for place, node in self.backwards():
            if head in node.own or head == node.product:
                if head in STAPLES and not chunk.definite and not node.kept:
                    continue
                if len(names) == 1 or any(name in node.own for name in names[:-1]):
                    return place
                if best is None:
                    best = place
        if best is not None or head in STAPLES:
            return best
        return next(
            (place for place, node in self.backwards(food=True) if head in node.holds), None
        )

    def holding(self, names: frozenset[str]) -> int | None:
        """The latest food that is one of some things, or else that holds one."""
        for place, node in self.backwards(food=True):
            if not names.isdisjoint(node.own):
                return place
        for place, node in self.backwards(food=True):
            if not names.isdisjoint(node.holds):
                return place
        return None

    def made_as(self, name: str, taken: Sequence[int]) -> int | None:
        """The latest thing that may be called by the name of something made."""
        likely = MADE_OF.get(name, frozenset())
        for own in (True, False):
            for place, node in self.backwards(food=True):
                if place not in taken and not likely.isdisjoint(node.own if own else node.holds):
                    return place
        return None if name in RAW else self.latest(taken)

    def vessel(self, name: str) -> int | None:
        """The latest step whose result is in a vessel of that name or kind."""
        same = vessel(name)
        for place, node in self.backwards():
            if name in node.tools or any(vessel(tool) == same for tool in node.tools):
                return place
        return None

    def latest(self, taken: Sequence[int] | None = None) -> int | None:
        """The latest food that is there.

        Args:
            taken: places to pass over, as is what is only fat or water, where there is other food.
        """
        found = None
        for place, node in self.backwards(food=True):
            if taken is None or (not node.medium and place not in taken):
                return place
            found = place if found is None else found
        return found

    def lit(self) -> int | None:
        """The latest step that heats an oven."""
        for place in range(len(self.nodes) - 1, -1, -1):
            if self.nodes[place].kind == "oven":
                return place
        return None
