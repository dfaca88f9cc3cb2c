"""Sound questions about plans: candidates for a block.

Steps that do not conflict may change places, so a plan stands for all its permitted orders. Every
case is shown in a random one of these orders: the planner's own order has habits (a car is unloaded
two steps after it was loaded), so that distances alone would give the answer. Besides plans that
work there are such with mistakes: a plan that works makes no fact twice, so that some answers
would have no reason but one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from operator import itemgetter
from random import Random
from typing import Any

from thence.core.procedure import Procedure, Step, executable
from thence.dataflow import Flow, Verdict, analysis
from thence.dataflow.flow import Role
from thence.dataflow.problems import AVAILABLE
from thence.dataflow.questions import Witness
from thence.dataflow.solver import solve
from thence.domains.plans.generate import ENGLISH
from thence.domains.plans.lowering import ordered
from thence.families.fable.plans import words
from thence.families.fable.plans.bounded_steps import bounded
from thence.families.fable.plans.depths import Depths
from thence.families.fable.plans.explanations import explained
from thence.families.fable.plans.finer_reasons import finer_reason, links
from thence.families.fable.plans.pairs import ASKED, IN_QUEUES, Asked, Question, pairs
from thence.families.fable.plans.queues import FEWEST
from thence.families.fable.plans.ways import View
from thence.families.fable.plans.words import PlanCase, fact_words, reordered
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.domain import Case, Cue, Instance, Quota
from thence.families.fable.shared.quick_answers import ENDS, Order, QuickAnswers, tainted_links
from thence.families.fable.shared.traits import Traits

TELLING: Mapping[str, Sequence[str]] = {
    "concurrency": ("gripper", "driverlog"),
    INTERVALS: ("gripper", "driverlog"),
}
"""The kinds of plans that tell most of an analysis; all where none are named."""

WHY_FEWER = "steps of the other kinds are hardly ever free of order"
"""The reason why a cell has plans of some kinds only."""

BOUND = "steps of hanoi and ferry are hardly ever free of order; give kinds=gripper or driverlog"
"""Why concurrency is not offered where no other kinds are asked for."""

_USUAL = 400  # looks at plans in queues, at most
_LOOKS = {
    "live_variables": 800,
    "very_busy_expressions": 1000,
    "type_state": 3200,
    "concurrency": 1600,
    "reaching_definitions": 800,
}
"""The same where other numbers give enough deep questions, or are as many as time allows."""

_DRAWN = 3 * ASKED  # questions of one plan in one order, of which some are asked
_MOST = 60  # of a plan without queues among which these are looked for
_ALONE = 12  # of a plan without queues, where most have some
_FIRST = 8  # of these, at most, that makers or kills decide; a check may decide the others
_SEVERAL = 2  # steps that make a fact
_FAR = 6  # steps apart, at which distances are no longer told apart
_WORKING = 0.6  # of the plans; the others have mistakes
_WORKING_OF = {
    "very_busy_expressions": 0.35,
    "type_state": 0.5,
    "live_variables": 0.72,
    "taint": 0.36,
}
"""The same where other numbers leave half of the questions to plans that work."""


def candidates(
    name: str, plans: Sequence[Case], rng: Random, span: Sequence[int] | None = None
) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some plans, in ever new orders.

    Args:
        name: name of the analysis.
        plans: the plans.
        rng: all chance.
        span: the least and the greatest depth that are asked for, or None.
    """
    plans = [_started(plan) for plan in plans]
    every = _asked_about(name, plans, rng, span)
    if name == INTERVALS:
        every = ((plan, each, False) for plan, each in bounded(plans, rng))
    seen = set[tuple[str, ...]]()
    for plan, (view, each), changed in every:
        told = view.case.source
        key = *told["actions"], str([each, told.get("queues"), told.get("waits")])
        if key not in seen:
            seen.add(key)
            yield plan, _instance(name, view, each, changed=changed)


