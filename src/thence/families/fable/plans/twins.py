"""Twins: two plans of the same steps with different answers to the same question.

A valid plan answers many questions by its names: a fact is needed by each later step that names its
objects, or else the plan would not have made it. So two steps of a plan change places here, as if
by mistake, and two more in its twin, so that a question about it has another answer. These two are
actions of the same name on the same side of each step in question: the plan and its twin have the
same action names at every place, and the same actions before, between and after the steps in
question. Only the times and places of the objects give the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Any

from thence.core.procedure import Procedure, Step, executable
from thence.dataflow import Flow
from thence.domains.plans.lowering import ordered
from thence.families.fable.plans.guess import GUESSES, GuessTable, Sketch
from thence.families.fable.shared.domain import Case

_MISTAKES = 16  # pairs of steps of a plan that change places by mistake
_SHORTEST = 4  # minimal number of steps for an exchange around the steps in question
_QUESTIONS = 48  # looked at for each
_EXCHANGES = 8  # in search of another answer to each

type Asked = dict[str, Any]
type Decide = Callable[[Flow, Asked], bool | None]
"""The answer to a question; None where it should not be asked."""


class View:
    """A plan with its steps in some order; its parts are computed on demand."""

    def __init__(
        self, plan: Case, order: Sequence[int] | None = None, start: tuple[str, ...] | None = None
    ) -> None:
        self._plan = plan
        self._order = order
        self._start = start

    @cached_property
    def case(self) -> Case:
        """Case for the prompt; only conflicting steps are ordered."""
        plan, order = self._plan, self._order
        if order is None:
            return plan
        found = ordered(plan.procedure.goal, [plan.procedure.steps[k] for k in order])
        source = {
            **plan.source,
            "actions": [plan.source["actions"][k] for k in order],
            "working_order": [order.index(k) for k in range(len(order))],
        }
        return Case(Procedure(found.goal, found.steps, found.order, self._start), source)

    @cached_property
    def flow(self) -> Flow:
        """Flow of the view's procedure."""
        return Flow(self.case.procedure)


type Twins = tuple[View, View, Asked]
"""Two plans of the same steps, and a question to which they give different answers."""


def twins(
    name: str,
    case: Case,
    candidates: Callable[[Sequence[Step]], Iterator[Asked]],
    decide: Decide,
    rng: Random,
) -> Iterator[Twins]:
    """Yield the twins of a plan, some for each of several mistakes in it.

    Args:
        name: name of the analysis.
        case: a valid plan.
        candidates: a function that yields the candidate questions of a plan.
        decide: a function that returns the answer to a question.
        rng: the source of all randomness.
    """
    steps = case.procedure.steps
    count, table = len(steps), GuessTable(steps)
    pairs = list(combinations(range(count), 2))
    names = [action.partition("(")[0] for action in case.source["actions"]]
    start, guess = opening(steps), GUESSES[name]
    for _ in range(_MISTAKES if count >= _SHORTEST else 0):
        order = _exchanged(range(count), rng.choice(pairs))
        if executable([steps[k] for k in order], start):
            continue
        # with the places from the one to the other: on one side of a step that is not among them
        same = [
            ((a, b), (1 << b + 1) - (1 << a))
            for a, b in pairs
            if names[order[a]] == names[order[b]]
        ]
        # the answer of the plan that is closer to the one that works, No as often as Yes
        wanted = rng.random() < 0.5
        sketch, held = Sketch(table, order), dict[tuple[int, int], Sketch]()
        base = View(case, order, start)
        asked = list(candidates(sketch.steps))
        for each in rng.sample(asked, min(len(asked), _QUESTIONS)):
            told = _told(each)
            apart = [pair for pair, span in same if not span & told]
            if not apart or guess(sketch, each) is not wanted:
                continue
            for pair in rng.sample(apart, min(len(apart), _EXCHANGES)):
                if pair not in held:
                    held[pair] = Sketch(table, _exchanged(order, pair))
                if guess(held[pair], each) is (not wanted) and not executable(
                    held[pair].steps, start
                ):
                    other = View(case, held[pair].order, start)
                    answers = decide(base.flow, each), decide(other.flow, each)
                    if answers == (wanted, not wanted):
                        yield base, other, each
                        break


def _exchanged(order: Sequence[int], pair: tuple[int, int]) -> list[int]:
    """Return an order with the steps at two places exchanged."""
    found = list(order)
    a, b = pair
    found[a], found[b] = found[b], found[a]
    return found


def _told(asked: Asked) -> int:
    """Return the places of the steps in question, as a bit set."""
    found = 0
    for place in (asked["i"], asked.get("j"), *asked.get("sanitizers", ())):
        if place is not None:
            found |= 1 << place
    return found


def opening(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the facts that must hold at the start of a valid plan, in order of first need."""
    made, held = set[str](), dict[str, None]()
    for step in steps:
        held.update(dict.fromkeys(fact for fact in step.uses if fact not in made))
        made.update(step.defines)
    return tuple(held)
