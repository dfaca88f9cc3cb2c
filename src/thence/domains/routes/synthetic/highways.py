"""Numbered highways between the towns of the made-up map."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from random import Random

import numpy as np

from thence.domains.routes.synthetic import names
from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import Point, Warp, curve, dot, minus, unit
from thence.domains.routes.synthetic.town import Cell, Edge, Gate, Town

STEP = 420.0  # metres between the points of a road in the country
Link = tuple[int, int]  # two towns that a highway joins, by their numbers


def neighbours(centres: Sequence[Point], farthest: float = inf) -> list[Link]:
    """Return the pairs of points with no third one in the circle between them (Gabriel graph).

    Args:
        centres: the points.
        farthest: metres between two points of a pair at most.
    """
    points = np.array(centres, dtype=float).reshape(-1, 2)
    found = []
    for a in range(len(points)):
        x, y = (points - points[a]).T
        squares = x * x + y * y
        near = np.nonzero(squares <= farthest * farthest)[0]
        near = near[near != a]
        x, y, squares = x[near], y[near], squares[near]
        # By Thales, a third point c is in the circle if it sees a and b at an obtuse angle, that
        # is, seen from a, if b c > c c.
        inside = (x[:, None] * x + y[:, None] * y > squares).any(axis=1)
        found += [(a, b) for b in near[~inside].tolist() if b > a]
    return found


def chains(links: Sequence[Link], centres: Sequence[Point]) -> list[list[int]]:
    """Join links to long roads, each a list of towns that goes straight on where it can."""
    left = list(links)
    found = []
    while left:
        chain = list(left.pop(0))
        for _ in range(2):
            chain.reverse()
            while True:
                here, heading = chain[-1], unit(minus(centres[chain[-1]], centres[chain[-2]]))
                onward = [
                    (dot(heading, unit(minus(centres[a + b - here], centres[here]))), (a, b))
                    for a, b in left
                    if here in {a, b} and a + b - here not in chain
                ]
                if not onward or max(onward)[0] < 0.5:
                    break
                link = max(onward)[1]
                left.remove(link)
                chain.append(sum(link) - here)
        found.append(chain)
    return found


class Highways:
    """Numbered roads from town to town."""

    def __init__(
        self, draft: MapDraft, rng: Random, towns: Sequence[Town], links: Sequence[Link], mark: str
    ) -> None:
        self._draft, self._rng, self._towns, self._mark = draft, rng, towns, mark
        self._links = links
        self._warp = Warp(rng, 5_000.0, 700.0)
        self._plans: list[tuple[int, int, str, str, str]] = []
        self._used: set[tuple[int, Cell]] = set()
        self._gates: dict[tuple[int, int], Gate] = {}
        self._names = names.NamePool(rng, names.HIGHWAY_NAMES)
        self.waypoints: list[tuple[int, int]] = []  # nodes in the country, and whose road they are
        self._numbers = names.NamePool(rng, [str(number) for number in range(2, 99)])

    def plan(self) -> None:
        """Choose the courses of the roads, and number the main roads of towns on their way."""
        centres = [town.centre for town in self._towns]
        for chain in chains(self._links, centres):
            federal = len(chain) > 3
            ref = f"{'US' if federal else self._mark} {self._numbers.take()}"
            name = self._names.take() if self._rng.random() < 0.35 and len(chain) > 2 else ""
            for a, b in itertools.pairwise(chain):
                self._choose_gate(a, b)
                self._choose_gate(b, a)
            for place, here in enumerate(chain):
                ends = [chain[other] for other in (place - 1, place + 1) if 0 <= other < len(chain)]
                self._number_main_roads(here, ends, ref)
            for a, b in itertools.pairwise(chain):
                self._plans.append((a, b, ref, name, "trunk" if federal else "primary"))

    def draw(self) -> None:
        """Draw the parts of the roads between the towns."""
        for number, plan in enumerate(self._plans):
            self._draw_road(number, *plan)

    def _choose_gate(self, here: int, there: int) -> None:
        """Choose the main road by which a highway leaves a town for another."""
        town = self._towns[here]
        heading = unit(minus(self._towns[there].centre, town.centre))
        free = [gate for gate in town.gates if (here, gate.cell) not in self._used]

        def fit(gate: Gate) -> float:
            aside = unit(minus(town.place(gate.cell), town.centre))
            return dot(heading, town.outward(gate)) + 2 * dot(heading, aside)

        gate = max(free or town.gates, key=fit)
        self._used.add((here, gate.cell))
        town.busy.append(gate.cell)
        self._gates[here, there] = gate

    def _number_main_roads(self, here: int, ends: Sequence[int], ref: str) -> None:
        """Number the main roads of a town that a highway follows, to the middle if it ends."""  # noqa: D401 - to number
        town = self._towns[here]
        cells = [self._gates[here, end].cell for end in ends]
        if len(cells) == 1:
            cells.append((town.columns // 2, town.rows // 2))
        for edge in main_roads_between(town, cells[0], cells[1]):
            refs = town.streets[edge].refs
            if ref not in refs and len(refs) < 2:
                refs.append(ref)

    def _draw_road(self, road: int, a: int, b: int, ref: str, name: str, kind: str) -> None:
        ends = []
        for here, there in ((a, b), (b, a)):
            town, gate = self._towns[here], self._gates[here, there]
            ends.append((town.place(gate.cell), town.outward(gate), town, gate))
        (start, out, *_), (stop, back, *_) = ends
        points = curve(start, out, stop, (-back[0], -back[1]), STEP)
        count = len(points) - 1
        shares = [min(1.0, min(number, count - number) / 8) for number in range(count + 1)]
        bent = self._warp.bend_points(points, shares)
        inner = [self._draft.node(point) for point in bent[1:-1]]
        nodes = [
            ends[0][2].node(self._draft, ends[0][3].cell),
            *inner,
            ends[1][2].node(self._draft, ends[1][3].cell),
        ]
        far = [node for node, share in zip(inner, shares[1:-1], strict=True) if share >= 0.5]
        self.waypoints += [(node, road) for node in far]
        self._draft.way(nodes, highway=kind, ref=ref, name=name, maxspeed="88")


def main_roads_between(town: Town, start: Cell, stop: Cell) -> list[Edge]:
    """Return the main roads of a town from one cell to another, with as few turns as can be."""
    came: dict[tuple[Cell, int], tuple[Cell, int]] = {}
    queue: list[tuple[float, Cell, int, Cell, int]] = [(0.0, start, -1, start, -1)]
    while queue:
        cost, cell, axis, before, axis_before = heappop(queue)
        here = cell, axis
        if here in came:
            continue
        came[here] = before, axis_before
        if cell == stop:
            path = []
            while here[0] != start:
                earlier = came[here]
                path.append((min(earlier[0], here[0]), max(earlier[0], here[0])))
                here = earlier
            return path[::-1]
        for other, turned in town.mains.get(cell, ()):
            if (other, turned) not in came:
                price = cost + 1 + (4 if axis not in {-1, turned} else 0)
                heappush(queue, (price, other, turned, cell, axis))
    return []
