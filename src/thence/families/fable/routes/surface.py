"""Shortcut answers about routes, from the words, without following the road."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.domains.routes.reading import read


def shortcut(analysis: str, steps: Sequence[str], question: Mapping[str, Any]) -> Any:
    """Return the answer suggested by the surface of a question.

    Args:
        analysis: its name.
        steps: their texts.
        question: as in the metadata; only its visible parts are used.
    """
    numbers = [question[key] for key in ("i", "j") if question.get(key) is not None]
    low, high = min(numbers), max(numbers)
    if analysis == "intervals":
        return times(steps, low, high)
    road = str(question.get("road", ""))
    if analysis == "concurrency":
        yes = _other_car(steps[low], steps[high]) and not _waits(steps, low, high)
    elif analysis == "type_state":
        yes = not _same_tank(steps[low], steps[high])
    elif len(numbers) == 1:
        yes = road in " ".join(steps[low + 1 :])  # a road that is named again later seems needed
    else:
        named = road in " ".join(steps[low + 1 : high])
        # a detour that names the closed road seems to go around it; a road named is kept to
        yes = not named if analysis == "taint" else named
    return "Yes" if yes else "No"


def times(steps: Sequence[str], i: int, j: int) -> list[int]:
    """Return the minimal and maximal total time stated in steps i to j, both included."""
    stated = [found for text in steps[i : j + 1] if (found := read(text).seconds)]
    return [sum(low for low, _ in stated), sum(high for _, high in stated)]


def _other_car(one: str, other: str) -> bool:
    return one.partition(":")[0] != other.partition(":")[0]


def _waits(steps: Sequence[str], i: int, j: int) -> bool:
    return any("Wait here" in text for text in steps[i : j + 1])


def _same_tank(one: str, other: str) -> bool:
    return any(f"{tank} tank" in one and f"{tank} tank" in other for tank in ("front", "rear"))
