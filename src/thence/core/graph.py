"""Directed graphs: reachability, chains, topological order, cycles.

All reasoning about graphs is here: step order, facts that flow between steps, and relations between
objects raise the same questions. Nodes are the integers 0 to n - 1. Sets of nodes that are needed
by the thousand are bitsets: Python integers whose bit v stands for node v, so that a union is one
operation at any size.

Results depend only on the edges and their given order: the same graph gives the same chain, the
same topological order and the same cycles in every process. What is kept of a graph are tuples of
numbers, which cost Python's garbage collector nothing, as lists would, of many graphs.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from heapq import heapify, heappop, heappush
from itertools import compress, count
from operator import or_

Edge = tuple[int, int]

_DIGITS = bytes.maketrans(b"01", b"\0\1")


class Graph:
    """An immutable directed graph.

    Args:
        n: number of nodes.
        edges: pairs (a, b), an edge from a to b; repeated edges count once.

    Attributes:
        n: number of nodes.
        edges: its edges, each once.

    Raises:
        ValueError: an edge from or to a node that does not exist.
    """

    def __init__(self, n: int, edges: Iterable[Edge]) -> None:
        self.n = n
        self.edges: tuple[Edge, ...] = tuple(dict.fromkeys(edges))
        for a, b in self.edges:
            if not (0 <= a < n and 0 <= b < n):
                raise ValueError(f"edge {a} -> {b} of a graph with nodes 0 to {n - 1}")

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """The successors of each node, in the given order."""
        held: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in self.edges:
            held[a].append(b)
        return tuple(map(tuple, held))

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """The predecessors of each node, in the given order."""
        held: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in self.edges:
            held[b].append(a)
        return tuple(map(tuple, held))

    def reversed(self) -> Graph:
        """Return the graph with every edge reversed."""
        return Graph(self.n, [(b, a) for a, b in self.edges])

    # Reachability ---------------------------------------------------------------------------

    def reaches(self, a: int, b: int) -> bool:
        """Return whether a path of at least one edge leads from a to b. Time: n + m."""
        return self.shortest_chain(a, b) is not None

    @cached_property
    def descendants(self) -> tuple[int, ...]:
        """The bitset of each node's descendants, reached by at least one edge.

        A node on a cycle is its own descendant. Time: n + m unions of n bits.
        """
        reached = [0] * self.n
        order = self._order
        if order is not None:  # without cycles there are no components to look for
            for node in reversed(order):
                bits = 0
                for after in self.successors[node]:
                    bits |= reached[after] | 1 << after
                reached[node] = bits
            return tuple(reached)
        for component in self.components:  # descendants' components come first
            bits = 0
            for node in component:
                for after in self.successors[node]:
                    bits |= reached[after] | 1 << after
            for node in component:
                reached[node] = bits
        return tuple(reached)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """The bitset of each node's ancestors, which reach it by at least one edge."""
        order = self._order
        if order is None:
            return self.reversed().descendants
        reached = [0] * self.n
        for node in order:
            bits = reached[node] | 1 << node
            for after in self.successors[node]:
                reached[after] |= bits
        return tuple(reached)

    # Chains ---------------------------------------------------------------------------------

    def distances(self, source: int) -> list[int]:
        """Return the length of a shortest path from a node to each; 0 to itself, -1 for no path."""
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
        """Return the nodes of a shortest path of at least one edge from a to b; None for no path.

        From a node to itself that is a shortest cycle through it, with equal ends. Time: n + m.
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

    @cached_property
    def is_ascending(self) -> bool:
        """Whether every edge leads to a greater node."""
        return all(a < b for a, b in self.edges)

    def topological_order(self) -> list[int] | None:
        """Return the nodes in an order along all edges; None where a cycle prevents it.

        Of the nodes that may come next, the smallest is taken. `a_cycle` returns a reason for None.
        """
        return None if self._order is None else list(self._order)

    @cached_property
    def _order(self) -> tuple[int, ...] | None:
        if self.is_ascending:
            return tuple(range(self.n))
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
        return tuple(order) if len(order) == self.n else None

    def a_cycle(self) -> list[int] | None:
        """Return the nodes of a cycle, each once, in order; None where there is none."""
        for component in self.components:
            for node in component:
                if len(component) > 1 or node in self.successors[node]:
                    chain = self.shortest_chain(node, node)
                    return chain[:-1] if chain else None
        return None

    def transitive_reduction(self) -> list[Edge]:
        """Return the minimal set of edges with the same reachability, in the given order.

        Raises:
            ValueError: the graph has a cycle, so that its reduction is not unique.
        """
        order = self._order
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

    def reduced_among(self, nodes: int) -> list[Edge]:
        """Return the transitive reduction of the reachability between the nodes of a bitset."""
        found: list[Edge] = []
        for a in members(nodes):
            after = self.descendants[a] & nodes
            if self.is_ascending:
                while after:  # nothing leads to the smallest of them
                    b = (after & -after).bit_length() - 1
                    found.append((a, b))
                    after &= ~(self.descendants[b] | 1 << b)
                continue
            covered = union(self.descendants[b] for b in members(after))
            found += [(a, b) for b in members(after & ~covered)]
        return found

    # Connection -----------------------------------------------------------------------------

    @cached_property
    def components(self) -> list[list[int]]:
        """The strongly connected components in reverse topological order."""
        return strong_components(self.successors, range(self.n))

    # Cycles ---------------------------------------------------------------------------------

    def simple_cycles(self) -> Iterator[list[int]]:
        """Yield every simple cycle once, from its smallest node.

        Johnson's algorithm (Johnson 1975, SIAM J. Comput. 4): each next cycle, and the end, takes
        at most n + m steps, so that the first few cycles are cheap.
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
    """Return the bitset of some nodes."""
    digits = bytearray()
    for node in nodes:
        place = node >> 3
        if place >= len(digits):
            digits.extend(bytes(place + 1 - len(digits)))
        digits[place] |= 1 << (node & 7)
    return int.from_bytes(digits, "little")


