"""Prices of tokens, and what the tokens of a response cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thence.core.bounds import MOST_USD

BATCHED = 0.5
"""Part of the price that a batch costs at OpenAI, Anthropic and Gemini."""

_WRITTEN = 1.25  # of the price of a token that Anthropic writes to its cache, for five minutes


def are_prices(price: object) -> bool:
    """Return whether a value is two or three prices: USD per million tokens, all from 0 on."""
    if not isinstance(price, tuple | list) or len(price) not in (2, 3):
        return False
    return all(
        isinstance(each, int | float) and not isinstance(each, bool) and 0 <= each < MOST_USD
        for each in price
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of tokens in USD per million.

    Attributes:
        input: of prompts.
        output: of replies.
        cached: of prompts that were read from a cache; None where these cost as much as others.
    """

    input: float
    output: float
    cached: float | None = None

    def cost(self, usage: Mapping[str, Any]) -> float:
        """Return the cost in USD of some tokens, told as they are stored with a response."""
        cached = self.input if self.cached is None else self.cached
        sent, replied, read, written = (
            count if type(count := usage.get(name)) is int else 0
            for name in ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
        )
        whole = sent - read + written * (_WRITTEN - 1)
        total = whole * self.input + read * cached + replied * self.output
        return total / 1e6 * (BATCHED if usage.get("batch") is True else 1)

    def to_json(self) -> dict[str, float]:
        """Return the prices as ``run.json`` holds them."""
        told = {"input": self.input, "output": self.output}
        return told if self.cached is None else {**told, "cached": self.cached}
