"""Shortcut answers about routes and trips, from the words, without following anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from thence.core.procedure import Pair
from thence.domains.routes.reading import read

_THING = re.compile(
    r"tank|cistern|gate|board|job list|day ticket|trailer|\bkey\b|\w+ crate|(?<= is on ).+"
)
_AWAITED = re.compile(r" has done step (\d+)\.\Z")


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
        first = question["i"] if question["i"] is not None else -1
        return times(steps, first + 1, question["j"])
    inside = " ".join(steps[low + 1 : high] if len(numbers) > 1 else steps[low + 1 :])
    if analysis == "concurrency":
        yes = _vehicle(steps[low]) != _vehicle(steps[high]) and "Wait " not in inside
    elif analysis == "type_state":
        yes = thing(steps[low]) != thing(steps[high]) or thing(steps[high]) in inside
    elif analysis == "taint":
        yes = thing(steps[low]) == thing(steps[high])
    else:  # what is named again later seems needed, and what is not named between seems to last
        named = str(question.get("road") or thing(str(question.get("fact")))) in inside
        carried = question.get("form") == "sound" and len(numbers) > 1
        yes = named is not carried
    return "Yes" if yes else "No"


def thing(text: str) -> str:
    """Return the thing that a step or a fact names; nothing where it names none."""
    found = _THING.search(text)
    return found[0] if found else ""


def times(steps: Sequence[str], i: int, j: int) -> list[int]:
    """Return the minimal and maximal total time stated in steps i to j, both included."""
    stated = [found for text in steps[i : j + 1] if (found := _seconds(text))]
    return [sum(low for low, _ in stated), sum(high for _, high in stated)]


@lru_cache(1 << 12)
def _seconds(text: str) -> tuple[int, int] | None:
    """Return the time stated in a step, of which many questions have the same."""
    return read(text).seconds


def _vehicle(text: str) -> str:
    return text.partition(":")[0]


def waits(texts: Iterable[str]) -> list[Pair]:
    """Return the steps that a vehicle waits for, and those in which it does."""
    found = ((_AWAITED.search(text), place) for place, text in enumerate(texts))
    return [(int(awaited[1]) - 1, place) for awaited, place in found if awaited]
