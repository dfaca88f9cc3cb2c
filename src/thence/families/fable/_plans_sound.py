"""Sound questions about plans: candidates of both answers, with what a shortcut could go by.

Steps that do not conflict may change places, so a plan stands for all its permitted orders. Every
case is shown in an order taken by chance from these: the planner's own has habits (a car is
unloaded two steps after it was loaded), from which distances alone would tell the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from random import Random
from typing import Any

from thence.dataflow import Flow, Verdict, analysis
from thence.families.fable._analyses import INTERVALS
from thence.families.fable._domain import Case, Instance
from thence.families.fable._plans_words import fact_words, in_words, reordered
from thence.kernel.procedure import Procedure

TELLING: Mapping[str, Sequence[str]] = {
    "very_busy_expressions": ("hanoi", "gripper", "driverlog"),
    "live_variables": ("hanoi", "gripper", "driverlog"),
    "type_state": ("hanoi", "gripper", "driverlog"),
    "taint": ("hanoi", "gripper", "driverlog"),
}
"""The kinds of plans whose questions have both answers where the cues are alike."""

WHY_FEWER = (
    "in plans of the other kinds the names of the actions and the distance between them tell the "
    "answer, or no two steps are free of order"
)

UNHIDDEN: Mapping[str, str] = {
    "concurrency": "in plans so small the objects that two steps share and the actions between "
    "them tell whether they are free of order; ask it of routes, of recipes or of your own PDDL",
}
"""The analyses that plans of our kinds cannot be asked about without giving the answer away."""

_ORDERS = 1  # permitted orders of a plan that are asked about
_MOST = 60  # candidates of one order
_NEAR = 3  # steps between two that may be done at once, at most

_NO_DIGITS = {ord(digit): None for digit in "0123456789"}

Asked = dict[str, Any]


class _View:
    """A case in one of its orders, with what its cues are made of."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.flow = Flow(case.procedure)
        self.kind = str(case.source["kind"])
        actions = case.source["actions"]
        self.names = [_shape(action) for action in actions]
        self.objects = [_objects(action) for action in actions]
        self._mentioning: dict[str, list[int]] = {}

    def mentions(self, fact: str, low: int, high: int) -> int:
        """How many steps from ``low`` to before ``high`` name every object of a fact."""
        found = self._mentioning.get(fact)
        if found is None:
            wanted = _objects(fact)
            found = [k for k, held in enumerate(self.objects) if wanted <= held]
            self._mentioning[fact] = found
        return sum(low <= k < high for k in found)


def instances(name: str, case: Case, rng: Random) -> list[Instance]:
    """The questions of an analysis about a plan, in some of its permitted orders."""
    found = []
    for _ in range(_ORDERS):
        view = _View(reordered(case, rng))
        candidates = list(_CANDIDATES[name](view.flow))
        if len(candidates) > _MOST:
            candidates = rng.sample(candidates, _MOST)
        found += [_instance(name, view, asked) for asked in candidates]
    return found


