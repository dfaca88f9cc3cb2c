"""FABLE over plans: optimal plans from Fast Downward, or a user's own PDDL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from thence.core.digest import digest
from thence.core.shortcuts import Shortcut
from thence.domains.plans import generate
from thence.domains.plans.crews import with_crews
from thence.domains.plans.generate import GROUNDED
from thence.domains.plans.lowering import BUILT_IN_DOMAINS
from thence.domains.plans.pddl import PddlDomain, PddlProblem
from thence.domains.plans.planner import SECONDS, folder
from thence.errors import MissingExtra, ParameterError, UsageError
from thence.families.fable.plans import audit as audited
from thence.families.fable.plans import published, sound
from thence.families.fable.plans.depths import FEW_DEEP_ANALYSES
from thence.families.fable.plans.parameters import PARAMETERS, filled, plan_parameters
from thence.families.fable.plans.surface import surface_answer
from thence.families.fable.plans.words import plan_case, reordered
from thence.families.fable.shared.analyses import ANALYSES, INTERVALS
from thence.families.fable.shared.answers import StepRange
from thence.families.fable.shared.domain import (
    Case,
    Checked,
    Domain,
    Instance,
    Unaskable,
)
from thence.families.fable.shared.generator import DEPTH, PUBLISHED, SOUND
from thence.families.fable.shared.task import tasks

SHELF = 80  # plans that published questions of a shelf choose from
BLOCK = 32  # plans that the questions of a block choose from
SHARED = 24  # published questions of a cell that choose from one shelf
_MIXTURE = (1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6)
"""Depths of as many pairs in analyses in which a plan that works gives few deep questions."""
_OF_REACHING = (1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6)
"""Those of reaching definitions: of fewer links a glance tells nearly all."""
_WORDS = ("text", "planner_seconds")  # parameters that change no truth


class PlansDomain(Domain):
    """Plans of Hanoi, Gripper, Ferry and Driverlog, or of a user's PDDL."""

    name = "plans"
    intervals = StepRange()
    settable = PARAMETERS
    has_depth = True
    served = 200
    kept = 130

    def __init__(self) -> None:
        self._own: dict[str, tuple[PddlDomain, PddlProblem]] = {}
        self._files: dict[str, Path] = {}
        self._plans: dict[str, generate.SolvedPlan] = {}

    def missing(self) -> MissingExtra | None:
        """Return the error of the planner that is not installed."""
        try:
            folder()
        except MissingExtra as error:
            return error
        return None

    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """Return all eight analyses; concurrency needs free steps."""
        found: dict[str, str | None] = dict.fromkeys(ANALYSES)
        ours = all(values.get(name) is None for name in ("domain", "problem"))
        telling = sound.TELLING["concurrency"]
        if (
            ours
            and values["dialect"] == SOUND
            and not set(values.get("kinds", BUILT_IN_DOMAINS)) & set(telling)
        ):
            found["concurrency"] = sound.BOUND
        return found

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the sizes; a user's files become a hash, by which `case` finds them again.

        Raises:
            FileError: the files are not PDDL with a plan.
            ParameterError: one of the two files is missing.
        """
        domain, problem = values["domain"], values["problem"]
        kept = {
            name: value
            for name, value in values.items()
            if name not in (*_WORDS, "domain", "problem", "dialect")
        }
        if domain is None and problem is None:
            return filled(kept, larger=values["dialect"] == SOUND)
        if domain is None or problem is None:
            missing = "domain" if domain is None else "problem"
            raise ParameterError(missing, None, "a PDDL problem of your own needs both files")
        schemas = generate.read_domain(domain)
        stated = generate.read_problem(problem, schemas)
        key = digest(schemas.text, stated.text)
        self._own[key], self._files[key] = (schemas, stated), problem
        return {"pddl": key}

    def options(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the display options of steps."""
        return {"text": values["text"]}

    def context(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the planner's time limit."""
        return {"planner_seconds": values["planner_seconds"]}

    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """Return a random plan, or the plan of the user's problem."""
        text = values.get("text", generate.GROUNDED)
        if "pddl" in values:
            return reordered(
                plan_case(
                    self._solved(values["pddl"], values.get("planner_seconds", SECONDS)), text
                ),
                rng,
            )
        wanted = plan_parameters({"planner_seconds": SECONDS, **values})
        name = values.get("shelf", "elsewhere")
        return plan_case(generate.from_shelf(wanted, name, SHELF, rng), text)

    def shared(self, parameters: Mapping[str, Any], seed: int, place: int) -> Mapping[str, Any]:
        """Return the shelf of a published question, except about a user's own problem."""
        if "pddl" in parameters:
            return {}
        return {"shelf": digest(self.name, seed, place // SHARED)}

    def in_blocks(self, parameters: Mapping[str, Any]) -> bool:
        """Return True: a plan costs more than the questions about it."""
        return True

    def mixture(self, analysis: str) -> Sequence[int]:
        """Return the depths of as many pairs of a Yes and a No in a block."""
        if analysis == "reaching_definitions":
            return _OF_REACHING
        return _MIXTURE if analysis in FEW_DEEP_ANALYSES else super().mixture(analysis)

    def candidates(
        self, analysis: str, values: Mapping[str, Any], rng: Random
    ) -> Iterable[tuple[Case, Instance]]:
        """Yield questions about the plans of a block; see `plans.sound`."""
        values = {"planner_seconds": SECONDS, **values}
        if "pddl" in values:
            plans = [self._solved(values["pddl"], values["planner_seconds"])]
        else:
            telling = sound.TELLING.get(analysis, BUILT_IN_DOMAINS)
            wanted = plan_parameters(values, telling)
            make = with_crews if analysis == INTERVALS else generate.shelved
            plans = generate.shelf(wanted, values["block"], BLOCK, make)
        cases = [plan_case(each.for_reached_goal(), GROUNDED) for each in plans]
        return sound.candidates(analysis, cases, rng, values.get(DEPTH.name))

    def worded(
        self, chosen: tuple[Case, Instance], options: Mapping[str, Any]
    ) -> tuple[Case, Instance]:
        """Return a question as actions or in English sentences."""
        return chosen if options["text"] == GROUNDED else sound.in_english(*chosen)

    def _solved(self, key: str, seconds: float = SECONDS) -> generate.SolvedPlan:
        if key not in self._plans:
            if key not in self._own:
                raise UsageError(
                    "give the PDDL again that the samples were made of: domain=FILE, problem=FILE"
                )
            self._plans[key] = generate.optimal_plan(*self._own[key], seconds)
        return self._plans[key]

    def unaskable(self, analysis: str, parameters: Mapping[str, Any], error: Unaskable) -> str:
        """Return a reason with the user's file and plan length, or with the requested lengths."""
        if "pddl" not in parameters:
            low, high = parameters["plan_steps"]
            steps = f"{low} to {high}" if low < high else low
            others = "other depths, " if DEPTH.name in parameters else ""
            return (
                f"{error} (plans of {steps} steps); give {others}longer ones with "
                "plan_steps=LO-HI, larger sizes or more kinds"
            )
        key = parameters["pddl"]
        steps = len(self._solved(key).actions)
        tells, give = "about which there is no such question", "give"
        if error.asked:
            tells, give = "and no more questions about it differ", "ask for fewer, or give"
        elif error.questions:
            tells = "and all questions about it have one answer"
        return (
            f"problem={self._files[key]}: its plan has {steps} step{'s' * (steps > 1)}, "
            f"{tells}; {give} a problem that takes more steps"
        )

    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """Return nothing: sound questions come from `candidates`."""
        return ()

    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """Return a question by the published rules; see `plans.published`."""
        return published.instance(analysis, case, rng)

    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Return the checks of all published answers; see `plans.audit`."""
        return audited.audit(root, dialect)

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the shortcut's answer; see `plans.surface`."""
        return surface_answer(analysis, metadata)

    def shortcuts(self, analysis: str) -> Sequence[Shortcut]:
        """Return the shortcuts of `plans.shortcuts`; for intervals with guesses."""
        from thence.families.fable.plans.shortcuts import (
            GUESSES,
            LISTED,
            OWN_QUEUE,
            QUEUES,
            SHORTCUTS,
            WAITS,
        )
        from thence.families.fable.shared.shortcuts import CHECKED, NEAR, NEAREST

        held = [*NEAR, *SHORTCUTS, *QUEUES]
        if analysis == "intervals":
            return [*held, *GUESSES]
        own = CHECKED if analysis == "taint" else [*OWN_QUEUE, *LISTED]
        return [*held, *NEAREST, *WAITS, *own]

    def resolve(
        self, analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
    ) -> Checked | None:
        """Return the check of one published question; see `plans.audit`."""
        return audited.resolve(analysis, steps, question, dialect)

    def notes(self, analysis: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the kinds of plans in a cell, and the reason for leaving out the others."""
        given = [kind for kind in BUILT_IN_DOMAINS if kind in values["kinds"]]
        telling = sound.TELLING.get(analysis, BUILT_IN_DOMAINS)
        if values["dialect"] == PUBLISHED or set(given) <= set(telling):
            return {"kinds": given}
        kinds = [kind for kind in given if kind in telling] or given
        return {"kinds": kinds, "why": sound.WHY_FEWER}

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the truth by the published rule, or by the analysis with its sanitizers."""
        if metadata["dialect"] == PUBLISHED:
            return published.truth(analysis, metadata)
        if analysis in (INTERVALS, "taint"):
            return sound.truth(analysis, metadata)
        return super().truth(analysis, metadata)


TASKS = tasks(PlansDomain())
