"""Putting every sample to the model, as many at a time as there are connections.

Each worker takes the next conversation, says what is to be said turn by turn, and writes every
response down before it goes on. What is on disk already is not asked again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thence import families
from thence.engine.directory import ResponseLog
from thence.errors import ProviderError, Unreachable, UsageError
from thence.kernel.digest import digest
from thence.kernel.sample import Sample
from thence.kernel.templates import Templates
from thence.models.base import Generation, Model, Reply, Request, Usage
from thence.models.retry import with_retries
from thence.protocols import Composed, Conversation
from thence.scoring import Response

_FATAL = frozenset(("auth", "quota", "not_found", "redirect"))  # what every request would meet
_WRONG_PLACE = frozenset(("malformed", "timeout"))  # on the first request: no endpoint of this kind
_PATIENCE = 20  # failures in a row, of kinds that concern all requests, before the run stops
_PROBES = 3  # requests that must be refused before all are held to be


type Recorded = Mapping[str, Mapping[tuple[int, int], Response]]
"""What is on disk: the responses of each sample by epoch and turn."""


@dataclass(frozen=True)
class Prices:
    """What tokens cost, in USD per million, and the most that may be spent; None: no limit."""

    input: float = 0.0
    output: float = 0.0
    most: float | None = None

    def cost(self, usage: Usage) -> float:
        """USD for some tokens."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Job:
    """How to run: nothing here changes a reply, and nothing here is hashed.

    Attributes:
        connections: conversations under way at once.
        retries: repeats of a request after a failure that may pass.
        prices: for the total cost and its limit.
        accept_errors: leave recorded provider errors as they are instead of trying again.
    """

    connections: int = 16
    retries: int = 5
    prices: Prices = field(default_factory=Prices)
    accept_errors: bool = False


@dataclass
class Progress:
    """What a run has done; the display reads it.

    Attributes:
        total: conversations in all.
        done: those that are finished, on disk from earlier or now.
        reused: those that were on disk.
        asked: requests made now, repeats of a failed one not counted.
        errors: provider errors by kind.
        usage: tokens of all responses, earlier ones too.
        cost: USD of these.
        dearest: USD of the dearest response.
        uncounted: whether the endpoint left out how many tokens a response took.
        mended: whether a torn line was taken off what an earlier start had written.
        under_way: requests at this moment.
        stopped: why the run stopped early, or None.
        on_change: called after every conversation.
    """

    total: int = 0
    done: int = 0
    reused: int = 0
    asked: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    dearest: float = 0.0
    uncounted: bool = False
    mended: bool = False
    under_way: int = 0
    stopped: str | None = None
    on_change: Callable[[Progress], None] = lambda _: None

    def add(self, usage: Usage | None, prices: Prices) -> None:
        """Adds the tokens of a response."""
        if usage is None:
            self.uncounted = True
            return
        self.usage = Usage(
            self.usage.input_tokens + usage.input_tokens,
            self.usage.output_tokens + usage.output_tokens,
        )
        cost = prices.cost(usage)
        self.cost += cost
        self.dearest = max(self.dearest, cost)


def response_key(
    sample: str,
    epoch: int,
    turn: int,
    model: str,
    generation: Generation,
    messages: Iterable[Mapping[str, str]],
    schema: Mapping[str, Any] | None = None,
) -> str:
    """The hash under which a response is kept: of all that shaped it but the endpoint's address."""
    said = [dict(each) for each in messages]
    shaped = [] if schema is None else [dict(schema)]
    return digest(sample, epoch, turn, model, generation.to_json(), said, *shaped)


