"""Graphs without cycles that look like graphs with cycles: every node has the same edges.

A graph with cycles is untied by swaps of edges that leave every node with as many edges out and
in as before. So nothing that can be counted object by object, such as objects that stand on one
side only, tells consistent statements from inconsistent ones. Of several such pairs of graphs the
one is taken whose two graphs differ least in what can be counted edge by edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from random import Random

from thence.core.graph import Edge, Graph
from thence.families.releval.construction import Core, cyclic, most_edges_with_cycle

_CORES = 40  # graphs that are grown before one without a counterpart is taken
_PAIRS = 400  # edges in all the pairs of graphs of which the most alike is taken
_FEWEST = 4  # pairs of graphs at the least
_LARGE = 200  # edges from which on the first pair is taken: a few swaps hardly show
_BREAKS = 4  # edges of a cycle that may be broken
_LOOKED = 60  # swaps that are looked at for each of them
_TRIED = 20  # swaps that are tried, those first that change least
_WEIGHTS = (4, 1, 1, 1, 1)  # of `_counts`: the first tells most

type Swap = tuple[Edge, Edge, Edge]
"""Three edges u > v, s > x and y > t, to become u > t, s > v and y > x."""


def matched(
    n: int, m: int, girth: int, wanted: int, rng: Random
) -> tuple[list[Edge], list[Edge] | None]:
    """Return a graph as by `cyclic`, and one without cycles in which each node has equal degrees.

    Graphs are drawn until some have such a counterpart. It is None where none was found: the cycle
    takes nearly all objects, or nearly all pairs are related.
    """
    possible = girth <= n - 2 and m < most_edges_with_cycle(n, girth)
    pairs = max(_FEWEST, _PAIRS // m)
    found: list[tuple[float, list[Edge], list[Edge]]] = []
    for _ in range(_CORES if possible else 0):
        core = Core(n, m, girth, rng, n - 2)
        core.grow(wanted)
        for _ in range(2 * pairs):
            edges = core.surrounded(ends=True)
            other = edges and untied(n, edges, rng)
            if edges and other:
                found.append((0 if m > _LARGE else _difference(n, edges, other), edges, other))
                if len(found) == pairs or found[-1][0] == 0:
                    break
        if found:
            break
    if not found:
        return cyclic(n, m, girth, wanted, rng), None
    _, edges, other = min(found)
    return edges, other


def untied(n: int, edges: Sequence[Edge], rng: Random) -> list[Edge] | None:
    """Return a graph without cycles in which each node has as many edges out and in as before.

    Each swap breaks a cycle and makes none. Returns None where no swap was found.
    """
    graph = Graph(n, edges)
    into = [len(each) for each in graph.predecessors]
    lean = [len(each) - into[node] for node, each in enumerate(graph.successors)]
    inner = [bool(into[node] and each) for node, each in enumerate(graph.successors)]
    owed = 0
    while (cycle := graph.a_cycle()) is not None:
        ring = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        rng.shuffle(ring)
        swaps = [swap for edge in ring[:_BREAKS] for swap in _swaps(graph, edge, rng)]

        def change(swap: Swap, owed: int = owed) -> tuple[bool, int]:
            _, (_, x), (y, _) = swap
            return not (inner[x] and inner[y]), abs(owed + _shift(swap, lean))

        for swap in nsmallest(_TRIED, swaps, key=change):
            made = _swapped(graph, swap)
            if made is not None:
                graph, owed = made, owed + _shift(swap, lean)
                break
        else:
            return None
    both = Graph(n, [*graph.edges, *((b, a) for a, b in graph.edges)])
    return list(graph.edges) if len(_reached(0, both.successors)) == n else None


def _swaps(graph: Graph, broken: Edge, rng: Random) -> list[Swap]:
    """Return some swaps that break a cycle at an edge; s lies before the cycle and t after it."""
    u, v = broken
    rest = Graph(graph.n, [edge for edge in graph.edges if edge != broken])
    after, before = _reached(v, rest.successors), _reached(u, rest.predecessors)
    near_u = {u, *graph.successors[u], *graph.predecessors[u]}
    near_v = {v, *graph.successors[v], *graph.predecessors[v]}
    into = [(s, x) for s, x in rest.edges if s not in after and s not in near_v]
    out = [(y, t) for y, t in rest.edges if t not in before and t not in near_u]
    if not into or not out:
        return []
    if len(into) * len(out) > _LOOKED:
        return [(broken, rng.choice(into), rng.choice(out)) for _ in range(_LOOKED)]
    every = [(broken, one, other) for one in into for other in out]
    rng.shuffle(every)
    return every


def _shift(swap: Swap, lean: Sequence[int]) -> int:
    """Return by how much a swap changes the sum over all edges of the product of both leans."""
    (u, v), (s, x), (y, t) = swap
    was = lean[u] * lean[v] + lean[s] * lean[x] + lean[y] * lean[t]
    return lean[u] * lean[t] + lean[s] * lean[v] + lean[y] * lean[x] - was


def _swapped(graph: Graph, swap: Swap) -> Graph | None:
    """Return the graph after a swap; None where that repeats an edge or makes a cycle."""
    (u, v), (s, x), (y, t) = swap
    new = [(u, t), (s, v), (y, x)]
    near = (*graph.successors[y], *graph.predecessors[y])
    if x == y or x in near or s == t or len({frozenset(edge) for edge in new}) < len(new):
        return None
    gone = set(swap)
    made = Graph(graph.n, [*(edge for edge in graph.edges if edge not in gone), *new])
    return None if any(a in _reached(b, made.successors) for a, b in new) else made


def _difference(n: int, edges: Sequence[Edge], other: Sequence[Edge]) -> float:
    """Return the distance between two graphs in statistics that are sums over edges."""
    sides = zip(_counts(n, edges), _counts(n, other), _WEIGHTS, strict=True)
    return sum(weight * abs(a - b) / (1 + abs(a + b)) for a, b, weight in sides)


def _counts(n: int, edges: Sequence[Edge]) -> tuple[int, ...]:
    """Return sums over edges, and numbers of edges by kind.

    They are the sum of the products of both ends' leans, and the numbers of edges from a first node
    to a last one, of edges beside chains of two, and of those that are left without first and last
    nodes, once and twice.
    """
    graph = Graph(n, edges)
    after, before = map(set, graph.successors), graph.predecessors
    succ = list(after)
    lean = [len(each) - len(before[node]) for node, each in enumerate(succ)]
    once = _inner(edges)
    return (
        sum(lean[a] * lean[b] for a, b in edges),
        sum(not before[a] and not succ[b] for a, b in edges),
        sum(len(succ[a] & succ[b]) for a, b in edges),
        len(once),
        len(_inner(once)),
    )


def _inner(edges: Sequence[Edge]) -> list[Edge]:
    """Return the edges between nodes that have edges both out and in."""
    both = {a for a, _ in edges} & {b for _, b in edges}
    return [(a, b) for a, b in edges if a in both and b in both]


def _reached(start: int, successors: Sequence[Sequence[int]]) -> set[int]:
    """Return a node and all nodes that it reaches."""
    seen, waiting = {start}, [start]
    while waiting:
        for node in successors[waiting.pop()]:
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen
