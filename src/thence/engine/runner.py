"""The asking of all samples of a run, as many at a time as there are connections.

Each worker takes the next conversation, says what is to be said turn by turn, and writes every
response down before it goes on. What is on disk already is not asked again. No sample is held any
longer than its conversation lasts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from thence.core.sample import Sample
from thence.engine.asking import Asker
from thence.engine.conversations import Conversations, ResumedConversation
from thence.engine.rate_limiter import Stopped
from thence.engine.response_index import ResponseIndex
from thence.engine.response_log import ResponseLog
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.errors import UsageError

_PROBES = 3  # requests that must be refused before all are held to be
_BREATH = 64  # conversations found on disk before others get a turn


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error in a group, which may be a group itself."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class Runner:
    """Runner of one model over the conversations about some samples.

    Args:
        conversations: makes them.
        limits: how fast to ask, and how often to try again.
        log: takes in the responses.
        progress: takes in what is done.
        identity: of the run; empty for none.
    """

    def __init__(
        self,
        conversations: Conversations,
        limits: Limits,
        log: ResponseLog,
        progress: Progress,
        identity: str = "",
    ) -> None:
        self.progress = progress
        self._limits = limits
        self._log = log
        self._conversations = conversations
        self._asker = Asker(conversations.model, conversations.sampling, limits, progress, identity)
        self._limiter = self._asker.limiter
        self._workers = 0
        self._asleep = 0
        self._exhausted = False

    async def run(
        self,
        samples: Callable[[], Iterable[Sample]],
        count: int,
        epochs: int,
        stored: ResponseIndex,
        first_answer: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask the questions that have no response on disk, first epochs before second ones.

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
        self._asker.proved = stored.proved
        progress = self.progress
        progress.total = count * epochs
        progress.limit = self._limits.max_connections
        progress.on_change(progress)
        self._tasks = self._conversations.open(
            samples, epochs, stored, progress, accept_errors=self._limits.accept_errors
        )
        try:
            async with asyncio.TaskGroup() as beside:
                syncing = beside.create_task(self._log.sync_regularly())
                await self._probe()
                async with asyncio.TaskGroup() as self._group:
                    self._staff()
                syncing.cancel()
        except ExceptionGroup as failures:
            raise _first(failures) from None
        finally:
            self._limiter.close()
            progress.stopped = self._limiter.stopped
            progress.on_change(progress)

    async def _probe(self) -> None:
        """Hold conversations one by one until a request succeeds; refuse the run if none can.

        A request may be refused for what is in it; only several show that all will be.
        """
        message = ""
        for _ in range(_PROBES):
            talk = await self._next()
            if self._limiter.stopped is not None or (talk is None and not message):
                return
            if talk is None:
                break
            error = await self._converse(talk, probe=True)
            if error is None or error["kind"] != "bad_request" or self._asker.proved:
                return
            message = str(error["message"])
        model = self._conversations.model
        where = model.address or model.name
        hint = (
            "; an endpoint that takes no JSON schema has to be asked without structured output"
            * self._conversations.sampling.structured
        )
        raise UsageError(f"{where} refuses model={model.name}: {message}{hint}")

    async def _next(self) -> ResumedConversation | None:
        """Return the next conversation that is not finished; None where none is left."""
        for passed, talk in enumerate(self._tasks, 1):
            if talk is not None:
                return talk
            if passed % _BREATH == 0:
                self.progress.on_change(self.progress)
                await asyncio.sleep(0)
                if self._limiter.stopped is not None:
                    return None
        self._exhausted = True
        return None

    def _staff(self) -> None:
        """Start workers until as many are awake as there are connections."""
        connections = self._limits.max_connections
        awake = self._workers - self._asleep
        most = min(connections, self.progress.total) - awake
        for _ in range(min(most, 2 * connections - self._workers)):
            if self._exhausted or self._limiter.stopped is not None:
                return
            self._workers += 1
            self._group.create_task(self._work())

    async def _work(self) -> None:
        """Have one conversation after another."""
        try:
            while self._limiter.stopped is None:
                if self._workers - self._asleep > self._limits.max_connections:
                    return  # a worker that waited to try again is back, and has its connection
                talk = await self._next()
                if talk is None:
                    return
                await self._converse(talk)
        finally:
            self._workers -= 1

    async def _converse(
        self, talk: ResumedConversation, *, probe: bool = False
    ) -> Mapping[str, Any] | None:
        """Have a conversation to its end, or to its first provider error, which is returned."""
        progress, model = self.progress, talk.model
        try:
            while (slot := talk.slot) is not None:
                response = await self._asker.ask(
                    model,
                    slot,
                    talk.rank,
                    talk.request,
                    talk.failure,
                    self._sleep,
                    probe=probe and slot.turn == 0,
                )
                self._log.append(response)
                if response.error is not None:
                    progress.errors[response.error["kind"]] += 1
                    return response.error
                if self._first_answer is not None:
                    self._first_answer()
                    self._first_answer = None
                talk.hear(response)
            progress.done += 1
            progress.answered += not talk.ended_on_disk
        except Stopped:
            pass
        finally:
            progress.on_change(progress)
        return None

    async def _sleep(self, seconds: float) -> None:
        """Wait before a repeat; another worker uses the connection meanwhile."""
        self._asleep += 1
        if self._workers:  # none yet while the first conversation is had
            self._staff()
        try:
            await self._limiter.pause(seconds)
        finally:
            self._asleep -= 1
