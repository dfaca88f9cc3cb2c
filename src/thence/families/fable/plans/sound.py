"""Sound questions about plans: candidates with both answers, and their surface cues.

Steps that do not conflict may change places, so a plan stands for all its permitted orders. Every
case is shown in a random one of these orders: the planner's own order has habits (a car is unloaded
two steps after it was loaded), so that distances alone would give the answer. Questions about plans
of our own kinds come in twins; see `plans.twins`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice, permutations
from random import Random
from typing import Any

from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow, Verdict, analysis
from thence.domains.plans.lowering import BUILT_IN_DOMAINS
from thence.families.fable.plans.cues import Seen, cues, leanings
from thence.families.fable.plans.twins import View, twins
from thence.families.fable.plans.words import fact_words, in_words, reordered
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.domain import Case, Instance

_BUSY = ("hanoi", "gripper", "ferry")

TELLING: Mapping[str, Sequence[str]] = {
    "very_busy_expressions": _BUSY,
    "live_variables": _BUSY,
    "type_state": _BUSY,
    "concurrency": ("gripper", "driverlog"),
    INTERVALS: ("gripper", "driverlog"),
}
"""The kinds of plans that tell most of an analysis; all where none are named.

They often have a twin whose answer differs, or steps that their neighbours do not bound.
"""


def why_fewer(analysis: str) -> str:
    """Return the reason why a cell has plans of some kinds only."""
    if analysis == INTERVALS:
        return "steps of the other kinds are hardly ever bounded by others than their neighbours"
    return "plans of the other kinds seldom have a twin of the same steps whose answer differs"


BOUND = "steps of hanoi and ferry are hardly ever free of order; give kinds=gripper or driverlog"
"""Why concurrency is not offered where no other kinds are asked for."""

_TWINS = 4  # of one plan, at most
_MOST = 60  # candidates of one plan, where they are no twins
_FREER = 0.75  # of interval questions: about steps that others than their neighbours bound

Asked = dict[str, Any]


def instances(name: str, case: Case, rng: Random) -> list[Instance]:
    """Return the questions of an analysis about a plan, in one of its permitted orders."""
    plan = reordered(case, rng)
    if name != INTERVALS and case.source["kind"] in BUILT_IN_DOMAINS:
        pairs = twins(name, plan, _CANDIDATES[name], partial(_decided, name), rng)
        return [
            _instance(name, view, asked, changed=True)
            for one, other, asked in islice(pairs, _TWINS)
            for view in (one, other)
        ]
    view = View(plan)
    candidates = list(_CANDIDATES[name](plan.procedure.steps))
    if len(candidates) > _MOST:
        candidates = rng.sample(candidates, _MOST)
    found = [_instance(name, view, asked, changed=False) for asked in candidates]
    if name == INTERVALS and case.source["kind"] in TELLING[INTERVALS]:
        freer = rng.random() < _FREER
        found = [each for each in found if _beside(each) is not freer]
    return found


def _beside(instance: Instance) -> bool:
    """Return whether a step's bounds are its two neighbours in the plan's order."""
    if instance.case is None:
        raise TypeError("an instance without a case")
    place, last = instance.question["i"] + 1, len(instance.case.procedure.steps)
    neighbours = {
        "after": place - 1 if place > 1 else None,
        "before": place + 1 if place < last else None,
    }
    return bool(instance.answer == neighbours)


def _decided(name: str, flow: Flow, asked: Asked) -> bool | None:
    """Return the answer; None if it depends on a reader's assumption about the initial state."""
    answer = bool(_verdict(name, flow, asked).answer)
    if name == "type_state":
        unsaid = Flow(replace(flow.procedure, start=None))
        if bool(_verdict(name, unsaid, asked).answer) is not answer:
            return None
    return answer


def _instance(name: str, view: View, asked: Asked, *, changed: bool) -> Instance:
    verdict = _verdict(name, view.flow, asked)
    case = view.case
    question = {
        "kind": name,
        "i": asked.get("i"),
        "j": asked.get("j"),
        "fact": asked.get("fact"),
        "rules": case.source["rules"],
        "published": False,
        "changed": changed,
    }
    if question["fact"] is not None:
        question["fact_text"] = fact_words(case, question["fact"])
    if "sanitizers" in asked:
        question["sanitizers"] = asked["sanitizers"]
    if name == "type_state" and changed:
        question["start"] = [fact_words(case, fact) for fact in case.procedure.start or ()]
    seen = Seen(case.source["kind"], case.source["actions"])
    return Instance(
        question,
        _answer(name, verdict),
        "",
        cues=() if name == INTERVALS else cues(seen, asked),
        leanings=leanings(seen, asked) if changed else (),
        case=case,
        reasons=lambda: (in_words(case, verdict.why), verdict.witness),
    )


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


def _definitions_and_later(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield pairs of a definition and a later step; in an earlier one none is available."""
    return (each for each in _definitions_and_steps(steps) if each["j"] > each["i"])


def _definitions(steps: Sequence[Step]) -> Iterator[Asked]:
    for i, step in enumerate(steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _bounded(steps: Sequence[Step]) -> Iterator[Asked]:
    for i in range(len(steps) if len(steps) > 1 else 0):
        yield {"i": i}


def _made_and_needed(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield pairs of a step and a later step that uses one of its definitions."""
    for i, j in combinations(range(len(steps)), 2):
        if not set(steps[i].defines).isdisjoint(steps[j].uses):
            yield {"i": i, "j": j}


def _pairs(steps: Sequence[Step]) -> Iterator[Asked]:
    return ({"i": i, "j": j} for i, j in permutations(range(len(steps)), 2))


def _contaminations(steps: Sequence[Step]) -> Iterator[Asked]:
    """Yield triples of an untrusted step, a sanitizing step and a later step."""
    for i, checked, j in combinations(range(len(steps)), 3):
        yield {"i": i, "j": j, "sanitizers": [checked]}


_CANDIDATES: Mapping[str, Callable[[Sequence[Step]], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_later,
    "very_busy_expressions": _definitions,
    "live_variables": _definitions,
    INTERVALS: _bounded,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
