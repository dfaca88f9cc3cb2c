"""A procedure: a goal, steps and a partial order; each step uses, defines and kills facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and what it does to facts.

    Attributes:
        text: as a reader sees it.
        uses: facts that must hold before it.
        defines: facts that hold after it.
        kills: facts that no longer hold after it.
        seconds: shortest and longest duration, where known.
    """

    text: str
    uses: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    kills: tuple[str, ...] = ()
    seconds: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that stands in a sample's metadata."""
        row: dict[str, Any] = {
            "text": self.text,
            "uses": list(self.uses),
            "defines": list(self.defines),
            "kills": list(self.kills),
        }
        if self.seconds is not None:
            row["seconds"] = list(self.seconds)
        return row


@dataclass(frozen=True, slots=True)
class Procedure:
    """A goal, steps and their order.

    Attributes:
        goal: what the steps are for.
        steps: in the order of the text.
        order: pairs (i, j), 0-based: step i comes before step j; transitively reduced.
    """

    goal: str
    steps: tuple[Step, ...]
    order: tuple[Pair, ...] = ()

    @classmethod
    def total(cls, goal: str, steps: Sequence[Step]) -> Procedure:
        """Steps that are done in the order in which they stand."""
        return cls(goal, tuple(steps), tuple((i, i + 1) for i in range(len(steps) - 1)))

    def to_json(self) -> dict[str, Any]:
        """As ``metadata.procedure`` holds it."""
        return {
            "goal": self.goal,
            "steps": [step.to_json() for step in self.steps],
            "order": [list(pair) for pair in self.order],
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Procedure:
        """The procedure of such an object.

        Raises:
            LookupError, TypeError, ValueError: it is not one.
        """
        steps = tuple(
            Step(
                str(step["text"]),
                tuple(step.get("uses", ())),
                tuple(step.get("defines", ())),
                tuple(step.get("kills", ())),
                (float(step["seconds"][0]), float(step["seconds"][1]))
                if "seconds" in step
                else None,
            )
            for step in row["steps"]
        )
        order = tuple((int(i), int(j)) for i, j in row.get("order", ()))
        if any(not (0 <= i < len(steps) and 0 <= j < len(steps)) for i, j in order):
            raise ValueError("the order names a step that the procedure does not have")
        return cls(str(row["goal"]), steps, order)