def _asked_about(
    name: str, plans: Sequence[Case], rng: Random, span: Sequence[int] | None
) -> Iterator[tuple[Case, Question, bool]]:
    """Yield plans with questions about them in ever new orders, and whether they have mistakes."""
    depths = {works: Depths(span, name, works=works) for works in (True, False)}
    for _ in range(max(1, _LOOKS.get(name, _USUAL) // len(plans))):
        for plan in rng.sample(plans, len(plans)):
            left = [works for works, each in depths.items() if not each.are_full]
            if not left:
                return
            working = rng.random() < _WORKING_OF.get(name, _WORKING)
            working = working if working in left else left[0]
            case = reordered(plan, rng) if working else _mistaken(plan, rng)
            if case is None:
                continue
            whole = View(case)
            many = len(case.procedure.steps) >= FEWEST
            queues = many and rng.random() < IN_QUEUES.get(name, 0)
            asked = _preferred(name, whole.flow, rng, queues=queues)
            found: Iterable[Question] = ((whole, each) for each in asked[:_ALONE])
            if queues:
                found = pairs(name, whole, asked, rng, depths[working], works=working)
            for each in found:
                yield plan, each, not working


def _preferred(name: str, flow: Flow, rng: Random, *, queues: bool) -> list[Asked]:
    """Return some questions about a plan, those first that would else be few.

    These are: of reaching definitions, about facts that several steps make; of taint, where steps
    do not stand in queues, where a part left out would say Yes.
    """
    if name == "taint":
        asked = _contaminations(flow.steps, rng)
        return asked if queues else _decided(flow, asked[:_MOST])
    asked = list(_CANDIDATES[name](flow.steps))
    drawn = rng.sample(asked, min(len(asked), _DRAWN))
    if name == "reaching_definitions":
        drawn.sort(key=lambda each: len(flow.steps_with(Role.DEFINE, each["fact"])) < _SEVERAL)
    return drawn


def _contaminations(steps: Sequence[Step], rng: Random) -> list[Asked]:
    """Return some triples of an untrusted step, a checked step and a step that needs something."""
    numbers = range(len(steps))
    drawn = (tuple(rng.sample(numbers, 3)) for _ in range(_DRAWN if len(steps) > _SEVERAL else 0))
    return [
        {"i": i, "j": j, "sanitizers": [checked]}
        for i, checked, j in dict.fromkeys(drawn)
        if steps[i].defines and steps[j].uses
    ]


def _decided(flow: Flow, asked: Sequence[Asked]) -> list[Asked]:
    """Return questions, first some that makers or kills decide and some that a check may.

    These are those with a No that would be a Yes where makers ended nothing, or kills, and those
    with a Yes if nothing is checked; deep ones come first.
    """
    order = Order.of(flow)
    whole, *parts = (QuickAnswers(flow, ends) for ends in (ENDS, *((role,) for role in ENDS)))
    ranks: tuple[list[tuple[int, Asked]], ...] = [], [], [], []
    for each in asked:
        told = whole.holds("taint", order, each)
        found = [0 if told else part.most_links("taint", order, each) for part in parts]
        found.append(whole.most_links("taint", order, {**each, "sanitizers": ()}))
        rank = next((number for number, links in enumerate(found) if links), -1)
        ranks[rank].append((-max(found), each))
    made, killed, second, rest = (
        [each for _, each in sorted(held, key=itemgetter(0))] for held in ranks
    )
    first = [*made, *killed]
    others = _ALONE - _FIRST
    return [*first[:_FIRST], *second[:others], *first[_FIRST:], *second[others:], *rest]


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
    question = _question(name, case, asked, changed=changed)
    told = view.flow, name, flow_question(asked), question
    return Instance(
        question,
        _answer(verdict),
        "",
        cues=_cues(case, asked, verdict),
        case=case,
        flow=view.flow,
        reasons=lambda: _reasons(name, case, asked),
        traits=Traits(
            *told[:3],
            depth=lambda: _links(view, name, asked) or links(*told),
            reason=lambda: finer_reason(*told),
        ),
        quotas=frozenset(_quotas(name, view, asked, changed=changed)),
    )


def _links(view: View, name: str, asked: Asked) -> int:
    """Return the depth of a question that bitsets alone give; 0 of others."""
    if name != "taint":
        return 0
    return tainted_links(view.flow, view.order, asked, [view.quick, *view.in_part])


def _cues(case: Case, asked: Asked, verdict: Verdict) -> tuple[Cue, ...]:
    """Return what a glance at a question shows: its actions, and how far they are apart.

    Of an interval that is how far its bounds are from the step alone, so that no distance prevails.
    """
    names = [action.partition("(")[0] for action in case.source["actions"]]
    i, j = asked["i"], asked.get("j")
    if isinstance(verdict.answer, tuple):
        after, before = verdict.answer
        return 0 if after is None else i - after, 0 if before is None else before - i
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
    return case, replace(
        instance,
        question=_question(name, told, asked, changed=instance.question["changed"]),
        case=told,
        flow=None,
        reasons=lambda: _reasons(name, told, asked),
    )


def _reasons(name: str, case: Case, asked: Asked) -> tuple[str, Witness]:
    """Return explanation and witness, worked out anew, so that no analysis is kept for them."""
    verdict = _verdict(name, Flow(case.procedure), asked)
    return explained(name, case, asked, verdict), verdict.witness


def _quotas(name: str, view: View, asked: Asked, *, changed: bool) -> Iterator[Quota]:
    """Yield what at least half of the questions with an answer should have."""
    if not changed:
        yield Quota("works")
    if name == "type_state":
        uses = view.case.procedure.steps[asked["j"]].uses
        if all(solve(AVAILABLE, view.flow, fact).holds(asked["j"]) for fact in uses):
            yield Quota("finds all with i")
    # what makers or kills decide is rarer than what a check decides
    if name == "taint" and any(each.holds(name, view.order, asked) for each in view.in_part):
        yield Quota("makers or kills decide")
    if name in ("reaching_definitions", "available_expressions"):
        needed = asked["fact"] in view.case.procedure.steps[asked["j"]].uses
        yield Quota("needed" if needed else "not needed")


def _verdict(name: str, flow: Flow, asked: Mapping[str, Any]) -> Verdict:
    return analysis(name).decide(
        flow,
        i=asked.get("i"),
        j=asked.get("j"),
        fact=asked.get("fact"),
        sanitizers=asked.get("sanitizers", ()),
    )


def _answer(verdict: Verdict) -> Any:
    if isinstance(verdict.answer, tuple):
        after, before = verdict.answer
        return {
            "after": None if after is None else after + 1,
            "before": None if before is None else before + 1,
        }
    return "Yes" if verdict.answer else "No"


def truth(name: str, metadata: Mapping[str, Any]) -> Any:
    """Recompute the answer from a sample's metadata."""
    flow = Flow(Procedure.from_json(metadata["procedure"]))
    return _answer(_verdict(name, flow, _asked(metadata["question"])))


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


def _made_and_needed(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield pairs of a step and a later step that uses what it makes or ends."""
    for i, j in combinations(range(len(steps)), 2):
        if not {*steps[i].defines, *steps[i].kills}.isdisjoint(steps[j].uses):
            yield {"i": i, "j": j}


def _pairs(steps: Sequence[Step]) -> Iterator[Asked]:
    return ({"i": i, "j": j} for i, j in permutations(range(len(steps)), 2))


_CANDIDATES: Mapping[str, Callable[[Sequence[Step]], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_steps,
    "very_busy_expressions": _definitions,
    "live_variables": _definitions,
    "type_state": _made_and_needed,
    "concurrency": _pairs,
}
