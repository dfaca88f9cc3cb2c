"""The scored responses of one run or file, with what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thence.core.score_frame import ScoreFrame


@dataclass(eq=False)
class Results:
    """The scored responses of one run or file.

    Attributes:
        model: ``PROVIDER/NAME``; empty for replies gathered elsewhere.
        source: the directory or file that was scored.
        frames: by task, the responses in columns, of all turns.
        turns: turns of the protocol, at least 1.
        missing: samples or epochs that have no response.
        accepted: whether provider errors were accepted.
        reduced: how epochs were reduced.
        notes: sentences that belong under any table, such as how ties were settled.
        skipped: one line for each part of the source that could not be read.
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

    @property
    def errors(self) -> int:
        """The number of provider errors."""
        return sum(frame.outcomes()["provider_error"] for frame in self.frames.values())

    @property
    def finished(self) -> bool:
        """Whether every sample was answered, or its error accepted."""
        return self.missing == 0 and (self.accepted or self.errors == 0)

    def frame(self, tasks: Iterable[str]) -> ScoreFrame | None:
        """The responses to some tasks, one task after the other; None where there are none."""
        from thence.core.score_frame import joined

        held = [self.frames[name] for name in tasks if name in self.frames]
        return joined(held) if held else None

    def final(self, tasks: Iterable[str]) -> ScoreFrame | None:
        """Like `frame`, of the responses of the last turn that count."""
        from thence.core.score_frame import COUNTS, of_turn

        every = self.frame(tasks)
        rows = every and every.where(of_turn(self.turns - 1) & COUNTS)
        return rows or None
