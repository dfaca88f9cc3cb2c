"""Times of an extended recipe: how long it takes until a step is done, over all options.

Each step begins as soon as all steps that it must wait for are done. A step takes the times that it
states, one after the other, and none where it states none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, NamedTuple

from thence.core.amounts import temperatures, times
from thence.core.graph import members
from thence.core.procedure import Procedure, Step
from thence.core.sentence_parts import listed
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.worlds import deciding_options, with_steps, worlds_by_options
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes.intervals import (
    amount,
    is_whole,
    measured,
    minutes,
    target,
)
from thence.families.fable.recipes.kitchen import named, thing
from thence.families.fable.recipes.question_base import plural
from thence.families.fable.shared.domain import Instance, Quota
from thence.families.fable.shared.traits import KnownTraits

COMPUTED = "computed"
"""What at least half of the questions have: they are not read off, nor added up as listed."""

_OPEN = re.compile(r"\b(?:at least|at most|up to|less than|more than) (?:about )?$")
_NIGHT = re.compile(r"\bovernight\b", re.IGNORECASE)  # which is no number of minutes
_ENDS = {"until": (0, 1), "least": (0, 0), "most": (1, 1)}  # asked for: the least, the greatest

STATED = ("time", "temperature", "quantity")
"""What a step states by itself."""

Span = tuple[float, float]

_AGAIN = re.compile(r", as in Step (\d+)\b")
_NO_TIME: Span = (0.0, 0.0)


class TimedPath(NamedTuple):
    """Time and the steps that it is made up of."""

    minutes: float
    steps: tuple[int, ...]


type _Way = tuple[Mapping[str, str], TimedPath, TimedPath]
"""Options, and the least and the most time with them."""


class Times(NamedTuple):
    """The least and the most time over all options.

    Attributes:
        least: the path of the least.
        most: the path of the most.
        under: for each combination of options these, and the least and the most minutes.
    """

    least: TimedPath
    most: TimedPath
    under: Sequence[tuple[Mapping[str, str], Span]]


def spans(steps: Sequence[Step]) -> list[Span | None]:
    """Return the least and the most minutes of each step; None where they are not clear."""
    return spans_of([step.text for step in steps])


def spans_of(texts: Sequence[str]) -> list[Span | None]:
    """Return the least and the most minutes that each text states; None where not clear.

    Args:
        texts: of all steps of a recipe, so that "as in Step 4" is found, or of some of them.
    """
    found = [_span(text) for text in texts]
    for k, text in enumerate(texts):
        model = _AGAIN.search(text)
        if model and found[k] == _NO_TIME:
            again = int(model[1]) - 1
            if again >= len(found) or found[again] != _NO_TIME:
                found[k] = None  # whether it takes as long again is open
    return found


@lru_cache(1 << 13)
def _span(text: str) -> Span | None:
    found = times(text)
    if _NIGHT.search(text):
        return None
    if not found:
        return _NO_TIME
    if not is_whole(text) or any(_OPEN.search(text[: each.start]) for each in found):
        return None
    parts = [target(each) for each in found]
    if any(each["unit"] != "minutes" for each in parts):
        parts = [_in_minutes(each) for each in parts]
    return sum(each["low"] for each in parts), sum(each["high"] for each in parts)


_MINUTES = {"seconds": 1 / 60, "minutes": 1.0, "hours": 60.0, "days": 1440.0, "weeks": 10080.0}


def _in_minutes(amount: Mapping[str, Any]) -> dict[str, Any]:
    scale = _MINUTES[amount["unit"]]
    return {"low": amount["low"] * scale, "high": amount["high"] * scale}


def longest(world: Flow, j: int, known: Sequence[Span | None], end: int) -> TimedPath | None:
    """Return the longest path to the end of a step; None where a time on the way is not clear."""
    found: dict[int, TimedPath] = {}
    for k in world.in_order(members(world.ancestors[j] | 1 << j)):
        span = (0.0, 0.0) if world.is_left_out(k) else known[k]
        if span is None:
            return None
        before = [found[each] for each in world.graph.predecessors[k]]
        best = max(before, key=lambda path: path.minutes, default=TimedPath(0.0, ()))
        found[k] = TimedPath(
            best.minutes + span[end], (*best.steps, k) if span[end] else best.steps
        )
    return found[j]


@cached
def _until(flow: Flow, j: int) -> Times | None:
    """Return the least and the most time until a step is done."""
    known = spans(flow.steps)
    ways: list[_Way] = []
    for options, world in worlds_by_options(flow):
        if world.is_left_out(j):
            continue
        low, high = (longest(world, j, known, end) for end in (0, 1))
        if low is None or high is None:
            return None
        ways.append((options, low, high))
    return _times(ways)


def _times(ways: Sequence[_Way]) -> Times:
    """Return the least and the most of what it takes with each of some options."""
    under = [(options, (low.minutes, high.minutes)) for options, low, high in ways]
    least = min((low for _, low, _ in ways), key=lambda path: path.minutes)
    most = max((high for _, _, high in ways), key=lambda path: path.minutes)
    return Times(least, most, under)


def _through(flow: Flow, i: int, fact: str) -> Times | None:
    """Return the times of the steps after one that work with an ingredient, added up."""
    known = spans(flow.steps)
    sums: list[_Way] = []
    for options, world in worlds_by_options(flow):
        if world.is_left_out(i):
            continue
        if len(world.steps_with(Role.DEFINE, fact)) > 1:
            return None  # whether what comes in anew counts is open
        users = [
            k for k, step in enumerate(world.steps) if fact in step.uses and world.precedes(i, k)
        ]
        told = [(k, known[k]) for k in users if not world.is_left_out(k)]
        clear = [(k, span) for k, span in told if span is not None]
        if len(clear) < len(told):
            return None
        low, high = (
            TimedPath(
                sum(span[end] for _, span in clear), tuple(k for k, span in clear if span[end])
            )
            for end in (0, 1)
        )
        sums.append((options, low, high))
    return _times(sums)


def candidates(flow: Flow, lost: AbstractSet[str] = frozenset()) -> Iterator[dict[str, Any]]:
    """Yield what can be asked about the times, temperatures and amounts of a recipe.

    Args:
        flow: of the recipe.
        lost: facts about ingredients of which a step may take some away with a liquid.
    """
    for k, step in enumerate(flow.steps):
        for what in ("until", "least", "most"):
            yield {"what": what, "i": k, "j": None}
        if not step.when:
            for what in STATED:
                yield {"what": what, "i": k, "j": None}
        for fact in step.defines:
            if fact.endswith(IN_ANY_FORM) and fact not in lost:
                yield {"what": "through", "i": k, "j": None, "fact": fact}


def question(
    flow: Flow,
    asked: Mapping[str, Any],
    told: Mapping[str, Any],
    conditions: Mapping[str, str] | None = None,
) -> Instance | None:
    """Return a question with its answer; None where it has none that is clear.

    Args:
        flow: of the recipe.
        asked: what is asked.
        told: further values of the question.
        conditions: a choice and an option, parted by a line break -> the condition in words.
    """
    what, i = asked["what"], asked["i"]
    base = {"kind": "intervals", "j": None, "fact": None, "rule": "sound", **told, **asked}
    if what in STATED:
        return _stated(flow, base)
    found = _through(flow, i, asked["fact"]) if what == "through" else _until(flow, i)
    if found is None or not found.most.minutes:
        return None
    least, most = found.least, found.most
    needed = sorted(_needs(flow, asked, found))
    if what == "through":
        fact = asked["fact"]
        base |= {"thing": thing(fact), "many": plural(fact)}
        if len(most.steps) < 2 or not needed:
            return None
        reason = "sum_under_options" if "first_option" in needed else "sum_of_steps"
    else:
        low, high = _ENDS[what]
        both = found.least, found.most
        least, most = both[low], both[high]
        if not most.minutes or not needed:
            return None
        reason = "longest_path_under_options" if "first_option" in needed else "longest_path"
    depth = max(len(least.steps), len(most.steps), 1)
    if what not in ("least", "most") and least.minutes == most.minutes:
        why = _told("It", most, 1, flow)
    else:
        ends = [("least", least, 0), ("most", most, 1)]
        if what in ("least", "most"):
            ends = [(what, most, _ENDS[what][0])]
        why = " ".join(
            _told(f"The {name}{_where(found.under, path, end, conditions or {})}", path, end, flow)
            for name, path, end in ends
        )
    answer = amount(least.minutes, most.minutes)
    return Instance(
        base,
        answer,
        why,
        {"least": list(least.steps), "most": list(most.steps)},
        (what, answer["text"]),
        traits=KnownTraits(depth, reason, frozenset(needed)),
        quotas=frozenset({Quota(COMPUTED)}),
    )


def _stated(flow: Flow, base: dict[str, Any]) -> Instance | None:
    """Return a question about what a step states."""
    what, text = base["what"], flow.steps[base["i"]].text
    if what == "quantity":
        objects = dict(measured(text))
        if not objects:
            return None
        base["of"] = min(objects)
        found = objects[base["of"]]
    else:
        spans_ = times(text) if what == "time" else temperatures(text)
        if len(spans_) != 1 or (what == "time" and _span(text) is None):
            return None
        found = spans_[0]
    answer = target(found)
    return Instance(
        base,
        answer,
        f"Step {base['i'] + 1} says it.",
        cues=(what, str(answer["text"])),
        traits=KnownTraits(1, "stated"),
    )


def _needs(flow: Flow, asked: Mapping[str, Any], found: Times) -> Iterator[str]:
    """Yield the names of the strategies that get another time."""
    answer = (found.least.minutes, found.most.minutes)
    known, i = spans(flow.steps), asked["i"]
    if asked["what"] == "through":
        fact = asked["fact"]
        named_ = [k for k in range(i + 1, len(flow)) if named(fact, flow.steps[k].text)]
        if added(known, named_) != answer:
            yield "direct_links"
        used = [k for k in range(i + 1, len(flow)) if fact in flow.steps[k].uses]
        if added(known, used) != answer:
            yield "first_option"
        if added(known, range(i + 1, len(flow))) != answer:
            yield "order_ignored"
        return
    if added(known, range(i + 1)) != answer:
        yield "listed_order"
    if added(known, [i]) != answer:  # it waits for no step
        yield from ("direct_links", "order_ignored")
    first = next(iter(with_steps(flow, i)))
    if any(path != time for path, time in zip(_ways(first, i, known), answer, strict=True)):
        yield "first_option"


def _ways(world: Flow, j: int, known: Sequence[Span | None]) -> tuple[float, ...]:
    found = (longest(world, j, known, end) for end in (0, 1))
    return tuple(path.minutes if path else -1.0 for path in found)


def added(known: Sequence[Span | None], steps: Sequence[int]) -> Span:
    """Return the clear times of some steps, added up."""
    held = [span for k in steps if (span := known[k]) is not None]
    return sum(low for low, _ in held), sum(high for _, high in held)


def _told(begin: str, path: TimedPath, end: int, flow: Flow) -> str:
    """Return which steps a time is made up of, after words for the time."""
    known = spans(flow.steps)
    parts = [f"{span[end]:g} (step {k + 1})" for k in path.steps if (span := known[k])]
    said = f"{begin} is {minutes(path.minutes)}"
    return (
        f"{said}: {' + '.join(parts)}." if parts else f"{said}, as no step that counts takes any."
    )


def _where(
    under: Sequence[tuple[Mapping[str, str], Span]],
    path: TimedPath,
    end: int,
    conditions: Mapping[str, str],
) -> str:
    """Return in words the options with which it takes just that long; "" where all do."""
    kept = deciding_options([(options, span[end]) for options, span in under], path.minutes)
    said = [conditions.get("\n".join(each), " is ".join(each)) for each in kept.items()]
    return f", where {listed(said)}," if said else ""


def recompute(procedure: Procedure, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Recompute the target of a question from the procedure.

    Raises:
        LookupError, ValueError: the procedure does not allow this question.
    """
    found = question(Flow(procedure), {k: asked.get(k) for k in _PARTS}, {})
    if found is None:
        raise ValueError("the recipe states no such time clearly")
    answer: dict[str, Any] = found.answer
    return answer


_PARTS = ("what", "i", "j", "fact")
