"""Construction of directed graphs with a given size and given cycles or a given deciding chain.

Graphs with many edges and long shortest cycles or chains are so rare that random draws do not find
them. Here the deciding part is built first and the rest is filled with edges that cannot change it.
All graphs are weakly connected, have no edge in both directions, and number their nodes in random
order. Work grows with n + m, except for graphs with more than a quarter of all possible edges,
where it grows with the number of possible edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from random import Random

from thence.core.graph import Edge, Graph, circuits
from thence.families.releval.filling import DENSE, anywhere, enough, filled, mixed, pairs

MOST_WASTED = 100  # rejected moves in a row after which a core counts as fully grown


def most_edges_with_cycle(n: int, girth: int) -> int:
    """Return the maximal number of edges of a graph whose shortest cycle has ``girth`` edges.

    No two nodes of a shortest cycle have an edge besides those of the cycle.
    """
    return pairs(n) - girth * (girth - 3) // 2


def most_edges_with_chain(n: int, steps: int) -> int:
    """Return the maximal number of edges of an acyclic graph with a shortest chain of ``steps``.

    No two nodes of a shortest chain have an edge besides those of the chain. With 0 steps, two
    nodes exist of which neither reaches the other.
    """
    return pairs(n) - (steps * (steps - 1) // 2 if steps else 1)


def acyclic(n: int, m: int, rng: Random) -> list[Edge]:
    """Return a graph without cycles.

    Args:
        n: number of nodes, at least 1.
        m: number of edges, from n - 1 to n (n - 1) / 2.
        rng: the source of all randomness.
    """
    return mixed(filled(range(n), [], m, anywhere, rng), n, rng)


def cyclic(n: int, m: int, girth: int, wanted: int, rng: Random) -> list[Edge]:
    """Return a graph with simple cycles, the shortest of exactly ``girth`` edges.

    The number of simple cycles approaches ``wanted`` from below as far as growth allows; dense
    graphs cannot have every number.

    Args:
        n: number of nodes.
        m: number of edges, from n to `most_edges_with_cycle`.
        girth: length of the shortest cycle, from 2 to n.
        wanted: number of simple cycles, at least 1; it is never exceeded.
        rng: the source of all randomness.
    """
    core = Core(n, m, girth, rng, n)
    core.grow(wanted)
    edges = core.surrounded()
    assert edges is not None
    return edges


class Core:
    """The part of a graph that contains all its cycles, grown from one cycle.

    It grows by three moves: another cycle apart from the others; an ear, which is a path of new
    nodes between two nodes of a part; and a twin, a new node with the neighbours of another node. A
    move is rejected if n and m could not be reached after it, or if it made a shorter cycle or too
    many.

    Attributes:
        edges: the edges of the core, as keys.
        part: the strongly connected part of each node.
        parts: the number of parts.
    """

    def __init__(self, n: int, m: int, girth: int, rng: Random, most: int) -> None:
        self._n, self._m, self._girth, self._rng, self._most = n, m, girth, rng, most
        self.part = [0] * girth
        self.parts = 1
        self.edges: dict[Edge, None] = dict.fromkeys(_ring(range(girth)))

    def grow(self, wanted: int) -> int:
        """Grow to at most ``wanted`` simple cycles; return their number."""
        count, wasted = 1, 0
        while count < wanted and wasted < MOST_WASTED:
            wasted += 1
            move = self._rng.choice((self._ear, self._ear, self._twin, self._apart))()
            if move is None or not self._fits(*move):
                continue
            made = self._new_cycles(move[0], wanted - count)
            if made:
                count, wasted = count + made, 0
                self.edges.update(dict.fromkeys(move[0]))
                self.part += move[1]
                self.parts = max(self.part) + 1
        return count

    def surrounded(self, *, ends: bool = False) -> list[Edge] | None:
        """Return a graph of n nodes and m edges around the core, without further cycles.

        With ``ends``, all cycles lie between a node without edges into it and one without edges out
        of it, and some pairs with these are free, so that the cycles can be opened there; None
        where that leaves no room for all edges.
        """
        part = self.part + [-1] * (self._n - len(self.part))
        singles = [[node] for node in range(len(self.part), self._n)]
        first, last = (singles.pop(), singles.pop()) if ends else ([], [])
        blocks = singles + [
            [node for node, each in enumerate(self.part) if each == number]
            for number in range(self.parts)
        ]
        self._rng.shuffle(blocks)
        order = [*first, *(node for block in blocks for node in block), *last]
        opened = self._opened() if ends else ()
        free = {pair for u, v in opened for pair in ((order[0], v), (u, order[-1]))}

        def allowed(x: int, y: int) -> bool:
            return (part[x] < 0 or part[x] != part[y]) and (x, y) not in free

        edges = list(self.edges)
        if free and not enough(order, edges, self._m, allowed):
            return None
        return mixed(filled(order, edges, self._m, allowed, self._rng), self._n, self._rng)

    def _opened(self) -> list[Edge]:
        """Return random edges without which no cycle is left."""
        left, found = list(self.edges), list[Edge]()
        while (cycle := Graph(len(self.part), left).a_cycle()) is not None:
            place = self._rng.randrange(len(cycle))
            edge = cycle[place - 1], cycle[place]
            left.remove(edge)
            found.append(edge)
        return found

    def _new_cycles(self, added: Sequence[Edge], most: int) -> int:
        """Return the number of simple cycles that new edges make; 0 if more than ``most``.

        All of them pass through the first of the edges, or through the new node in it.
        """
        first, second = added[0]
        middle = len(self.part) + len(added)  # an extra node within the first edge
        successors: list[list[int]] = [[] for _ in range(middle + 1)]
        for a, b in (*self.edges, *added[1:], (first, middle), (middle, second)):
            successors[a].append(b)
        new = second if second >= len(self.part) else middle
        found = sum(1 for _ in islice(circuits(new, successors), most + 1))
        return found if found <= most else 0

    def _fits(self, added: Sequence[Edge], parts: Sequence[int]) -> bool:
        """Return whether a graph of n nodes and m edges can still be made around the grown core."""
        sizes = Counter(self.part)
        sizes.update(parts)
        nodes, edges = len(self.part) + len(parts), len(self.edges) + len(added)
        pieces = self._n - nodes + len(sizes)
        room = pairs(self._n) - sum(map(pairs, sizes.values()))
        return nodes <= self._most and pieces - 1 <= self._m - edges <= room

    def _ear(self) -> tuple[list[Edge], list[int]] | None:
        rng = self._rng
        first = rng.randrange(len(self.part))
        part = self.part[first]
        last = rng.choice([node for node, each in enumerate(self.part) if each == part])
        back = Graph(len(self.part), self.edges).distances(last)[first]
        length = max(1, self._girth - back) + rng.choice((0, 0, 0, 1, 2))
        new = range(len(self.part), len(self.part) + length - 1)
        path = [first, *new, last]
        added = list(pairwise(path))
        if added[0] in self.edges or (self._girth > 2 and added[0][::-1] in self.edges):
            return None
        return added, [part] * len(new)

    def _twin(self) -> tuple[list[Edge], list[int]]:
        rng = self._rng
        node, twin = rng.randrange(len(self.part)), len(self.part)
        added = [(a, twin) for a, b in self.edges if b == node]
        added += [(twin, b) for a, b in self.edges if a == node]
        link = rng.choice(([], [], [(node, twin)], [(twin, node)]))
        return [*added, *link], [self.part[node]]

    def _apart(self) -> tuple[list[Edge], list[int]]:
        size = self._girth + self._rng.choice((0, 0, 0, 1, 2))
        first = len(self.part)
        return _ring(range(first, first + size)), [self.parts] * size


def _ring(nodes: Sequence[int]) -> list[Edge]:
    return list(zip(nodes, [*nodes[1:], nodes[0]], strict=True))


# A deciding chain -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ends:
    """The two nodes of a question, with the numbers of their edges.

    The degrees of a node must be distributed alike whether it is the upper end of a chain, the
    lower end, or an end of no chain: then they reveal nothing. So degrees are drawn first, by a
    rule that ignores the chain, and the graph is built around them.

    Attributes:
        out: numbers of edges from the upper and from the lower end.
        into: numbers of edges to the upper and to the lower end.
    """

    out: tuple[int, int]
    into: tuple[int, int]


_LEANS = ((0, 0), (1, 1), (-1, -1), (0, 1), (1, 0), (0, -1), (-1, 0))
"""Out-degree minus in-degree of both ends; the set is symmetric in the ends."""


def chained(n: int, m: int, steps: int, rng: Random) -> tuple[list[Edge], int, int]:
    """Return an acyclic graph in which the shortest chain between two nodes has ``steps`` edges.

    The degrees of the two nodes are distributed alike for every direction and length of the chain,
    and without a chain, wherever n and m permit it.

    Args:
        n: number of nodes.
        m: number of edges, from n - 1 to `most_edges_with_chain`.
        steps: from 0 to n - 1; with 0, neither of the two nodes reaches the other.
        rng: the source of all randomness.

    Returns:
        The edges, and the two nodes: the first reaches the second, if there is a chain.

    Raises:
        ValueError: there is no such graph.
    """
    lean = rng.choice(_LEANS)
    most = max(1, min(round(m / n), (n - 8) // 6))
    bases = rng.randint(1, most), rng.randint(1, most)
    tries = [(bases, False), (bases, True)] if 2 * DENSE * m > pairs(n) else [(bases, False)]
    tries += [((base, base), True) for base in range(1, n // 2)]
    for (upper, lower), packed in tries:
        ends = Ends(
            (upper + max(lean[0], 0), lower + max(lean[1], 0)),
            (upper + max(-lean[0], 0), lower + max(-lean[1], 0)),
        )
        made = _Chain(n, m, steps, rng).build(ends, packed=packed)
        if made is not None:
            break
    else:
        made = _Chain(n, m, steps, rng).build(None, packed=True)
    if made is None:
        raise ValueError(f"no {n} objects with {m} relations have a shortest chain of {steps}")
    names = list(range(n))
    rng.shuffle(names)
    edges = [(names[a], names[b]) for a, b in made]
    rng.shuffle(edges)
    return edges, names[0], names[1]


@dataclass(slots=True)
class _Chain:
    """A graph under construction: nodes 0 and 1 are the ends, the inner nodes of the chain follow.

    Every node has a level: an edge may lead at most one level up, and the lower end is as many
    levels above the upper one as the chain has steps, so that no path between them is shorter.
    Without a chain no edge may lead up, and the lower end is one level above. Nodes before the
    upper end and after the lower one may have any edge; nodes between the ends may not.
    """

    n: int
    m: int
    steps: int
    rng: Random
    above: list[int] = field(default_factory=list)
    between: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)

    def build(self, ends: Ends | None, *, packed: bool) -> list[Edge] | None:
        """Return the edges, or None where the ends cannot have their degrees.

        Args:
            ends: the degrees of the two nodes; None for any.
            packed: whether to leave no nodes between the ends, so that more edges fit.
        """
        inner = list(range(2, 2 + max(self.steps - 1, 0)))
        others = list(range(2 + len(inner), self.n))
        if not self._divide(others, ends, packed=packed):
            return None
        level = self._levels(inner)
        chain = [0, *inner, 1] if self.steps else [0]
        edges = list(pairwise(chain))
        if ends is not None:
            ties = self._ties(ends, level)
            if ties is None:
                return None
            edges += ties
        order = self._order(chain)
        climb = 1 if self.steps else 0

        def allowed(x: int, y: int) -> bool:
            return level[y] <= level[x] + climb and (ends is None or (x > 1 and y > 1))

        if not enough(order, edges, self.m, allowed):
            return None
        return filled(order, edges, self.m, allowed, self.rng)

    def _divide(self, others: list[int], ends: Ends | None, *, packed: bool) -> bool:
        """Divide the nodes off the chain into above, between and below; False if impossible."""
        rng = self.rng
        above = below = 0
        if ends is not None:
            spare = 1 if self.steps else 0  # the chain is one edge out and one edge in
            above = max(ends.into[0], ends.into[1] - spare)
            below = max(ends.out[1], ends.out[0] - spare)
        free = len(others) - above - below
        if free < 0:
            return False
        rng.shuffle(others)
        middle = 0 if packed else rng.randint(0, free)
        above += rng.randint(0, free - middle)
        self.above = others[:above]
        self.between = others[above : above + middle]
        self.below = others[above + middle :]
        return True

    def _levels(self, inner: Sequence[int]) -> list[int]:
        top = self.steps or 1
        level = [0] * self.n
        level[1] = top
        for place, node in enumerate(inner, 1):
            level[node] = place
        for node in self.above:
            level[node] = top
        for node in self.between:
            level[node] = self.rng.randint(0, top)
        return level

    def _ties(self, ends: Ends, level: Sequence[int]) -> list[Edge] | None:
        """Return the edges at both ends of a chain that are not part of it."""
        rng, spare = self.rng, 1 if self.steps else 0
        climb, top = spare, self.steps or 1
        after = [x for x in self.between if level[x] <= climb] + self.below
        before = [x for x in self.between if level[x] >= top - climb] + self.above
        plan = (
            (after, ends.out[0] - spare),
            (self.above, ends.into[0]),
            (self.below, ends.out[1]),
            (before, ends.into[1] - spare),
        )
        if any(len(nodes) < count for nodes, count in plan):
            return None
        out0, in0, out1, in1 = (rng.sample(nodes, count) for nodes, count in plan)
        return (
            [(0, x) for x in out0]
            + [(x, 0) for x in in0]
            + [(1, x) for x in out1]
            + [(x, 1) for x in in1]
        )

    def _order(self, chain: list[int]) -> list[int]:
        """Return a random order of all nodes that respects the chain and the three groups."""
        inner = [0] * (len(chain) - 1) + [1] * len(self.between) if self.steps else []
        if not self.steps:
            return [*self.above, 0, *self.between, 1, *self.below]
        inner = inner[1:]  # the chain's inner nodes, as zeros
        self.rng.shuffle(inner)
        rest, middle = iter(chain[1:-1]), iter(self.between)
        between = [next(middle) if each else next(rest) for each in inner]
        return [*self.above, 0, *between, 1, *self.below]
