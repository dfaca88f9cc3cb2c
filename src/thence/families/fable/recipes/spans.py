"""How far the proof of an answer reaches, about, by bitsets alone: which candidates to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from thence.core.graph import members
from thence.core.procedure import Pair
from thence.dataflow.flow import Flow, Role
from thence.families.fable.shared.quick_answers import Order

type Asked = Mapping[str, Any]


class Ways:
    """The order of some steps, and the links of its shortest chains.

    Args:
        before: for each step the bitset of those before it; they are listed in a permitted order.
    """

    def __init__(self, before: Sequence[int]) -> None:
        after = [0] * len(before)
        for step, bits in enumerate(before):
            for each in members(bits):
                after[each] |= 1 << step
        self.order = Order(tuple(after), tuple(before))

    @property
    def reduced(self) -> tuple[Pair, ...]:
        """The transitive reduction of the order."""
        return tuple((a, b) for a, bits in enumerate(self._next) for b in members(bits))

    @cached_property
    def _next(self) -> tuple[int, ...]:
        """For each step the bitset of those that come after it with no other between."""
        return tuple(map(self._nearest, self.order.after))

    def _nearest(self, steps: int) -> int:
        """Return those of some steps before which none of them comes."""
        found = 0
        while steps:
            first = steps & -steps
            found |= first
            steps &= ~(self.order.after[first.bit_length() - 1] | first)
        return found

    def links(self, a: int, b: int) -> int:
        """Return the links of the shortest chain from a step to another; 0 where there is none."""
        if not self.order.after[a] >> b & 1:
            return 0
        between = self.order.before[b]
        far, met = 1, self._next[a]
        while not met >> b & 1:
            far, met = far + 1, self._after_all(met & between)
        return far

    def _after_all(self, steps: int) -> int:
        """Return the steps that come right after some others."""
        found = 0
        while steps:
            last = steps.bit_length() - 1
            found |= self._next[last]
            steps ^= 1 << last
        return found


def span(name: str, flow: Flow, ways: Ways, asked: Asked, *, answer: bool) -> int:
    """Return about how many links the proof of an answer has.

    Args:
        name: of an analysis, but taint and intervals.
        flow: of the steps; its own order is not looked at.
        ways: their order, in which they may be done as they are listed.
        asked: the question.
        answer: its answer.
    """
    i: int = asked["i"]
    if "j" in asked:
        j: int = asked["j"]
        if name == "concurrency" and answer:
            return _between(ways.order, *sorted((i, j)))
        if name == "type_state" and answer:
            return _from_others(flow, ways, i, j)
        return max(ways.links(*sorted((i, j))), 1)
    fact = asked["fact"]
    others = flow.mask(Role.USE, fact) & ~(1 << i)
    ends = flow.enders(fact)
    if name == "very_busy_expressions" and not answer:
        return _past_users(ways, i, others, ends & ~others)
    if name == "live_variables" and not answer:
        return _to_enders(ways, i, others, ends)
    return _least(ways.links(i, k) for k in members(others))


def _between(order: Order, i: int, j: int) -> int:
    """Return 1 and the steps between two that must be moved to do these at the same time."""
    inside = (1 << j) - (2 << i)
    behind, ahead = inside & order.after[i], inside & order.before[j]
    return 1 + min(behind.bit_count(), ahead.bit_count())


def _least(found: Iterable[int]) -> int:
    """Return the least number but 0, or 1 where there is none."""
    return min(filter(None, found), default=1)


def _from_others(flow: Flow, ways: Ways, i: int, j: int) -> int:
    """Return the links to step j from other steps that make what step i makes for it."""
    facts = {*flow.steps[i].defines} & {*flow.steps[j].uses}
    makers = [flow.mask(Role.DEFINE, fact) & ~(1 << i) for fact in facts]
    return max((_least(ways.links(m, j) for m in members(each)) for each in makers), default=1)


def _past_users(ways: Ways, i: int, users: int, ends: int) -> int:
    """Return the links to an end of a fact, and the users that must be kept from coming before."""
    order = ways.order
    open_ = users & ~order.before[i]
    found = [] if order.after[i] & users else [open_.bit_count()]
    found += [
        (ways.links(i, end) or 1) + (open_ & ~order.after[end]).bit_count()
        for end in members(ends & ~order.before[i] & ~(1 << i))
        if not order.after[i] & order.before[end] & users
    ]
    return _least(found)


def _to_enders(ways: Ways, i: int, users: int, ends: int) -> int:
    """Return the links over a step that ends a fact to the user that is furthest off."""
    after, before = ways.order
    found = (
        _least(ways.links(i, k) + ways.links(k, u) for k in members(after[i] & ends & before[u]))
        for u in members(users & ~before[i])
    )
    return max(found, default=1)
