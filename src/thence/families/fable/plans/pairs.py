"""Pairs of questions about the same steps in different queues, one with a Yes and one with a No.

The steps and the question are the same in both, so that they tell nothing of the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis, conflicts
from thence.dataflow.depth import depth
from thence.families.fable.plans.queues import queued
from thence.families.fable.plans.words import listed, permitted
from thence.families.fable.shared.blocks import DEEPEST, flow_question
from thence.families.fable.shared.domain import Case

_THREE = 0.4  # of the long plans in queues that have three; of concurrency all
_WAYS = 5  # in which the same steps stand in queues
IN_QUEUES: Mapping[str, float] = {
    "reaching_definitions": 1.0,
    "available_expressions": 1.0,
    "live_variables": 1.0,
    "very_busy_expressions": 1.0,
    "type_state": 1.0,
    "taint": 0.5,
    "concurrency": 0.9,
}
"""How many of the plans stand in queues, by analysis; none where nothing is said."""
_SOME = ("reaching_definitions", "live_variables", "taint")
"""Analyses that ask whether some order shows something, which the listed one may."""
_TRIED = 60  # random orders in which a tainted fact is looked for
_LISTED_ANEW = 0.5  # of the plans in queues, whose steps are listed in different orders then

Asked = dict[str, Any]


class View:
    """A case with the index for its analyses."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.flow = Flow(case.procedure)


type Question = tuple[View, Asked]


def pairs(name: str, case: Case, asked: Sequence[Asked], rng: Random) -> Iterator[Question]:
    """Yield a No and a Yes of one depth for each question that queues can turn.

    What the listed order shows is the same in all queues: where that decides a Yes, the steps are
    listed in different orders, too.

    Args:
        name: name of the analysis.
        case: the plan as it is listed.
        asked: questions about it.
        rng: all chance.
    """
    anew = name in _SOME and rng.random() < _LISTED_ANEW
    procedure = case.procedure
    total = Procedure.total(procedure.goal, procedure.steps)
    as_listed = Flow(replace(total, start=procedure.start))
    asked = [each for each in asked if anew or _is_open(name, as_listed, each)]
    views: list[tuple[View, list[int]]] = []
    for _ in range(_WAYS if asked else 0):
        order = permitted(case, rng) if anew else list(range(len(procedure.steps)))
        made = queued(listed(case, order), rng, three=1.0 if name == "concurrency" else _THREE)
        if made is None:
            return
        views.append((View(made), order))
    for each in asked:
        placed = [(view, _placed(each, order)) for view, order in views]
        found = _pair(name, [each for each in placed if not _is_plain(name, *each)], rng)
        if found and (name != "taint" or _is_met(*found[1], rng)):
            yield from found


def _placed(asked: Asked, order: Sequence[int]) -> Asked:
    """Return a question about steps that are listed in another order."""
    found = {**asked, **{step: order.index(asked[step]) for step in "ij" if step in asked}}
    if "sanitizers" in asked:
        found["sanitizers"] = [order.index(step) for step in asked["sanitizers"]]
    return found


def _pair(name: str, held: Sequence[Question], rng: Random) -> tuple[Question, Question] | None:
    """Return one of some questions with a No and one with a Yes, both of one depth."""
    answers = [_holds(name, view.flow, asked) for view, asked in held]
    if len(set(answers)) < 2:
        return None
    sides: tuple[defaultdict[int, list[Question]], ...] = (defaultdict(list), defaultdict(list))
    for (view, asked), answer in zip(held, answers, strict=True):
        deep = depth(view.flow, name, flow_question(asked))
        sides[answer][min(deep, DEEPEST)].append((view, asked))
    shared = [deep for deep in sides[True] if deep in sides[False]]
    if not shared:
        return None
    deep = rng.choice(shared)
    no, yes = (rng.choice(side[deep]) for side in sides)
    return no, yes


def _is_open(name: str, as_listed: Flow, asked: Asked) -> bool:
    """Return whether a question can have either answer, whatever the queues.

    The listed order is permitted in all of them: where it shows what some order should, or not what
    every order should, the answer is known.
    """
    if name == "concurrency":
        # what conflicts need not wait in queues, and is not concurrent all the same
        return not conflicts(*(as_listed.steps[asked[k]] for k in "ij"))
    return _holds(name, as_listed, asked) != (name in _SOME)


def _is_plain(name: str, view: View, asked: Asked) -> bool:
    """Return whether a glance at the two steps asked about shows the answer.

    Steps of one queue are not concurrent, and a fact stays available from one to the other where no
    other queue ends it; a fact reaches the second step in the listed order where the steps
    between the two do not touch it.
    """
    i, j, fact = asked["i"], asked.get("j"), asked.get("fact")
    steps = view.flow.steps
    own = next(queue for queue in view.case.source["queues"] if i in queue)
    if name == "concurrency":
        return j in own
    if name == "available_expressions":
        ends = (fact in step.kills for k, step in enumerate(steps) if k not in own)
        return j in own and not any(ends)
    if name != "reaching_definitions" or i > j:
        return False
    between = steps[i + 1 : j]
    touched = (fact in (*step.uses, *step.kills, *step.defines) for step in between)
    return bool(between) and not any(touched)


def _holds(name: str, flow: Flow, asked: Asked) -> bool:
    """Return the answer alone."""
    return bool(analysis(name).rule(flow, flow_question(asked)).answer)


def _is_met(view: View, asked: Asked, rng: Random) -> bool:
    """Return whether one of some random orders shows a tainted fact where it is asked about.

    The analysis looks at each link of a chain by itself; where steps may come in either order, no
    single order need show them all.
    """
    steps = view.flow.steps
    for _ in range(_TRIED):
        tainted = set[str]()
        for place in permitted(view.case, rng):
            step = steps[place]
            met = not tainted.isdisjoint(step.uses)
            if place == asked["j"]:
                if met:
                    return True
                break
            tainted.difference_update(step.kills, step.defines)
            if place == asked["i"] or (met and place not in asked["sanitizers"]):
                tainted.update(step.defines)
    return False
