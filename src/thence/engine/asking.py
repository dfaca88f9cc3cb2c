"""One request at a time: limited, repeated after failures that may pass, and counted."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from thence.core.digest import digest
from thence.engine.rate_limiter import Permit, RateLimiter
from thence.engine.response_slot import ResponseSlot
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.errors import ProviderError, Rejected, Unreachable, UsageError
from thence.models.base import Model, Reply, Request, Sampling, Usage
from thence.models.retry import with_retries
from thence.scoring.judge import Response

_FATAL = frozenset(("auth", "quota", "not_found", "redirect"))  # what every request would meet
_WRONG_PLACE = frozenset(("malformed", "timeout"))  # on the first request: no endpoint of this kind
_OWN = frozenset(("bad_request", "context_length"))  # what may be wrong with one request alone
_PATIENCE = 20  # failures in a row, of kinds that concern all requests, before the run stops
_DOUBT = 8  # failed attempts in a row before fewer are made at once
CHARACTERS_PER_TOKEN = 4  # a rule of thumb for English; estimates say that they are


def _mend(error: ProviderError) -> str:
    """Return what a user may do about an endpoint that does not answer as it should."""
    if error.kind == "timeout":
        return "mend base_url=URL, or give a larger timeout=S"
    if "a stream of events" in str(error):
        return "have its server answer in one piece, such as by extra_body={'stream': False}"
    return "mend base_url=URL"


async def refuse_unreachable(model: Model) -> None:
    """Refuse a model whose endpoint cannot be reached.

    Raises:
        UsageError: nobody listens there.
    """
    try:
        await model.check()
    except Unreachable as error:
        raise _unreachable(model, error) from error


def _unreachable(model: Model, error: Unreachable) -> UsageError:
    where = model.address or model.name
    return UsageError(f"{where} cannot be reached: {error}; start the server, or mend base_url=URL")


@dataclass
class _Failed:
    """Attempts at one request that failed.

    Attributes:
        identity: of the run.
        slot: of the response.
        repeat: attempts that the endpoint answered with a failure, in earlier starts too.
        usage: tokens that were taken all the same; None where none was said.
    """

    identity: str
    slot: ResponseSlot
    repeat: int
    usage: Usage | None = None

    @property
    def idempotency_key(self) -> str:
        """Key of the next attempt.

        It is the same after a break, when a reply may be there that was paid for. After a failure
        it is another one: a server that keeps answers by their keys would replay the failure.
        """
        return digest(self.identity, self.slot.key, self.repeat)

    def add(self, error: ProviderError) -> None:
        """Add a failed attempt."""
        self.repeat += error.final
        if error.usage:
            usage = Usage.from_json(error.usage)
            self.usage = usage if self.usage is None else self.usage + usage


def _repeat(before: Response | None) -> int:
    """Return how many answered attempts a failure on disk tells of."""
    if before is None or before.error is None:
        return 0
    said = before.error.get("repeat")
    return said if type(said) is int else 0


class Asker:
    """Sender of the requests of one run.

    Attributes:
        limiter: lets every attempt through.
        proved: whether the endpoint has ever answered this run.
    """

    def __init__(
        self,
        model: Model,
        sampling: Sampling,
        limits: Limits,
        progress: Progress,
        identity: str = "",
    ) -> None:
        self._model = model
        self._identity = identity
        self._longest = sampling.max_tokens
        self._limits = limits
        self._progress = progress
        self._failures = 0  # requests in a row that failed for good
        self._faults = 0  # attempts in a row that failed
        # Jitter only spreads requests over time; it shapes no reply, so its seed is of no matter.
        self._chance = random.Random()
        self._estimates = limits.tpm is not None or limits.max_cost is not None
        self.proved = False
        self.limiter = RateLimiter(
            limits.max_connections,
            requests_per_minute=limits.rpm,
            tokens_per_minute=limits.tpm,
            refuses=progress.spending.refuses,
        )

    async def ask(
        self,
        model: Model,
        slot: ResponseSlot,
        rank: int,
        request: Request,
        before: Response | None,
        sleep: Callable[[float], Awaitable[None]],
        *,
        probe: bool,
    ) -> Response:
        """Return the response to a request, or the provider's error as a response.

        Args:
            model: answers it.
            slot: of the response.
            rank: of the conversation.
            request: what is asked.
            before: the failure of this request that is on disk, or None.
            sleep: waits before a repeat.
            probe: whether it is to show that requests can succeed.

        Raises:
            Stopped: the run ended before it was sent.
        """
        failed = _Failed(self._identity, slot, _repeat(before))
        try:
            reply, latency = await self._attempts(model, rank, request, failed, sleep, probe=probe)
        except ProviderError as error:
            if probe:
                self._refuse(error)
            self._count_failure(error)
            return slot.failed(error, failed.usage, failed.repeat)
        self._failures = 0
        return slot.answered(reply, round(latency, 4))

    def _count_failure(self, error: ProviderError) -> None:
        """Count failures in a row; a failure of one request alone ends the row."""
        self._failures = 0 if error.kind in _OWN else self._failures + 1
        if self._failures >= _PATIENCE:
            self.limiter.stop(f"{_PATIENCE} requests in a row failed: {error}")

    async def _attempts(
        self,
        model: Model,
        rank: int,
        request: Request,
        failed: _Failed,
        sleep: Callable[[float], Awaitable[None]],
        *,
        probe: bool,
    ) -> tuple[Reply, float]:
        """Return the reply to a request and its latency, after repeats where these may help."""
        tokens, cost = self._estimate(request) if self._estimates else (0.0, 0.0)
        attempts = 0

        async def call() -> tuple[Reply, float]:
            nonlocal attempts
            permit = Permit(rank, tokens, cost)
            await self.limiter.acquire(permit)
            attempts += 1
            if attempts == 1:
                self._progress.asked += 1
            used: float | None = None
            begun = time.perf_counter()
            try:
                reply = await model.complete(
                    replace(request, idempotency_key=failed.idempotency_key)
                )
                latency = time.perf_counter() - begun
                self._faults = 0
                self.limiter.increase()
                self._progress.spending.add(reply.usage)
                if reply.usage is not None:
                    used = reply.usage.input_tokens + reply.usage.output_tokens
            except ProviderError as error:
                if probe and isinstance(error, Unreachable):
                    self._refuse(error)  # no use in waiting: better said at once
                self._note(error, permit, repeated=attempts <= self._limits.max_retries)
                failed.add(error)
                if error.usage:
                    usage = Usage.from_json(error.usage)
                    self._progress.spending.add(usage)
                    used = usage.input_tokens + usage.output_tokens
                raise
            finally:
                self.limiter.release(permit, used)
                self._progress.limit = int(self.limiter.limit)
            return reply, latency

        return await with_retries(
            call, retries=self._limits.max_retries, rng=self._chance, sleep=sleep
        )

    def _note(self, error: ProviderError, permit: Permit, *, repeated: bool) -> None:
        """Count a failed attempt, and make fewer requests at once if need be."""
        self._faults += 1
        self._progress.said[error.kind] = str(error)
        if error.kind == "rate_limit" or self._faults > _DOUBT:
            self.limiter.decrease(permit)
        if repeated and not isinstance(error, Rejected):
            self._progress.repeated[error.kind] += 1

    def _estimate(self, request: Request) -> tuple[float, float]:
        """Return estimates of the tokens of a request and of the most that it may cost."""
        spending, longest = self._progress.spending, self._longest
        said = sum(len(each["content"]) for each in request.messages) / CHARACTERS_PER_TOKEN
        usual = spending.usage.output_tokens / max(1, spending.counted)
        least = spending.cost_of(Usage(int(said), longest or 0))
        return said + (longest or usual), max(spending.dearest, least)

    def _refuse(self, error: ProviderError) -> None:
        """End the run where its first request shows that no request can succeed."""
        if isinstance(error, Unreachable):
            raise _unreachable(self._model, error) from error
        where = self._model.address or self._model.name
        if error.kind in _FATAL:
            # Most servers answer below /v1, and say no more than 404 elsewhere.
            bare = error.kind == "not_found" and where.count("/") == 2
            hint = f"; base_url={where}/v1 may be meant" if bare else ""
            raise UsageError(f"{where} refuses model={self._model.name}: {error}{hint}") from error
        if error.kind in _WRONG_PLACE and self._model.address and not self.proved:
            raise UsageError(
                f"{where} does not answer as {self._model.speaks} do: {error}; {_mend(error)}"
            ) from error