def union(bitsets: Iterable[int]) -> int:
    """Return the bitset of the nodes of any of some bitsets."""
    return reduce(or_, bitsets, 0)


def members(bits: int) -> Iterator[int]:
    """Return the nodes of a bitset in ascending order."""
    if bits.bit_count() * 8 > bits.bit_length():  # dense
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
    """Return the strongly connected components in reverse topological order.

    Tarjan's algorithm (Tarjan 1972, SIAM J. Comput. 1) without recursion. Time: n + m.

    Args:
        successors: the successors of each node, all of them in ``nodes``.
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
    """Return the index of an item near the end."""
    place = len(items) - 1
    while items[place] != wanted:
        place -= 1
    return place


def _traced(before: Sequence[int | None], a: int, b: int) -> list[int]:
    """Return the path that a search found from a to b, which may be equal."""
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
    """Yield the simple cycles through a node of a strongly connected graph.

    Args:
        start: the node; every cycle begins with it.
        successors: the successors of each node; each node reachable from the start leads back to
            it.
    """
    # A node stays blocked as long as every way from it back to the start runs into the path;
    # ``waiting`` holds the nodes that are unblocked together with a node.
    path = [start]
    blocked = {start}
    waiting: defaultdict[int, set[int]] = defaultdict(set)
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
                _unblock(node, blocked, waiting)
            else:
                for after in successors[node]:
                    waiting[after].add(node)


def _unblock(node: int, blocked: set[int], waiting: defaultdict[int, set[int]]) -> None:
    """Unblock a node, and all nodes that were blocked only because of it."""
    unblocked = [node]
    while unblocked:
        free = unblocked.pop()
        if free in blocked:
            blocked.discard(free)
            unblocked += waiting.pop(free, ())
