"""Yes/No answers by bitsets, fast enough to try many orders of the same steps.

They are those of the analyses of `thence.dataflow` under one combination of options, which decide
each question that is asked; here the order is two bitsets a step, so that trying one costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.families.fable.shared.analyses import EVERY

ENDS = (Role.KILL, Role.DEFINE)
"""The roles in which a step ends a fact."""

type Asked = Mapping[str, Any]
type Sight = tuple[Any, ...]
"""All that the answer to a question depends on but the order; equal ones have one answer."""


class Order(NamedTuple):
    """The order of some steps: for each the bitsets of those that must come after and before it."""

    after: Sequence[int]
    before: Sequence[int]

    @classmethod
    def of(cls, flow: Flow) -> Order:
        """Return the order of a procedure."""
        return cls(flow.descendants, flow.ancestors)

    @classmethod
    def none(cls, count: int) -> Order:
        """Return the order in which no step waits for another."""
        nothing = [0] * count
        return cls(nothing, nothing)


def listed_order(count: int) -> Order:
    """Return the order in which each step waits for all that are listed before it."""
    every = (1 << count) - 1
    before = [(1 << step) - 1 for step in range(count)]
    return Order([every & ~bits & ~(1 << step) for step, bits in enumerate(before)], before)


class Touching(NamedTuple):
    """The bitsets of the steps that make, kill, use and end a fact."""

    made: int
    killed: int
    used: int
    ended: int


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
        self._touching: dict[str, Touching] = {}
        self._left: dict[int, list[tuple[int, int]]] = {}
        self._needed: dict[int, list[tuple[int, int, bool]]] = {}
        self._in_conflict: dict[int, int] = {}

    def holds(self, name: str, order: Order, asked: Asked) -> bool:
        """Return whether the answer to a question is Yes.

        Args:
            name: name of the analysis, any but intervals.
            order: the order of the steps.
            asked: the question.
        """
        return RULES[name](order, *self.sight(name, asked))

    def sight(self, name: str, asked: Asked) -> Sight:
        """Return what the answer to a question depends on but the order; see `RULES`."""
        return _SIGHTS[name](self, asked)

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
            behind = order.before[j]
            facts = {*self._flow.steps[i].defines} & {*self._flow.steps[j].uses}
            makers = (k for each in facts for k in members(self.touching(each).made & behind))
            return max((_span(order, k, j) for k in makers), default=1)
        if name == "very_busy_expressions":
            return self._most_to_use(order, i, fact)
        ends = 0 if name in EVERY else self.touching(fact).ended
        used = self.touching(fact).used & ~order.before[i] & ~(1 << i) if j is None else 1 << j
        return max((_span(order, i, k, ends) for k in members(used)), default=0)

    def touching(self, fact: str) -> Touching:
        """Return the steps that touch a fact."""
        found = self._touching.get(fact)
        if found is None:
            made, used = self._mask(Role.DEFINE, fact), self._mask(Role.USE, fact)
            killed = self._mask(Role.KILL, fact) if Role.KILL in self._ends else 0
            ended = killed | (made if Role.DEFINE in self._ends else 0)
            found = Touching(made, killed, used, ended)
            self._touching[fact] = found
        return found

    def _mask(self, role: Role, fact: str) -> int:
        return self._flow.mask(role, fact) & self._done

    def _leaving(self, step: int) -> list[tuple[int, int]]:
        """Return for each fact that a step makes and one uses the steps that use and end it."""
        found = self._left.get(step)
        if found is None:
            facts = map(self.touching, self._flow.steps[step].defines)
            found = self._left[step] = [(each.used, each.ended) for each in facts if each.used]
        return found

    def _passing(self, asked: Asked) -> Sight:
        return asked["i"], asked["j"], self.touching(asked["fact"]).ended

    def _kept(self, asked: Asked) -> Sight:
        i, j = asked["i"], asked["j"]
        kills = self.touching(asked["fact"]).killed & ~(1 << i | 1 << j)
        return i, j, self._done >> i & 1, kills

    def _ahead(self, asked: Asked) -> Sight:
        i, touching = asked["i"], self.touching(asked["fact"])
        return i, touching.used & ~(1 << i), touching.ended

    def _busy(self, asked: Asked) -> Sight:
        i, touching = asked["i"], self.touching(asked["fact"])
        return i, touching.used, touching.ended & ~touching.used & ~(1 << i)

    def _most_to_use(self, order: Order, i: int, fact: str) -> int:
        """Return the most links from step i to a sure use, and to one before each ending step."""
        _, _, users, ended = self.touching(fact)
        sure = {user: _span(order, i, user) for user in members(users & order.after[i])}
        enders = ended & ~users & ~order.before[i] & ~(1 << i)
        firsts = [-1, *(order.before[k] for k in members(enders))]
        return max(min(sure[k] for k in sure if first >> k & 1) for first in firsts)

    def _supplied(self, asked: Asked) -> Sight:
        j, left = asked["j"], ~(1 << asked["i"] | 1 << asked["j"])
        return j, tuple([
            (made & left, killed & left & ~made, at_start)
            for made, killed, at_start in self._needs_of(j)
        ])  # fmt: skip

    def _needs_of(self, step: int) -> list[tuple[int, int, bool]]:
        """Return for each fact that a step uses and may lack who makes and kills it."""
        found = self._needed.get(step)
        if found is None:
            start = self._flow.start
            facts = ((each, self.touching(each)) for each in self._flow.steps[step].uses)
            found = self._needed[step] = [
                (there.made, there.killed, fact in start)
                for fact, there in facts
                if there.killed or fact not in start
            ]
        return found

    def _spread(self, asked: Asked) -> Sight:
        return self, asked["i"], asked["j"], _bits(asked["sanitizers"])

    def links(self, order: Order, asked: Asked) -> int | None:
        """Return the links of the shortest chain of contamination to step j, if there is one."""
        return self.chain(order, asked["i"], asked["j"], _bits(asked["sanitizers"]))

    def chain(self, order: Order, i: int, j: int, safe: int) -> int | None:
        """Return the links of the shortest chain of contamination past the steps of a bitset."""
        after, before = order
        wanted, last = 1 << j, [i]
        met = far = 0
        while last:
            far += 1
            waiting: list[int] = []
            for step in last:
                open_ = ~(before[step] | 1 << step)
                for users, ends in self._leaving(step):
                    left, stops = users & ~met & open_, ends & after[step]
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

    def _beside(self, asked: Asked) -> Sight:
        i, j = asked["i"], asked["j"]
        return i, j, not self._conflicting(i) >> j & 1

    def _conflicting(self, step: int) -> int:
        """Return the steps that conflict with a step, as a bitset."""
        found = self._in_conflict.get(step)
        if found is None:
            roles = [role for role in Role if role in self._ends or role is not Role.KILL]
            found = self._in_conflict[step] = self._flow.conflicting(step, roles)
        return found


def tainted_links(flow: Flow, order: Order, asked: Asked, looks: Sequence[QuickAnswers]) -> int:
    """Return the depth of a question about taint; 0 where in no order anything leads to step j.

    Args:
        flow: of the steps.
        order: their order.
        asked: the question.
        looks: the answers as they are, if kills alone end a fact, and if makers alone do.
    """
    ways = [(looks[0], order, asked), (looks[0], order, {**asked, "sanitizers": ()})]
    ways += [(each, order, asked) for each in looks[1:]]
    ways.append((looks[0], Order.none(len(flow)), asked))
    found = (each.most_links("taint", among, put) for each, among, put in ways)
    return next(filter(None, found), 0)


def _bits(few: Iterable[int]) -> int:
    """Return the bitset of a few steps; of so few, `bitset` would take longer."""
    found = 0
    for step in few:
        found |= 1 << step
    return found


def _span(order: Order, i: int, j: int, ends: int = 0) -> int:
    """Return the most links that may lead from step i to step j past the steps that end a fact."""
    open_ends = ends & ~(order.before[i] | order.after[j] | 1 << i | 1 << j)
    return (order.after[i] & order.before[j]).bit_count() + 1 + open_ends.bit_count()


def _reaches(order: Order, i: int, j: int, ends: int) -> bool:
    return not (order.after[i] & order.before[j] & ends or order.before[i] >> j & 1)


def _stays(order: Order, i: int, j: int, is_done: int, kills: int) -> bool:
    if not is_done & order.after[i] >> j:
        return False
    return not kills & ~(order.before[i] | order.after[j])


def _is_live(order: Order, i: int, used: int, ends: int) -> bool:
    users, between = used & ~order.before[i], order.after[i] & ends
    while users:
        user = users.bit_length() - 1
        if not between & order.before[user]:
            return True
        users ^= 1 << user
    return False


def _is_busy(order: Order, i: int, users: int, ends: int) -> bool:
    sure = users & order.after[i]
    return bool(sure) and _all_have(sure, order.before, ends & ~order.before[i])


def _all_have(others: int, beside: Sequence[int], steps: int) -> bool:
    """Return whether each of some steps has one of some others before it, or after it."""
    while steps:
        last = steps.bit_length() - 1
        if not others & beside[last]:
            return False
        steps ^= 1 << last
    return True


def _is_valid(order: Order, j: int, supplied: Sequence[tuple[int, int, bool]]) -> bool:
    for made, kills, at_start in supplied:
        sure = made & order.before[j]
        if not sure and not at_start:
            return False
        if not _all_have(sure, order.after, kills & ~order.after[j]):
            return False
    return True


def _is_tainted(order: Order, look: QuickAnswers, i: int, j: int, safe: int) -> bool:
    return look.chain(order, i, j, safe) is not None


def _at_once(order: Order, i: int, j: int, fits: bool) -> bool:
    return fits and not (order.after[i] | order.before[i]) >> j & 1


_SIGHTS: Mapping[str, Callable[[QuickAnswers, Asked], Sight]] = {
    "reaching_definitions": QuickAnswers._passing,  # noqa: SLF001
    "available_expressions": QuickAnswers._kept,  # noqa: SLF001
    "live_variables": QuickAnswers._ahead,  # noqa: SLF001
    "very_busy_expressions": QuickAnswers._busy,  # noqa: SLF001
    "type_state": QuickAnswers._supplied,  # noqa: SLF001
    "taint": QuickAnswers._spread,  # noqa: SLF001
    "concurrency": QuickAnswers._beside,  # noqa: SLF001
}

RULES: Mapping[str, Callable[..., bool]] = {
    "reaching_definitions": _reaches,
    "available_expressions": _stays,
    "live_variables": _is_live,
    "very_busy_expressions": _is_busy,
    "type_state": _is_valid,
    "taint": _is_tainted,
    "concurrency": _at_once,
}
"""For each analysis whether the answer is Yes, of an order and the parts of a sight."""
