"""Shortcut answers about written procedures, from the steps that are named and the next facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.runbooks.words import target
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.own_part import StepParts, own_part, with_parts
from thence.families.fable.shared.part_waits import part_waits

_FEW = 2  # steps that are told apart
_COMES_AFTER = re.compile(r"Comes after ([^.]*)\.")


def surface_answer(analysis: str, metadata: Mapping[str, Any]) -> Any:
    """Return the answer of the heuristic baseline.

    For a fact and two steps: Yes if the second step is listed later. For a fact alone: Yes if a
    later step needs it. For two steps: whether they share a fact, or are neighbours (type-state).
    For a time: the sum of the times that are listed up to the step.
    """
    question, steps = metadata["question"], metadata["procedure"]["steps"]
    i, j, fact = question["i"], question["j"], question["fact"]
    if analysis == INTERVALS:
        return added(steps[: j + 1])
    if fact is not None:
        later = any(fact in step["uses"] for step in steps[i + 1 :])
        return "Yes" if (later if j is None else i < j) else "No"
    shared = not _facts(steps[i]).isdisjoint(_facts(steps[j]))
    yes = {"type_state": abs(i - j) != 1, "taint": shared}.get(analysis, not shared)
    return "Yes" if yes else "No"


def _facts(step: Mapping[str, Any]) -> set[str]:
    return {*step["uses"], *step["kills"], *step["defines"]}


def added(steps: Any) -> dict[str, Any]:
    """Return the times of some steps, added up."""
    known = [step["seconds"] for step in steps if "seconds" in step]
    return target((sum(each[0] for each in known), sum(each[1] for each in known)))


def _until(shown: ShownQuestion) -> dict[str, Any] | None:
    return None if shown.j is None else added(shown.steps[: shown.j + 1])


def _whole(shown: ShownQuestion) -> dict[str, Any] | None:
    return added(shown.steps)


def _unconditional(shown: ShownQuestion) -> dict[str, Any] | None:
    if shown.j is None:
        return None
    return added([step for step in shown.steps[: shown.j + 1] if not step.get("when")])


SUMS = [
    Shortcut("times until j", "the times listed up to step j, added up", _until, guess=True),
    Shortcut("all times", "the times of all steps, added up", _whole, guess=True),
    Shortcut("sure times", "the same without steps that depend on an option", _unconditional,
             guess=True),
]  # fmt: skip
"""Guesses of the time until a step is done."""


def _person_and_words(text: str) -> tuple[str, str]:
    """Return who carries out a step, nobody where one person has all, and what it says."""
    return (text[:1], text[3:]) if text[1:3] == ": " else ("", text)


def _parts(shown: ShownQuestion) -> StepParts:
    """Return who carries out which step, and which steps are said to come after others."""
    owner = [_person_and_words(text)[0] for text in shown.texts]
    notes = enumerate(shown.values.get("notes") or ())
    told = [(place, _COMES_AFTER.search(note)) for place, note in notes]
    waits = [
        (int(first) - 1, place) for place, found in told if found
        for first in re.findall(r"\d+", found[1])
    ]  # fmt: skip
    return StepParts(owner, waits)


in_parts = with_parts(_parts)


def _list(shown: ShownQuestion) -> dict[str, Any]:
    """Return of which kind the list is, and how many of its steps touch the fact in some ways."""
    i, j, steps = shown.i, shown.j, shown.steps
    if i is None:
        return {}
    asked = in_parts(shown)
    roles = asked.does
    sure = [not step.get("when") for step in steps]
    others = [k for k in range(len(steps)) if k not in (i, j)]
    mistaken = any("mistakes" in each for each in shown.values.get("reading") or ())
    kind = (len(set(asked.owner)) > 1, mistaken)
    told: dict[str, Any] = {
        "list": kind,
        "said again": (kind, _again(shown, i)),
        "optional steps": (kind, _few(roles[k] and not sure[k] for k in others)),
        "sure users after": (kind, _few("uses" in roles[k] and sure[k] for k in others if k > i)),
        "changes": (kind, _few("kills" in roles[k] or "defines" in roles[k] for k in others)),
        "sure ends on the way": (
            kind,
            _few("kills" in roles[k] and sure[k] for k in shown.between),
        ),
    }
    if j is not None:
        told["j said again"] = (kind, _again(shown, j))
        given = set(steps[i]["defines"]) & set(steps[j]["uses"])
        makers = [k for k in others if k < j and not given.isdisjoint(steps[k]["defines"])]
        changed = [k for k in range(j) if k != i and roles[k] not in ("", "uses")]
        told["other makers"] = (
            kind,
            _few(sure[k] for k in makers),
            _few(not sure[k] for k in makers),
        )
        told["last change but i"] = (roles[changed[-1]], sure[changed[-1]]) if changed else None
    return told


def _again(shown: ShownQuestion, place: int) -> tuple[bool, bool]:
    """Return whether an earlier and a later step have the words of one, whoever does them."""
    words = [_person_and_words(text)[1] for text in shown.texts]
    return words[place] in words[:place], words[place] in words[place + 1 :]


def _few(found: Iterable[object]) -> int:
    return min(sum(1 for each in found if each), _FEW)


LISTS = group(
    _list,
    {
        "list": "kind of list: whether two people share it, and whether it has mistakes",
        "said again": "kind of list, and whether an earlier and a later step have the words of i",
        "j said again": "kind of list, and whether an earlier and a later step have the words of j",
        "optional steps": "kind of list, and the steps under an option that touch the fact",
        "sure users after": "kind of list, and the later steps that surely need the fact",
        "changes": "kind of list, and the other steps that end or make the fact",
        "sure ends on the way": "kind of list, and the steps between that surely end the fact",
        "other makers": "kind of list, and the steps before j that make what j needs of i: surely, "
        "or under an option",
        "last change but i": "what the last step before j but i does to the fact, and if surely",
    },
)
"""Shortcuts that go by the kind of the list, or by the steps that touch the fact in it."""


def _in_common(shown: ShownQuestion) -> bool | None:
    """Return whether the two steps asked about touch a fact in common."""
    if shown.i is None or shown.j is None:
        return None
    return not _facts(shown.steps[shown.i]).isdisjoint(_facts(shown.steps[shown.j]))


IN_COMMON = Shortcut("facts in common", "whether i and j touch a fact in common", _in_common)
"""A shortcut for questions whether two steps may be done at the same time."""

PEOPLE = [*own_part(in_parts), *part_waits(in_parts)]
"""Shortcuts that look at what the other person does, and at who comes after whom."""
