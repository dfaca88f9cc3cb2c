"""Model with replicas on a Ray cluster: each request goes to the replica that has the fewest.

A replica is the model as it runs alone, in an actor that Ray places. Where its machine is lost or
its process ends, another one is placed, and what it had been asked goes to the others meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thence.errors import ParameterError, ThenceError, Transient, UsageError
from thence.models.base import Model, Reply, Request
from thence.system.log import logger
from thence.system.ray_cluster import cluster, go_to, raised_elsewhere

_log = logger("models")

_TRIES = 3  # replicas that may be lost under a request before it has failed
_NONE = "{}: all of its replicas on the cluster have ended"
_STARTS = 3  # ends of a replica while it loads, after which it is given up


class Replica:
    """The model in an actor of the cluster."""

    def __init__(self, make: Callable[[int], Model], share: int, folder: Path) -> None:
        go_to(folder)
        self._make, self._share = make, share
        self._held = AsyncExitStack()
        self._model: Model | None = None

    async def open(self) -> None:
        """Load the model."""
        if self._model is None:
            self._model = await self._held.enter_async_context(self._make(self._share))

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt; fails as the model does."""
        await self.open()
        assert self._model is not None
        return await self._model.complete(request)


@dataclass(eq=False)
class _Actor:
    """A replica as the driver sees it."""

    handle: Any
    busy: int = 0


class ReplicatedModel(Model):
    """Model of open weights with replicas on a Ray cluster inside the context.

    There is one a GPU, or one for some cores, but no more than there may be requests under way.

    Args:
        name: ``PROVIDER/PATH``.
        on: the cluster, ``ray`` or ``ray://HOST:PORT``.
        make: makes the model that answers so many requests at a time; it travels.
        most: requests under way, in all.
        cores: of one replica; None for a GPU where the cluster has any, else for as many as the
            smallest machine has.
        gpus: whether the model can use a GPU.
        grammars: whether it takes grammars.
    """

    def __init__(
        self,
        name: str,
        on: str,
        make: Callable[[int], Model],
        most: int,
        cores: int | None,
        *,
        gpus: bool,
        grammars: bool,
    ) -> None:
        self.name, self.grammars = name, grammars
        self._on, self._make, self._most, self._cores, self._gpus = on, make, most, cores, gpus
        self._ready: list[_Actor] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._change = asyncio.Event()
        self._failures: list[BaseException] = []  # of replicas, before any is ready

    async def __aenter__(self) -> Self:
        self._cluster = cluster(self._on)
        ray = await asyncio.to_thread(self._cluster.__enter__)
        try:
            wanted, number = self._wanted(ray)
            share = -(-self._most // number)
            kind = ray.remote(Replica).options(
                max_concurrency=2 * share + 8, scheduling_strategy="SPREAD", **wanted
            )
            self._place = partial(kind.remote, self._make, share, Path.cwd())
            self._kill = ray.kill
            for _ in range(number):
                self._start()
            await self._any()
        except BaseException:
            await self._end()
            raise
        return self

    def _wanted(self, ray: Any) -> tuple[dict[str, float], int]:
        """Return what a replica takes of a machine, and how many of them there are."""
        held = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        if self._gpus and not self._cores:
            number = sum(int(node.get("GPU", 0)) for node in held)
            if number:
                return {"num_gpus": 1}, min(number, self._most)
        cores = [int(node["CPU"]) for node in held if node.get("CPU", 0) >= 1]
        each = self._cores or min(cores, default=1)
        number = sum(count // each for count in cores)
        if number == 0:
            reason = (
                f"no machine of the cluster has so many; the largest has {max(cores, default=0)}"
            )
            raise ParameterError("replica_cores", each, reason)
        return {"num_cpus": each}, min(number, self._most)

    def _start(self) -> None:
        """Have a replica placed and load its model, in the background."""
        task = asyncio.create_task(self._open())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        task.add_done_callback(lambda _: self._change.set())

    async def _open(self) -> None:
        """Wait until a replica has loaded its model, and let it answer; or say why none can."""
        from ray.exceptions import RayActorError, RayError

        for left in reversed(range(_STARTS)):
            handle = self._place()
            try:
                await handle.open.remote()
            except RayActorError as error:
                if not left:
                    self._failures.append(raised_elsewhere(error))
            except RayError as error:
                self._failures.append(raised_elsewhere(error))
                break
            else:
                self._ready.append(_Actor(handle))
                break
        if self._ready:
            for failure in self._failures:
                _log.warning("a replica of %s is given up: %s", self.name, failure)
            self._failures = []

    async def _any(self) -> None:
        """Wait until a replica is ready.

        Raises:
            ThenceError: why there is none, and will be none.
        """
        while not self._ready:
            if not self._starting:
                raise self._failures[0] if self._failures else UsageError(_NONE.format(self.name))
            self._change.clear()
            await self._change.wait()

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt, which moves to another replica where one is lost.

        Raises:
            ProviderError: as the model's own; ``replica_lost`` where several were lost with it.
        """
        from ray.exceptions import RayActorError, RayTaskError

        said = ""
        for _ in range(_TRIES):
            try:
                await self._any()
            except ThenceError as error:
                raise Transient("replica_lost", str(error)) from error
            actor = min(self._ready, key=lambda each: each.busy)
            actor.busy += 1
            try:
                reply: Reply = await actor.handle.complete.remote(request)
            except RayActorError as error:
                said = str(raised_elsewhere(error))
                if actor in self._ready:
                    self._ready.remove(actor)
                    self._kill(actor.handle)  # where it is only out of reach, its cores are free
                    self._start()
            except RayTaskError as error:
                raise raised_elsewhere(error) from None
            else:
                return reply
            finally:
                actor.busy -= 1
        raise Transient("replica_lost", f"{_TRIES} replicas ended under the request: {said}")

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end()

    async def _end(self) -> None:
        """Leave the cluster, which ends the replicas."""
        starting = list(self._starting)
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        await asyncio.to_thread(self._cluster.__exit__, None, None, None)
