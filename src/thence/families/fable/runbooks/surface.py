"""Shortcut answers about written procedures, from the steps that are named and the next facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion
from thence.families.fable.runbooks.words import time
from thence.families.fable.shared.analyses import INTERVALS


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
    low, high = sum(each[0] for each in known), sum(each[1] for each in known)
    text = time((low, high))
    return {
        "text": text,
        "low": round(low / 60, 2),
        "high": round(high / 60, 2),
        "unit": "minutes",
    }


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
