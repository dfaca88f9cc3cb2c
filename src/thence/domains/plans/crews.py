"""Plans of two crews that work side by side at the same places.

Of an optimal plan few steps are free of order, as one truck does all there is to do. Two crews have
drivers, trucks and packages of their own, so that what one does is free of what the other does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from thence.core.seeds import random_of
from thence.domains.plans.generate import PlanParameters, SolvedPlan, shelved
from thence.domains.plans.pddl import Atom
from thence.domains.plans.problems import Range

KIND = "driverlog"
"""The planning domain in which there may be several of all that moves."""

_COMMON = "places"  # that both crews have, not half of them each
_STEMS = ("driver", "truck", "package")  # how the names of what each crew has begin
_DIGITS = "0123456789"
_DELIVERY = 4  # steps that it takes at least: board, load, drive, unload


def with_crews(parameters: PlanParameters, kind: str, shelf: str, number: int) -> SolvedPlan | None:
    """Return a plan of a shelf, in Driverlog one of two crews; see `generate.shelved`.

    Each crew has half of the steps, drivers, trucks and packages. Where one of these cannot be
    halved, or half of the steps deliver nothing, there is one crew.
    """
    half = _halved(parameters) if kind == KIND else None
    if half is None:
        return shelved(parameters, kind, shelf, number)
    one, other = (shelved(half, kind, shelf, 2 * number + crew) for crew in (0, 1))
    if one is None or other is None:
        return None
    return side_by_side(one, other, random_of("crews", shelf, number))


def side_by_side(one: SolvedPlan, other: SolvedPlan, rng: Random) -> SolvedPlan:
    """Return the plan in which one crew carries out one plan, and another the other.

    What moves has new names. A fact of Driverlog that can change names what moves, so that a crew
    changes none that the other needs.
    """
    held = [_moving(plan) for plan in (one, other)]
    names: list[dict[str, str]] = [{}, {}]
    for stem in _STEMS:
        mine = [(crew, name) for crew in (0, 1) for name in held[crew] if _stem(name) == stem]
        for place, (crew, name) in enumerate(rng.sample(mine, len(mine)), 1):
            names[crew][name] = f"{stem}{place}"
    goal, actions = (
        (*_renamed(first, names[0]), *_renamed(second, names[1]))
        for first, second in ((one.goal, other.goal), (one.actions, other.actions))
    )
    return SolvedPlan(one.domain, tuple(sorted(goal)), actions)


def _halved(parameters: PlanParameters) -> PlanParameters | None:
    """Return the parameters of the plan of each of two crews; None where there cannot be two."""
    sizes = {
        name: ends if name == _COMMON else _half(ends)
        for name, ends in parameters.sizes[KIND].items()
    }
    steps = _half(parameters.steps)
    short = steps[1] < _DELIVERY
    if short or any(low > high for low, high in (*sizes.values(), steps)):
        return None
    return replace(parameters, sizes={KIND: sizes}, steps=steps)


def _half(ends: Range) -> Range:
    """Return the range of such numbers that any two of them add up to one within a range."""
    low, high = ends
    return -(-low // 2), high // 2


def _moving(plan: SolvedPlan) -> list[str]:
    """Return what moves in a plan, or should be somewhere at its end."""
    terms = (term for atom in (*plan.goal, *plan.actions) for term in atom[1:])
    return [term for term in dict.fromkeys(terms) if _stem(term) in _STEMS]


def _stem(name: str) -> str:
    return name.rstrip(_DIGITS)


def _renamed(atoms: Sequence[Atom], names: Mapping[str, str]) -> tuple[Atom, ...]:
    return tuple((atom[0], *(names.get(term, term) for term in atom[1:])) for atom in atoms)
