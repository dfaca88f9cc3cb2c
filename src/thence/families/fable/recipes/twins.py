"""Questions that are Yes of one twin of a woven recipe and No of the other, in the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from thence.dataflow import Flow, Verdict, analysis
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM, Lowered, raw
from thence.families.fable.recipes.kitchen import Kitchen, bare
from thence.families.fable.recipes.question_base import instance, undone
from thence.families.fable.recipes.weaving import KINDS, Twins, weave
from thence.families.fable.shared.domain import Case, Instance

_ABOUT_THINGS = ("taint", "concurrency")  # what is asked about no ingredient in any form
_GERMS = "harmful bacteria"
_TRIES = 3  # weavings of one recipe
_DEEP = 0.75  # chance that what goes into mixtures is asked about, where there is a choice
_OFTEN = {
    ("taint", "fill"): 0,  # nothing comes in with a bowl
    ("reaching_definitions", "steep"): 3,  # what is in a mixture ends only where it is strained out
    ("reaching_definitions", "spoon"): 0,
}

type Asked = dict[str, Any]


class _Side:
    """One of the twins, ready to be asked about; what a question does not need is not made."""

    def __init__(self, lowered: Lowered, added: Sequence[int]) -> None:
        self.lowered = lowered
        self.source = {"added": list(added)}
        self.steps = lowered.procedure.steps

    @cached_property
    def flow(self) -> Flow:
        """Of all its facts."""
        return Flow(self.lowered.procedure)

    @cached_property
    def bare(self) -> Flow:
        """Of its facts about things alone."""
        return Flow(bare(self.lowered.procedure))

    @cached_property
    def raw(self) -> Sequence[Mapping[str, frozenset[str]]]:
        """For each step: thing -> ingredients in it that no heat has made safe."""
        return raw(self.lowered.traces)

    def shown(self, name: str) -> Case:
        """As a prompt shows it."""
        flow = self.bare if name in _ABOUT_THINGS else self.flow
        return Case(flow.procedure, self.source)


def twin_instances(name: str, case: Kitchen, rng: Random) -> Sequence[Instance]:
    """One question about twins of a recipe that is Yes of one and No of the other; none for none.

    Which of the questions there are is taken by chance, and the same words are asked of both, so
    that a cue has the same distribution for either answer.
    """
    kinds = {kind: weight * _OFTEN.get((name, kind), 1) for kind, weight in KINDS.items()}
    for _ in range(_TRIES):
        twins = None if case.recipe is None else weave(case.recipe, rng, kinds)
        if twins is not None and (found := _differing(name, twins, rng)):
            return found
    return []


def _differing(name: str, twins: Twins, rng: Random) -> list[Instance]:
    """A question of which the twins give different answers, asked of both."""
    sides = [_Side(each, twins.added) for each in twins.pair]
    asked = list(_CANDIDATES[name](twins, sides[0]))
    rng.shuffle(asked)
    if rng.random() < _DEEP:
        asked.sort(key=lambda each: _depth(each, twins))
    for each in asked:
        first, second = (_verdict(name, side, each) for side in sides)
        if first is None or second is None or bool(first.answer) == bool(second.answer):
            continue
        pair = (rng.getrandbits(32),)  # no question of other twins is matched with these
        if twins.kind == "fill" and name not in _ABOUT_THINGS:
            each["vessel"] = True
        return [
            instance(name, verdict, case=side.shown(name), cues=pair, **each)
            for verdict, side in zip((first, second), sides, strict=True)
        ]
    return []


def _depth(asked: Asked, twins: Twins) -> int:
    """Least where a question is about what the recipe had, then what is followed into mixtures."""
    if asked.get("made", asked["i"]) not in twins.added:
        return 0
    return 1 if (asked["fact"] or "").endswith(IN_ANY_FORM) else 2


# What can be asked ------------------------------------------------------------------------------


def _others(twins: Twins, side: _Side) -> list[int]:
    """The steps that both twins have."""
    return [k for k in range(len(side.steps)) if k not in twins.stirred]


def _definitions_and_steps(twins: Twins, side: _Side) -> Iterator[Asked]:
    for i in twins.ready:
        for fact in side.steps[i].defines:
            if fact.endswith(IN_ANY_FORM) and twins.kind != "steep":
                continue  # it is nowhere thrown away, whatever it goes into
            for j in _others(twins, side):
                if j > i:
                    yield {"i": i, "j": j, "fact": fact}


def _brought_and_steps(twins: Twins, side: _Side) -> Iterator[Asked]:
    """An ingredient has come in by a step in every order only where the step needs it."""
    for i in twins.ready:
        for fact in side.steps[i].defines:
            if fact.endswith(IN_ANY_FORM):
                yield from ({"i": i, "j": j, "fact": fact} for j in _others(twins, side) if j > i)


def _needs(twins: Twins, side: _Side) -> Iterator[Asked]:
    for made in twins.ready:
        for fact in side.steps[made].defines:
            for i in _others(twins, side):
                if made < i < len(side.steps) - 1:
                    yield {"i": i, "j": None, "fact": fact, "made": made}


def _left_out(twins: Twins, side: _Side) -> Iterator[Asked]:
    for i in twins.ready:
        for j in _others(twins, side):
            if j > i:
                yield {"i": i, "j": j, "fact": None}


def _pairs(twins: Twins, side: _Side) -> Iterator[Asked]:
    both = _others(twins, side)
    return ({"i": i, "j": j, "fact": None} for i in both for j in both if i < j)


def _contaminations(twins: Twins, side: _Side) -> Iterator[Asked]:
    heats = [k for k, each in enumerate(side.lowered.traces) if each.heats]
    for i in twins.ready:
        trace = side.lowered.traces[i]
        holding = trace.defines[0] if len(trace.defines) == 1 else ""
        for name in trace.brings if holding else ():
            for j in _others(twins, side):
                if j > i:
                    yield {
                        "i": i,
                        "j": j,
                        "fact": holding,
                        "ingredient": name,
                        "hazard": hazard(name) or _GERMS,
                        "sanitizers": [k for k in heats if k != i],
                    }


_CANDIDATES: dict[str, Callable[[Twins, _Side], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _brought_and_steps,
    "live_variables": _needs,
    "very_busy_expressions": _needs,
    "type_state": _left_out,
    "concurrency": _pairs,
    "taint": _contaminations,
}


# What is true -----------------------------------------------------------------------------------


def _verdict(name: str, side: _Side, asked: Asked) -> Verdict | None:
    """The answer; None where a reader may take the question in another way that changes it."""
    i, j, fact = asked["i"], asked["j"], asked["fact"]
    decide = analysis(name).decide
    if name == "concurrency":
        return decide(side.bare, i=i, j=j)
    if name == "taint":
        verdict = decide(side.bare, i=i, j=j, fact=fact, sanitizers=asked["sanitizers"])
        held = side.raw[j - 1]
        reaches = any(asked["ingredient"] in held.get(x, ()) for x in side.bare.steps[j].uses)
        return verdict if bool(verdict.answer) == reaches else None
    if name == "type_state":
        verdict = decide(side.flow, i=i, j=j)
        return verdict if bool(verdict.answer) == (j not in undone(side.steps, i)) else None
    if "made" in asked:
        verdict = decide(side.flow, i=i, fact=fact)
        return verdict if _is_plain(name, side.flow, asked, bool(verdict.answer)) else None
    return decide(side.flow, i=i, j=j, fact=fact)


def _is_plain(name: str, ready: Flow, asked: Asked, answer: bool) -> bool:
    """Whether the answer stays where the step that makes the fact may come after the asked one.

    Its making would then count as a redefinition, which is not what a reader would think of.
    """
    i, made = asked["i"], asked["made"]
    if answer or ready.precedes(made, i):
        return True
    users = [k for k, step in enumerate(ready.steps) if asked["fact"] in step.uses and k != i]
    if name == "very_busy_expressions":
        return not any(ready.precedes(i, user) for user in users)
    return all(ready.precedes(user, i) for user in users)
