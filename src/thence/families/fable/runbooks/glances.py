"""Glances at written procedures: what clashes, who else provides or ends, and what comes next.

Each looks at steps, their conditions and the facts under them. None follows an order from step to
step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.runbooks.surface import in_parts
from thence.families.fable.shared.own_part import PartQuestion
from thence.families.fable.shared.shortcuts import conflict, exclude

_FEW = 2  # steps that are told apart
_FAR = 4  # links of the longest way that is looked for


def _beside(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    """Return whether two steps clash, and how many that are listed between clash with both."""
    one, other = asked.steps[i], asked.steps[j]
    low, high = sorted((i, j))
    both = (conflict(each, one) and conflict(each, other) for each in asked.steps[low + 1 : high])
    return {"clash": conflict(one, other), "clashes between": min(sum(both), _FEW)}


def _ends(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    """Return which steps that end the fact can be carried out with both of two steps, and where."""
    one, other = asked.steps[i], asked.steps[j]
    ending, changing = (
        [
            k for k in places
            if k not in (i, j)
            and not exclude(asked.steps[k], one) and not exclude(asked.steps[k], other)
        ]
        for places in (asked.ending, asked.changing)
    )  # fmt: skip
    never = exclude(one, other)
    before = [k for k in changing if k < j]
    return {
        "ends beside both": (min(len(ending), _FEW), never),
        "ends after i": (i < j, any(k > i for k in ending)),
        "changes beside both": (min(len(changing), _FEW), never),
        "last change before j": (
            never, i < j, bool(before) and (before[-1] > i, asked.sure(before[-1], i, j)),
        ),
    }  # fmt: skip


def _next(asked: PartQuestion, i: int) -> dict[str, Any]:
    """Return what the next step of each person with the fact does, and whether surely."""
    later = [k for k in asked.naming if k > i and not exclude(asked.steps[k], asked.steps[i])]
    own = next(iter(asked.own(later, i)), None)
    other = next((k for k in later if asked.owner[k] != asked.owner[i]), None)
    told = [None if k is None else (asked.does[k], asked.sure(k, i)) for k in (own, other)]
    sure = next((k for k in later if asked.sure(k, i)), None)
    waits = any(a >= i and asked.owner[a] == asked.owner[i] for a, _ in asked.waits)
    return {
        "next of each": tuple(told),
        "next sure": (len({*asked.owner}) > 1, None if sure is None else asked.does[sure]),
        "next of the other, and waits": (told[1], waits),
    }


def _makers(asked: PartQuestion, i: int, j: int) -> Iterator[tuple[bool, str]]:
    """Yield for each fact that j needs of i whether others surely provide it, and its last end."""
    steps, there = asked.steps, asked.steps[j]
    for fact in {*steps[i]["defines"], *steps[i]["kills"]} & {*there["uses"]}:
        others = [k for k in range(j) if k != i and fact in steps[k]["defines"]]
        taken = {tuple(each) for k in others for each in steps[k].get("when") or ()}
        several = len({choice for choice, _ in taken}) < len(taken)
        ends = [k for k in range(j) if k != i and fact in steps[k]["kills"]]
        again = bool(ends) and any(k > ends[-1] for k in others)
        last = "" if not ends else "again" if again else "sure" if asked.sure(ends[-1], j) else "if"
        yield several or any(asked.sure(k, j) for k in others), last


def _links(asked: PartQuestion, i: int, j: int, checked: Sequence[int]) -> int:
    """Return how many links lead from i to j past checked steps if nothing ends; 0 for too many."""
    reached, new = {i}, {i}
    for link in range(1, _FAR + 1):
        made = {fact for k in new for fact in asked.steps[k]["defines"]}
        users = {k for k, step in enumerate(asked.steps) if not made.isdisjoint(step["uses"])}
        if j in users:
            return link
        new = users - reached - {*checked}
        reached |= new
    return 0


def _ways(asked: PartQuestion, i: int, j: int, shown: ShownQuestion) -> dict[str, Any]:
    """Return how far step j is from step i, and whether the list has mistakes."""
    links = _links(asked, i, j, shown.values.get("sanitizers") or ())
    mistaken = any("mistakes" in each for each in shown.values.get("reading") or ())
    return {"ways": links, "ways, and mistakes": (mistaken, links)}


def _look(shown: ShownQuestion) -> dict[str, Any]:
    asked, analysis = in_parts(shown), shown.values.get("kind")
    i, j = asked.i, asked.j
    if i is None:
        return {}
    if j is None:
        return _next(asked, i)
    if analysis == "concurrency":
        return _beside(asked, i, j)
    if analysis == "taint":
        return _ways(asked, i, j, shown)
    if analysis != "type_state":
        return _ends(asked, i, j)
    makers = sorted(_makers(asked, i, j))
    return {
        **_ends(asked, i, j),
        "others provide it": tuple(surely for surely, _ in makers),
        "others provide it, and ends": tuple(makers),
    }


_GLANCES = group(
    _look,
    {
        "clash": "one step ends what the other needs or provides, or provides what it needs",
        "clashes between": "how many steps listed between clash with both",
        "ends beside both": "steps that end the fact and can be carried out with both",
        "ends after i": "whether j is listed later, and such a step after i",
        "changes beside both": "steps that end or provide the fact and can be done with both",
        "last change before j": "whether the last such step before j comes after i, and whether it "
        "is always carried out with both",
        "next of each": "what the next step of each person with the fact does, and whether surely",
        "next sure": "what the next step with the fact does that is always carried out",
        "next of the other, and waits": "what the other person does with the fact next, and "
        "whether anyone waits for i's person from i on",
        "others provide it": "whether another step before j surely provides what j needs of i, or "
        "several do under the options of a choice",
        "others provide it, and ends": "the same, with the last end before j",
        "ways": "links from i to j by what steps need and provide, past the checked step",
        "ways, and mistakes": "the same, with whether the list has mistakes",
    },
)
_OF: Mapping[str, Sequence[str]] = {
    "concurrency": ("clash", "clashes between"),
    "reaching_definitions": ("changes beside both", "last change before j"),
    "available_expressions": ("ends beside both", "ends after i"),
    "live_variables": ("next of each", "next sure", "next of the other, and waits"),
    "very_busy_expressions": ("next of each", "next sure", "next of the other, and waits"),
    "type_state": ("others provide it", "others provide it, and ends", "last change before j"),
    "taint": ("ways", "ways, and mistakes"),
}


def glances(analysis: str) -> list[Shortcut]:
    """Return the glances that tell of an analysis."""
    return [each for each in _GLANCES if each.name in _OF.get(analysis, ())]
