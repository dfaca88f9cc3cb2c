"""Random plans of a wanted length, and plans of a user's own problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

from thence.core.digest import digest
from thence.core.procedure import Procedure
from thence.core.seeds import random_of
from thence.domains.plans import english, problems
from thence.domains.plans.lowering import (
    BUILT_IN_DOMAINS,
    atom_text,
    built_in_domain,
    effects,
    lowered,
)
from thence.domains.plans.pddl import (
    Atom,
    PddlDomain,
    PddlProblem,
    parse_domain,
    parse_problem,
)
from thence.domains.plans.planner import SECONDS, Planner, shared_planner
from thence.domains.plans.sexpr import PddlError
from thence.errors import FileError, ParameterError, UsageError

GROUNDED, ENGLISH = "grounded", "english"
LENGTHS = (1, 15)
"""Fewest and most steps of the paper's plans."""

_TRIES = 500
_LARGEST = 4 << 20  # bytes of a user's PDDL


@dataclass(frozen=True)
class SolvedPlan:
    """Optimal plan of a problem.

    Attributes:
        domain: its schemas.
        goal: atoms that hold at its end.
        actions: grounded, in order.
    """

    domain: PddlDomain
    goal: tuple[Atom, ...]
    actions: tuple[Atom, ...]

    def for_reached_goal(self) -> SolvedPlan:
        """Return the plan for those atoms of its goal that its steps make true."""
        made = {atom for each in self.actions for atom in effects(self.domain, each).adds}
        return replace(self, goal=tuple(atom for atom in self.goal if atom in made))

    def procedure(self, text: str = GROUNDED) -> Procedure:
        """Return the plan as a procedure, shown as grounded actions or English sentences."""
        return lowered(self.domain, *self._shown(text))

    def _shown(self, text: str) -> tuple[str, Sequence[Atom], Sequence[str]]:
        goal, lines = shown(self.domain.name, self.goal, self.actions, text)
        return goal, self.actions, lines


def shown(
    domain: str, goal: Sequence[Atom], actions: Sequence[Atom], text: str
) -> tuple[str, list[str]]:
    """Return the goal and the actions in one of the two forms of text."""
    if text == ENGLISH:
        return english.goal(domain, goal), [english.action(domain, each) for each in actions]
    return ", ".join(map(atom_text, goal)), [atom_text(each) for each in actions]


@dataclass(frozen=True, eq=False)
class PlanParameters:
    """Parameters of random plans; equal ones make the same plans.

    Attributes:
        kinds: of BUILT_IN_DOMAINS, each as likely as the others.
        sizes: kind -> what there is of -> fewest and most.
        steps: fewest and most steps.
        seconds: the planner's limit for one problem.
    """

    kinds: tuple[str, ...] = BUILT_IN_DOMAINS
    sizes: Mapping[str, Mapping[str, problems.Range]] = field(
        default_factory=lambda: problems.SIZES
    )
    steps: tuple[int, int] = LENGTHS
    seconds: float = SECONDS

    @cached_property
    def planner(self) -> Planner:
        """Return the planner that this process shares."""
        return shared_planner(self.seconds)

    @cached_property
    def _makes(self) -> str:
        sizes = {kind: {name: list(ends) for name, ends in self.sizes[kind].items()}
                 for kind in self.kinds}  # fmt: skip
        return digest(list(self.kinds), sizes, list(self.steps))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlanParameters) and self._makes == other._makes

    def __hash__(self) -> int:
        return hash(self._makes)


def random_plan(parameters: PlanParameters, rng: Random) -> SolvedPlan:
    """Return a random plan; the same generator gives the same plan in any process.

    Raises:
        UsageError: no problem of these sizes has a plan of so many steps.
        MissingExtra: the planner is not installed.
    """
    for _ in range(_TRIES):
        plan = _tried(parameters, rng.choice(parameters.kinds), rng)
        if plan is not None:
            return plan
    raise _none_of(parameters)


def _tried(parameters: PlanParameters, kind: str, rng: Random) -> SolvedPlan | None:
    """Return the plan of a random problem, or None where it is not of the wanted length."""
    try:
        problem, base = problems.random_problem(kind, parameters.sizes[kind], rng)
    except ValueError as error:
        raise UsageError(f"plans: {error}; give larger sizes") from error
    actions = _solved(parameters.planner, kind, problem, base)
    if not parameters.steps[0] <= len(actions) <= parameters.steps[1]:
        return None
    return _renamed(SolvedPlan(built_in_domain(kind), problem.goal, actions), problem, rng)


def _none_of(parameters: PlanParameters) -> UsageError:
    low, high = parameters.steps
    steps = f"{low} to {high}" if low < high else low
    return UsageError(
        f"plans: none of {_TRIES} problems of {', '.join(parameters.kinds)} has a plan of {steps} "
        f"steps; give larger sizes or other plan_steps=LO-HI"
    )


# Shelves: plans that many questions choose from ---------------------------------------------------


