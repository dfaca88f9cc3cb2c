"""Quick guesses of an answer, by which plans worth a closer look are found.

The analyses of `thence.dataflow` decide every question that is asked; they take a millisecond a
plan, and a twin is looked for among hundreds. Steps that conflict do so wherever they stand, so
that the order of a changed plan is found from a table of its steps in microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from thence.kernel.procedure import Step

type Asked = dict[str, Any]


class Table:
    """The steps of a plan: which conflict, and which touch a fact in what way."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        touching = [{*step.uses, *step.defines} for step in steps]
        killing = [set(step.kills) for step in steps]
        using, defining = [set(s.uses) for s in steps], [set(s.defines) for s in steps]
        number = range(len(steps))
        self.conflict = [
            [
                bool(
                    killing[a] & touching[b]
                    or killing[b] & touching[a]
                    or defining[a] & using[b]
                    or defining[b] & using[a]
                )
                for b in number
            ]
            for a in number
        ]


class Sketch:
    """The steps of a table in some order, in which only conflicting ones are bound."""

    def __init__(self, table: Table, order: Sequence[int]) -> None:
        self.order = order
        self.steps = [table.steps[k] for k in order]
        count = len(order)
        self.after = [0] * count  # by place: a bit for each step that must come later
        for p in range(count - 2, -1, -1):
            row, mask = table.conflict[order[p]], 0
            for q in range(p + 1, count):
                if row[order[q]] and not mask >> q & 1:
                    mask |= 1 << q | self.after[q]
            self.after[p] = mask

    def before(self, a: int, b: int) -> bool:
        """Whether a must come before b."""
        return bool(self.after[a] >> b & 1)

    def between(self, i: int, j: int, ends: Sequence[int], *, must: bool) -> bool:
        """Whether one of the steps ``ends`` must, or may, come between i and j."""
        if must:
            return any(self.before(i, m) and self.before(m, j) for m in ends)
        return any(not self.before(m, i) and not self.before(j, m) for m in ends)

    def ending(self, fact: str, *asked: int) -> list[int]:
        """The steps that kill or define a fact, but for those asked about."""
        return [
            m
            for m, step in enumerate(self.steps)
            if m not in asked and (fact in step.kills or fact in step.defines)
        ]


def _reaches(sketch: Sketch, asked: Asked) -> bool:
    i, j, fact = asked["i"], asked["j"], asked["fact"]
    if sketch.before(j, i):
        return False
    return not sketch.between(i, j, sketch.ending(fact, i, j), must=True)


def _available(sketch: Sketch, asked: Asked) -> bool:
    i, j, fact = asked["i"], asked["j"], asked["fact"]
    ends = [m for m in sketch.ending(fact, i, j) if fact in sketch.steps[m].kills]
    return sketch.before(i, j) and not sketch.between(i, j, ends, must=False)


def _needed(sketch: Sketch, asked: Asked) -> Iterator[tuple[int, list[int]]]:
    """The later steps that use a fact, each with those that could end it before."""
    i, fact = asked["i"], asked["fact"]
    for user, step in enumerate(sketch.steps):
        if fact in step.uses and sketch.before(i, user):
            yield user, sketch.ending(fact, i, user)


def _live(sketch: Sketch, asked: Asked) -> bool:
    i = asked["i"]
    return any(not sketch.between(i, u, ends, must=True) for u, ends in _needed(sketch, asked))


def _very_busy(sketch: Sketch, asked: Asked) -> bool:
    i = asked["i"]
    return any(not sketch.between(i, u, ends, must=False) for u, ends in _needed(sketch, asked))


def _valid_without(sketch: Sketch, asked: Asked) -> bool:
    i, j = asked["i"], asked["j"]
    for fact in sketch.steps[j].uses:
        if fact in sketch.steps[i].defines:
            kills = [m for m in sketch.ending(fact, i, j) if fact in sketch.steps[m].kills]
            makes = [m for m in sketch.ending(fact, i, j) if fact in sketch.steps[m].defines]
            if not any(
                sketch.before(k, j)
                and not sketch.between(k, j, [m for m in kills if m != k], must=False)
                for k in makes
            ):
                return False
    return True


def _tainted(sketch: Sketch, asked: Asked) -> bool:
    i, j, checked = asked["i"], asked["j"], asked["sanitizers"]
    dirty = set[str]()
    for place, step in enumerate(sketch.steps[: j + 1]):
        touched = not dirty.isdisjoint(step.uses)
        if place == j:
            return touched
        dirty.difference_update(step.kills, step.defines)
        if place == i or (touched and place not in checked):
            dirty.update(step.defines)
    return False


def _free(sketch: Sketch, asked: Asked) -> bool:
    return not sketch.before(*sorted((asked["i"], asked["j"])))


GUESSES: Mapping[str, Callable[[Sketch, Asked], bool]] = {
    "reaching_definitions": _reaches,
    "available_expressions": _available,
    "live_variables": _live,
    "very_busy_expressions": _very_busy,
    "type_state": _valid_without,
    "taint": _tainted,
    "concurrency": _free,
}
"""By analysis: whether the answer is probably Yes."""
