"""Sound questions about plans: candidates for a block.

Steps that do not conflict may change places, so a plan stands for all its permitted orders. Every
case is shown in a random one of these orders: the planner's own order has habits (a car is unloaded
two steps after it was loaded), so that distances alone would give the answer. Besides plans that
work there are such with mistakes: a plan that works makes no fact twice, so that some answers
would have no reason but one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from random import Random
from typing import Any

from thence.core.procedure import Procedure, Step, executable
from thence.dataflow import Flow, Verdict, analysis, conflicts
from thence.dataflow.depth import depth
from thence.domains.plans.generate import ENGLISH
from thence.domains.plans.lowering import ordered
from thence.families.fable.plans import words
from thence.families.fable.plans.explanations import explained
from thence.families.fable.plans.queues import queued
from thence.families.fable.plans.words import PlanCase, fact_words, listed, permitted, reordered
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.blocks import DEEPEST, flow_question
from thence.families.fable.shared.domain import Case, Cue, Instance

TELLING: Mapping[str, Sequence[str]] = {
    "concurrency": ("gripper", "driverlog"),
    INTERVALS: ("gripper", "driverlog"),
}
"""The kinds of plans that tell most of an analysis; all where none are named."""

WHY_FEWER = "steps of the other kinds are hardly ever free of order"
"""The reason why a cell has plans of some kinds only."""

BOUND = "steps of hanoi and ferry are hardly ever free of order; give kinds=gripper or driverlog"
"""Why concurrency is not offered where no other kinds are asked for."""

_MISTAKEN = ("live_variables", "very_busy_expressions")
"""Analyses that ask more about plans with mistakes: in others what is made is used, or never is."""

_ROUNDS = 200  # in which each plan is asked about in another order
_ASKED = 24  # questions of one plan in one order
_FAR = 6  # steps apart, at which distances are no longer told apart
_WORKING = 0.6  # of the plans; the others have mistakes
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
type Deep = defaultdict[int, list[tuple[View, Asked]]]


def candidates(name: str, plans: Sequence[Case], rng: Random) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some plans, in ever new orders."""
    alone = name == INTERVALS
    plans = [_started(plan) for plan in plans]
    for _ in range(_ROUNDS):
        for plan in rng.sample(plans, len(plans)):
            working = alone or rng.random() < _WORKING
            case = reordered(plan, rng) if working else _mistaken(plan, rng)
            if case is None:
                continue
            asked = list(_CANDIDATES[name](case.procedure.steps))
            asked = rng.sample(asked, min(len(asked), _ASKED))
            if rng.random() < IN_QUEUES.get(name, 0):
                made = _both(name, case, asked, rng, changed=not working)
            else:
                view = View(case)
                made = (_instance(name, view, each, changed=not working) for each in asked)
            for instance in made:
                yield plan, instance


