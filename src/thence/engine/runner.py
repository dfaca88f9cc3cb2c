"""Putting every sample to the model, as many at a time as there are connections.

Each worker takes the next conversation, says what is to be said turn by turn, and writes every
response down before it goes on. What is on disk already is not asked again. No sample is held any
longer than its conversation lasts.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thence import families
from thence.engine.flow import Gate, Pass, Stopped
from thence.engine.log import ResponseLog
from thence.engine.progress import Prices, Progress
from thence.engine.stored import Stored, Turns
from thence.errors import ProviderError, Rejected, Unreachable, UsageError
from thence.kernel.digest import digest
from thence.kernel.sample import Sample
from thence.kernel.templates import Templates
from thence.models.base import Generation, Model, Reply, Request, Usage
from thence.models.retry import with_retries
from thence.protocols import Composed, Conversation
from thence.scoring import Response

_FATAL = frozenset(("auth", "quota", "not_found", "redirect"))  # what every request would meet
_WRONG_PLACE = frozenset(("malformed", "timeout"))  # on the first request: no endpoint of this kind
_OWN = frozenset(("bad_request", "context_length"))  # what may be wrong with one request alone
_PATIENCE = 20  # failures in a row, of kinds that concern all requests, before the run stops
_DOUBT = 8  # failed attempts in a row before fewer are made at once
_PROBES = 3  # requests that must be refused before all are held to be
_BREATH = 64  # conversations found on disk before others get a turn
CHARACTERS_PER_TOKEN = 4  # a rule of thumb for English; estimates say that they are


@dataclass(frozen=True)
class Job:
    """How to run: nothing here changes a reply, and nothing here is hashed.

    Attributes:
        connections: requests under way at once.
        retries: repeats of a request after a failure that may pass.
        prices: for the total cost and its limit.
        accept_errors: leave recorded provider errors as they are instead of trying again.
        requests_per_minute: None for no limit.
        tokens_per_minute: of prompts and replies together; None for no limit.
    """

    connections: int = 16
    retries: int = 5
    prices: Prices = field(default_factory=Prices)
    accept_errors: bool = False
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class _Task:
    """A conversation that is to be had.

    Attributes:
        rank: its place among all; the lowest goes first.
        sample: what it is about.
        epoch: 0-based repeat.
        held: what is on disk of the sample.
    """

    rank: int
    sample: Sample
    epoch: int
    held: Turns


def response_key(
    sample: str,
    epoch: int,
    turn: int,
    model: str,
    generation: Mapping[str, Any],
    messages: Iterable[Mapping[str, str]],
    schema: Mapping[str, Any] | None = None,
) -> str:
    """The hash under which a response is kept: of all that shaped it but the endpoint's address."""
    said = [dict(each) for each in messages]
    shaped = [] if schema is None else [dict(schema)]
    return digest(sample, epoch, turn, model, generation, said, *shaped)


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
        progress: Progress | None = None,
    ) -> None:
        self._model = model
        self._protocol = protocol
        self._templates = templates
        self._generation = generation
        self._shaping = generation.to_json()
        self._job = job
        self._log = log
        self._failures = 0  # requests in a row that failed for good
        self._faults = 0  # attempts in a row that failed
        self._proved = False  # whether the endpoint has ever answered this run
        self._workers = 0
        self._asleep = 0
        self._exhausted = False
        # Jitter only spreads requests over time; it shapes no reply, so its seed is of no matter.
        self._chance = random.Random()
        self.progress = progress or Progress()
        self.progress.prices = job.prices
        self._gate = Gate(
            job.connections,
            requests_per_minute=job.requests_per_minute,
            tokens_per_minute=job.tokens_per_minute,
            refuses=self.progress.refuses,
        )
        self._estimates = job.tokens_per_minute is not None or job.prices.most is not None

    async def run(
        self,
        samples: Callable[[], Iterable[Sample]],
        count: int,
        epochs: int,
        stored: Stored,
        first_answer: Callable[[], None] = lambda: None,
    ) -> None:
        """Asks whatever is not stored, each sample's first epoch before any second.

        Args:
            samples: goes through the samples from the first.
            count: how many they are.
            epochs: repeats of each.
            stored: what is on disk.
            first_answer: called once, when the first response that is no error is on disk.

        Raises:
            UsageError: the endpoint cannot be reached or will not serve this run; said after the
                first requests, before the others are made.
            DiskError: a response could not be written.
        """
        self._first_answer: Callable[[], None] | None = first_answer
        self._proved = stored.proved
        progress = self.progress
        progress.total = count * epochs
        progress.limit = self._job.connections
        progress.on_change(progress)
        self._tasks = self._open(samples, epochs, stored)
        try:
            await self._probe()
            async with asyncio.TaskGroup() as self._group:
                self._staff()
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self._gate.close()
            progress.stopped = self._gate.stopped
            progress.on_change(progress)

    async def _probe(self) -> None:
        """The first conversations one by one, until one of them shows that requests can succeed.

        A request may be refused for what is in it; only several show that all will be.
        """
        message = ""
        for _ in range(_PROBES):
            task = await self._next()
            if self._gate.stopped is not None or (task is None and not message):
                return
            if task is None:
                break
            error = await self._converse(task, probe=True)
            if error is None or error["kind"] != "bad_request" or self._proved:
                return
            message = str(error["message"])
        where = self._model.address or self._model.name
        raise UsageError(f"{where} refuses --model {self._model.name}: {message}")

    def _open(
        self, samples: Callable[[], Iterable[Sample]], epochs: int, stored: Stored
    ) -> Iterator[_Task | None]:
        """The conversations that are not finished on disk; None stands for one that is.

        Those that failed before come last: where they always fail, the others are asked at least.
        """
        failed = False
        for again in (False, True):
            if again and not failed:
                return
            rank = 0
            for epoch in range(epochs):
                for sample in samples():
                    rank += 1
                    held = stored.of(sample.id)
                    broke = any(e == epoch and held[e, t].error is not None for e, t in held)
                    if broke and not again:
                        failed = True
                    if broke is not again:
                        continue
                    if self._is_recorded(sample, epoch, held):
                        self.progress.done += 1
                        self.progress.reused += 1
                        yield None
                    else:
                        yield _Task(rank + again * self.progress.total, sample, epoch, held)

    def _is_recorded(self, sample: Sample, epoch: int, held: Turns) -> bool:
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

    async def _next(self) -> _Task | None:
        """The next conversation that is to be had; None where none is left."""
        for passed, task in enumerate(self._tasks, 1):
            if task is not None:
                return task
            if passed % _BREATH == 0:
                self.progress.on_change(self.progress)
                await asyncio.sleep(0)
                if self._gate.stopped is not None:
                    return None
        self._exhausted = True
        return None

    def _staff(self) -> None:
        """Has as many workers awake as there are connections: one that waits needs none."""
        connections = self._job.connections
        awake = self._workers - self._asleep
        most = min(connections, self.progress.total) - awake
        for _ in range(min(most, 2 * connections - self._workers)):
            if self._exhausted or self._gate.stopped is not None:
                return
            self._workers += 1
            self._group.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._gate.stopped is None:
                if self._workers - self._asleep > self._job.connections:
                    return  # who slept is awake again
                task = await self._next()
                if task is None:
                    return
                await self._converse(task)
        finally:
            self._workers -= 1

    async def _converse(self, task: _Task, *, probe: bool = False) -> Mapping[str, Any] | None:
        """One conversation to its end, or to its first provider error, which is returned."""
        progress, epoch = self.progress, task.epoch
        conversation = self._conversation(task.sample)
        last = self._protocol.turns
        try:
            for turn in range(last + 1):
                key = self._key(task.sample, epoch, turn, conversation)
                response = task.held.get((epoch, turn))
                if response is None or response.key != key or response.error is not None:
                    request = self._request(task.sample, epoch, turn, conversation)
                    response = await self._ask(task.rank, request, key, probe=probe and turn == 0)
                    self._log.append(response)
                if response.error is not None:
                    progress.errors[response.error["kind"]] += 1
                    return response.error
                if self._first_answer is not None:
                    self._first_answer()
                    self._first_answer = None
                conversation.hear(response.response or "")
            progress.done += 1
            before = task.held.get((epoch, last))
            progress.answered += before is None or before.error is not None
        except Stopped:
            pass
        finally:
            progress.on_change(progress)
        return None

    async def _ask(self, rank: int, request: Request, key: str, *, probe: bool) -> Response:
        """One response, or the provider's error as one.

        Raises:
            Stopped: the run ended before it was sent.
        """
        sample = request.sample.id
        try:
            reply, latency = await self._attempts(rank, request, probe=probe)
        except ProviderError as error:
            if probe:
                self._refuse(error)
            self._count_failure(error)
            failure = {"kind": error.kind, "message": str(error), "status": error.status}
            return Response(sample, request.epoch, request.turn, error=failure, key=key)
        self._failures = 0
        return Response(
            sample,
            request.epoch,
            request.turn,
            reply.text,
            reply.reasoning,
            reply.finish_reason,
            reply.usage.to_json() if reply.usage else None,
            round(latency, 4),
            key=key,
        )

    def _count_failure(self, error: ProviderError) -> None:
        """Counts failures in a row; one that is about what was asked says nothing of the others."""
        self._failures = 0 if error.kind in _OWN else self._failures + 1
        if self._failures >= _PATIENCE:
            self._gate.stop(f"{_PATIENCE} requests in a row failed: {error}")

    async def _attempts(self, rank: int, request: Request, *, probe: bool) -> tuple[Reply, float]:
        tokens, cost = self._estimate(request) if self._estimates else (0.0, 0.0)
        attempts = 0

        async def call() -> tuple[Reply, float]:
            nonlocal attempts
            ticket = Pass(rank, tokens, cost)
            await self._gate.enter(ticket)
            attempts += 1
            if attempts == 1:
                self.progress.asked += 1
            used: float | None = None
            begun = time.perf_counter()
            try:
                reply = await self._model.complete(request)
                latency = time.perf_counter() - begun
                self._faults = 0
                self._gate.eased()
                self.progress.add(reply.usage)
                if reply.usage is not None:
                    used = reply.usage.input_tokens + reply.usage.output_tokens
            except ProviderError as error:
                if probe and isinstance(error, Unreachable):
                    self._refuse(error)  # no use in waiting: better said at once
                self._note(error, ticket, repeated=attempts <= self._job.retries)
                raise
            finally:
                self._gate.leave(ticket, used)
                self.progress.limit = int(self._gate.limit)
            return reply, latency

        return await with_retries(
            call, retries=self._job.retries, rng=self._chance, sleep=self._sleep
        )

    async def _sleep(self, seconds: float) -> None:
        """Waits before a repeat; somebody else uses the connection meanwhile."""
        self._asleep += 1
        if self._workers:  # none yet while the first conversation is had
            self._staff()
        try:
            await self._gate.pause(seconds)
        finally:
            self._asleep -= 1

    def _note(self, error: ProviderError, ticket: Pass, *, repeated: bool) -> None:
        """Takes in how an attempt failed."""
        self._faults += 1
        self.progress.said[error.kind] = str(error)
        if error.kind == "rate_limit" or self._faults > _DOUBT:
            self._gate.pressed(ticket)
        if repeated and not isinstance(error, Rejected):
            self.progress.repeated[error.kind] += 1

    def _estimate(self, request: Request) -> tuple[float, float]:
        """About how many tokens a request takes, and the most that it may cost as far as known."""
        progress, longest = self.progress, self._generation.max_tokens
        said = sum(len(each["content"]) for each in request.messages) / CHARACTERS_PER_TOKEN
        usual = progress.usage.output_tokens / max(1, progress.counted)
        least = progress.prices.cost(Usage(int(said), longest or 0))
        return said + (longest or usual), max(progress.dearest, least)

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
            self._shaping,
            conversation.messages,
            schema,
        )

    def _request(
        self, sample: Sample, epoch: int, turn: int, conversation: Conversation
    ) -> Request:
        schema = conversation.schema if self._generation.structured else None
        return Request(sample, conversation.messages, epoch, turn, schema, conversation.write)
