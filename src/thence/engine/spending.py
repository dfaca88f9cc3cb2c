"""Tokens and money that the responses of a run took."""

from __future__ import annotations

from dataclasses import dataclass, field

from thence.core.prices import Prices
from thence.models.base import Usage


@dataclass
class Spending:
    """The tokens that the responses of a run took, and their cost.

    Attributes:
        prices: of tokens; None where they are not known.
        most: USD that may be spent; None for no limit.
        usage: tokens of all responses, those of earlier starts too.
        counted: responses that told their tokens.
        uncounted: whether the endpoint left out how many tokens a response took.
        spent: USD of all responses, 0 where no price is known.
        dearest: USD of the dearest response.
    """

    prices: Prices | None = None
    most: float | None = None
    usage: Usage = field(default_factory=Usage)
    counted: int = 0
    uncounted: bool = False
    spent: float = 0.0
    dearest: float = 0.0

    def add(self, usage: Usage | None) -> None:
        """Add the tokens of a response; None where it did not tell them."""
        if usage is None:
            self.uncounted = True
            return
        self.counted += 1
        self.usage += usage
        cost = self.cost_of(usage)
        self.spent += cost
        self.dearest = max(self.dearest, cost)

    def cost_of(self, usage: Usage) -> float:
        """Return the cost of some tokens in USD, 0 where no price is known."""
        return 0.0 if self.prices is None else self.prices.cost(usage.to_json())

    def refuses(self, cost: float, reserved: float) -> str | None:
        """Return why a request could pass the limit of cost, or None.

        Args:
            cost: the most that it may cost, as far as that is known.
            reserved: likewise of all that are under way.
        """
        if self.most is None:
            return None
        if self.uncounted:
            return f"max_cost={self.most:g}: the endpoint does not say how many tokens it took"
        if self.spent + reserved + cost > self.most:
            return f"max_cost={self.most:g}: the next request could pass it"
        return None

    @property
    def cost(self) -> float | None:
        """USD of all responses; None where no price is known, or no response told its tokens."""
        if self.prices is None or (self.uncounted and not self.counted):
            return None
        return self.spent
