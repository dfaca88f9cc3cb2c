"""What lets requests through: the oldest first, as many as the endpoint and the user allow."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thence.engine.rate_limiter import Gate, Pace, Pass, Stopped
from thence.engine.run_progress import Prices, Progress
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


# Gate ------------------------------------------------------------------------------------------


async def turn() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_the_oldest_conversation_goes_first_whenever_it_came() -> None:
    gate, order = Gate(2), []
    held = [Pass(0), Pass(1)]
    for ticket in held:
        await gate.enter(ticket)

    async def wait(rank: int) -> None:
        ticket = Pass(rank)
        await gate.enter(ticket)
        order.append(rank)
        gate.leave(ticket)

    tasks = []
    for rank in (9, 7, 3, 8, 5):
        tasks.append(asyncio.create_task(wait(rank)))
        await turn()
    assert order == []
    gate.leave(held[0])
    await asyncio.gather(*tasks)
    assert order == [3, 5, 7, 8, 9]
    assert gate.under_way == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 7), st.integers(0, 10**6))
def test_never_more_at_once_than_allowed_and_all_come_through(most: int, seed: int) -> None:
    async def check() -> int:
        gate, chance, peak, through = Gate(most), Random(seed), 0, 0

        async def one(rank: int) -> None:
            nonlocal peak, through
            ticket = Pass(rank)
            await gate.enter(ticket)
            try:
                peak = max(peak, gate.under_way)
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
                if chance.random() < 0.2:
                    gate.pressed(ticket)
                else:
                    gate.eased()
                assert 1 <= gate.limit <= most
            finally:
                gate.leave(ticket)
            through += 1

        tasks = [asyncio.create_task(one(rank)) for rank in range(40)]
        for task in chance.sample(tasks, 5):
            await asyncio.sleep(0)
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert peak <= most
        assert gate.under_way == 0
        assert all(each is None or isinstance(each, asyncio.CancelledError) for each in done)
        return through

    assert asyncio.run(check()) >= 35


async def test_too_many_requests_cut_the_limit_once_and_it_recovers() -> None:
    clock = Clock()
    gate = Gate(64, clock=clock)
    burst = [Pass(rank) for rank in range(64)]
    for ticket in burst:
        await gate.enter(ticket)
    clock.now += 0.1
    for ticket in burst:  # all of them say the same
        gate.pressed(ticket)
        gate.leave(ticket)
    assert gate.limit == pytest.approx(64 * 0.6)
    later = Pass(100)
    await gate.enter(later)
    clock.now += 0.1
    for ticket in [Pass(rank) for rank in range(200, 220)]:
        await gate.enter(ticket)
    gate.pressed(later)
    cut = gate.limit
    assert cut == pytest.approx(21 * 0.6)  # of those that were under way
    trips = 0
    while gate.limit < 64:
        for _ in range(int(gate.limit)):
            gate.eased()
        trips += 1
    assert 5 <= trips <= 20
    assert gate.limit == 64


async def test_whoever_waits_or_sleeps_is_woken_by_the_end() -> None:
    gate = Gate(1)
    await gate.enter(Pass(0))
    waiting = asyncio.create_task(gate.enter(Pass(1)))
    sleeping = asyncio.create_task(gate.pause(3600))
    await turn()
    gate.stop("enough")
    for task in (waiting, sleeping):
        with pytest.raises(Stopped):
            await task
    with pytest.raises(Stopped):
        await gate.enter(Pass(2))
    with pytest.raises(Stopped):
        await gate.pause(3600)
    assert gate.stopped == "enough"
    gate.stop("again")
    assert gate.stopped == "enough"


async def test_a_limit_a_minute_holds_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, timers = Clock(), []
    loop = asyncio.get_running_loop()

    class Handle:
        def cancel(self) -> None:
            pass

    def call_later(delay: float, call: Any, *given: Any) -> Handle:
        timers.append((delay, call))
        return Handle()

    gate = Gate(8, requests_per_minute=60, clock=clock)
    monkeypatch.setattr(loop, "call_later", call_later)
    through: list[tuple[float, int]] = []

    async def one(rank: int) -> None:
        await gate.enter(Pass(rank))
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


async def test_a_budget_waits_for_what_is_under_way_before_it_ends_the_run() -> None:
    progress = Progress(prices=Prices(1.0, 0.0, most=10.0))
    gate = Gate(8, refuses=progress.refuses)
    one, two = Pass(0, cost=6), Pass(1, cost=6)
    await gate.enter(one)
    second = asyncio.create_task(gate.enter(two))
    await turn()
    assert not second.done()
    progress.add(Usage(1_000_000, 0))  # it cost 1, not 6
    gate.leave(one)
    await second
    progress.add(Usage(5_000_000, 0))
    gate.leave(two)
    with pytest.raises(Stopped):
        await gate.enter(Pass(2, cost=6))
    assert gate.stopped == "--max-cost 10: the next request could pass it"