def _both(
    name: str, case: Case, asked: Sequence[Asked], rng: Random, *, changed: bool
) -> Iterator[Instance]:
    """Yield questions about the same steps in different queues, a Yes and a No of one depth each.

    So the steps and the question tell nothing of the answer. What the listed order shows is the
    same in all queues: where that decides a Yes, the steps are listed in different orders, too.
    """
    anew = name in _SOME and rng.random() < _LISTED_ANEW
    procedure = case.procedure
    total = Procedure.total(procedure.goal, procedure.steps)
    as_listed = Flow(replace(total, start=procedure.start))
    asked = [each for each in asked if anew or _is_open(name, as_listed, each)]
    views: list[tuple[View, list[int]]] = []
    for _ in range(_WAYS if asked else 0):
        order = permitted(case, rng) if anew else list(range(len(case.procedure.steps)))
        made = queued(listed(case, order), rng, three=1.0 if name == "concurrency" else _THREE)
        if made is None:
            return
        views.append((View(made), order))
    for each in asked:
        sides: tuple[Deep, Deep] = (defaultdict(list), defaultdict(list))
        held: list[tuple[View, Asked, bool]] = []
        for view, order in views:
            placed = {**each, **{step: order.index(each[step]) for step in "ij" if step in each}}
            placed |= {k: list(map(order.index, each[k])) for k in ("sanitizers",) if k in each}
            if not _is_plain(name, view, placed):
                held.append((view, placed, _holds(name, view.flow, placed)))
        if len({side for _, _, side in held}) < 2:
            continue
        for view, placed, side in held:
            deep = depth(view.flow, name, flow_question(placed))
            sides[side][min(deep, DEEPEST)].append((view, placed))
        if shared := [deep for deep in sides[True] if deep in sides[False]]:
            deep = rng.choice(shared)
            no, yes = (_instance(name, *rng.choice(side[deep]), changed=changed) for side in sides)
            if name != "taint" or _is_met(yes, rng):
                yield from (no, yes)


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

    Steps of one queue are not concurrent; a fact reaches the second step in the listed order where
    no step between the two touches it.
    """
    i, j, fact = asked["i"], asked.get("j"), asked.get("fact")
    if name == "concurrency":
        return any(i in queue and j in queue for queue in view.case.source["queues"])
    if name != "reaching_definitions" or i > j:
        return False
    between = view.flow.steps[i + 1 : j]
    return not any(fact in (*step.uses, *step.kills, *step.defines) for step in between)


def _holds(name: str, flow: Flow, asked: Asked) -> bool:
    """Return the answer alone."""
    return bool(analysis(name).rule(flow, flow_question(asked)).answer)


def _is_met(instance: Instance, rng: Random) -> bool:
    """Return whether one of some random orders shows a tainted fact where it is asked about.

    The analysis looks at each link of a chain by itself; where steps may come in either order, no
    single order need show them all.
    """
    case, asked = instance.case, instance.question
    if case is None:
        raise TypeError("a question without its plan")
    for _ in range(_TRIED):
        tainted = set[str]()
        for place in permitted(case, rng):
            step = case.procedure.steps[place]
            met = not tainted.isdisjoint(step.uses)
            if place == asked["j"]:
                break
            tainted.difference_update(step.kills, step.defines)
            if place == asked["i"] or (met and place not in asked["sanitizers"]):
                tainted.update(step.defines)
        if met:
            return True
    return False


def _started(plan: Case) -> Case:
    """Return a plan that says what holds at its start."""
    start = opening(plan.procedure.steps)
    return replace(plan, procedure=replace(plan.procedure, start=start))


def _mistaken(plan: Case, rng: Random) -> Case | None:
    """Return a plan in which one or two pairs of steps have changed places by mistake."""
    steps = plan.procedure.steps
    if len(steps) < 2:
        return None
    order = list(range(len(steps)))
    for _ in range(rng.choice((1, 1, 2))):
        a, b = rng.sample(order, 2)
        a, b = order.index(a), order.index(b)
        order[a], order[b] = order[b], order[a]
    start = plan.procedure.start
    if start is None or executable([steps[k] for k in order], start):
        return None
    found = ordered(plan.procedure.goal, [steps[k] for k in order])
    actions = plan.source["actions"]
    source = {
        **plan.source,
        "actions": [actions[k] for k in order],
    }
    case = Case(Procedure(found.goal, found.steps, found.order, start), source)
    return reordered(case, rng)


class View:
    """A case with the index for its analyses."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.flow = Flow(case.procedure)


