"""A function of the caller's as a model."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from thence.errors import ParameterError, Transient
from thence.models.base import Message, Model, Reply, Request
from thence.models.function_identity import identity, plain_name

PROVIDER = "function"
_MOST = 512  # threads; as many are started as there are calls under way

type Function = Callable[[list[Message]], str | Reply | Awaitable[str | Reply]]
"""From the messages of a chat to the text of the reply, or to a reply; it may be asynchronous."""


class FunctionModel(Model):
    """Model that calls a function; one that is not asynchronous is called in threads.

    Its name holds a hash of the function's code and of the values that it holds, so that a run does
    not go on with the replies of another function. Where a value has no stable form, such as a
    connection, the name is a new one each time.

    Args:
        function: what is called.
        name: tells the function from others in place of a hash; None for the hash.
    """

    def __init__(self, function: Function, name: str | None = None) -> None:
        if name is None:
            name = f"{plain_name(function)}-{identity(function) or uuid4().hex[:8]}"
        self.name = f"{PROVIDER}/{name}"
        self._function = function
        self._threads: ThreadPoolExecutor | None = None

    async def __aenter__(self) -> Self:
        self._threads = ThreadPoolExecutor(_MOST, "thence-model")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def complete(self, request: Request) -> Reply:
        """Return what the function makes of the messages.

        Raises:
            Transient: it raised an ``OSError``, such as that of a connection or a time-out.
            ParameterError: it gives something else than text or a reply.
        """
        try:
            made = await self._called(request)
        except OSError as error:
            kind = "timeout" if isinstance(error, TimeoutError) else "connection"
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Transient(kind, f"{self.name} raised {said}") from error
        if isinstance(made, Reply):
            return made
        if made is None or isinstance(made, str):
            return Reply(made)
        raise ParameterError(
            "model", self.name, f"gave {type(made).__name__}; it must give text or a Reply"
        )

    async def _called(self, request: Request) -> Any:
        """Return the value of the function."""
        messages = [dict(each) for each in request.messages]
        if inspect.iscoroutinefunction(self._function):
            return await self._function(messages)
        loop = asyncio.get_running_loop()
        made = await loop.run_in_executor(self._threads, self._function, messages)
        return await made if inspect.isawaitable(made) else made
