"""What lets requests through: the oldest first, as many as the endpoint and the user allow."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thence.core.prices import Prices
from thence.engine.rate_limiter import Pace, Permit, RateLimiter, Stopped
from thence.engine.spending import Spending
from thence.models.base import Usage


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# Pace ------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    st.floats(1, 100_000),
    st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 300)), min_size=1, max_size=200),
)
def test_no_minute_has_more_than_its_allowance(
    per_minute: float, wishes: list[tuple[float, float]]
) -> None:
    clock, used = Clock(), []
    pace = Pace(per_minute, clock)
    for pause, amount in wishes:
        clock.now += pause
        clock.now += pace.delay()
        assert pace.delay() <= 1e-6
        pace.use(amount)
        used.append((clock.now, amount))
    for begin, _ in used:
        within = [amount for moment, amount in used if begin <= moment < begin + 60]
        # The last of a minute may reach beyond it: no request can be cut in two.
        assert sum(within[:-1]) <= per_minute * (1 + 0.1 / 60) * (1 + 1e-6) + 1e-6


def test_what_was_not_used_after_all_is_given_back() -> None:
    clock = Clock()
    pace = Pace(60, clock)
    pace.use(10)
    assert pace.delay() == pytest.approx(9.9)
    pace.use(-7)
    assert pace.delay() == pytest.approx(2.9)
    clock.now += 100
    assert pace.delay() == 0


def test_without_a_limit_nothing_waits() -> None:
    pace = Pace(None, Clock())
    pace.use(1e12)
    assert pace.delay() == 0


# RateLimiter -------------------------------------------------------------------------------------


async def turn() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_the_oldest_conversation_goes_first_whenever_it_came() -> None:
    limiter, order = RateLimiter(2), []
    held = [Permit(0), Permit(1)]
    for permit in held:
        await limiter.acquire(permit)

    async def wait(rank: int) -> None:
        permit = Permit(rank)
        await limiter.acquire(permit)
        order.append(rank)
        limiter.release(permit)

    tasks = []
    for rank in (9, 7, 3, 8, 5):
        tasks.append(asyncio.create_task(wait(rank)))
        await turn()
    assert order == []
    limiter.release(held[0])
    await asyncio.gather(*tasks)
    assert order == [3, 5, 7, 8, 9]
    assert limiter.in_flight == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 7), st.integers(0, 10**6))
def test_never_more_at_once_than_allowed_and_all_come_through(most: int, seed: int) -> None:
    async def check() -> int:
        limiter, chance, peak, through = RateLimiter(most), Random(seed), 0, 0

        async def one(rank: int) -> None:
            nonlocal peak, through
            permit = Permit(rank)
            await limiter.acquire(permit)
            try:
                peak = max(peak, limiter.in_flight)
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
                if chance.random() < 0.2:
                    limiter.decrease(permit)
                else:
                    limiter.increase()
                assert 1 <= limiter.limit <= most
            finally:
                limiter.release(permit)
            through += 1

        tasks = [asyncio.create_task(one(rank)) for rank in range(40)]
        for task in chance.sample(tasks, 5):
            await asyncio.sleep(0)
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert peak <= most
        assert limiter.in_flight == 0
        assert all(each is None or isinstance(each, asyncio.CancelledError) for each in done)
        return through

    assert asyncio.run(check()) >= 35


async def test_too_many_requests_cut_the_limit_once_and_it_recovers() -> None:
    clock = Clock()
    limiter = RateLimiter(64, clock=clock)
    burst = [Permit(rank) for rank in range(64)]
    for permit in burst:
        await limiter.acquire(permit)
    clock.now += 0.1
    for permit in burst:  # all of them say the same
        limiter.decrease(permit)
        limiter.release(permit)
    assert limiter.limit == pytest.approx(64 * 0.6)
    later = Permit(100)
    await limiter.acquire(later)
    clock.now += 0.1
    for permit in [Permit(rank) for rank in range(200, 220)]:
        await limiter.acquire(permit)
    limiter.decrease(later)
    cut = limiter.limit
    assert cut == pytest.approx(21 * 0.6)  # of those that were under way
    trips = 0
    while limiter.limit < 64:
        for _ in range(int(limiter.limit)):
            limiter.increase()
        trips += 1
    assert 5 <= trips <= 20
    assert limiter.limit == 64


async def test_whoever_waits_or_sleeps_is_woken_by_the_end() -> None:
    limiter = RateLimiter(1)
    await limiter.acquire(Permit(0))
    waiting = asyncio.create_task(limiter.acquire(Permit(1)))
    sleeping = asyncio.create_task(limiter.pause(3600))
    await turn()
    limiter.stop("enough")
    for task in (waiting, sleeping):
        with pytest.raises(Stopped):
            await task
    with pytest.raises(Stopped):
        await limiter.acquire(Permit(2))
    with pytest.raises(Stopped):
        await limiter.pause(3600)
    assert limiter.stopped == "enough"
    limiter.stop("again")
    assert limiter.stopped == "enough"


async def test_a_limit_a_minute_holds_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, timers = Clock(), []
    loop = asyncio.get_running_loop()

    class Handle:
        def cancel(self) -> None:
            pass

    def call_later(delay: float, call: Any, *given: Any) -> Handle:
        timers.append((delay, call))
        return Handle()

    limiter = RateLimiter(8, requests_per_minute=60, clock=clock)
    monkeypatch.setattr(loop, "call_later", call_later)
    through: list[tuple[float, int]] = []

    async def one(rank: int) -> None:
        await limiter.acquire(Permit(rank))
        through.append((clock.now, rank))

    tasks = [asyncio.create_task(one(rank)) for rank in (3, 1, 2, 0)]
    await turn()
    while len(through) < 4:
        delay, call = timers.pop()
        clock.now += delay
        call()
        await turn()
    await asyncio.gather(*tasks)
    assert [rank for _, rank in through] == [3, 0, 1, 2]  # the first was alone when it came
    moments = [moment for moment, _ in through]
    gaps = [later - sooner for sooner, later in pairwise(moments)]
    assert gaps == pytest.approx([0.9, 1, 1])


# Cost ------------------------------------------------------------------------------------------


async def test_a_budget_waits_for_what_is_in_flight_before_it_ends_the_run() -> None:
    spending = Spending(Prices(1.0, 0.0), most=10.0)
    limiter = RateLimiter(8, refuses=spending.refuses)
    one, two = Permit(0, cost=6), Permit(1, cost=6)
    await limiter.acquire(one)
    second = asyncio.create_task(limiter.acquire(two))
    await turn()
    assert not second.done()
    spending.add(Usage(1_000_000, 0))  # it cost 1, not 6
    limiter.release(one)
    await second
    spending.add(Usage(5_000_000, 0))
    limiter.release(two)
    with pytest.raises(Stopped):
        await limiter.acquire(Permit(2, cost=6))
    assert limiter.stopped == "max_cost=10: the next request could pass it"
