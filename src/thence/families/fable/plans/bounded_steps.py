"""Questions about the bounds of a step, listed so that its bounds stand at many distances.

In most permitted orders a step stands right beside its bounds. So what comes before it is listed
early and what comes after it late, and steps that may come at any time stand between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from thence.dataflow import Flow
from thence.families.fable.plans.pairs import Question
from thence.families.fable.plans.ways import View
from thence.families.fable.plans.words import listed, permitted
from thence.families.fable.shared.domain import Case

_ROUNDS = 200  # in which each plan is asked about
_ASKED = 4  # steps of a plan in a round
_APART = 0.5, 1.0  # how far steps that are bound stand apart; 0 is nothing, 1 as far as can be


def bounded(plans: Sequence[Case], rng: Random) -> Iterator[tuple[Case, Question]]:
    """Yield plans with questions about the bounds of a step, each listed in an order of its own.

    Args:
        plans: the plans.
        rng: all chance.
    """
    every = [(plan, Flow(plan.procedure)) for plan in plans if len(plan.procedure.steps) > 1]
    for _ in range(_ROUNDS):
        for plan, flow in rng.sample(every, len(every)):
            for step in rng.sample(range(len(flow)), min(_ASKED, len(flow))):
                order = permitted(plan, rng, _ranks(flow, step, rng))
                yield plan, (View(listed(plan, order)), {"i": order.index(step)})


def _ranks(flow: Flow, step: int, rng: Random) -> list[float]:
    """Return small ranks for steps that come before a step, and great ones for those after it."""
    apart = rng.choice(_APART)
    return [
        rng.random() + apart * (flow.precedes(step, k) - flow.precedes(k, step))
        for k in range(len(flow))
    ]
