"""Conversion of a plan's actions to steps that use, define and kill facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from thence.core.procedure import Procedure, Step
from thence.dataflow import conflict_order
from thence.domains.plans.pddl import Atom, PddlDomain, parse_domain

BUILT_IN_DOMAINS = ("hanoi", "gripper", "ferry", "driverlog")
"""The domains whose PDDL is ours, each in a file of that name."""

_LONGEST = 1000  # characters of one action's text


@dataclass(frozen=True, slots=True)
class Effects:
    """Preconditions and effects of a grounded action, without predicates that never change.

    Attributes:
        needs: what it needs.
        adds: what it makes true.
        deletes: what it makes false; what it also adds stays true and is not among them.
    """

    needs: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


@cache
def built_in_domain(name: str) -> PddlDomain:
    """Return one of the built-in domains."""
    path = files("thence.domains.plans").joinpath("worlds", f"{name}.pddl")
    return parse_domain(path.read_text(encoding="utf-8"))


@cache
def _by_shape() -> Mapping[tuple[str, int], str]:
    return {
        (action.name, len(action.parameters)): name
        for name in BUILT_IN_DOMAINS
        for action in built_in_domain(name).actions.values()
    }


def built_in_domain_of(actions: Iterable[Atom]) -> PddlDomain | None:
    """Return the built-in domain that has all these actions, or None.

    Only Hanoi and Gripper share a name, and their ``move`` takes another number of arguments.
    """
    found: str | None = None
    for action in actions:
        name = _by_shape().get((action[0], len(action) - 1))
        if name is None or found not in (None, name):
            return None
        found = name
    return None if found is None else built_in_domain(found)


def atom_text(atom: Atom) -> str:
    """Return an atom as facts and actions are shown: ``board(c2, l1)``, ``empty-ferry``."""
    return f"{atom[0]}({', '.join(atom[1:])})" if len(atom) > 1 else atom[0]


def parse_action(text: str) -> Atom:
    """Parse an action such as ``board(c2, l1)``.

    Raises:
        ValueError: it is of another form.
    """
    name, bracket, rest = text.strip().partition("(")
    closed = rest.endswith(")") if bracket else True
    parts = [part.strip() for part in rest[:-1].split(",")] if bracket and rest[:-1].strip() else []
    words = [name.strip(), *parts]
    if len(text) > _LONGEST or not closed or not all(words) or any(" " in word for word in words):
        raise ValueError(f"'{text[:60]}' is no action such as board(c2, l1)")
    return tuple(words)


def effects(domain: PddlDomain, action: Atom) -> Effects:
    """Return the preconditions and effects of a grounded action.

    Raises:
        ValueError: the domain has no such action.
    """
    schema = domain.actions.get(action[0])
    if schema is None or len(schema.parameters) != len(action) - 1:
        raise ValueError(f"'{atom_text(action)}' is no action of domain '{domain.name}'")
    given = {
        variable: term for (variable, _), term in zip(schema.parameters, action[1:], strict=True)
    }

    def grounded(atoms: Sequence[Atom]) -> list[Atom]:
        kept = (atom for atom in atoms if atom[0] in domain.fluent)
        return [(atom[0], *(given.get(term, term) for term in atom[1:])) for atom in kept]

    adds, deletes = grounded(schema.adds), grounded(schema.deletes)
    deletes = [atom for atom in deletes if atom not in adds]
    needs = grounded(schema.needs)
    # What must not hold is a fact of its own, which is made by deleting and killed by adding.
    forbidden = {atom[0] for each in domain.actions.values() for atom in each.forbids}
    needs += [_negated(atom) for atom in grounded(schema.forbids)]
    absent = [_negated(atom) for atom in deletes if atom[0] in forbidden]
    present = [_negated(atom) for atom in adds if atom[0] in forbidden]
    return Effects(_distinct(needs), _distinct([*adds, *absent]), _distinct([*deletes, *present]))


def _negated(atom: Atom) -> Atom:
    return (f"not-{atom[0]}", *atom[1:])


def _distinct(atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    return tuple(dict.fromkeys(atoms))


def step(text: str, done: Effects) -> Step:
    """Return the step of an action, shown as ``text``."""
    return Step(
        text,
        tuple(map(atom_text, done.needs)),
        tuple(map(atom_text, done.adds)),
        tuple(map(atom_text, done.deletes)),
    )


def lowered(
    domain: PddlDomain, goal: str, actions: Sequence[Atom], texts: Sequence[str] | None = None
) -> Procedure:
    """Return the procedure of a plan.

    Args:
        domain: its schemas.
        goal: as a reader sees it.
        actions: in the order of the plan.
        texts: how each is shown; as grounded actions by default.

    Raises:
        ValueError: an action that the domain does not have.
    """
    shown = texts if texts is not None else [atom_text(action) for action in actions]
    steps = tuple(
        step(text, effects(domain, action)) for text, action in zip(shown, actions, strict=True)
    )
    return ordered(goal, steps)


def ordered(goal: str, steps: Sequence[Step]) -> Procedure:
    """Return the procedure of steps in which only conflicting ones keep their order."""
    return Procedure(goal, tuple(steps), conflict_order(steps))
