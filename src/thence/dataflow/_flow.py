"""A procedure made ready for many questions: who touches a fact, and who comes before whom."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any

from thence.core.graph import Graph, bitset, members
from thence.core.procedure import Procedure, Step
from thence.errors import UsageError

_MANY = 8  # facts of a step that are looked through quicker than hashed
START = -1  # in the place of a step: what holds before the first one


class Role(Enum):
    """What a step does to a fact, in the order in which it happens within the step."""

    USE = "uses"
    KILL = "kills"
    DEFINE = "defines"


class CyclicOrder(UsageError):
    """The order has a cycle, so that the procedure cannot be executed.

    Attributes:
        cycle: the steps on it, 0-based, each once.
    """

    def __init__(self, cycle: Sequence[int]) -> None:
        self.cycle = tuple(cycle)
        shown = " -> ".join(f"step {step + 1}" for step in (*cycle, cycle[0]))
        super().__init__(f"the order is cyclic: {shown}; take one of these out")


class Flow:
    """A procedure and what follows from it, computed when first asked for.

    An *execution* is a linear extension of the order. The *canonical* one keeps to the text
    wherever the order allows it: of the steps that may come next, the one that stands first.

    Attributes:
        procedure: as given.
        steps: its steps.
        canonical: the canonical execution.
        place: for each step its place in the canonical execution.
        is_total: whether there is no other execution.

    Raises:
        CyclicOrder: there is no execution at all.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.steps: tuple[Step, ...] = procedure.steps
        self.graph = Graph(len(self.steps), procedure.order)
        order = self.graph.topological_order()
        if order is None:
            raise CyclicOrder(self.graph.a_cycle() or [0])
        self.canonical = order
        self.place = [0] * len(order)
        for place, step in enumerate(order):
            self.place[step] = place
        held = set(self.graph.edges)
        self.is_total = all(pair in held for pair in pairwise(order))
        self._is_text = order == list(range(len(order)))  # the text is an execution itself
        self.memo: dict[Hashable, Any] = {}  # what an analysis keeps from question to question

    def __len__(self) -> int:
        return len(self.steps)

    # Order --------------------------------------------------------------------------------------

    def precedes(self, i: int, j: int) -> bool:
        """Whether step i comes before step j in every execution."""
        if self.is_total:
            return self.place[i] < self.place[j]
        return bool(self.after[i] >> j & 1)

    @cached_property
    def after(self) -> list[int]:
        """For each step the bitset of those that come after it in every execution."""
        return self.graph.descendants

    @cached_property
    def before(self) -> list[int]:
        """For each step the bitset of those that come before it in every execution."""
        return self.graph.ancestors

    @cached_property
    def everything(self) -> int:
        """The bitset of all steps."""
        return (1 << len(self.steps)) - 1

    def in_order(self, steps: Iterable[int]) -> list[int]:
        """Some steps, as the canonical execution has them."""
        return sorted(steps, key=None if self._is_text else self.place.__getitem__)

    # Facts --------------------------------------------------------------------------------------

    @cached_property
    def touching(self) -> dict[Role, dict[str, list[int]]]:
        """Role -> fact -> the steps that do so, as the canonical execution has them."""
        held: dict[Role, dict[str, list[int]]] = {}
        for role in Role:
            table: defaultdict[str, list[int]] = defaultdict(list)
            facts = self.told(role)
            for step in self.canonical:
                for fact in facts[step]:
                    table[fact].append(step)
            held[role] = dict(table)
        return held

    def told(self, role: Role) -> list[Collection[str]]:
        """For each step the facts that it has a role in, each once, as the text has them."""
        return self._told[role]

    @cached_property
    def _told(self) -> dict[Role, list[Collection[str]]]:
        return {
            Role.USE: [_once(step.uses) for step in self.steps],
            Role.KILL: [_once(step.kills) for step in self.steps],
            Role.DEFINE: [_once(step.defines) for step in self.steps],
        }

    def who(self, role: Role, fact: str) -> list[int]:
        """The steps that use, kill or define a fact, as the canonical execution has them."""
        return self.touching[role].get(fact, [])

    def does(self, step: int, role: Role, fact: str) -> bool:
        """Whether a step uses, kills or defines a fact."""
        return fact in self._told[role][step]

    def following(self, step: int, role: Role, fact: str) -> int | None:
        """The first step that does so to a fact and has to come after another."""
        if self.is_total:
            found = self.who(role, fact)
            at = bisect_right(found, self.place[step], key=self.place.__getitem__)
            return found[at] if at < len(found) else None
        later = self.mask(role, fact) & self.after[step]
        return min(members(later), key=self.place.__getitem__, default=None)

    def has_other(self, step: int, role: Role, fact: str) -> bool:
        """Whether some other step does so to a fact and need not come after this one."""
        if self.is_total:
            found = self.who(role, fact)
            return bool(found) and self.place[found[0]] < self.place[step]
        return bool(self.mask(role, fact) & ~(self.after[step] | 1 << step))

    def roles(self, step: int, fact: str) -> tuple[Role, ...]:
        """All that a step does to a fact, in the order in which it happens."""
        return tuple(role for role in Role if self.does(step, role, fact))

    def doings(self, step: int, fact: str) -> str:
        """What a step does to a fact, in words such as ``uses, kills``."""
        return ", ".join(role.value for role in self.roles(step, fact))

    def mask(self, role: Role, fact: str) -> int:
        """The bitset of the steps that use, kill or define a fact."""
        return self._masks[role].get(fact, 0)

    @cached_property
    def _masks(self) -> dict[Role, dict[str, int]]:
        return {
            role: {fact: bitset(steps) for fact, steps in table.items()}
            for role, table in self.touching.items()
        }

    def rivals(self, fact: str, roles: Sequence[Role]) -> int:
        """The bitset of the steps whose role towards a fact differs from one of some roles."""
        bits = 0
        for other in Role:
            if any(role is not other for role in roles):
                bits |= self.mask(other, fact)
        return bits

    def disputed(self, i: int) -> int:
        """The bitset of the steps that conflict with a step: on a fact their roles differ."""
        bits = 0
        for role in Role:
            for fact in self.told(role)[i]:
                bits |= self.rivals(fact, (role,))
        return bits

    @cached_property
    def facts(self) -> list[str]:
        """Every fact that a step touches, as the text first names them."""
        return list(
            dict.fromkeys(
                fact for step in self.steps for fact in (*step.uses, *step.kills, *step.defines)
            )
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """The facts that some step touches, and those of the start."""
        return self.start | frozenset(self.facts)

    @cached_property
    def start(self) -> frozenset[str]:
        """The facts that hold before the first step.

        Where the procedure does not say, they are the fewest that it can do with: a fact is there
        from the start where some step uses it that no definition of it precedes in every
        execution.
        """
        if self.procedure.start is not None:
            return frozenset(self.procedure.start)
        users, definers = self.touching[Role.USE], self.touching[Role.DEFINE]
        return frozenset(
            fact for fact in users if self._is_wanted(users[fact], definers.get(fact, []))
        )

    def _is_wanted(self, users: list[int], definers: list[int]) -> bool:
        if not definers:
            return True
        if self.is_total:
            return self.place[users[0]] <= self.place[definers[0]]
        bits = bitset(definers)
        return any(not self.before[user] & bits for user in users)

    # Executions ---------------------------------------------------------------------------------

    def execution(self, *stops: int) -> list[int]:
        """An execution that comes to each of some steps as soon as the earlier ones let it.

        Each of ``stops`` must be one that need not come before those ahead of it in the list.
        """
        if self.is_total:
            return list(self.canonical)
        done, order = 0, []
        for stop in stops:
            bits = (self.before[stop] | 1 << stop) & ~done
            order += self.in_order(members(bits))
            done |= bits
        return order + self.in_order(members(self.everything & ~done))

    def tight(self, a: int, b: int) -> list[int]:
        """An execution with step a before step b and only those between that have to be."""
        if self.is_total:
            return list(self.canonical)
        ahead = (self.before[a] | self.before[b]) & ~self.after[a] & ~(1 << a)
        between = self.before[b] & self.after[a]
        rest = self.everything & ~(ahead | between | 1 << a | 1 << b)
        blocks = (ahead, 1 << a, between, 1 << b, rest)
        return [step for bits in blocks for step in self.in_order(members(bits))]

    def late(self, i: int) -> list[int]:
        """An execution that puts step i off for as long as it can."""
        if self.is_total:
            return list(self.canonical)
        ahead = self.everything & ~self.after[i] & ~(1 << i)
        blocks = (ahead, 1 << i, self.after[i])
        return [step for bits in blocks for step in self.in_order(members(bits))]

    def chain(self, i: int, j: int) -> list[int]:
        """The fewest steps of the order that put step i before step j, both included."""
        if self.is_total and self.precedes(i, j):
            return self.canonical[self.place[i] : self.place[j] + 1]
        return self.graph.shortest_chain(i, j) or []


def _once(facts: tuple[str, ...]) -> Collection[str]:
    """The facts of a step, each once, in their order; many of them so that one is found at once."""
    if len(facts) < 2:
        return facts
    held = dict.fromkeys(facts)
    return held if len(held) > _MANY else tuple(held)
