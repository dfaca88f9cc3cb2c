"""Filling a graph with a given number of random edges, all along an order and all allowed.

The part that decides a question is built before; the edges that are added here cannot change it.
Work grows with n + m, except for graphs with more than a quarter of all possible edges, where it
grows with the number of possible edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from random import Random

from thence.core.graph import Edge

type Allowed = Callable[[int, int], bool]
"""Function that returns whether an edge may lead from one node to a later one in the order."""

DENSE = 4  # with more than one edge per this many pairs, pairs are listed and not guessed
_GUESSES = 30  # random pairs to try before all pairs are listed


def pairs(n: int) -> int:
    """Return the maximal number of edges between n nodes, no two of them opposite."""
    return n * (n - 1) // 2


def enough(order: Sequence[int], edges: Sequence[Edge], m: int, allowed: Allowed) -> bool:
    """Return whether there are edges to connect all nodes, and pairs for all edges."""
    missing = m - len(edges)
    if missing < len(_components(len(order), edges)) - 1:
        return False
    known = set(edges)
    free = (edge for edge in _pairs(order, allowed) if edge not in known)
    return missing <= sum(1 for _ in islice(free, missing))


def anywhere(_x: int, _y: int) -> bool:
    """Return True: every edge is allowed."""
    return True


def _pairs(order: Sequence[int], allowed: Allowed) -> Iterable[Edge]:
    for place, x in enumerate(order):
        for y in order[place + 1 :]:
            if allowed(x, y):
                yield x, y


def filled(
    order: Sequence[int], edges: Iterable[Edge], m: int, allowed: Allowed, rng: Random
) -> list[Edge]:
    """Return the edges with random ones added along the order, until m edges connect all nodes."""
    held = dict.fromkeys(edges)
    place = [0] * len(order)
    for index, node in enumerate(order):
        place[node] = index

    def along(x: int, y: int) -> Edge | None:
        if place[x] > place[y]:
            x, y = y, x
        return (x, y) if x != y and allowed(x, y) and (x, y) not in held else None

    _connect(held, len(order), along, rng)
    if m * DENSE <= pairs(len(order)):
        for _ in range(_GUESSES * m):
            if len(held) >= m:
                break
            edge = along(rng.choice(order), rng.choice(order))
            if edge is not None:
                held[edge] = None
    if len(held) < m:
        left = [edge for edge in _pairs(order, allowed) if edge not in held]
        held.update(dict.fromkeys(rng.sample(left, m - len(held))))
    return list(held)


def _connect(
    held: dict[Edge, None], n: int, along: Callable[[int, int], Edge | None], rng: Random
) -> None:
    """Join all components by one edge each."""
    components = _components(n, held)
    rng.shuffle(components)
    whole, waiting = components[0], deque(components[1:])
    while waiting:
        component = waiting.popleft()
        guesses = (along(rng.choice(whole), rng.choice(component)) for _ in range(_GUESSES))
        edge = next((each for each in guesses if each), None)
        if edge is None:
            every = [each for x in whole for y in component if (each := along(x, y))]
            if not every:  # no edge is allowed between these two; a later component joins them
                waiting.append(component)
                continue
            edge = rng.choice(every)
        held[edge] = None
        whole += component


def _components(n: int, edges: Iterable[Edge]) -> list[list[int]]:
    """Return the weakly connected components, each with its nodes in order."""
    leader = list(range(n))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = node = leader[leader[node]]
        return node

    for a, b in edges:
        leader[find(a)] = find(b)
    found: dict[int, list[int]] = {}
    for node in range(n):
        found.setdefault(find(node), []).append(node)
    return list(found.values())


def mixed(edges: list[Edge], n: int, rng: Random) -> list[Edge]:
    """Return the graph with nodes and edges in random order, so that order reveals nothing."""
    names = list(range(n))
    rng.shuffle(names)
    renamed = [(names[a], names[b]) for a, b in edges]
    rng.shuffle(renamed)
    return renamed
