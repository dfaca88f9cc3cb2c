"""The scored responses of one run or file, with facts about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from thence.core.failures import FAILURES, MISSING

if TYPE_CHECKING:
    import polars

    from thence.core.score_frame import ScoreFrame

CORRECTED = "corrected"
"""The metric in which answers that people judged to be right count as right."""


@dataclass(eq=False)
class Results:
    """The scored responses of one run or file.

    Attributes:
        model: ``PROVIDER/NAME``; empty for imported replies.
        source: the directory or file that was scored.
        frames: the responses to each task in columns, of all turns.
        turns: turns of the protocol, at least 1.
        missing: number of samples or epochs without a response.
        accepted: whether provider errors were accepted.
        reduced: how epochs were reduced.
        notes: remarks that belong under any table, such as the rule for ties.
        skipped: one line for each part of the source that could not be read.
        protocol: name of the protocol; empty where it is not known.
        settings: values of the protocol's parameters that were given, by name.
        replies: number of replies by kind of failure or by outcome, of all epochs and turns, before
            any vote.
        marks: the best shortcut of tasks by full name, where it was measured on their questions.
    """

    model: str = ""
    source: str = ""
    frames: Mapping[str, ScoreFrame] = field(default_factory=dict)
    turns: int = 1
    missing: int = 0
    accepted: bool = False
    reduced: str = "mean"
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    protocol: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    replies: Counter[str] = field(default_factory=Counter)
    marks: dict[str, Any] = field(default_factory=dict)

    @property
    def asked_by(self) -> str:
        """The protocol with the settings that were given, such as ``few_shot (k=3)``."""
        given = ", ".join(f"{name}={value}" for name, value in sorted(self.settings.items()))
        return f"{self.protocol} ({given})" if given else self.protocol

    @property
    def errors(self) -> int:
        """The number of provider errors."""
        return sum(frame.outcomes()["provider_error"] for frame in self.frames.values())

    @property
    def failures(self) -> dict[str, int]:
        """The number of replies by kind of failure, and of questions without a response."""
        return {kind: self.replies[kind] for kind in FAILURES} | {MISSING: self.missing}

    @property
    def one_procedure(self) -> list[str]:
        """The families whose questions are all about one procedure."""
        held = (frame for frame in self.frames.values() if frame.one_procedure)
        return list(dict.fromkeys(str(frame.data["family"][0]) for frame in held))

    @property
    def finished(self) -> bool:
        """Whether every sample was answered, or its error accepted."""
        return self.missing == 0 and (self.accepted or self.errors == 0)

    def frame(self, tasks: Iterable[str]) -> ScoreFrame | None:
        """Return the responses to some tasks, task after task; None where there are none."""
        from thence.core.score_frame import joined

        held = [self.frames[name] for name in tasks if name in self.frames]
        return joined(held) if held else None

    def final(self, tasks: Iterable[str]) -> ScoreFrame | None:
        """Return the counted last-turn responses to some tasks; None where there are none."""
        from thence.core.score_frame import COUNTS, of_turn

        every = self.frame(tasks)
        rows = every and every.where(of_turn(self.turns - 1) & COUNTS)
        return rows or None


def together(several: Iterable[Results]) -> polars.DataFrame:
    """Return the scored responses of several models in one frame, the model before the columns."""
    import polars

    from thence.core.score_frame import COLUMNS

    parts = [
        frame.data.select(polars.lit(held.model).alias("model"), polars.all())
        for held in several
        for frame in held.frames.values()
    ]
    if not parts:
        return polars.DataFrame(schema={"model": polars.String, **COLUMNS})
    return polars.concat(parts, how="diagonal")
