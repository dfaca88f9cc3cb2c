"""Filling a graph up with edges: any number of them, along an order, none that is not allowed.

What decides a question was built before; the edges that are added here cannot change it. Work
grows with n + m, but for graphs that have more than a quarter of all possible edges, where it grows
with their number, which is the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from random import Random

from thence.core.graph import Edge

type Allowed = Callable[[int, int], bool]
"""Whether an edge may lead from a node to one that stands after it in the order."""

DENSE = 4  # from one edge in so many pairs on, pairs are listed instead of guessed
_GUESSES = 30  # random pairs that are tried before all pairs are looked through


def pairs(n: int) -> int:
    """How many edges n nodes can have between them, no two of them opposite."""
    return n * (n - 1) // 2


def enough(order: Sequence[int], edges: Sequence[Edge], m: int, allowed: Allowed) -> bool:
    """Whether there are edges enough to connect all nodes, and pairs enough for all edges."""
    missing = m - len(edges)
    if missing < len(_pieces(len(order), edges)) - 1:
        return False
    known = set(edges)
    free = (edge for edge in _pairs(order, allowed) if edge not in known)
    return missing <= sum(1 for _ in islice(free, missing))


def anywhere(_x: int, _y: int) -> bool:
    """Allows every edge."""
    return True


def _pairs(order: Sequence[int], allowed: Allowed) -> Iterable[Edge]:
    for place, x in enumerate(order):
        for y in order[place + 1 :]:
            if allowed(x, y):
                yield x, y


def filled(
    order: Sequence[int], edges: Iterable[Edge], m: int, allowed: Allowed, rng: Random
) -> list[Edge]:
    """The edges with others added, all allowed and along the order, until m connect all nodes."""
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
    """Joins all pieces by one edge each."""
    pieces = _pieces(n, held)
    rng.shuffle(pieces)
    whole, waiting = pieces[0], deque(pieces[1:])
    while waiting:
        piece = waiting.popleft()
        guesses = (along(rng.choice(whole), rng.choice(piece)) for _ in range(_GUESSES))
        edge = next((each for each in guesses if each), None)
        if edge is None:
            every = [each for x in whole for y in piece if (each := along(x, y))]
            if not every:  # nothing may lie between these two; a later piece joins them
                waiting.append(piece)
                continue
            edge = rng.choice(every)
        held[edge] = None
        whole += piece


def _pieces(n: int, edges: Iterable[Edge]) -> list[list[int]]:
    """The weakly connected pieces, each with its nodes in order."""
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
    """The graph with its nodes and edges in random order, so that neither tells anything."""
    names = list(range(n))
    rng.shuffle(names)
    renamed = [(names[a], names[b]) for a, b in edges]
    rng.shuffle(renamed)
    return renamed
