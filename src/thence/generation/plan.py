"""What is to be generated: tasks, seed, size, parameters; and the slots of the samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from thence import families
from thence.core.parts import Condition
from thence.errors import ParameterError, UsageError


@dataclass(frozen=True)
class Plan:
    """What is to be generated.

    Attributes:
        tasks: full names, in the order of tables.
        seed: the user's.
        size: samples a task, spread evenly over its groups; None for the paper's set.
        limit: the first so many of each task; None for all.
        settings: values of the tasks' parameters by name; kept as texts.
        templates: the user's folder of templates, or None.
    """

    tasks: Sequence[str]
    seed: int = 0
    size: int | None = None
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    templates: Path | None = None

    def __post_init__(self) -> None:
        for name, value in (("size", self.size), ("limit", self.limit)):
            if value is not None and value < 1:
                raise ParameterError(name, value, "must be at least 1")
        generators = [families.task(name).generator for name in self.tasks]
        known = {each.name: each for held in generators for each in held.parameters}
        for name in self.settings:
            if name not in known:
                offered = ", ".join(sorted(known)) or "none"
                raise ParameterError(
                    name, None, f"no chosen task has such a parameter (they have: {offered})"
                )
        texts = {name: known[name].text(value) for name, value in self.settings.items()}
        object.__setattr__(self, "settings", texts)

    def to_json(self) -> dict[str, Any]:
        """What a manifest and a run's request hold of it."""
        return {
            "tasks": list(self.tasks),
            "seed": self.seed,
            "size": self.size,
            "limit": self.limit,
            "set": dict(self.settings),
        }


@dataclass(slots=True)  # not frozen: that makes making one four times as slow
class SampleSlot:
    """Where a sample stands: the index within its cell, before any redrawing."""

    task: str
    condition: Condition
    index: int


def places(plan: Plan) -> Iterator[SampleSlot]:
    """Every place of a plan, in the order of the file."""
    for name in plan.tasks:
        task = families.task(name)
        generator = task.generator
        values = generator.configure(plan.settings)
        if reason := generator.unavailable(values):
            if len(plan.tasks) == 1:
                raise UsageError(f"{name} is not offered: {reason}")
            continue
        conditions = generator.arrange(values, plan.size, plan.seed)
        every = (
            SampleSlot(name, each, index) for each in conditions for index in range(each.count)
        )
        yield from islice(every, plan.limit)
