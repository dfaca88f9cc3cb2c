"""Index of a procedure for data-flow questions: roles of steps towards facts, and their order."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any

from thence.core.graph import Graph, bitset, members, union
from thence.core.procedure import Pair, Procedure, Step
from thence.dataflow.choices import Choices, Options
from thence.dataflow.fact_lookup import searched
from thence.dataflow.flow_cache import cached
from thence.errors import UsageError

START = -1  # stands for the step that defines the facts of the start
type _Masks = dict[Role, dict[str, int]]


class Role(Enum):
    """Role of a step towards a fact, in the order in which they take effect within the step."""

    USE = "uses"
    KILL = "kills"
    DEFINE = "defines"

    __hash__ = object.__hash__  # each is looked up by the million, and an enum's own hash is slow


class CyclicOrder(UsageError):
    """Order with a cycle: the procedure cannot be executed.

    Attributes:
        cycle: the steps on it, 0-based, each once.
    """

    def __init__(self, cycle: Sequence[int]) -> None:
        self.cycle = tuple(cycle)
        shown = " -> ".join(f"step {step + 1}" for step in (*cycle, cycle[0]))
        super().__init__(f"the order is cyclic: {shown}; take one of these out")


class Flow:
    """A procedure with its order and roles, each table computed when it is first read.

    An *execution* is a linear extension of the order. The *canonical* one keeps to the text
    wherever the order allows it: of the steps that may come next, the one that stands first.

    Where there are choices, an execution takes an option of each, and leaves out the steps that
    depend on others; the order between the rest stays. The canonical order is then one of all
    steps, whatever their options, and `under` returns the procedure that is left by options.

    Attributes:
        procedure: as given.
        steps: its steps.
        choices: its choices; None where it has none.
        absent: the bitset of the steps that options have left out; see `under`.
        canonical: the canonical execution.
        position: for each step its place in the canonical execution.
        is_total: whether there is no other execution.
        sort_key: by which steps are sorted as in the canonical execution; None by their numbers.

    Args:
        procedure: steps and their order.
        absent: the bitset of the steps that options have left out.
        like: the flow of a procedure with the same order and the same choices, if it is known.
        steps_of: the flow of a procedure with the same steps and the same choices, if it is known.

    Raises:
        CyclicOrder: there is no execution at all.
        UsageError: a step depends on an option that no choice has.
    """

    def __init__(
        self,
        procedure: Procedure,
        absent: int = 0,
        like: Flow | None = None,
        steps_of: Flow | None = None,
    ) -> None:
        self.procedure = procedure
        self.steps: tuple[Step, ...] = procedure.steps
        self.graph: Graph = like.graph if like else Graph(len(self.steps), procedure.order)
        order = self.graph.topological_order()
        if order is None:
            raise CyclicOrder(self.graph.a_cycle() or [0])
        self.canonical = tuple(order)
        steps = range(len(order))
        self.position = tuple(sorted(steps, key=self.canonical.__getitem__))  # its inverse
        has_choices = bool(procedure.choices) or any(step.when for step in self.steps)
        known = like.choices if like else steps_of.choices if steps_of else None
        self.choices: Choices | None = known or (Choices(procedure) if has_choices else None)
        self.absent = absent
        self.is_total = not has_choices and {*pairwise(order)}.issubset(self.graph.edges)
        self.sort_key = None if self.graph.is_ascending else self.position.__getitem__
        self.cache: dict[Hashable, Any] = {}  # see `cached`
        if steps_of:
            self._take_steps(steps_of)

    def __len__(self) -> int:
        return len(self.steps)

    def __getstate__(self) -> dict[str, Any]:
        """Return its attributes with an empty cache: its keys are no names that pickle finds."""
        return {**vars(self), "cache": {}}

    # Order --------------------------------------------------------------------------------------

    def in_order(self, steps: Iterable[int]) -> list[int]:
        """Return steps in the order of the canonical execution."""
        return sorted(steps, key=self.sort_key)

    def precedes(self, i: int, j: int) -> bool:
        """Return whether step i comes before step j in every execution."""
        if self.is_total:
            return self.position[i] < self.position[j]
        return bool(self.descendants[i] >> j & 1)

    @cached_property
    def descendants(self) -> Sequence[int]:
        """For each step the bitset of its direct and indirect successors."""
        return self.graph.descendants

    @cached_property
    def ancestors(self) -> Sequence[int]:
        """For each step the bitset of its direct and indirect predecessors."""
        return self.graph.ancestors

    @cached_property
    def reduced(self) -> Graph:
        """The transitive reduction of the order."""
        return Graph(len(self), self.graph.transitive_reduction())

    @cached_property
    def all_steps(self) -> int:
        """The bitset of all steps."""
        return (1 << len(self.steps)) - 1

    def with_order(self, order: Sequence[Pair]) -> Flow:
        """Return the same steps in another order; what holds at the start stays what it is."""
        changed = replace(self.procedure, order=tuple(order), start=tuple(sorted(self.start)))
        return Flow(changed, steps_of=self)

    @cached_property
    def listed(self) -> Flow:
        """The same steps with the canonical execution as their only one."""
        return self.with_order(tuple(pairwise(self.canonical)))

    @cached_property
    def unordered(self) -> Flow:
        """The same steps in any order."""
        return self.with_order(())

    def _take_steps(self, other: Flow) -> None:
        """Take what is known of the steps from another procedure of the same ones."""
        self._facts_by_step, self._masks = other._facts_by_step, other._masks
        self._left, self.facts = other._left, other.facts
        if self.canonical == other.canonical:
            self.steps_by_fact = other.steps_by_fact

    # Choices ------------------------------------------------------------------------------------

    def alongside(self, step: int) -> int:
        """Return the bitset of the steps that some execution carries out along with a step."""
        return self.all_steps & ~self.choices.excluded(step) if self.choices else self.all_steps

    def is_possible(self, *steps: int) -> bool:
        """Return whether some execution carries out all of some steps."""
        return self.choices is None or self.choices.fits(steps)

    def is_left_out(self, step: int) -> bool:
        """Return whether options have left a step out."""
        return bool(self.absent >> step & 1)

    def taken(self, carried_out: Iterable[int], left_out: int = 0) -> Options | None:
        """Return options under which some steps are carried out and others are not; see `Choices`.

        Without choices every step is carried out.
        """
        if self.choices is None:
            return None if left_out else {}
        return self.choices.taken(carried_out, left_out)

    def under(self, options: Mapping[str, str]) -> Flow:
        """Return the procedure that options leave; a choice that is not named takes its first.

        Steps keep their numbers: those that are left out do nothing, and stand behind the others.

        Raises:
            UsageError: there is no such choice, or it has no such option.
        """
        if self.choices is None:
            if options:
                raise UsageError(f"unknown choice '{next(iter(options))}'; there are no choices")
            return self
        for choice, option in options.items():
            self.choices.check(choice, option)
        present = self.choices.carried_out(self.choices.completed(options))
        return self._only(present)

    @cached
    def _only(self, present: int) -> Flow:
        absent = self.all_steps & ~present
        order = self.graph.reduced_among(present)
        last = [a for a in members(present) if not self.descendants[a] & present]
        for step in members(absent):
            order += [(before, step) for before in last]
            last = [step]
        steps, masks = self._left.get(present) or self._steps_left(present)
        start = tuple(sorted(self.start))
        found = Flow(Procedure(self.procedure.goal, steps, tuple(order), start), absent)
        found.reduced = found.graph  # the order is reduced already
        found.start, found._masks = self.start, masks
        return found

    def _steps_left(self, present: int) -> tuple[tuple[Step, ...], _Masks]:
        """Return all steps, of which some do nothing, and which of them do what to each fact."""
        steps = tuple(
            (replace(step, when=()) if step.when else step)
            if present >> number & 1
            else Step(step.text)
            for number, step in enumerate(self.steps)
        )
        masks = {
            role: {fact: self.mask(role, fact) & present for fact in self.facts} for role in Role
        }
        self._left[present] = steps, masks
        return steps, masks

    @cached_property
    def _left(self) -> dict[int, tuple[tuple[Step, ...], _Masks]]:
        """The steps and masks that options leave, in any order, by the bitset of those left."""
        return {}

    # Facts --------------------------------------------------------------------------------------

    @cached_property
    def steps_by_fact(self) -> dict[Role, dict[str, list[int]]]:
        """Role -> fact -> the steps with that role, in the order of the canonical execution.

        A step that no execution carries out is none of them.
        """
        never = self.choices.never if self.choices else 0
        possible = [step for step in self.canonical if not never >> step & 1]
        held: dict[Role, dict[str, list[int]]] = {}
        for role in Role:
            table: defaultdict[str, list[int]] = defaultdict(list)
            facts = self.facts_by_step(role)
            for step in possible:
                for fact in facts[step]:
                    table[fact].append(step)
            held[role] = dict(table)
        return held

    def facts_by_step(self, role: Role) -> list[Collection[str]]:
        """Return for each step the facts towards which it has a role, each once."""
        return self._facts_by_step[role]

    @cached_property
    def _facts_by_step(self) -> dict[Role, list[Collection[str]]]:
        return {
            Role.USE: [searched(step.uses) for step in self.steps],
            Role.KILL: [searched(step.kills) for step in self.steps],
            Role.DEFINE: [searched(step.defines) for step in self.steps],
        }

    def steps_with(self, role: Role, fact: str) -> list[int]:
        """Return the steps that use, kill or define a fact, in canonical order."""
        return self.steps_by_fact[role].get(fact, [])

    def does(self, step: int, role: Role, fact: str) -> bool:
        """Return whether a step uses, kills or defines a fact."""
        return fact in self._facts_by_step[role][step]

    def next_with(self, step: int, role: Role, fact: str) -> int | None:
        """Return the first step with a role towards a fact that must come after another step.

        Steps that no execution carries out along with the other do not count.
        """
        if self.is_total:
            found = self.steps_with(role, fact)
            at = bisect_right(found, self.position[step], key=self.position.__getitem__)
            return found[at] if at < len(found) else None
        later = self.mask(role, fact) & self.descendants[step] & self.alongside(step)
        return min(members(later), key=self.position.__getitem__, default=None)

    def roles_of(self, step: int, fact: str) -> tuple[Role, ...]:
        """Return the roles of a step towards a fact, in the order in which they take effect."""
        return tuple(role for role in Role if self.does(step, role, fact))

    def roles_in_words(self, step: int, fact: str) -> str:
        """Return the roles of a step towards a fact in words such as ``uses, kills``."""
        return ", ".join(role.value for role in self.roles_of(step, fact))

    def mask(self, role: Role, fact: str) -> int:
        """Return the bitset of the steps that use, kill or define a fact."""
        return self._masks[role].get(fact, 0)

    def enders(self, fact: str) -> int:
        """Return the bitset of the steps that end a fact: they kill it, or define it anew."""
        return self.mask(Role.KILL, fact) | self.mask(Role.DEFINE, fact)

    @cached_property
    def _masks(self) -> _Masks:
        never = self.choices.never if self.choices else 0
        held: _Masks = {role: defaultdict(int) for role in Role}
        for role, table in held.items():
            for step, facts in enumerate(self.facts_by_step(role)):
                for fact in facts:
                    table[fact] |= (1 << step) & ~never
        return held

    def conflicting(self, i: int, roles: Collection[Role] = tuple(Role)) -> int:
        """Return the bitset of the steps that conflict with a step, if only some roles counted."""
        two = permutations(roles, 2)
        return union(self.mask(b, fact) for a, b in two for fact in self.facts_by_step(a)[i])

    @cached_property
    def facts(self) -> list[str]:
        """The facts that a step touches, in the order of the text."""
        every = (each for step in self.steps for each in (*step.uses, *step.kills, *step.defines))
        return list(dict.fromkeys(every))

    @cached_property
    def known(self) -> frozenset[str]:
        """The facts that some step touches, and those of the start."""
        return self.start | frozenset(self.facts)

    @cached_property
    def start(self) -> frozenset[str]:
        """The facts that hold before the first step.

        A procedure that does not state them has the fewest that it needs: each fact with a use that
        in some execution no definition of it precedes.
        """
        if self.procedure.start is not None:
            return frozenset(self.procedure.start)
        users, definers = self.steps_by_fact[Role.USE], self.steps_by_fact[Role.DEFINE]
        return frozenset(f for f in users if self._is_wanted(users[f], definers.get(f, [])))

    def _is_wanted(self, users: list[int], definers: list[int]) -> bool:
        if not definers:
            return True
        if self.is_total:
            return self.position[users[0]] <= self.position[definers[0]]
        bits, choices = bitset(definers), self.choices
        if choices is None:
            return any(not self.ancestors[user] & bits for user in users)
        return any(choices.fits([user], self.ancestors[user] & bits) for user in users)

    # Executions ---------------------------------------------------------------------------------

    def earliest_execution(self, *stops: int) -> list[int]:
        """Return an execution that does each of some steps as early as the ones before it let it.

        Each of ``stops`` must be one that need not come before those ahead of it in the list.
        """
        if self.is_total:
            return self._carried_out(self.canonical)
        done, order = 0, []
        for stop in stops:
            bits = (self.ancestors[stop] | 1 << stop) & ~done
            order += self.in_order(members(bits))
            done |= bits
        return self._carried_out(order + self.in_order(members(self.all_steps & ~done)))

    def closest_execution(self, a: int, b: int) -> list[int]:
        """Return an execution with step a before step b and only the necessary steps between."""
        if self.is_total:
            return self._carried_out(self.canonical)
        ahead = (self.ancestors[a] | self.ancestors[b]) & ~self.descendants[a] & ~(1 << a)
        between = self.ancestors[b] & self.descendants[a]
        rest = self.all_steps & ~(ahead | between | 1 << a | 1 << b)
        blocks = (ahead, 1 << a, between, 1 << b, rest)
        return self._carried_out(s for bits in blocks for s in self.in_order(members(bits)))

    def latest_execution(self, i: int) -> list[int]:
        """Return an execution that does step i as late as possible."""
        if self.is_total:
            return self._carried_out(self.canonical)
        ahead = self.all_steps & ~self.descendants[i] & ~(1 << i)
        blocks = (ahead, 1 << i, self.descendants[i])
        return self._carried_out(s for bits in blocks for s in self.in_order(members(bits)))

    def _carried_out(self, steps: Iterable[int]) -> list[int]:
        """Return the steps of an execution, without those that options have left out."""
        return [step for step in steps if not self.absent >> step & 1] if self.absent else [*steps]

    def chain(self, i: int, j: int) -> list[int]:
        """Return the shortest chain of the order from step i to step j, both included."""
        if self.is_total and self.precedes(i, j):
            return [*self.canonical[self.position[i] : self.position[j] + 1]]
        return self.graph.shortest_chain(i, j) or []
