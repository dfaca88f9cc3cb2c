"""Difficulty beside the length: the size of states, of rules, of alphabets and of lists.

A knob that is not set leaves every question as it is; one that is set enters the question's
parameters, so that its tables tell it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thence.core.parameters import Parameter, Whole, one_of

LARGEST = 2000  # of a knob
MOST_TOKENS = 100_000  # of an answer, in estimates from its characters
CHARACTERS_PER_TOKEN = 4
SURE = 60  # steps up to which the answer of every task is short enough, without knobs

NAMES = ("state", "piece", "items", "rules", "alphabet")
"""Knobs in the order of tables."""

FORCE = Parameter(
    "force",
    "no",
    f"yes: also lengths whose answers take more than {MOST_TOKENS:,} tokens",
    one_of("no", "yes"),
)


@dataclass(frozen=True, slots=True)
class Knob:
    """Parser of a whole number, or of nothing, which leaves a knob as it is."""

    def __call__(self, text: str) -> int | None:
        """Return the number, or None."""
        return Whole(1, LARGEST)(text) if text else None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values."""
        return {"type": ["integer", "null"], "minimum": 1, "maximum": LARGEST}


def parameters(knobs: Sequence[tuple[str, str]]) -> list[Parameter]:
    """Return the parameters of a task's knobs, which are given with their meanings."""
    return [Parameter(name, "", f"{meaning}; drawn if not given", Knob())
            for name, meaning in knobs]  # fmt: skip


def given(names: Iterable[str], values: Mapping[str, Any]) -> dict[str, int]:
    """Return the knobs that have a value."""
    return {name: values[name] for name in names if values.get(name) is not None}
