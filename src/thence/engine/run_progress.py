"""Progress of a run: conversations, tokens, cost and errors so far."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from thence.core.prices import cost
from thence.models.base import Usage


@dataclass(frozen=True)
class Prices:
    """Prices of tokens in USD per million, and the most that may be spent.

    A price that is None is not known; most of None is no limit.
    """

    input: float | None = None
    output: float | None = None
    cached: float | None = None
    most: float | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return the cost of some tokens in USD; None where a price is not known."""
        return cost(usage.to_json(), (self.input, self.output, self.cached))


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
        usage: tokens of all responses, earlier ones too.
        counted: responses that told their tokens.
        spent: USD of these, 0 where no price is known.
        dearest: USD of the dearest response.
        uncounted: whether the endpoint left out how many tokens a response took.
        mended: whether a torn line was taken off what an earlier start had written.
        kept: whether the run that was to be replaced is there still, as nothing was answered.
        waiting: what the batches under way have come to, in words, or None.
        limit: requests at once that the endpoint seems to bear.
        prices: what tokens cost.
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
    usage: Usage = field(default_factory=Usage)
    counted: int = 0
    spent: float = 0.0
    dearest: float = 0.0
    uncounted: bool = False
    mended: bool = False
    kept: bool = False
    waiting: str | None = None
    limit: int = 0
    prices: Prices = field(default_factory=Prices)
    begun: float = field(default_factory=time.monotonic)
    stopped: str | None = None
    on_change: Callable[[Progress], None] = nobody

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "on_change": nobody}  # who watches may not pickle

    def add(self, usage: Usage | None) -> None:
        """Add the tokens of a response."""
        if usage is None:
            self.uncounted = True
            return
        self.counted += 1
        self.usage += usage
        cost = self.prices.cost(usage) or 0.0
        self.spent += cost
        self.dearest = max(self.dearest, cost)

    def refuses(self, cost: float, reserved: float) -> str | None:
        """Return why a request could pass the limit of cost, or None.

        Args:
            cost: the most that it may cost, as far as that is known.
            reserved: likewise of all that are under way.
        """
        most = self.prices.most
        if most is None:
            return None
        if self.uncounted:
            return f"max_cost={most:g}: the endpoint does not say how many tokens it took"
        if self.spent + reserved + cost > most:
            return f"max_cost={most:g}: the next request could pass it"
        return None

    @property
    def cost(self) -> float | None:
        """USD of all responses; None where no price is known, or no response told its tokens."""
        known = self.prices.cost(self.usage) is not None and not (
            self.uncounted and not self.counted
        )
        return self.spent if known else None

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
