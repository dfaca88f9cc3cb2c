"""Proof of an answer as it is written, and the executions that it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from thence.core.graph import members
from thence.core.procedure import Pair
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.graphs import conflicts
from thence.dataflow.worlds import steps_having

NONE = -1  # stands for no step
_STEP = re.compile(r"\s*(?:step\s*)?(\d{1,6})\s*", re.IGNORECASE)


class InvalidProof(ValueError):
    """Proof that does not show its answer; the text says in one sentence what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Evidence for an answer, steps 0-based.

    Attributes:
        step: the one step that decides it; NONE where no step does, None where nothing is said.
        steps: the steps that decide it together; None where the proof has no such list.
        chain: steps each of which is tied to the next; None where it has none.
        before: steps that end the fact before step i.
        after: steps that end the fact too late to matter.
        order: steps in the order in which some execution carries them out; None for the listed one.
        first: the beginning of a permitted order, up to step i.
        last: the end of a permitted order, from step i on.
        options: options under which it is seen.
        choice: the choice that keeps the two steps apart.
        not_made: whether step i does not leave the fact to step j at all.
    """

    step: int | None = None
    steps: tuple[int, ...] | None = None
    chain: tuple[int, ...] | None = None
    before: tuple[int, ...] | None = None
    after: tuple[int, ...] | None = None
    order: tuple[int, ...] | None = None
    first: tuple[int, ...] | None = None
    last: tuple[int, ...] | None = None
    options: Mapping[str, str] | None = None
    choice: str | None = None
    not_made: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the proof as a reply holds it, steps from 1, without what it leaves out."""
        row: dict[str, Any] = {}
        if self.step is not None:
            row["step"] = None if self.step == NONE else self.step + 1
        for name in LISTS:
            if (held := getattr(self, name)) is not None:
                row[name] = [step + 1 for step in held]
        if self.options:
            row["options"] = dict(self.options)
        if self.choice is not None:
            row["choice"] = self.choice
        return row | ({"not_made": True} if self.not_made else {})

    @classmethod
    def from_json(cls, row: object, flow: Flow) -> Proof:
        """Return the proof of a reply.

        Raises:
            InvalidProof: it is not of this form, or names a step, choice or option that there is
                not.
        """
        if not isinstance(row, Mapping):
            raise InvalidProof("The proof is not a JSON object.")
        if unknown := [name for name in row if name not in _NAMES]:
            raise InvalidProof(f"A proof has no part '{str(unknown[0])[:40]}'.")
        held: dict[str, Any] = {
            name: tuple(_step(each, flow) for each in _listed(name, row[name], len(flow)))
            for name in LISTS
            if row.get(name) is not None
        }
        if "step" in row:
            held["step"] = NONE if row["step"] is None else _step(row["step"], flow)
        if row.get("options"):
            held["options"] = _options(row["options"], flow)
        if row.get("choice") is not None:
            held["choice"] = str(row["choice"])
        return cls(**held, not_made=row.get("not_made") is True)


LISTS = ("steps", "chain", "before", "after", "order", "first", "last")
_NAMES = frozenset((*LISTS, "step", "options", "choice", "not_made"))


def _listed(name: str, value: object, most: int) -> Sequence[object]:
    if not isinstance(value, list):
        raise InvalidProof(f"The part '{name}' is not a list of steps.")
    if len(value) > most + 1:
        raise InvalidProof(f"The part '{name}' has more steps than there are.")
    if name != "chain" and len(set(map(str, value))) < len(value):
        raise InvalidProof(f"The part '{name}' names a step twice.")
    return value


def _step(value: object, flow: Flow) -> int:
    """Return a step, 0-based, of its number from 1, such as 3, "3" or "Step 3"."""
    found = None if isinstance(value, bool | float) else _STEP.fullmatch(str(value)[:40])
    if found is None:
        raise InvalidProof("A step must be given by its number.")
    number = int(found[1])
    if not 0 < number <= len(flow):
        raise InvalidProof(f"There is no Step {number}.")
    return number - 1


def _options(value: object, flow: Flow) -> Options:
    if not isinstance(value, Mapping):
        raise InvalidProof("The part 'options' must give the option of each choice that matters.")
    known = flow.choices.options if flow.choices else {}
    for choice, option in value.items():
        if option not in known.get(choice, ()):
            raise InvalidProof(f"There is no option '{str(option)[:40]}' of '{str(choice)[:40]}'.")
    return dict(value)


class StagedExecutions:
    """The executions of one combination of options that carry out stages of steps in turn.

    Attributes:
        world: what the options leave of the procedure.
    """

    def __init__(self, world: Flow, stages: Iterable[Iterable[int]]) -> None:
        self.world = world
        self._stages = [tuple(stage) for stage in stages]

    @property
    def is_permitted(self) -> bool:
        """Whether the order permits them; steps that are left out are in no execution."""
        earlier: list[int] = []
        for stage in self._stages:
            if any(map(self.world.is_left_out, stage)):
                return False
            if any(self.world.precedes(b, a) or a == b for b in stage for a in earlier):
                return False
            earlier += stage
        return True

    def before(self, a: int, b: int) -> bool:
        """Return whether step a comes before step b in all of them."""
        if self.world.precedes(a, b):
            return True
        ahead = [s for s, stage in enumerate(self._stages) if self._any(a, stage, forward=True)]
        behind = [s for s, stage in enumerate(self._stages) if self._any(b, stage, forward=False)]
        return bool(ahead and behind) and ahead[0] < behind[-1]

    def _any(self, step: int, stage: tuple[int, ...], *, forward: bool) -> bool:
        precedes = self.world.precedes
        return any(
            step == each or (precedes(step, each) if forward else precedes(each, step))
            for each in stage
        )


