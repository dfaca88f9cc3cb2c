"""A limiter of requests: as many as the endpoint bears, and within the user's limits.

Every request waits at a `RateLimiter`. It lets the oldest conversation through first, so that none
starves; only as many at once as the endpoint bears (additive increase, multiplicative decrease, as
TCP does; Jacobson 1988); no faster than ``rpm`` and ``tpm`` say; and no dearer than
``max_cost``.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_BACK_OFF = 0.6  # of the limit that was too much
_CLIMB = 16  # round trips that lead from nothing back to all connections
_BURST = 0.1  # seconds whose allowance may be used at once, so that coarse timers lose nothing
_TICK = 1e-6  # seconds that no clock tells apart


class Stopped(Exception):
    """The run ends, and no more request may be sent."""


class Pace:
    """An allowance a minute, spread evenly over time.

    Args:
        per_minute: how much may be used a minute; None for no limit.
        clock: seconds that only grow.
    """

    def __init__(
        self, per_minute: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = -math.inf  # when all that was used is earned again

    def delay(self) -> float:
        """Return the seconds until some of the allowance may be used; 0 for now."""
        if not self._each:
            return 0.0
        delay = self._next - self._clock() - _BURST
        return delay if delay > _TICK else 0.0

    def use(self, amount: float) -> None:
        """Use some of the allowance; a negative amount gives some back."""
        self._next = max(self._next, self._clock()) + amount * self._each


@dataclass(slots=True)
class Permit:
    """The permission to send one request, handed back when the request has ended.

    Attributes:
        rank: of its conversation; the lowest goes first.
        tokens: about how many it will take.
        cost: the most that it may cost, in USD.
        begun: when it was let through.
    """

    rank: int
    tokens: float = 0.0
    cost: float = 0.0
    begun: float = 0.0


@dataclass(order=True, slots=True)
class _Waiting:
    """A request that waits; the one of the lowest rank, then the oldest, goes first."""

    rank: int
    place: int
    permit: Permit = field(compare=False)
    ready: asyncio.Future[bool] = field(compare=False)  # False where it never may go


class RateLimiter:
    """Limiter of the requests of a run.

    Attributes:
        most: requests at once that the user allows.
        limit: requests at once that the endpoint seems to bear, from 1 to ``most``.
        in_flight: requests at this moment.
        reserved: the most that these may cost, in USD.
        stopped: why the run ends, or None.
    """

    def __init__(
        self,
        most: int,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        refuses: Callable[[float, float], str | None] = lambda *_: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the user's limits.

        Args:
            most: requests at once, at least 1.
            requests_per_minute: None for no limit.
            tokens_per_minute: likewise.
            refuses: says why a request of some cost may not be sent while others may cost so much.
            clock: seconds that only grow.
        """
        self.most = most
        self.limit = float(most)
        self.in_flight = 0
        self.reserved = 0.0
        self.stopped: str | None = None
        self._requests = Pace(requests_per_minute, clock)
        self._tokens = Pace(tokens_per_minute, clock)
        self._refuses = refuses
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._places = 0
        self._cut = -math.inf  # when the limit was last cut
        self._timer: asyncio.TimerHandle | None = None
        self._sleepers: set[asyncio.Future[None]] = set()

    async def acquire(self, permit: Permit) -> None:
        """Wait until a request may be sent.

        Raises:
            Stopped: it never may.
        """
        if self.stopped is None and not self._waiting and self._delay(permit) == 0.0:
            self._grant(permit)
            return
        if self.stopped is not None:
            raise Stopped
        ready = asyncio.get_running_loop().create_future()
        self._places += 1
        heapq.heappush(self._waiting, _Waiting(permit.rank, self._places, permit, ready))
        self._admit()
        try:
            if not await ready:
                raise Stopped
        except asyncio.CancelledError:
            if ready.done() and not ready.cancelled() and ready.result():
                self.release(permit)  # it was let through, and goes no further
            raise

    def release(self, permit: Permit, tokens: float | None = None) -> None:
        """Take a permit back; ``tokens`` is how many the request took, where that is known."""
        self.in_flight -= 1
        self.reserved -= permit.cost
        if tokens is not None:
            self._tokens.use(tokens - permit.tokens)
        self._admit()

    def increase(self) -> None:
        """Raise the limit a little, after a request that went well."""
        if self.limit < self.most:
            step = max(1.0, self.most / _CLIMB)
            self.limit = min(self.most, self.limit + step / self.limit)

    def decrease(self, permit: Permit) -> None:
        """Cut the limit, after a request that the endpoint refused as one too many.

        Requests that were sent before the limit was last cut tell nothing new: they cut nothing.
        """
        if permit.begun >= self._cut:
            self.limit = max(1.0, min(self.limit, self.in_flight) * _BACK_OFF)
            self._cut = self._clock()

    async def pause(self, seconds: float) -> None:
        """Sleep.

        Raises:
            Stopped: the run ended meanwhile.
        """
        loop = asyncio.get_running_loop()
        over = loop.create_future()
        timer = loop.call_later(seconds, _settle, over)
        self._sleepers.add(over)
        try:
            if self.stopped is None:
                await over
        finally:
            timer.cancel()
            self._sleepers.discard(over)
        if self.stopped is not None:
            raise Stopped

    def stop(self, reason: str) -> None:
        """Let no more requests through, and end all waiting and sleeping."""
        if self.stopped is not None:
            return
        self.stopped = reason
        for each in self._waiting:
            if not each.ready.done():
                each.ready.set_result(False)
        self._waiting.clear()
        for over in self._sleepers:
            _settle(over)
        self.close()

    def close(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _delay(self, permit: Permit) -> float | None:
        """Return the seconds until a request may go; None where another has to end first."""
        if self.in_flight >= int(self.limit):
            return None
        reason = self._refuses(permit.cost, self.reserved)
        if reason is not None:
            if not self.in_flight:  # nothing is left that might turn out cheaper
                self.stop(reason)
            return None
        return max(self._requests.delay(), self._tokens.delay())

    def _grant(self, permit: Permit) -> None:
        """Count a request as sent."""
        self.in_flight += 1
        self.reserved += permit.cost
        self._requests.use(1)
        self._tokens.use(permit.tokens)
        permit.begun = self._clock()

    def _admit(self) -> None:
        """Let through the requests that may go now, the oldest first."""
        while self._waiting:
            first = self._waiting[0]
            if first.ready.done():  # it was cancelled
                heapq.heappop(self._waiting)
                continue
            delay = self._delay(first.permit)
            if delay == 0.0:
                heapq.heappop(self._waiting)
                self._grant(first.permit)
                first.ready.set_result(True)
                continue
            if delay is not None and self._timer is None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(delay, self._again)
            return

    def _again(self) -> None:
        """Look again once the time has come."""
        self._timer = None
        self._admit()


def _settle(over: asyncio.Future[None]) -> None:
    """End a sleep."""
    if not over.done():
        over.set_result(None)
