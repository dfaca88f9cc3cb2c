from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence.errors import ProviderError, Rejected, Transient, Unreachable
from thence.models.base import Request, Sampling
from thence.models.hosted import HostedModel
from thence.models.providers import Endpoint
from thence.models.retry import with_retries


class Clock:
    """A sleep that takes no time and remembers what it was asked for."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


class Attempts:
    """A call that raises each of the errors in turn, then returns how often it was called."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.count = 0

    async def __call__(self) -> int:
        self.count += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.count


def transient(retry_after: float | None = None) -> Transient:
    return Transient("server", "busy", 503, retry_after)


async def test_a_success_is_not_repeated() -> None:
    clock, attempts = Clock(), Attempts()
    assert await with_retries(attempts, retries=5, rng=random.Random(0), sleep=clock.sleep) == 1
    assert clock.waits == []


@pytest.mark.parametrize("make", [transient, lambda: Unreachable("connection", "nobody")])
async def test_what_may_pass_is_repeated(make: Callable[[], ProviderError]) -> None:
    clock, attempts = Clock(), Attempts(make(), make())
    assert await with_retries(attempts, retries=2, rng=random.Random(0), sleep=clock.sleep) == 3
    assert len(clock.waits) == 2


@pytest.mark.parametrize("error", [Rejected("auth", "no"), ValueError("x"), KeyboardInterrupt()])
async def test_nothing_else_is(error: BaseException) -> None:
    clock, attempts = Clock(), Attempts(error)
    with pytest.raises(type(error)) as caught:
        await with_retries(attempts, retries=5, rng=random.Random(0), sleep=clock.sleep)
    assert caught.value is error
    assert (attempts.count, clock.waits) == (1, [])


@pytest.mark.parametrize("retries", [-1, 0, 3])
async def test_the_last_error_is_raised_when_the_repeats_are_used_up(retries: int) -> None:
    errors = [transient() for _ in range(10)]
    clock, attempts = Clock(), Attempts(*errors)
    with pytest.raises(Transient) as caught:
        await with_retries(attempts, retries=retries, rng=random.Random(0), sleep=clock.sleep)
    assert attempts.count == max(0, retries) + 1
    assert caught.value is errors[attempts.count - 1]
    assert len(clock.waits) == attempts.count - 1


async def test_waits_are_a_random_part_of_a_doubling_that_has_a_ceiling() -> None:
    columns = []
    for seed in range(200):
        clock = Clock()
        attempts = Attempts(*[transient() for _ in range(8)])
        await with_retries(
            attempts, retries=8, rng=random.Random(seed), sleep=clock.sleep, base=1.0, ceiling=20.0
        )
        columns.append(clock.waits)
    for n, waits in enumerate(zip(*columns, strict=True)):
        longest = min(20.0, 2.0**n)
        assert 0.9 * longest < max(waits) <= longest
        assert min(waits) < 0.1 * longest


async def test_thousands_of_repeats_do_not_overflow() -> None:
    clock, attempts = Clock(), Attempts(*[transient() for _ in range(3000)])
    await with_retries(attempts, retries=3000, rng=random.Random(0), sleep=clock.sleep)
    assert max(clock.waits) <= 30.0


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        (5.0, 5.0, 5.5),
        (0.0, 0.0, 0.5),
        (-3.0, 0.0, 0.5),
        (3600.0, 30.0, 30.0),
        (math.inf, 30.0, 30.0),
        (math.nan, 0.0, 0.5),
    ],
)
async def test_what_the_endpoint_asks_for_is_a_hint(
    asked: float, least: float, most: float
) -> None:
    clock, attempts = Clock(), Attempts(transient(asked))
    await with_retries(attempts, retries=1, rng=random.Random(0), sleep=clock.sleep)
    assert least <= clock.waits[0] <= most


async def test_through_an_endpoint_that_recovers() -> None:
    clock = Clock()
    request = Request(({"role": "user", "content": "Well?"},))
    async with (
        FakeEndpoint() as fake,
        HostedModel("x/y", "y", Endpoint(fake.url), Sampling(), 1, 10.0) as model,
    ):
        busy = Status(429, {"Retry-After": "7"})
        fake.behave = lambda body, count: busy if count < 2 else Answer("Yes")
        reply = await with_retries(
            lambda: model.complete(request), retries=2, rng=random.Random(0), sleep=clock.sleep
        )
        assert reply.text == "Yes"
        assert len(fake.requests) == 3
        assert all(7.0 <= wait <= 8.0 for wait in clock.waits)