def some_worlds(flow: Flow, options: Mapping[str, str] | None, *steps: int) -> Iterator[Flow]:
    """Yield what the combinations of options that fit some given ones leave of a procedure.

    Args:
        flow: of the procedure.
        options: the options given.
        steps: they must be carried out.

    Raises:
        TooManyOptions: there are too many combinations.
    """
    if flow.choices is None:
        yield flow
        return
    given = options or {}
    names = flow.choices.deciding
    for each in flow.choices.combinations(names, len(flow)):
        if all(each.get(choice, option) == option for choice, option in given.items()):
            world = flow.under(each)
            if not any(map(world.is_left_out, steps)):
                yield world


def executions_of(flow: Flow, proof: Proof, *steps: int) -> Iterator[StagedExecutions]:
    """Yield for each world that fits a proof the executions in its order, if it permits any.

    Raises:
        InvalidProof: there are none at all.
    """
    found = False
    for world in some_worlds(flow, proof.options, *steps):
        listed = [k for k in world.canonical if not world.is_left_out(k)]
        each = StagedExecutions(
            world, ((k,) for k in (listed if proof.order is None else proof.order))
        )
        if each.is_permitted:
            found = True
            yield each
    if not found:
        raise InvalidProof(
            "No permitted order carries out the steps in this order, with these options."
            if flow.choices
            else "No permitted order carries out the steps in this order."
        )


def direct(flow: Flow, a: int, b: int) -> bool:
    """Return whether the order ties a step to a later one directly, not only through others."""
    if flow.is_total:
        return flow.precedes(a, b)
    steps = flow.steps
    return (a, b) in _order(flow) or (flow.precedes(a, b) and bool(conflicts(steps[a], steps[b])))


@cached
def _order(flow: Flow) -> frozenset[Pair]:
    return frozenset(flow.procedure.order)


def check_prefix(
    flow: Flow, steps: Sequence[int], counting: int, *, backwards: bool = False
) -> None:
    """Raise an error unless steps are a prefix of a permitted order, or a suffix of one.

    Args:
        flow: of the procedure.
        steps: in their order.
        counting: the bitset of the steps that have to be carried out.
        backwards: whether they are to be a suffix.

    Raises:
        InvalidProof: a step is missing, or comes too early or too late.
    """
    done = 0
    needed = flow.descendants if backwards else flow.ancestors
    for step in reversed(steps) if backwards else steps:
        if missing := needed[step] & counting & ~done:
            other, word = next(members(missing)) + 1, "after" if backwards else "before"
            raise InvalidProof(f"Step {other} has to come {word} Step {step + 1}.")
        done |= 1 << step


def named(step: int) -> str:
    """Return the name of a step in sentences."""
    return f"Step {step + 1}"


def required(steps: tuple[int, ...] | None, name: str) -> tuple[int, ...]:
    """Return a part of a proof, or raise an error where the proof lacks it."""
    if steps is None:
        raise InvalidProof(f"The proof lacks '{name}'.")
    return steps


def one_step(proof: Proof) -> int | None:
    """Return the step of a proof; None where it says that there is none."""
    if proof.step is None:
        raise InvalidProof("The proof lacks 'step'.")
    return None if proof.step == NONE else proof.step


def check_roles(flow: Flow, steps: Iterable[int], fact: str, *roles: Role, what: str) -> None:
    """Raise an error unless all steps have one of some roles towards a fact."""
    wanted = frozenset(steps_having(flow, fact, *roles))
    for step in steps:
        if step not in wanted:
            raise InvalidProof(f"{named(step)} does not {what}.")


def check_chain(flow: Flow, steps: Sequence[int], first: int, last: int) -> None:
    """Raise an error unless steps are a chain of the order."""
    if not steps or (steps[0], steps[-1]) != (first, last):
        raise InvalidProof(f"The chain must lead from {named(first)} to {named(last)}.")
    for a, b in pairwise(steps):
        if not direct(flow, a, b):
            raise InvalidProof(f"{named(b)} does not have to wait for {named(a)} directly.")


def check_clash(flow: Flow, i: int, j: int, choice: str) -> None:
    """Raise an error unless two steps depend on different options of a choice."""
    wanted = [{option for name, option in flow.steps[k].when if name == choice} for k in (i, j)]
    if not all(wanted) or wanted[0] & wanted[1]:
        raise InvalidProof(
            f"The choice '{choice[:40]}' does not keep {named(i)} and {named(j)} apart."
        )


def check_unmade(flow: Flow, i: int, j: int, fact: str) -> None:
    """Raise an error if a step makes a fact that another one could find."""
    if i != j and flow.does(i, Role.DEFINE, fact):
        raise InvalidProof(f"{named(i)} does make it.")


def unlisted(flow: Flow, enders: Iterable[int], proof: Proof) -> str | None:
    """Return a sentence about an ending step that a proof puts on no side; None without one.

    A step that always comes before one listed before, or after one listed after, need not be there.
    """
    for k in enders:
        covered = any(k == b or flow.precedes(k, b) for b in proof.before or ())
        if not covered and not any(k == a or flow.precedes(a, k) for a in proof.after or ()):
            return f"{named(k)} ends it, too, and the proof does not say when."
    return None