class Runner:
    """Runs one model over samples with one protocol."""

    def __init__(
        self,
        model: Model,
        protocol: Composed,
        templates: Templates,
        generation: Generation,
        job: Job,
        log: ResponseLog,
    ) -> None:
        self._model = model
        self._protocol = protocol
        self._templates = templates
        self._generation = generation
        self._job = job
        self._log = log
        self._failures = 0
        self._last_failure = ""
        self._proved = False  # whether the endpoint has ever answered this run
        self.progress = Progress()

    async def run(
        self,
        samples: Iterable[Sample],
        epochs: int,
        recorded: Recorded,
    ) -> None:
        """Asks whatever ``recorded`` does not hold, each sample's first epoch before any second.

        Raises:
            UsageError: the endpoint cannot be reached or will not serve this run; said after the
                first requests, before the others are made.
            DiskError: a response could not be written.
        """
        held = list(samples)
        self.progress.total = len(held) * epochs
        self.progress.on_change(self.progress)
        pairs = ((sample, epoch) for epoch in range(epochs) for sample in held)
        jobs = iter(self._open(pairs, recorded))
        self._proved = any(
            each.error is None for turns in recorded.values() for each in turns.values()
        )
        await self._probe(jobs, recorded)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._job.connections, self.progress.total)):
                    group.create_task(self._work(jobs, recorded))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _probe(self, jobs: Iterator[tuple[Sample, int]], recorded: Recorded) -> None:
        """The first conversations one by one, until one of them shows that requests can succeed.

        A request may be refused for what is in it; only several show that all will be.
        """
        message = ""
        for _ in range(_PROBES):
            job = next(jobs, None)
            if self._must_stop() or (job is None and not message):
                return
            if job is None:
                break
            error = await self._converse(*job, recorded, probe=True)
            if error is None or error["kind"] != "bad_request" or self._proved:
                return
            message = str(error["message"])
        where = self._model.address or self._model.name
        raise UsageError(f"{where} refuses --model {self._model.name}: {message}")

    def _open(
        self,
        pairs: Iterable[tuple[Sample, int]],
        recorded: Recorded,
    ) -> Iterator[tuple[Sample, int]]:
        """The conversations that are not finished on disk; the others are counted as done."""
        for sample, epoch in pairs:
            if self._is_recorded(sample, epoch, recorded.get(sample.id, {})):
                self.progress.done += 1
                self.progress.reused += 1
                self.progress.on_change(self.progress)
            else:
                yield sample, epoch

    def _is_recorded(
        self, sample: Sample, epoch: int, held: Mapping[tuple[int, int], Response]
    ) -> bool:
        if not held:
            return False
        conversation = self._conversation(sample)
        for turn in range(self._protocol.turns + 1):
            response = held.get((epoch, turn))
            if response is None or response.key != self._key(sample, epoch, turn, conversation):
                return False
            if response.error is not None:
                return self._job.accept_errors
            conversation.hear(response.response or "")
        return True

    async def _work(
        self,
        jobs: Iterator[tuple[Sample, int]],
        recorded: Recorded,
    ) -> None:
        for sample, epoch in jobs:
            if self._must_stop():
                return
            await self._converse(sample, epoch, recorded)

    def _must_stop(self) -> bool:
        progress, prices = self.progress, self._job.prices
        if prices.most is not None:
            # Whatever is under way may cost as much as the dearest response so far.
            reserved = progress.dearest * (progress.under_way + 1)
            if progress.cost + reserved > prices.most:
                progress.stopped = f"--max-cost {prices.most:g}: the next request could pass it"
            elif progress.uncounted:
                progress.stopped = "--max-cost: the endpoint does not say how many tokens it took"
        if self._failures >= _PATIENCE:
            progress.stopped = f"{_PATIENCE} requests in a row failed: {self._last_failure}"
        return progress.stopped is not None

    async def _converse(
        self,
        sample: Sample,
        epoch: int,
        recorded: Recorded,
        *,
        probe: bool = False,
    ) -> Mapping[str, Any] | None:
        """One conversation to its end, or to its first provider error, which is returned."""
        progress = self.progress
        held = recorded.get(sample.id, {})
        conversation = self._conversation(sample)
        try:
            for turn in range(self._protocol.turns + 1):
                key = self._key(sample, epoch, turn, conversation)
                response = held.get((epoch, turn))
                if response is None or response.key != key or response.error is not None:
                    if turn and self._must_stop():
                        return None
                    request = self._request(sample, epoch, turn, conversation)
                    response = await self._ask(request, key, probe=probe and turn == 0)
                    self._log.append(response)
                if response.error is not None:
                    progress.errors[response.error["kind"]] += 1
                    return response.error
                conversation.hear(response.response or "")
            progress.done += 1
            return None
        finally:
            progress.on_change(progress)

    async def _ask(self, request: Request, key: str, *, probe: bool) -> Response:
        """One response, or the provider's error as one."""
        place: dict[str, Any] = {
            "id": request.sample.id,
            "epoch": request.epoch,
            "turn": request.turn,
            "key": key,
        }
        progress = self.progress
        progress.asked += 1
        progress.under_way += 1
        try:
            reply, latency = await self._attempt(request, probe=probe)
        except ProviderError as error:
            if probe:
                self._refuse(error)
            self._count_failure(error)
            failure = {"kind": error.kind, "message": str(error), "status": error.status}
            return Response(**place, error=failure)
        finally:
            progress.under_way -= 1
        self._failures = 0
        progress.add(reply.usage, self._job.prices)
        return Response(
            **place,
            response=reply.text,
            reasoning=reply.reasoning,
            finish_reason=reply.finish_reason,
            usage=reply.usage.to_json() if reply.usage else None,
            latency=round(latency, 4),
        )

    def _count_failure(self, error: ProviderError) -> None:
        """Counts failures in a row that concern every request; another kind ends the row."""
        general = isinstance(error, Unreachable) or error.kind in _FATAL
        self._failures = self._failures + 1 if general else 0
        self._last_failure = str(error)

    async def _attempt(self, request: Request, *, probe: bool) -> tuple[Reply, float]:
        async def call() -> tuple[Reply, float]:
            begun = time.perf_counter()
            try:
                reply = await self._model.complete(request)
            except Unreachable as error:
                if probe:  # no use in waiting: better said at once
                    self._refuse(error)
                raise
            return reply, time.perf_counter() - begun

        # Jitter only spreads requests over time; it shapes no reply, so its seed is of no matter.
        return await with_retries(call, retries=self._job.retries, rng=random.Random())

    def _refuse(self, error: ProviderError) -> None:
        """Ends the run where its first request shows that no request can succeed."""
        where = self._model.address or self._model.name
        if isinstance(error, Unreachable):
            raise UsageError(
                f"{where} cannot be reached: {error}; start the server, or mend --base-url"
            ) from error
        if error.kind in _FATAL:
            raise UsageError(f"{where} refuses --model {self._model.name}: {error}") from error
        if error.kind in _WRONG_PLACE and not self._proved:
            raise UsageError(
                f"{where} does not answer as a chat completions endpoint does: {error}; "
                "mend --base-url, or raise --timeout"
            ) from error

    def _conversation(self, sample: Sample) -> Conversation:
        task = families.task(sample.task)
        return Conversation(sample, task, self._protocol, self._templates)

    def _key(self, sample: Sample, epoch: int, turn: int, conversation: Conversation) -> str:
        schema = conversation.schema if self._generation.structured else None
        return response_key(
            sample.id,
            epoch,
            turn,
            self._model.name,
            self._generation,
            conversation.messages,
            schema,
        )

    def _request(
        self, sample: Sample, epoch: int, turn: int, conversation: Conversation
    ) -> Request:
        schema = conversation.schema if self._generation.structured else None
        return Request(sample, conversation.messages, epoch, turn, schema, conversation.write)
