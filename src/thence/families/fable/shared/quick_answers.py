"""Answers to many questions about the same steps in many orders, of which few are asked.

They are those of the analyses of `thence.dataflow` under one combination of options, which decide
each question that is asked; here the order is two bitsets a step, so that trying one costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from thence.core.graph import members
from thence.dataflow import Flow, conflicts
from thence.dataflow.flow import Role
from thence.dataflow.graphs import Conflict
from thence.families.fable.shared.analyses import EVERY

ENDS = (Role.KILL, Role.DEFINE)
"""The roles in which a step ends a fact."""

type Asked = Mapping[str, Any]


class Order(NamedTuple):
    """The order of some steps: for each the bitsets of those that must come after and before it."""

    after: Sequence[int]
    before: Sequence[int]


def listed_order(count: int) -> Order:
    """Return the order in which each step waits for all that are listed before it."""
    every = (1 << count) - 1
    before = [(1 << step) - 1 for step in range(count)]
    return Order([every & ~bits & ~(1 << step) for step, bits in enumerate(before)], before)


class QuickAnswers:
    """Decides questions about the steps of a procedure in any order.

    Args:
        flow: of the procedure; its own order and choices are not looked at.
        ends: the roles in which a step ends a fact; without `Role.KILL` no step kills any.
        done: the bitset of the steps that are carried out; None for all. Those asked about are.
    """

    def __init__(self, flow: Flow, ends: Sequence[Role] = ENDS, done: int | None = None) -> None:
        self._flow, self._ends = flow, ends
        self._done = flow.all_steps if done is None else done
        self._enders: dict[str, int] = {}

    def holds(self, name: str, order: Order, asked: Asked) -> bool:
        """Return whether the answer to a question is Yes.

        Args:
            name: name of the analysis, any but intervals.
            order: the order of the steps.
            asked: the question.
        """
        return _RULES[name](self, order, asked)

    def most_links(self, name: str, order: Order, asked: Asked) -> int:
        """Return a number of links that the smallest certificate of a Yes does not exceed.

        Args:
            name: name of the analysis.
            order: the order of the steps, in which the answer is Yes.
            asked: the question.
        """
        i, j, fact = asked["i"], asked.get("j"), asked.get("fact", "")
        if name == "taint":
            return self.links(order, asked) or 0
        if name == "concurrency":
            return len(self._flow)
        if name == "type_state" and j is not None:
            facts = {*self._flow.steps[i].defines} & {*self._flow.steps[j].uses}
            makers = (k for each in facts for k in members(self.made(each) & order.before[j]))
            return max((_span(order, k, j) for k in makers), default=1)
        if name == "very_busy_expressions":
            return self._most_to_use(order, i, fact)
        ends = 0 if name in EVERY else self._ending(fact)
        used = self.used(fact) & ~order.before[i] & ~(1 << i) if j is None else 1 << j
        return max((_span(order, i, k, ends) for k in members(used)), default=0)

    def made(self, fact: str) -> int:
        """Return the bitset of the steps that make a fact."""
        return self._flow.mask(Role.DEFINE, fact) & self._done

    def killed(self, fact: str) -> int:
        """Return the bitset of the steps that kill a fact."""
        return self._flow.mask(Role.KILL, fact) & self._done if Role.KILL in self._ends else 0

    def used(self, fact: str) -> int:
        """Return the bitset of the steps that use a fact."""
        return self._flow.mask(Role.USE, fact) & self._done

    def _ending(self, fact: str) -> int:
        if fact not in self._enders:
            bits = 0
            for role in self._ends:
                bits |= self._flow.mask(role, fact)
            self._enders[fact] = bits & self._done
        return self._enders[fact]

    @cached_property
    def _leaving(self) -> list[list[tuple[int, int]]]:
        """For each step and each fact that it makes, the steps that use and that end it."""
        return [
            [(self.used(fact), self._ending(fact)) for fact in step.defines]
            for step in self._flow.steps
        ]

    def _reaches(self, order: Order, i: int, j: int, fact: str) -> bool:
        between = order.after[i] & order.before[j]
        return not (between & self._ending(fact) or order.before[i] >> j & 1)

    def _reaching(self, order: Order, asked: Asked) -> bool:
        return self._reaches(order, asked["i"], asked["j"], asked["fact"])

    def _available(self, order: Order, asked: Asked) -> bool:
        i, j = asked["i"], asked["j"]
        kills = self.killed(asked["fact"]) & ~(1 << i | 1 << j)
        if not self._done >> i & order.after[i] >> j & 1:
            return False
        return not kills & ~(order.before[i] | order.after[j])

    def _live(self, order: Order, asked: Asked) -> bool:
        i, fact = asked["i"], asked["fact"]
        users = self.used(fact) & ~order.before[i] & ~(1 << i)
        return any(self._reaches(order, i, user, fact) for user in members(users))

    def _busy(self, order: Order, asked: Asked) -> bool:
        i, fact = asked["i"], asked["fact"]
        users = self.used(fact)
        sure = users & order.after[i]
        enders = self._ending(fact) & ~users & ~order.before[i] & ~(1 << i)
        return bool(sure) and all(sure & order.before[k] for k in members(enders))

    def _most_to_use(self, order: Order, i: int, fact: str) -> int:
        """Return the most links from step i to a sure use, and to one before each ending step."""
        users = self.used(fact)
        sure = {user: _span(order, i, user) for user in members(users & order.after[i])}
        enders = self._ending(fact) & ~users & ~order.before[i] & ~(1 << i)
        firsts = [-1, *(order.before[k] for k in members(enders))]
        return max(min(sure[k] for k in sure if first >> k & 1) for first in firsts)

    def _valid(self, order: Order, asked: Asked) -> bool:
        i, j = asked["i"], asked["j"]
        left = ~(1 << i | 1 << j)
        for fact in self._flow.steps[j].uses:
            made = self.made(fact) & left
            sure = made & order.before[j]
            if not sure and fact not in self._flow.start:
                return False
            kills = self.killed(fact) & left & ~made & ~order.after[j]
            if not all(sure & order.after[k] for k in members(kills)):
                return False
        return True

    def _tainted(self, order: Order, asked: Asked) -> bool:
        return self.links(order, asked) is not None

    def links(self, order: Order, asked: Asked) -> int | None:
        """Return the links of the shortest chain of contamination to step j, if there is one."""
        after, before = order
        wanted, last = 1 << asked["j"], [asked["i"]]
        met = safe = far = 0
        for step in asked["sanitizers"]:
            safe |= 1 << step
        while last:
            far += 1
            waiting: list[int] = []
            for step in last:
                closed = before[step] | 1 << step
                for users, ends in self._leaving[step]:
                    left, stops = users & ~met & ~closed, ends & after[step]
                    while left:
                        bit = left & -left
                        left ^= bit
                        user = bit.bit_length() - 1
                        if stops & before[user]:
                            continue
                        if bit == wanted:
                            return far
                        met |= bit
                        if not bit & safe:
                            waiting.append(user)
            last = waiting
        return None

    def _together(self, order: Order, asked: Asked) -> bool:
        i, j = asked["i"], asked["j"]
        apart = (order.after[i] | order.before[i]) >> j & 1
        found = () if apart else conflicts(self._flow.steps[i], self._flow.steps[j])
        return not apart and all(self._is_ignored(each) for each in found)

    def _is_ignored(self, found: Conflict) -> bool:
        return Role.KILL not in self._ends and Role.KILL in (found.first, found.second)


def tainted_links(flow: Flow, order: Order, asked: Asked, looks: Sequence[QuickAnswers]) -> int:
    """Return the depth of a question about taint; 0 where in no order anything leads to step j.

    Args:
        flow: of the steps.
        order: their order.
        asked: the question.
        looks: the answers as they are, if kills alone end a fact, and if makers alone do.
    """
    nothing = [0] * len(flow)
    ways = [(looks[0], order, asked), (looks[0], order, {**asked, "sanitizers": ()})]
    ways += [(each, order, asked) for each in looks[1:]]
    ways.append((looks[0], Order(nothing, nothing), asked))
    found = (each.most_links("taint", among, put) for each, among, put in ways)
    return next(filter(None, found), 0)


def _span(order: Order, i: int, j: int, ends: int = 0) -> int:
    """Return the most links that may lead from step i to step j past the steps that end a fact."""
    open_ends = ends & ~(order.before[i] | order.after[j] | 1 << i | 1 << j)
    return (order.after[i] & order.before[j]).bit_count() + 1 + open_ends.bit_count()


_RULES: Mapping[str, Callable[[QuickAnswers, Order, Asked], bool]] = {
    "reaching_definitions": QuickAnswers._reaching,  # noqa: SLF001
    "available_expressions": QuickAnswers._available,  # noqa: SLF001
    "live_variables": QuickAnswers._live,  # noqa: SLF001
    "very_busy_expressions": QuickAnswers._busy,  # noqa: SLF001
    "type_state": QuickAnswers._valid,  # noqa: SLF001
    "taint": QuickAnswers._tainted,  # noqa: SLF001
    "concurrency": QuickAnswers._together,  # noqa: SLF001
}