def _instance(name: str, view: _View, asked: Asked) -> Instance:
    verdict = _verdict(name, view.flow, asked)
    question = {
        "kind": name,
        "i": asked.get("i"),
        "j": asked.get("j"),
        "fact": asked.get("fact"),
        "rules": view.case.source["rules"],
        "published": False,
    }
    if question["fact"] is not None:
        question["fact_text"] = fact_words(view.case, question["fact"])
    if "sanitizers" in asked:
        question["sanitizers"] = asked["sanitizers"]
    cues = () if name == INTERVALS else _cues(name, view, asked)
    return Instance(
        question,
        _answer(name, verdict),
        "",
        cues=cues,
        case=view.case,
        reasons=lambda: (in_words(view.case, verdict.why), verdict.witness),
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
    """The answer worked out again from a sample's metadata."""
    flow = Flow(Procedure.from_json(metadata["procedure"]))
    return _answer(name, _verdict(name, flow, _asked(metadata["question"])))


def _asked(question: Mapping[str, Any]) -> Asked:
    kept = ("i", "j", "fact", "sanitizers")
    return {key: question[key] for key in kept if question.get(key) is not None}


# Candidates -------------------------------------------------------------------------------------


def _definitions_and_steps(flow: Flow) -> Iterator[Asked]:
    """What a step makes true, and another step."""
    for i, step in enumerate(flow.steps):
        for fact in step.defines:
            for j in range(len(flow)):
                if j != i:
                    yield {"i": i, "j": j, "fact": fact}


def _definitions(flow: Flow) -> Iterator[Asked]:
    for i, step in enumerate(flow.steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _bounded(flow: Flow) -> Iterator[Asked]:
    for i in range(len(flow) if len(flow) > 1 else 0):
        yield {"i": i}


def _earlier_and_later(flow: Flow) -> Iterator[Asked]:
    for j in range(len(flow)):
        for i in range(j):
            yield {"i": i, "j": j}


def _pairs(flow: Flow) -> Iterator[Asked]:
    for i, j in permutations(range(len(flow)), 2):
        if abs(i - j) <= _NEAR:
            yield {"i": i, "j": j}


def _contaminations(flow: Flow) -> Iterator[Asked]:
    """A step whose effects cannot be trusted, a step that is checked, a later step."""
    for i, checked, j in combinations(range(len(flow)), 3):
        yield {"i": i, "j": j, "sanitizers": [checked]}


_CANDIDATES: Mapping[str, Callable[[Flow], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_steps,
    "very_busy_expressions": _definitions,
    "live_variables": _definitions,
    INTERVALS: _bounded,
    "type_state": _earlier_and_later,
    "taint": _contaminations,
    "concurrency": _pairs,
}


# Cues -------------------------------------------------------------------------------------------


def _cues(name: str, view: _View, asked: Asked) -> tuple[str | int, ...]:
    """What a shortcut could go by, the most telling first."""
    i, j, fact, number = asked["i"], asked.get("j"), asked.get("fact"), len(view.names)
    who = [view.kind, view.names[i]]
    if fact is not None:
        who.append(_shape(fact))
    if j is None:
        said = partial(view.mentions, str(fact))
        told = said(i + 1, number), said(i, i + 1), said(0, i)
        return f"{' '.join(who)} {i == number - 1}", number - i, *told, i, int(i == 0)
    who.append(view.names[j])
    low, high = min(i, j), max(i, j)
    shared = " ".join(sorted(map(_stem, view.objects[i] & view.objects[j])))
    pair, place = (" ".join(who), j - i, shared), (low, number - high, number)
    between = " ".join(sorted({name.partition("(")[0] for name in view.names[low + 1 : high]}))
    if fact is not None:
        said = partial(view.mentions, fact)
        there = said(j, j + 1), said(low + 1, high), said(i, i + 1), said(high + 1, number)
        return *pair, *there, between, *place, said(0, low)
    if "sanitizers" in asked:
        (k,) = asked["sanitizers"]
        with_i, with_j = (len(view.objects[k] & view.objects[each]) for each in (i, j))
        return *pair, view.names[k], k - i, with_i, with_j, between, *place
    if name == "type_state":
        return *pair, number - high, between, low, number
    return *pair, between, *place


def _shape(text: str) -> str:
    """An action or a fact without what tells its objects apart: ``on(d, peg)``."""
    return text.translate(_NO_DIGITS).replace("left)", "hand)").replace("right)", "hand)")


def _stem(word: str) -> str:
    """The kind of an object of ours, such as ``peg`` of ``peg2``."""
    return "hand" if word in ("left", "right") else word.translate(_NO_DIGITS)


def _objects(text: str) -> frozenset[str]:
    """The objects that an action or a fact names."""
    _, _, rest = text.rstrip(")").partition("(")
    return frozenset(rest.split(", ")) if rest else frozenset()
