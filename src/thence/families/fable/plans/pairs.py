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
from thence.families.fable.plans.finer_reasons import links
from thence.families.fable.plans.queues import queued
from thence.families.fable.plans.words import listed, permitted
from thence.families.fable.shared.blocks import DEEPEST, flow_question
from thence.families.fable.shared.domain import Case

_THREE = 0.4  # of the long plans in queues that have three; of concurrency all
_SHALLOW = 0.5  # of the pairs kept with a link or two, where deeper ones are few
_DEEP = 3  # links
_FEW_DEEP = ("type_state", "very_busy_expressions")
_LATE = 0.4  # of the pairs kept whose No is that step j comes first: there are enough of these
_WAYS = 5  # in which the same steps stand in queues
IN_QUEUES: Mapping[str, float] = {
    "reaching_definitions": 1.0,
    "available_expressions": 1.0,
    "live_variables": 1.0,
    "very_busy_expressions": 1.0,
    "type_state": 1.0,
    "taint": 0.7,
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

    def __init__(self, case: Case, flow: Flow | None = None) -> None:
        self.case = case
        self.flow = flow or Flow(case.procedure)


type Question = tuple[View, Asked]


def pairs(
    name: str, case: Case, asked: Sequence[Asked], rng: Random, *, works: bool
) -> Iterator[Question]:
    """Yield for each question that queues can turn a No and a Yes of each depth that both have.

    What the listed order shows is the same in all queues: where that decides a Yes, the steps are
    listed in different orders, too.

    Args:
        name: name of the analysis.
        case: the plan as it is listed.
        asked: questions about it.
        rng: all chance.
        works: whether the plan works; what it makes is then used in all its orders, or in none.
    """
    alike = works and name == "live_variables"
    anew = name in _SOME and not alike and rng.random() < _LISTED_ANEW
    procedure = case.procedure
    total = Procedure.total(procedure.goal, procedure.steps)
    as_listed = Flow(replace(total, start=procedure.start))
    free = as_listed.with_order(())
    asked = [each for each in asked if _is_open(name, as_listed, free, each, anew=anew)]
    views: list[tuple[View, list[int]]] = []
    for _ in range(_WAYS if asked else 0):
        order = permitted(case, rng) if anew else list(range(len(procedure.steps)))
        made = queued(listed(case, order), rng, three=1.0 if name == "concurrency" else _THREE)
        if made is None:
            return
        flow = None if anew else as_listed.with_order(made.procedure.order)
        views.append((View(made, flow), order))
    for each in asked:
        placed = [(view, _placed(each, order)) for view, order in views]
        for found in _pairs(name, [each for each in placed if not _is_plain(name, *each)], rng):
            if name != "taint" or _is_met(*found[1], rng):
                yield from found


def _placed(asked: Asked, order: Sequence[int]) -> Asked:
    """Return a question about steps that are listed in another order."""
    found = {**asked, **{step: order.index(asked[step]) for step in "ij" if step in asked}}
    if "sanitizers" in asked:
        found["sanitizers"] = [order.index(step) for step in asked["sanitizers"]]
    return found


def _pairs(name: str, held: Sequence[Question], rng: Random) -> Iterator[tuple[Question, Question]]:
    """Yield one of some questions with a No and one with a Yes for each depth that both have."""
    answers = [_holds(name, view.flow, asked) for view, asked in held]
    if len(set(answers)) < 2:
        return
    sides: tuple[defaultdict[int, list[Question]], ...] = (defaultdict(list), defaultdict(list))
    for (view, asked), answer in zip(held, answers, strict=True):
        deep = links(view.flow, name, flow_question(asked), view.case.source)
        sides[answer][min(deep, DEEPEST)].append((view, asked))
    for deep, yes in sides[True].items():
        if deep not in sides[False]:
            continue
        if deep < _DEEP and name in _FEW_DEEP and rng.random() >= _SHALLOW:
            continue
        view, asked = rng.choice(sides[False][deep])
        late = name == "reaching_definitions" and view.flow.precedes(asked["j"], asked["i"])
        if not late or rng.random() < _LATE:
            yield (view, asked), rng.choice(yes)


def _is_open(name: str, as_listed: Flow, free: Flow, asked: Asked, *, anew: bool) -> bool:
    """Return whether a question can have either answer, whatever the queues.

    Where even with all orders permitted none shows what some order should, the answer is known.
    Unless the steps are listed anew, so it is where the listed order, which all queues permit,
    shows that, or not what every order should.
    """
    if name == "concurrency":
        # what conflicts need not wait in queues, and is not concurrent all the same
        return not conflicts(*(as_listed.steps[asked[k]] for k in "ij"))
    some = name in _SOME
    if _holds(name, free, asked) != some:
        return False
    return anew or _holds(name, as_listed, asked) != some


def _is_plain(name: str, view: View, asked: Asked) -> bool:
    """Return whether a glance at the two steps asked about shows the answer.

    Steps of one queue are not concurrent, and a fact stays available from one to the other where no
    other queue ends it; a fact reaches the second step in the listed order where the steps
    between the two do not touch it.
    """
    if name not in ("concurrency", "available_expressions", "reaching_definitions"):
        return False
    i, j, fact = asked["i"], asked.get("j"), asked.get("fact")
    steps = view.flow.steps
    own = next(queue for queue in view.case.source["queues"] if i in queue)
    if name == "concurrency":
        return j in own
    if name == "available_expressions":
        ends = (fact in step.kills for k, step in enumerate(steps) if k not in own)
        return j in own and not any(ends)
    if i > j:
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