def opening(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the facts that must hold at the start of a valid plan, in order of first need."""
    made, held = set[str](), dict[str, None]()
    for step in steps:
        held.update(dict.fromkeys(fact for fact in step.uses if fact not in made))
        made.update(step.defines)
    return tuple(held)


def _instance(name: str, view: View, asked: Asked, *, changed: bool) -> Instance:
    verdict = _verdict(name, view.flow, asked)
    case = view.case
    return Instance(
        _question(name, case, asked, changed=changed),
        _answer(name, verdict),
        "",
        cues=_cues(case, asked),
        case=case,
        reasons=lambda: (explained(name, case, asked, verdict), verdict.witness),
        quotas=frozenset(_quotas(name, view, asked, changed=changed)),
    )


def _cues(case: Case, asked: Asked) -> tuple[Cue, ...]:
    """Return what a glance at a question shows: its actions, and how far they are apart."""
    names = [action.partition("(")[0] for action in case.source["actions"]]
    i, j = asked["i"], asked.get("j")
    if j is None:
        return (*names[i : i + 3], str(asked.get("fact")).partition("(")[0], i)
    return names[i], names[j], max(-_FAR, min(_FAR, j - i))


def _question(name: str, case: Case, asked: Asked, *, changed: bool) -> dict[str, Any]:
    question: dict[str, Any] = {
        "kind": name,
        "i": asked.get("i"),
        "j": asked.get("j"),
        "fact": asked.get("fact"),
        "rules": case.source["rules"],
        "published": False,
        "changed": changed,
        # sentences of a plan with mistakes may contradict one another
        "marks": (changed or "queues" in case.source) and case.source["text"] == ENGLISH,
        "queues": case.source.get("queues"),
        "waits": case.source.get("waits"),
    }
    if question["fact"] is not None:
        question["fact_text"] = fact_words(case, question["fact"])
    if "sanitizers" in asked:
        question["sanitizers"] = asked["sanitizers"]
    if name == "type_state":
        question["start"] = [fact_words(case, fact) for fact in case.procedure.start or ()]
    return question


def in_english(case: Case, instance: Instance) -> tuple[Case, Instance]:
    """Return a question about a plan in English sentences."""
    shown = instance.case
    if not isinstance(case, PlanCase) or case.plan is None or shown is None:
        raise TypeError("a question of another block")
    told = words.in_english(case.plan, shown)
    name = instance.question["kind"]
    asked = _asked(instance.question)
    verdict = _verdict(name, Flow(told.procedure), asked)
    return case, replace(
        instance,
        question=_question(name, told, asked, changed=instance.question["changed"]),
        case=told,
        reasons=lambda: (explained(name, told, asked, verdict), verdict.witness),
    )


def _quotas(name: str, view: View, asked: Asked, *, changed: bool) -> Iterator[str]:
    """Yield what half of the questions with an answer should have."""
    if not changed and name not in _MISTAKEN:
        yield "works"
    if name in ("reaching_definitions", "available_expressions"):
        needed = asked["fact"] in view.case.procedure.steps[asked["j"]].uses
        yield "needed" if needed else "not needed"


def _verdict(name: str, flow: Flow, asked: Mapping[str, Any]) -> Verdict:
    return analysis(name).decide(
        flow,
        i=asked.get("i"),
        j=asked.get("j"),
        fact=asked.get("fact"),
        sanitizers=asked.get("sanitizers", ()),
    )


def _answer(name: str, verdict: Verdict) -> Any:
    if name == INTERVALS:
        after, before = verdict.answer
        return {
            "after": None if after is None else after + 1,
            "before": None if before is None else before + 1,
        }
    return "Yes" if verdict.answer else "No"


def truth(name: str, metadata: Mapping[str, Any]) -> Any:
    """Recompute the answer from a sample's metadata."""
    flow = Flow(Procedure.from_json(metadata["procedure"]))
    return _answer(name, _verdict(name, flow, _asked(metadata["question"])))


def _asked(question: Mapping[str, Any]) -> Asked:
    kept = ("i", "j", "fact", "sanitizers")
    return {key: question[key] for key in kept if question.get(key) is not None}


# Candidates -------------------------------------------------------------------------------------


def _definitions_and_steps(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield pairs of a definition and another step."""
    for i, step in enumerate(steps):
        for fact in step.defines:
            for j in range(len(steps)):
                if j != i:
                    yield {"i": i, "j": j, "fact": fact}


def _definitions(steps: Sequence[Step]) -> Iterator[Asked]:
    for i, step in enumerate(steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _bounded(steps: Sequence[Step]) -> Iterator[Asked]:
    for i in range(len(steps) if len(steps) > 1 else 0):
        yield {"i": i}


def _made_and_needed(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield pairs of a step and a later step that uses what it makes or ends."""
    for i, j in combinations(range(len(steps)), 2):
        if not {*steps[i].defines, *steps[i].kills}.isdisjoint(steps[j].uses):
            yield {"i": i, "j": j}


def _pairs(steps: Sequence[Step]) -> Iterator[Asked]:
    return ({"i": i, "j": j} for i, j in permutations(range(len(steps)), 2))


def _contaminations(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield triples of an untrusted step, a checked step and a step that needs something."""
    for i, checked, j in permutations(range(len(steps)), 3):
        if steps[j].uses and steps[i].defines:
            yield {"i": i, "j": j, "sanitizers": [checked]}


_CANDIDATES: Mapping[str, Callable[[Sequence[Step]], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_steps,
    "very_busy_expressions": _definitions,
    "live_variables": _definitions,
    INTERVALS: _bounded,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
