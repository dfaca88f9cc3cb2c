"""Progress of a run: conversations, requests, errors and spending so far."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from thence.engine.spending import Spending


def nobody(progress: Progress) -> None:
    """Take in the progress where nobody watches."""


@dataclass
class Progress:
    """The progress of a run, which the display reads.

    Attributes:
        total: conversations in all.
        done: those that are finished, on disk from earlier or now.
        reused: those that were on disk.
        answered: those that came to their end now, and had not before.
        asked: requests made now, repeats of a failed one not counted.
        repeated: attempts that failed and were made once more, by kind.
        errors: provider errors by kind.
        said: what the latest failed attempt of each kind said.
        spending: tokens of all responses, earlier ones too, and their cost.
        mended: whether a torn line was taken off what an earlier start had written.
        kept: whether the run that was to be replaced is there still, as nothing was answered.
        waiting: what the batches under way have come to, in words, or None.
        limit: requests at once that the endpoint seems to bear.
        begun: when the run began, in seconds of a clock that only grows.
        stopped: why the run stopped early, or None.
        on_change: called after every conversation.
    """

    total: int = 0
    done: int = 0
    reused: int = 0
    answered: int = 0
    asked: int = 0
    repeated: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    said: dict[str, str] = field(default_factory=dict)
    spending: Spending = field(default_factory=Spending)
    mended: bool = False
    kept: bool = False
    waiting: str | None = None
    limit: int = 0
    begun: float = field(default_factory=time.monotonic)
    stopped: str | None = None
    on_change: Callable[[Progress], None] = nobody

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "on_change": nobody}  # who watches may not pickle

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return max(1e-9, time.monotonic() - self.begun)

    @property
    def rate(self) -> float:
        """Conversations a second, those from disk not counted."""
        return (self.done - self.reused) / self.seconds

    @property
    def left(self) -> float | None:
        """Seconds until all are done, if the rate stays as it is; None where none is known."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None
