"""Putting every sample to the model, as many at a time as there are connections.

Each worker takes the next conversation, says what is to be said turn by turn, and writes every
response down before it goes on. What is on disk already is not asked again. No sample is held any
longer than its conversation lasts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from thence.core.sample import Sample
from thence.engine.ahead import Ahead
from thence.engine.asking import Asker, Job
from thence.engine.conversations import Conversations, Task
from thence.engine.rate_limiter import Stopped
from thence.engine.response_index import Stored
from thence.engine.response_log import ResponseLog
from thence.engine.run_progress import Progress
from thence.errors import UsageError
from thence.models.base import Model, SamplingParams
from thence.prompts.protocol import Composed
from thence.prompts.templates import Templates

_PROBES = 3  # requests that must be refused before all are held to be
_BREATH = 64  # conversations found on disk before others get a turn


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error in a group, which may be a group itself."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class Runner:
    """Runs one model over samples with one protocol."""

    def __init__(
        self,
        model: Model,
        protocol: Composed,
        templates: Templates,
        generation: SamplingParams,
        job: Job,
        log: ResponseLog,
        progress: Progress | None = None,
        ahead: Ahead | None = None,
    ) -> None:
        self.progress = progress or Progress()
        self.progress.prices = job.prices
        self._model = model
        self._job = job
        self._log = log
        self._ahead = ahead
        self._conversations = Conversations(model, protocol, templates, generation)
        self._asker = Asker(model, generation, job, self.progress)
        self._gate = self._asker.gate
        self._workers = 0
        self._asleep = 0
        self._exhausted = False

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
        self._asker.proved = stored.proved
        progress = self.progress
        progress.total = count * epochs
        progress.limit = self._job.connections
        progress.on_change(progress)
        self._tasks = self._conversations.open(
            samples, epochs, stored, progress, accept_errors=self._job.accept_errors
        )
        try:
            async with asyncio.TaskGroup() as beside:
                follower = beside.create_task(self._ahead.follow()) if self._ahead else None
                await self._probe()
                async with asyncio.TaskGroup() as self._group:
                    self._staff()
                if follower is not None:
                    follower.cancel()
        except ExceptionGroup as failures:
            raise _first(failures) from None
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
            if error is None or error["kind"] != "bad_request" or self._asker.proved:
                return
            message = str(error["message"])
        where = self._model.address or self._model.name
        raise UsageError(f"{where} refuses --model {self._model.name}: {message}")

    async def _next(self) -> Task | None:
        """The next conversation that is to be had; None where none is left."""
        for passed, task in enumerate(self._tasks, 1):
            if isinstance(task, Task):
                return task
            self._over(task)
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

    async def _converse(self, task: Task, *, probe: bool = False) -> Mapping[str, Any] | None:
        """One conversation to its end, or to its first provider error, which is returned."""
        progress, epoch = self.progress, task.epoch
        conversation = self._conversations.begin(task.sample)
        model = self._conversations.model_for(task.sample, conversation)
        last = self._conversations.last
        try:
            for turn in range(last + 1):
                key = self._conversations.key(task.sample, epoch, turn, conversation)
                response = task.held.get((epoch, turn))
                if response is None or response.key != key or response.error is not None:
                    request = self._conversations.request(epoch, turn, conversation)
                    response = await self._asker.ask(
                        model,
                        task.sample.id,
                        task.rank,
                        request,
                        key,
                        self._sleep,
                        probe=probe and turn == 0,
                    )
                    start = self._log.append(response)
                    if self._ahead is not None:
                        self._ahead.wrote(task.place, epoch, turn, start)
                if response.error is not None:
                    progress.errors[response.error["kind"]] += 1
                    self._over(task.place)
                    return response.error
                if self._first_answer is not None:
                    self._first_answer()
                    self._first_answer = None
                conversation.hear(response.response or "")
            progress.done += 1
            before = task.held.get((epoch, last))
            progress.answered += before is None or before.error is not None
            self._over(task.place)
        except Stopped:
            pass
        finally:
            progress.on_change(progress)
        return None

    def _over(self, place: int) -> None:
        if self._ahead is not None:
            self._ahead.over(place)

    async def _sleep(self, seconds: float) -> None:
        """Waits before a repeat; somebody else uses the connection meanwhile."""
        self._asleep += 1
        if self._workers:  # none yet while the first conversation is had
            self._staff()
        try:
            await self._gate.pause(seconds)
        finally:
            self._asleep -= 1
