"""Retries after failures that may pass, with jittered exponential backoff."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from thence.errors import Transient, Unreachable

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable


CEILING = 30.0
"""Longest wait before a retry in seconds, even if an endpoint asks for more."""


async def with_retries[T](
    call: Callable[[], Awaitable[T]],
    *,
    retries: int,
    rng: random.Random,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    base: float = 0.5,
    ceiling: float | None = None,
) -> T:
    """Return the result of ``call``, retried while it raises ``Transient`` or ``Unreachable``.

    The wait before the n-th retry is a random part of ``base * 2**(n - 1)`` seconds (full jitter)
    plus the ``retry_after`` of the error; never longer than ``ceiling``, so that no endpoint can
    hold up a run by asking for an hour.

    Args:
        call: makes one attempt each time it is called.
        retries: most repeats after the first attempt; 0 or less is none.
        rng: the source of the jitter.
        sleep: waits that many seconds.
        base: longest wait before the first repeat, in seconds.
        ceiling: longest wait before any repeat, in seconds; None for CEILING.

    Raises:
        ProviderError: the error of the last attempt, or the first that no retry can mend.
    """
    attempt = 0
    ceiling = CEILING if ceiling is None else ceiling
    while True:
        try:
            return await call()
        except (Transient, Unreachable) as error:
            if attempt >= retries:
                raise
            asked = error.retry_after
        # The jitter stays even where the endpoint names a time: it tells all callers the same.
        wait = rng.uniform(0.0, min(ceiling, base * 2.0 ** min(attempt, _STEEPEST)))
        if asked is not None and asked > 0:
            wait += asked
        await sleep(min(ceiling, wait))
        attempt += 1


_STEEPEST = 64
"""Most doublings: more would overflow a float, and any ceiling is reached before."""
