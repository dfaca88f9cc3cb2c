"""Prices of tokens, and what the tokens of a response cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def named(prices: Sequence[float] | None) -> dict[str, float] | None:
    """Return prices as ``run.json`` holds them."""
    return dict(zip(("input", "output", "cached"), prices, strict=False)) if prices else None


def cost(usage: Mapping[str, Any], prices: Sequence[float | None]) -> float | None:
    """Return the cost of some tokens in USD; None where a price is not known.

    Args:
        usage: as it is stored with a response.
        prices: USD per million tokens of prompts, of replies and, if that is known, of prompts
            that were read from a cache; without it these cost as much as others.
    """
    asked, told, *rest = prices
    if asked is None or told is None:
        return None
    cached = asked if not rest or rest[0] is None else rest[0]
    sent, replied, read, written = (
        count if type(count := usage.get(name)) is int else 0
        for name in ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
    )
    whole = sent - read + written * (_WRITTEN - 1)
    total = whole * asked + read * cached + replied * told
    return total / 1e6 * (BATCHED if usage.get("batch") is True else 1)
