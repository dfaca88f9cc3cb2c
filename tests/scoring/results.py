"""Results that keep their rows, to compare figures with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from thence.core.results import Results
from thence.core.score_frame import ScoreFrame, joined
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Scored


@dataclass(eq=False)
class RowResults(Results):
    """Results beside the rows that they were made from."""

    rows: Sequence[Scored] = field(default_factory=list)


def results(model: str, source: str, rows: Iterable[Scored], **more: Any) -> RowResults:
    """The results of some rows."""
    held = list(rows)
    return RowResults(model, source, frames(held), rows=held, **more)


def frame(rows: Iterable[Scored]) -> ScoreFrame:
    """The frame of some rows, of which there is at least one."""
    return joined(list(frames(rows).values()))
