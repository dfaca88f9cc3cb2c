"""Directed graphs: who reaches whom, by which chain, in which order, through which cycles.

The one place where graphs are reasoned about: step order, facts that flow between steps, and
relations between objects are the same questions here. Nodes are the integers 0 to n - 1. Sets of
nodes that a question asks for by the thousand are bitsets: Python integers whose bit v stands for
node v, so that a union is one operation whatever its size.

Nothing depends on more than the edges and the order in which they were given: the same graph gives
the same chain, the same topological order and the same cycles in every process.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import compress, count

Edge = tuple[int, int]

_DIGITS = bytes.maketrans(b"01", b"\0\1")


class Graph:
    """A directed graph that does not change.

    Args:
        n: number of nodes.
        edges: pairs (a, b), an edge from a to b; one that is given twice counts once.

    Attributes:
        n: number of nodes.
        successors: for each node, where its edges lead, in the order given.

    Raises:
        ValueError: an edge to or from a node that is not there.
    """

    def __init__(self, n: int, edges: Iterable[Edge]) -> None:
        self.n = n
        self.edges: tuple[Edge, ...] = tuple(dict.fromkeys((a, b) for a, b in edges))
        self.successors: list[list[int]] = [[] for _ in range(n)]
        for a, b in self.edges:
            if not (0 <= a < n and 0 <= b < n):
                raise ValueError(f"edge {a} -> {b} of a graph with nodes 0 to {n - 1}")
            self.successors[a].append(b)

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """For each node, where its edges come from, in the order given."""
        held: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in self.edges:
            held[b].append(a)
        return held

    def reversed(self) -> Graph:
        """The same graph with every edge turned around."""
        return Graph(self.n, [(b, a) for a, b in self.edges])

    # Reachability ---------------------------------------------------------------------------

    def reaches(self, a: int, b: int) -> bool:
        """Whether a path of at least one edge leads from a to b. Time: n + m."""
        return self.shortest_chain(a, b) is not None

    @cached_property
    def descendants(self) -> list[int]:
        """For each node the bitset of what it reaches by at least one edge.

        A node reaches itself where it lies on a cycle. Time: n + m unions of n bits.
        """
        reached = [0] * self.n
        for component in self.components:  # whatever a component reaches was done before it
            bits = 0
            for node in component:
                for after in self.successors[node]:
                    bits |= reached[after] | 1 << after
            for node in component:
                reached[node] = bits
        return reached

    @cached_property
    def ancestors(self) -> list[int]:
        """For each node the bitset of what reaches it by at least one edge."""
        return self.reversed().descendants

    # Chains ---------------------------------------------------------------------------------

    def distances(self, source: int) -> list[int]:
        """Edges on the shortest path from a node to each; 0 to itself, -1 where there is none."""
        steps = [-1] * self.n
        steps[source] = 0
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for after in self.successors[node]:
                if steps[after] < 0:
                    steps[after] = steps[node] + 1
                    waiting.append(after)
        return steps

    def shortest_chain(self, a: int, b: int) -> list[int] | None:
        """Nodes of a shortest path of at least one edge from a to b; None where there is none.

        From a node to itself that is a shortest cycle through it, its ends equal. Time: n + m.
        """
        before: list[int | None] = [None] * self.n
        waiting = deque([a])
        while waiting:
            node = waiting.popleft()
            for after in self.successors[node]:
                if before[after] is not None:
                    continue
                before[after] = node
                if after == b:
                    return _traced(before, a, b)
                waiting.append(after)
        return None

    # Order ----------------------------------------------------------------------------------

    def topological_order(self) -> list[int] | None:
        """The nodes, every edge leading onwards; None where a cycle allows no such order.

        Of the nodes that may come next, the smallest comes. `a_cycle` tells what forbids an order.
        """
        waits = [0] * self.n
        for _, b in self.edges:
            waits[b] += 1
        ready = [node for node in range(self.n) if not waits[node]]
        order = []
        while ready:
            node = heappop(ready)
            order.append(node)
            for after in self.successors[node]:
                waits[after] -= 1
                if not waits[after]:
                    heappush(ready, after)
        return order if len(order) == self.n else None

    def a_cycle(self) -> list[int] | None:
        """The nodes of some cycle, each once, in order; None where there is none."""
        for component in self.components:
            for node in component:
                if len(component) > 1 or node in self.successors[node]:
                    chain = self.shortest_chain(node, node)
                    return chain[:-1] if chain else None
        return None

    def transitive_reduction(self) -> list[Edge]:
        """The edges that no longer path stands for, in the order given: the fewest with its order.

        Raises:
            ValueError: the graph has a cycle, so that its reduction is not unique.
        """
        order = self.topological_order()
        if order is None:
            raise ValueError("a graph with a cycle has no one transitive reduction")
        place = {node: index for index, node in enumerate(order)}
        kept = set()
        for node in range(self.n):
            covered = 0
            for after in sorted(self.successors[node], key=place.__getitem__):
                if not covered >> after & 1:
                    kept.add((node, after))
                    covered |= self.descendants[after]
        return [edge for edge in self.edges if edge in kept]

    # Connection -----------------------------------------------------------------------------

    @cached_property
    def components(self) -> list[list[int]]:
        """The strongly connected components; none leads to a later one."""
        return strong_components(self.successors, range(self.n))

    # Cycles ---------------------------------------------------------------------------------

    def simple_cycles(self) -> Iterator[list[int]]:
        """Every simple cycle once, from its smallest node on, one after the other.

        Johnson's algorithm (Johnson 1975, SIAM J. Comput. 4): the next cycle, or the end, takes at
        most n + m steps, so that whoever stops after a few has paid for a few.
        """
        waiting = [(min(each), each) for each in self.components if self._is_cyclic(each)]
        heapify(waiting)
        while waiting:
            start, component = heappop(waiting)
            within = set(component)
            inside = {
                node: [after for after in self.successors[node] if after in within]
                for node in component
            }
            yield from circuits(start, inside)
            rest = [node for node in component if node != start]
            left = {node: [b for b in inside[node] if b != start] for node in rest}
            for each in strong_components(left, rest):
                if len(each) > 1 or each[0] in left[each[0]]:
                    heappush(waiting, (min(each), each))

    def _is_cyclic(self, component: Sequence[int]) -> bool:
        return len(component) > 1 or component[0] in self.successors[component[0]]


def bitset(nodes: Iterable[int]) -> int:
    """The bitset of some nodes."""
    digits = bytearray()
    for node in nodes:
        place = node >> 3
        if place >= len(digits):
            digits.extend(bytes(place + 1 - len(digits)))
        digits[place] |= 1 << (node & 7)
    return int.from_bytes(digits, "little")


def members(bits: int) -> Iterator[int]:
    """The nodes of a bitset, the smallest first."""
    if bits.bit_count() * 8 > bits.bit_length():  # a full one is read digit by digit
        return compress(count(), format(bits, "b")[::-1].encode().translate(_DIGITS))
    return _sparse(bits)


def _sparse(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def strong_components(
    successors: Sequence[Sequence[int]] | dict[int, list[int]], nodes: Iterable[int]
) -> list[list[int]]:
    """The strongly connected components; none leads to a later one.

    Tarjan's algorithm (Tarjan 1972, SIAM J. Comput. 1) without recursion. Time: n + m.

    Args:
        successors: where each node's edges lead; all of it among ``nodes``.
        nodes: the nodes to divide.
    """
    found: list[list[int]] = []
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    for root in nodes:
        if root in index:
            continue
        path = [(root, iter(successors[root]))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        while path:
            node, rest = path[-1]
            for after in rest:
                if after not in index:
                    index[after] = low[after] = len(index)
                    open_nodes.append(after)
                    is_open.add(after)
                    path.append((after, iter(successors[after])))
                    break
                if after in is_open:
                    low[node] = min(low[node], index[after])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = _last(open_nodes, node)
                    found.append(open_nodes[cut:])
                    is_open.difference_update(open_nodes[cut:])
                    del open_nodes[cut:]
    return found


def _last(items: list[int], wanted: int) -> int:
    """The place of an item that lies near the end."""
    place = len(items) - 1
    while items[place] != wanted:
        place -= 1
    return place


def _traced(before: Sequence[int | None], a: int, b: int) -> list[int]:
    """The path that a search found from a to b, which may be a itself."""
    path = [b]
    node = before[b]
    while node is not None and node != a:
        path.append(node)
        node = before[node]
    path.append(a)
    return path[::-1]


def circuits(
    start: int, successors: Sequence[Sequence[int]] | dict[int, list[int]]
) -> Iterator[list[int]]:
    """The simple cycles through a node of a strongly connected graph, one after the other.

    Args:
        start: the node; every cycle begins with it.
        successors: where each node's edges lead; every node that the start reaches leads back.
    """
    # A node stays blocked for as long as every way from it back to the start runs into the path;
    # ``held`` says which nodes become free with it.
    path = [start]
    blocked = {start}
    held: defaultdict[int, set[int]] = defaultdict(set)
    closed = [False]
    branches = [iter(successors[start])]
    while branches:
        node = path[-1]
        for after in branches[-1]:
            if after == start:
                yield list(path)
                closed[-1] = True
            elif after not in blocked:
                path.append(after)
                blocked.add(after)
                closed.append(False)
                branches.append(iter(successors[after]))
                break
        else:
            branches.pop()
            path.pop()
            if closed.pop():
                if closed:
                    closed[-1] = True
                _release(node, blocked, held)
            else:
                for after in successors[node]:
                    held[after].add(node)


def _release(node: int, blocked: set[int], held: defaultdict[int, set[int]]) -> None:
    """Frees a node, and whatever was blocked only because of it."""
    waiting = [node]
    while waiting:
        free = waiting.pop()
        if free in blocked:
            blocked.discard(free)
            waiting += held.pop(free, ())
