"""Fast approximate answers, for the search for plans that deserve an exact analysis.

The analyses of `thence.dataflow` decide every question in the suite; they take a millisecond per
plan, and the search for a twin tries hundreds. Conflicts do not depend on positions, so the order
of a changed plan follows from a table of its steps in microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from thence.core.procedure import Step

type Asked = dict[str, Any]


class GuessTable:
    """The steps of a plan, with their conflicts and the facts that they use, define or kill.

    Steps have the numbers of their given order; a set of steps is an integer with one bit for each.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        touching = [{*step.uses, *step.defines} for step in steps]
        killing = [set(step.kills) for step in steps]
        using, defining = [set(s.uses) for s in steps], [set(s.defines) for s in steps]
        number = range(len(steps))
        self.conflict = [
            sum(
                1 << b
                for b in number
                if killing[a] & touching[b]
                or killing[b] & touching[a]
                or defining[a] & using[b]
                or defining[b] & using[a]
            )
            for a in number
        ]
        self.using, self.making, self.killing = (
            _by_fact([getattr(step, role) for step in steps])
            for role in ("uses", "defines", "kills")
        )


def _by_fact(facts: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return fact -> bit set of the steps with that fact."""
    found: dict[str, int] = {}
    for step, held in enumerate(facts):
        for fact in held:
            found[fact] = found.get(fact, 0) | 1 << step
    return found


class Sketch:
    """The steps of a table in some order, in which only conflicting steps are ordered.

    Sets of steps are as in the table; ``asked`` gives steps by their positions in this order.
    """

    def __init__(self, table: GuessTable, order: Sequence[int]) -> None:
        self.table = table
        self.order = order
        self.steps = [table.steps[k] for k in order]
        after = [0] * len(order)  # by step: the steps that must come later
        passed = 0
        for step in reversed(order):
            waiting, found = table.conflict[step] & passed, 0
            while waiting:
                next_one = waiting & -waiting
                found |= next_one | after[next_one.bit_length() - 1]
                waiting &= ~found
            after[step] = found
            passed |= 1 << step
        self.after = after
        self._before: dict[int, int] = {}

    def before(self, step: int) -> int:
        """Return the steps that must come before a step."""
        found = self._before.get(step)
        if found is None:
            found = 0
            for other, later in enumerate(self.after):
                if later >> step & 1:
                    found |= 1 << other
            self._before[step] = found
        return found

    def may_part(self, i: int, j: int) -> int:
        """Return the steps that may come between i and j, if i comes first."""
        return ~(self.before(i) | self.after[j] | 1 << i | 1 << j)

    def must_part(self, i: int, j: int) -> int:
        """Return the steps that must come between i and j."""
        return self.after[i] & self.before(j)

    def ending(self, fact: str) -> int:
        """Return the steps that kill or define a fact."""
        return self.table.killing.get(fact, 0) | self.table.making.get(fact, 0)


def _bits(steps: int) -> Iterator[int]:
    while steps:
        lowest = steps & -steps
        yield lowest.bit_length() - 1
        steps ^= lowest


def _reaches(sketch: Sketch, asked: Asked) -> bool:
    i, j = sketch.order[asked["i"]], sketch.order[asked["j"]]
    if sketch.after[j] >> i & 1:
        return False
    return not sketch.must_part(i, j) & sketch.ending(asked["fact"])


def _available(sketch: Sketch, asked: Asked) -> bool | None:
    i, j = sketch.order[asked["i"]], sketch.order[asked["j"]]
    if not sketch.after[i] >> j & 1:
        return False
    ends, beyond = sketch.table.killing.get(asked["fact"], 0), asked["j"] + 1
    if beyond < len(sketch.order) and ends >> sketch.order[beyond] & 1:
        return None
    return not sketch.may_part(i, j) & ends


def _live(sketch: Sketch, asked: Asked) -> bool | None:
    return _reaches_a_use(sketch, asked, sketch.must_part)


def _very_busy(sketch: Sketch, asked: Asked) -> bool | None:
    return _reaches_a_use(sketch, asked, sketch.may_part)


def _reaches_a_use(sketch: Sketch, asked: Asked, parting: Callable[[int, int], int]) -> bool | None:
    """Return whether no step that must, or may, come before some use kills the fact."""
    if _shown_next(sketch, asked):
        return None
    i, fact = sketch.order[asked["i"]], asked["fact"]
    ends = sketch.ending(fact)
    users = sketch.after[i] & sketch.table.using.get(fact, 0)
    return any(not parting(i, user) & ends for user in _bits(users))


def _shown_next(sketch: Sketch, asked: Asked) -> bool:
    """Return whether the next step alone decides the question, so that it is too easy."""
    place, fact = asked["i"] + 1, asked["fact"]
    if place == len(sketch.order):
        return False
    touching = sketch.ending(fact) | sketch.table.using.get(fact, 0)
    return bool(touching >> sketch.order[place] & 1)


def _valid_without(sketch: Sketch, asked: Asked) -> bool:
    i, j = sketch.order[asked["i"]], sketch.order[asked["j"]]
    table, others = sketch.table, ~(1 << i | 1 << j)
    for fact in table.steps[j].uses:
        if fact in table.steps[i].defines:
            kills = table.killing.get(fact, 0) & others
            makes = table.making.get(fact, 0) & others & sketch.before(j)
            if not any(not sketch.may_part(k, j) & kills for k in _bits(makes)):
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
    i, j = (sketch.order[place] for place in sorted((asked["i"], asked["j"])))
    return not sketch.after[i] >> j & 1


GUESSES: Mapping[str, Callable[[Sketch, Asked], bool | None]] = {
    "reaching_definitions": _reaches,
    "available_expressions": _available,
    "live_variables": _live,
    "very_busy_expressions": _very_busy,
    "type_state": _valid_without,
    "taint": _tainted,
    "concurrency": _free,
}
"""By analysis: whether the answer is probably Yes.

None where the step right after those asked about already tells: such a question needs no more than
a look at that step.
"""
