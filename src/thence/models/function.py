"""A function of the caller's as a model."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import CodeType, TracebackType
from typing import Any, Self

from thence.core.digest import digest
from thence.errors import ParameterError
from thence.models.base import Message, Model, Reply, Request

PROVIDER = "function"
_MOST = 512  # threads; as many are started as there are calls under way

type Function = Callable[[list[Message]], str | Reply | Awaitable[str | Reply]]
"""From the messages of a chat to the text of the reply, or to a reply; it may be asynchronous."""


class FunctionModel(Model):
    """Model that calls a function; one that is not asynchronous is called in threads.

    Its name holds a hash of the function's code, so that a run does not go on with the replies of
    another function of the same name.
    """

    def __init__(self, function: Function) -> None:
        self.name = f"{PROVIDER}/{_name_of(function)}"
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
            ParameterError: it gives something else than text or a reply.
        """
        messages = [dict(each) for each in request.messages]
        made: Any
        if inspect.iscoroutinefunction(self._function):
            made = await self._function(messages)
        else:
            loop = asyncio.get_running_loop()
            made = await loop.run_in_executor(self._threads, self._function, messages)
            if inspect.isawaitable(made):
                made = await made
        if isinstance(made, Reply):
            return made
        if made is None or isinstance(made, str):
            return Reply(made)
        raise ParameterError(
            "model", self.name, f"gave {type(made).__name__}; it must give text or a Reply"
        )


def _name_of(function: Any) -> str:
    """Return the name of a function, with a hash of its code."""
    named = function if hasattr(function, "__qualname__") else type(function)
    name = named.__qualname__.rpartition(".")[2].strip("<>")
    code = getattr(function, "__code__", None)
    if code is None:  # an object, whose class has the code
        code = getattr(inspect.getattr_static(type(function), "__call__"), "__code__", None)
    return name if code is None else f"{name}-{digest(_parts(code), size=4)}"


def _parts(code: CodeType) -> list[Any]:
    """Return the instructions of a piece of code as JSON, with the functions within it."""
    constants = [
        _parts(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts
    ]
    return [code.co_code.hex(), list(code.co_names), constants]
