"""Shortcut answers about plans, from the order of the steps and the names in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.families.fable.shared.analyses import INTERVALS


def surface_answer(analysis: str, metadata: Mapping[str, Any]) -> Any:
    """Return the answer of the heuristic baseline.

    For a fact and two steps: Yes if the second step is later. For a fact alone: Yes if a later step
    names all its objects. For two steps: whether they are neighbours (type-state), or name an
    object in common (taint, concurrency). For an interval: the neighbours of the step in question.
    """
    question, actions = metadata["question"], metadata["origin"]["actions"]
    i, j, fact = question["i"], question["j"], question["fact"]
    if analysis == INTERVALS:
        return {"after": i or None, "before": i + 2 if i + 2 <= len(actions) else None}
    if fact is not None and j is not None:
        yes = i < j
    elif fact is not None:
        yes = any(_objects(fact) <= _objects(action) for action in actions[i + 1 :])
    elif i is None or j is None:  # a published question about the whole plan
        yes = True
    else:
        shared = bool(_objects(actions[i]) & _objects(actions[j]))
        yes = {"type_state": abs(i - j) != 1, "taint": shared}.get(analysis, not shared)
    return "Yes" if yes else "No"


def _objects(text: str) -> set[str]:
    _, _, rest = text.rstrip(")").partition("(")
    return set(rest.split(", ")) if rest else set()
