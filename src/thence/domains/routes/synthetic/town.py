"""A town of the synthetic map: main roads, the streets between them, roundabouts.

Streets lie on the lines of an uneven, bent lattice. Only main roads and the streets of the middle
run through; the others end at the next main road, or nowhere, as in real suburbs, so that no route
can cross the town in zigzag.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import numpy as np

from thence.domains.routes.synthetic import names
from thence.domains.routes.synthetic.draft import MapDraft
from thence.domains.routes.synthetic.geometry import (
    Noise,
    Point,
    Warp,
    along,
    length,
    minus,
    right_of,
    unit,
)

Cell = tuple[int, int]  # column and row of the lattice
Edge = tuple[Cell, Cell]  # from one cell to the next one to the east or north
CLASSES = ("residential", "tertiary", "secondary")  # local street, collector, arterial
LOCAL, COLLECTOR, ARTERIAL = 0, 1, 2
RING = 17.0  # metres from the middle of a roundabout to its lane


@dataclass(slots=True)
class Street:
    """Name, rank and direction of the street on an edge of the lattice."""

    name: str
    rank: int
    oneway: int = 0  # 1: as the lattice counts, -1: against it
    refs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gate:
    """End of a main road, where the open country begins."""

    cell: Cell
    inner: Cell
    name: str


class Town:
    """Town, drawn in steps: lattice, streets, changes by highways and motorways, then the map.

    Attributes:
        name: of the town.
        centre: its middle, in metres.
        radius: metres from its middle to where its middle row ends, on the farther side.
        streets: what runs along each edge of the lattice.
        gates: ends of its main roads.
        mains: from a cell along main roads to the next ones, with the axis of each.
        nodes: on the map, by cell; at a roundabout also by the neighbour that a street leads to.
        rings: roundabouts, with their names or none.
        busy: cells of gates that a road to elsewhere begins at.
        gaps: nodes in the middle of a street, where a drive begins, by the nodes around them.
    """

    def __init__(
        self, rng: Random, name: str, centre: Point, size: int, neighbours: list[str]
    ) -> None:
        self.name, self.centre = name, centre
        self._rng = rng
        self._prefix = rng.random() < 0.7
        self.columns, self.rows = size, max(9, round(size * rng.uniform(0.75, 1.0)))
        self._points = self._lattice(rng)
        row = (points[self.rows // 2] for points in self._points)
        self.radius = max(length(minus(point, centre)) for point in row if point is not None)
        self.streets: dict[Edge, Street] = {}
        self._names = names.arterials(rng, neighbours)
        self._local, self._middle = names.suburbs(rng), names.downtown(rng)
        self._main_columns = self._main_lines(self.columns)
        self._main_rows = self._main_lines(self.rows)
        self._inner = max(3, size // 7)
        for axis in (0, 1):
            self._draw_main(axis)
        for axis in (0, 1):
            self._draw_locals(axis)
        self.gates = list(self._find_gates())
        self.mains = self._find_mains()
        self.nodes: dict[tuple[Cell, Cell | None], int] = {}
        self.rings: dict[Cell, str] = {}
        self.busy: list[Cell] = []
        self.gaps: dict[tuple[int, int], int] = {}

    # the lattice

    def _lattice(self, rng: Random) -> list[list[Point | None]]:
        warp = Warp(rng, 1_100.0, 150.0)
        coarse = Warp(rng, 4_200.0, 420.0)
        edge = Noise(rng, 900.0)
        tilt = unit((1.0, rng.uniform(-0.28, 0.28)))
        spans = []
        for count in (self.columns, self.rows):
            marks = [0.0]
            for _ in range(count - 1):
                marks.append(marks[-1] + rng.choice((88.0, 104.0, 118.0, 132.0, 156.0)))
            spans.append([mark - marks[-1] / 2 for mark in marks])
        half = spans[0][-1], spans[1][-1]
        x, y = (each.ravel() for each in np.meshgrid(*spans, indexing="ij"))
        far = (x / half[0]) * (x / half[0]) + (y / half[1]) * (y / half[1])
        inside = far <= 1 + 0.35 * edge.at(x, y)
        east, north = coarse.bend(*warp.bend(x, y, np.minimum(1.0, 0.15 + far)))
        across = east * tilt[0] - north * tilt[1] + self.centre[0]
        up = east * tilt[1] + north * tilt[0] + self.centre[1]
        points = zip(across.tolist(), up.tolist(), inside.tolist(), strict=True)
        flat = [(one, other) if within else None for one, other, within in points]
        return [flat[k : k + self.rows] for k in range(0, len(flat), self.rows)]

    def place(self, cell: Cell) -> Point:
        """Return the point of a cell; for a cell outside of the town, the middle."""
        return self._points[cell[0]][cell[1]] or self.centre

    def _main_lines(self, count: int) -> dict[int, int]:
        """Return the lines that main roads follow, each with its rank."""
        rng, middle = self._rng, count // 2
        lines = [middle]
        while lines[-1] + 6 < count:
            lines.append(lines[-1] + rng.randint(6, 9))
        while lines[0] - 6 > 0:
            lines.insert(0, lines[0] - rng.randint(6, 9))
        lines = [line for line in lines if 1 <= line <= count - 2]
        found = dict.fromkeys(lines, ARTERIAL)
        for a, b in itertools.pairwise(lines):
            if rng.random() < 0.7:
                found[(a + b) // 2 + rng.choice((-1, 0, 0))] = COLLECTOR
        return found

    # streets

    def _edges(self, axis: int, line: int, start: int, stop: int) -> Iterator[Edge]:
        points = self._points
        if axis == 0:
            column = points[line]
            for step in range(start, stop):
                if column[step] is not None and column[step + 1] is not None:
                    yield (line, step), (line, step + 1)
            return
        for step in range(start, stop):
            if points[step][line] is not None and points[step + 1][line] is not None:
                yield (step, line), (step + 1, line)

    def _put(self, axis: int, line: int, span: tuple[int, int], street: Street) -> None:
        middle = self.rows // 2 if axis == 0 else self.columns // 2
        for a, b in self._edges(axis, line, *span):
            near = (a[1] if axis == 0 else a[0]) >= middle
            word = (("North" if near else "South"), ("East" if near else "West"))[axis]
            prefix = self._prefix and (street.rank == ARTERIAL or "Street" in street.name)
            name = f"{word} {street.name}" if prefix else street.name
            self.streets[a, b] = Street(name, street.rank, street.oneway)

    def _draw_main(self, axis: int) -> None:
        lines = (self._main_columns, self._main_rows)[axis]
        size = (self.columns, self.rows)[axis]
        end = (self.rows, self.columns)[axis] - 1
        for line, rank in sorted(lines.items()):
            name = "Main Street" if line == size // 2 and axis == 0 else self._names.take()
            self._put(axis, line, (0, end), Street(name, rank))

    def _draw_locals(self, axis: int) -> None:
        rng = self._rng
        lines, across = (self._main_columns, self._main_rows)[:: 1 if axis == 0 else -1]
        size, end = (self.columns, self.rows)[:: 1 if axis == 0 else -1]
        middle = size // 2
        for line in range(size):
            if line in lines:
                continue
            inside = abs(line - middle) <= self._inner
            if inside:
                self._draw_through(axis, line, middle, end)
            stops = [0, *sorted(across), end - 1]
            name = ""
            for a, b in itertools.pairwise(stops):
                if inside and abs((a + b) // 2 - end // 2) <= self._inner:
                    continue
                name = self._draw_block(axis, line, (a, b), name if rng.random() < 0.45 else "")

    def _draw_through(self, axis: int, line: int, middle: int, end: int) -> None:
        """Add a street of the middle, which runs through and may be one-way."""
        low, high = end // 2 - self._inner, end // 2 + self._inner
        if axis == 0:
            name = self._middle.take()
        else:
            number = line - middle + self._inner + 1
            name = f"{names.ordinal(number)} Street"
        direction = (1, -1)[line % 2] if abs(line - middle) <= 2 and self.columns > 30 else 0
        self._put(axis, line, (low, high), Street(name, LOCAL, direction))

    def _draw_block(self, axis: int, line: int, span: tuple[int, int], name: str) -> str:
        """Add a street between two main roads, and return its name where it runs through."""
        rng = self._rng
        a, b = span
        chance = rng.random()
        through, blind = ((0.42, 0.8), (0.18, 0.5))[axis]
        free = [edge for edge in self._edges(axis, line, a, b) if edge not in self.streets]
        if len(free) < 2 or chance > blind:
            return ""
        name = name or self._local.take()
        if chance < through:
            self._put(axis, line, span, Street(name, LOCAL))
            return name
        reach = rng.randint(1, max(1, b - a - 1))
        span = (a, a + reach) if rng.random() < 0.5 else (b - reach, b)
        self._put(axis, line, span, Street(name, LOCAL))
        return ""

    def _find_gates(self) -> Iterator[Gate]:
        for axis in (0, 1):
            lines = (self._main_columns, self._main_rows)[axis]
            end = (self.rows, self.columns)[axis] - 1
            for line, rank in sorted(lines.items()):
                edges = list(self._edges(axis, line, 0, end))
                if rank == ARTERIAL and len(edges) > 5:
                    for edge, outer in ((edges[0], 0), (edges[-1], 1)):
                        street = self.streets[edge]
                        yield Gate(edge[outer], edge[1 - outer], street.name)

    def _find_mains(self) -> dict[Cell, list[tuple[Cell, int]]]:
        found: dict[Cell, list[tuple[Cell, int]]] = {}
        for (a, b), street in self.streets.items():
            if street.rank == ARTERIAL:
                axis = int(a[0] == b[0])
                found.setdefault(a, []).append((b, axis))
                found.setdefault(b, []).append((a, axis))
        return found

    def outward(self, gate: Gate) -> Point:
        """Return the direction in which a main road leaves the town."""
        return unit(minus(self.place(gate.cell), self.place(gate.inner)))

    # what the town looks like on the map

    def add_roundabouts(self, share: float) -> None:
        """Make roundabouts of some crossings of main roads."""
        rng = self._rng
        circles = names.NamePool(rng, names.CIRCLES)
        ends = {gate.cell for gate in self.gates}
        for column in sorted(self._main_columns):
            for row in sorted(self._main_rows):
                ranks = self._main_columns[column] + self._main_rows[row]
                off = abs(column - self.columns // 2) + abs(row - self.rows // 2)
                if off <= self._inner or ranks > 3 or rng.random() > share:
                    continue
                if (column, row) in ends:
                    continue
                if len(self.around((column, row))) >= 3:
                    named = len(self.rings) < 6 and rng.random() < 0.4
                    self.rings[column, row] = circles.take() if named else ""

    def around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours that a street leads to: east, north, west, south."""
        found = []
        for step in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            other = cell[0] + step[0], cell[1] + step[1]
            edge = (cell, other) if sum(step) > 0 else (other, cell)
            if edge in self.streets:
                found.append(other)
        return found

    def beyond(self, cell: Cell, other: Cell) -> Cell:
        """Return the next cell of a street that leads from ``other`` to ``cell``, or ``cell``."""
        further = 2 * cell[0] - other[0], 2 * cell[1] - other[1]
        return further if further in self.around(cell) and further not in self.rings else cell

    def node(self, draft: MapDraft, cell: Cell, towards: Cell | None = None) -> int:
        """Return the node of a cell; at a roundabout, where a neighbour's street meets its lane."""
        key = (cell, towards if cell in self.rings else None)
        if key not in self.nodes:
            point = self.place(cell)
            if key[1] is not None:
                point = along(point, unit(minus(self.place(key[1]), point)), RING)
            self.nodes[key] = draft.node(point)
        return self.nodes[key]

    def draw(self, draft: MapDraft) -> None:
        """Put the streets on the map."""
        lines: dict[tuple[int, int], list[tuple[int, Edge]]] = {}
        for edge in self.streets:
            (column, row), other = edge
            axis = int(column != other[0])
            line, step = (row, column) if axis else (column, row)
            lines.setdefault((axis, line), []).append((step, edge))
        for key in sorted(lines):
            self._draw_line(draft, [edge for _, edge in sorted(lines[key])])
        for cell, name in self.rings.items():
            self._draw_ring(draft, cell, name)

    def _draw_line(self, draft: MapDraft, line: list[Edge]) -> None:
        """Draw the streets on one line of the lattice, from one end to the other."""
        run: list[int] = []
        held: Street | None = None
        for a, b in line:
            street = self.streets[a, b]
            start = self.node(draft, a, b)
            if held is not None and (run[-1] != start or street != held):
                self._finish(draft, run, held)
                held = None
            run = [start] if held is None else run
            stop = self.node(draft, b, a)
            if (start, stop) in self.gaps:
                run.append(self.gaps[start, stop])
            run.append(stop)
            held = street
        if held is not None:
            self._finish(draft, run, held)

    def _finish(self, draft: MapDraft, run: list[int], street: Street) -> None:
        kind = CLASSES[street.rank]
        if street.refs:
            kind = "primary"
        speed = ("40", "50", "60")[street.rank]
        draft.way(
            run if street.oneway >= 0 else run[::-1],
            highway=kind,
            name=street.name,
            ref=";".join(street.refs),
            oneway="yes" if street.oneway else "",
            maxspeed=speed,
        )

    def _draw_ring(self, draft: MapDraft, cell: Cell, name: str) -> None:
        middle = self.place(cell)
        lane: list[int] = []
        legs = self.around(cell)
        for place, leg in enumerate(legs):
            after = legs[(place + 1) % len(legs)]
            lane.append(self.node(draft, cell, leg))
            here = unit(minus(self.place(leg), middle))
            there = unit(minus(self.place(after), middle))
            opposite = here[0] * there[0] + here[1] * there[1] < -0.5
            bow = right_of((-here[0], -here[1])) if opposite else along(here, there, 1.0)
            lane.append(draft.node(along(middle, unit(bow), RING)))
        draft.way([*lane, lane[0]], highway="secondary", junction="roundabout", name=name)