@lru_cache(20_000)
def shelved(parameters: PlanParameters, kind: str, shelf: str, number: int) -> SolvedPlan | None:
    """Return a plan of a shelf by its number, or None where there is none of the wanted length."""
    return _tried(parameters, kind, random_of("plans", shelf, kind, number))


type Make = Callable[[PlanParameters, str, str, int], SolvedPlan | None]


def shelf(
    parameters: PlanParameters, name: str, count: int, make: Make = shelved
) -> list[SolvedPlan]:
    """Return the first distinct plans of a shelf, the kinds by turns.

    A shelf is an endless sequence of plans that depends on its name, its maker and the parameters
    alone. Each of its plans is solved once in a process, and only when it is needed.

    Args:
        parameters: what plans to make.
        name: what tells the shelf from others.
        count: of plans; there are fewer where the sizes do not give so many.
        make: returns a plan by its kind and number.

    Raises:
        UsageError: no problem of these sizes has a plan of so many steps.
        MissingExtra: the planner is not installed.
    """
    found: dict[tuple[Atom, ...], SolvedPlan] = {}
    alone = {kind: replace(parameters, kinds=(kind,)) for kind in parameters.kinds}
    for number in range(_TRIES):
        for kind in parameters.kinds:
            plan = make(alone[kind], kind, name, number)
            if plan is not None:
                found.setdefault((*plan.goal, *plan.actions), plan)
                if len(found) == count:
                    return list(found.values())
    if not found:
        raise _none_of(parameters)
    return list(found.values())


def from_shelf(parameters: PlanParameters, name: str, count: int, rng: Random) -> SolvedPlan:
    """Return a random plan of about the first ``count`` of a shelf.

    Raises:
        UsageError: no problem of these sizes has a plan of so many steps.
        MissingExtra: the planner is not installed.
    """
    each = max(1, count // len(parameters.kinds))
    for _ in range(_TRIES):
        kind = rng.choice(parameters.kinds)
        plan = shelved(replace(parameters, kinds=(kind,)), kind, name, rng.randrange(each))
        if plan is not None:
            return plan
    return rng.choice(shelf(parameters, name, count))


def _renamed(plan: SolvedPlan, problem: PddlProblem, rng: Random) -> SolvedPlan:
    """Return a plan in which the objects of each type have exchanged their names at random.

    The planner prefers what it meets first, and the smallest disk moves most: without this a name
    would tell what becomes of what it names.
    """
    names: dict[str, str] = {}
    for kind in dict.fromkeys(problem.objects.values()):
        held = [name for name, types in problem.objects.items() if types == kind]
        names.update(zip(held, rng.sample(held, len(held)), strict=True))

    def renamed(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return tuple((atom[0], *(names[term] for term in atom[1:])) for atom in atoms)

    return SolvedPlan(plan.domain, tuple(sorted(renamed(plan.goal))), renamed(plan.actions))


def _solved(
    planner: Planner, kind: str, problem: PddlProblem, base: PddlProblem
) -> tuple[Atom, ...]:
    """Return the actions of a problem's plan; no problem is solved twice in a process."""
    key = (planner, problem.text)
    found = _known.get(key)
    if found is None:
        if len(_known) >= _KEPT:
            _known.clear()
        found = _known[key] = planner.plan(built_in_domain(kind), problem, base)
    return found


_known: dict[tuple[Planner, str], tuple[Atom, ...]] = {}
_KEPT = 20_000  # plans


# A user's own ------------------------------------------------------------------------------------


def read_domain(path: Path) -> PddlDomain:
    """Read a user's domain and check it.

    Raises:
        ParameterError: it cannot be read, or is not PDDL that plans can be made of.
    """
    try:
        return parse_domain(_text(path))
    except PddlError as error:
        raise ParameterError("domain", path, str(error)) from error


def read_problem(path: Path, domain: PddlDomain) -> PddlProblem:
    """Read a user's problem and check it against its domain.

    Raises:
        ParameterError: it cannot be read, or names what the domain does not have.
    """
    try:
        return parse_problem(_text(path), domain)
    except PddlError as error:
        raise ParameterError("problem", path, str(error)) from error


def optimal_plan(domain: PddlDomain, problem: PddlProblem, seconds: float = SECONDS) -> SolvedPlan:
    """Return the optimal plan of a user's problem.

    Raises:
        ParameterError: there is none, or none was found in time, or there is nothing to do.
        MissingExtra: the planner is not installed.
    """
    try:
        actions = shared_planner(seconds).plan(domain, problem)
    except UsageError as error:
        raise ParameterError("problem", None, str(error)) from error
    if not actions:
        raise ParameterError(
            "problem",
            None,
            f"the goal of problem '{problem.name}' holds at the start, so that its plan has no "
            "step; mend its :goal",
        )
    return SolvedPlan(domain, problem.goal, actions)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise FileError(f"{path}: has more than {_LARGEST >> 20} MiB; give a smaller problem")
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}; give a PDDL file") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8 text; give a PDDL file") from error
