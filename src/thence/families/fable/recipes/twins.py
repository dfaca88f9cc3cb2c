"""Questions with the same words about twins of a woven recipe, Yes for one and No for the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from thence.dataflow import Flow, Verdict, analysis
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM, LoweredRecipe, raw
from thence.families.fable.recipes.kitchen import Kitchen, bare
from thence.families.fable.recipes.question_base import instance, undone
from thence.families.fable.recipes.weaving import KINDS, Twins, weave
from thence.families.fable.shared.domain import Case, Instance

_ABOUT_THINGS = ("taint", "concurrency")  # analyses without facts about ingredients
_GERMS = "harmful bacteria"
_TRIES = 3  # weavings of one recipe
_DEEP = 0.75  # probability of a question about mixtures, if there is a choice
_OFTEN = {
    ("taint", "fill"): 0,  # nothing comes in with a bowl
    ("reaching_definitions", "steep"): 3,  # only straining kills it in a mixture
    ("reaching_definitions", "spoon"): 0,
}

type Asked = dict[str, Any]


class _Side:
    """One of the twins; the parts for its questions are computed on demand."""

    def __init__(self, lowered: LoweredRecipe, added: Sequence[int]) -> None:
        self.lowered = lowered
        self.source = {"added": list(added)}
        self.steps = lowered.procedure.steps

    @cached_property
    def flow(self) -> Flow:
        """Flow of all its facts."""
        return Flow(self.lowered.procedure)

    @cached_property
    def bare(self) -> Flow:
        """Flow of its facts about things alone."""
        return Flow(bare(self.lowered.procedure))

    @cached_property
    def raw(self) -> Sequence[Mapping[str, frozenset[str]]]:
        """For each step: thing -> its ingredients that are still unsafe raw."""
        return raw(self.lowered.traces)

    def shown(self, name: str) -> Case:
        """Return the case for the prompt of an analysis."""
        flow = self.bare if name in _ABOUT_THINGS else self.flow
        return Case(flow.procedure, self.source)


def twin_instances(name: str, case: Kitchen, rng: Random) -> Sequence[Instance]:
    """Return one question about twins of a recipe, Yes for one and No for the other; else none.

    The question is chosen at random and asked in the same words of both twins, so that each cue has
    the same distribution for either answer.
    """
    kinds = {kind: weight * _OFTEN.get((name, kind), 1) for kind, weight in KINDS.items()}
    for _ in range(_TRIES):
        twins = None if case.recipe is None else weave(case.recipe, rng, kinds)
        if twins is not None and (found := _differing(name, twins, rng)):
            return found
    return []


def _differing(name: str, twins: Twins, rng: Random) -> list[Instance]:
    """Return one question for both twins, to which their answers differ."""
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
    """Return a sort key: first facts of the original recipe, then facts followed into mixtures."""
    if asked.get("made", asked["i"]) not in twins.added:
        return 0
    return 1 if (asked["fact"] or "").endswith(IN_ANY_FORM) else 2


# What can be asked ------------------------------------------------------------------------------


def _others(twins: Twins, side: _Side) -> list[int]:
    """Return the steps that both twins have."""
    return [k for k in range(len(side.steps)) if k not in twins.stirred]


def _definitions_and_steps(twins: Twins, side: _Side) -> Iterator[Asked]:
    for i in twins.ready:
        for fact in side.steps[i].defines:
            if fact.endswith(IN_ANY_FORM) and twins.kind != "steep":
                continue  # no step throws it away, in any mixture
            for j in _others(twins, side):
                if j > i:
                    yield {"i": i, "j": j, "fact": fact}


def _brought_and_steps(twins: Twins, side: _Side) -> Iterator[Asked]:
    """Yield pairs of an added ingredient and a later step.

    An ingredient is available at a step in every order only if the step depends on it.
    """
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
    """Return the answer; None if another reading of the question changes it."""
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
    """Return whether the answer also holds if the definition may follow the step in question.

    That definition would then count as a redefinition, which is not a reader's understanding.
    """
    i, made = asked["i"], asked["made"]
    if answer or ready.precedes(made, i):
        return True
    users = [k for k, step in enumerate(ready.steps) if asked["fact"] in step.uses and k != i]
    if name == "very_busy_expressions":
        return not any(ready.precedes(i, user) for user in users)
    return all(ready.precedes(user, i) for user in users)
