"""A small server on loopback that answers, or fails, as a test tells it to.

It speaks OpenAI's chat completions and Responses, Anthropic's Messages and Gemini's
generateContent, by the path of a request; ``behave`` is given the body of a chat completion, and
every answer goes back in the format of its request.

In an asynchronous test::

    async with FakeEndpoint() as fake:
        fake.behave = lambda body, count: Status(429) if count == 0 else Answer("Yes")
        ...  # talk to fake.url, then look at fake.requests

In a synchronous one, or for a subprocess, the same server runs in a thread::

    with FakeEndpoint.in_thread() as fake:
        ...

``behave(body, count)`` is called once a request, with its JSON body and the number of requests
that came before it, in the server's event loop: it must not block.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True)
class Answer:
    """A chat completion.

    Attributes:
        text: the content of the message; any JSON value, to send what should not be there.
        finish_reason: as it is sent.
        message: further fields of the message, such as ``reasoning_content``.
        usage: tokens in and out, or None to send none.
        delay: seconds before it is sent.
    """

    text: Any
    finish_reason: Any = "stop"
    message: Mapping[str, Any] = field(default_factory=dict)
    usage: tuple[int, int] | None = (12, 3)
    delay: float = 0.0

    def in_form(self, form: str) -> dict[str, Any]:
        """The answer in one of FORMS."""
        return FORMS[form](self)

    def to_json(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.text, **self.message}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        body: dict[str, Any] = {
            "id": "fake", "created": 0, "model": "fake", "object": "chat.completion",
            "choices": [choice],
        }  # fmt: skip
        if self.usage is not None:
            asked, told = self.usage
            body["usage"] = {
                "prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told,
            }  # fmt: skip
        return body


def _responses(answer: Answer) -> dict[str, Any]:
    asked, told = answer.usage or (0, 0)
    thought = answer.message.get("reasoning_content")
    output: list[dict[str, Any]] = []
    if thought is not None:
        part = {"type": "summary_text", "text": thought}
        output.append({"type": "reasoning", "id": "rs_1", "summary": [part]})
    part = {"type": "output_text", "text": answer.text, "annotations": []}
    message = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed"}
    output.append({**message, "content": [part]})
    cut = answer.finish_reason == "length"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": asked,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": told,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": asked + told,
        },
    }


def _messages(answer: Answer) -> dict[str, Any]:
    asked, told = answer.usage or (0, 0)
    thought = answer.message.get("reasoning_content")
    content: list[dict[str, Any]] = []
    if thought is not None:
        content.append({"type": "thinking", "thinking": thought, "signature": "x"})
    if answer.text is not None:
        content.append({"type": "text", "text": answer.text})
    stops = {"stop": "end_turn", "length": "max_tokens"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": stops.get(answer.finish_reason, answer.finish_reason),
        "stop_sequence": None,
        "usage": {"input_tokens": asked, "output_tokens": told},
    }


def _generated(answer: Answer) -> dict[str, Any]:
    asked, told = answer.usage or (0, 0)
    thought = answer.message.get("reasoning_content")
    parts: list[dict[str, Any]] = []
    if thought is not None:
        parts.append({"text": thought, "thought": True})
    if answer.text is not None:
        parts.append({"text": answer.text})
    stops = {"stop": "STOP", "length": "MAX_TOKENS"}
    finish = stops.get(answer.finish_reason, answer.finish_reason)
    return {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": asked,
            "candidatesTokenCount": told,
            "totalTokenCount": asked + told,
        },
    }


FORMS: Mapping[str, Callable[[Answer], dict[str, Any]]] = {
    "chat": Answer.to_json,
    "responses": _responses,
    "messages": _messages,
    "generate": _generated,
}


def form_of(path: str) -> str:
    """The form that a path speaks."""
    ends = {"/responses": "responses", "/messages": "messages", ":rawPredict": "messages"}
    ends |= {":generateContent": "generate"}
    return next((form for end, form in ends.items() if path.endswith(end)), "chat")


def as_chat(form: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a request, whose messages stand as in a chat completion."""
    held = dict(body)
    if form == "responses":
        held["messages"] = body["input"]
    if form == "generate":
        roles = {"model": "assistant"}
        held["messages"] = [
            {"role": roles.get(each["role"], each["role"]), "content": each["parts"][0]["text"]}
            for each in body["contents"]
        ]
    if form == "messages":
        held["messages"] = [
            {"role": each["role"], "content": each["content"]}
            if isinstance(each["content"], str)
            else {"role": each["role"], "content": each["content"][0]["text"]}
            for each in body["messages"]
        ]
    return held


class Fault(ABC):
    """A way to fail."""

    @abstractmethod
    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Answer the request in that way."""


@dataclass(frozen=True)
class Status(Fault):
    """A whole response with this status; a body that is no text or bytes is sent as JSON."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = ""

    async def respond(self, request: web.Request) -> web.StreamResponse:
        raw = self.body
        if isinstance(raw, str):
            raw = raw.encode("utf-8", "surrogatepass")
        elif not isinstance(raw, bytes):
            raw = json.dumps(raw).encode()
        return web.Response(status=self.code, headers=self.headers, body=raw)


@dataclass(frozen=True)
class Garbage(Fault):
    """A success whose body is these bytes."""

    data: bytes = b"\x00\xff<html>"

    async def respond(self, request: web.Request) -> web.StreamResponse:
        return web.Response(body=self.data, content_type="application/json")


@dataclass(frozen=True)
class HalfJson(Fault):
    """A success whose body is whole as HTTP and breaks off in the middle as JSON."""

    async def respond(self, request: web.Request) -> web.StreamResponse:
        whole = json.dumps(Answer("never to be read").in_form(form_of(request.path)))
        return web.Response(text=whole[: len(whole) // 2], content_type="application/json")


@dataclass(frozen=True)
class NotHttp(Fault):
    """These bytes where the status line should be, then the end of the connection."""

    data: bytes = b"SSH-2.0-OpenSSH_9.6\r\n"

    async def respond(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(self.data)
        request.transport.close()
        raise ConnectionResetError


@dataclass(frozen=True)
class Hang(Fault):
    """Silence for so many seconds, then a dropped connection."""

    seconds: float = 60.0

    async def respond(self, request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(self.seconds)
        return await Reset().respond(request)


@dataclass(frozen=True)
class Reset(Fault):
    """A connection reset in place of a response."""

    async def respond(self, request: web.Request) -> web.StreamResponse:
        _reset(request)
        raise ConnectionResetError


@dataclass(frozen=True)
class CutShort(Fault):
    """Headers that promise a whole body, a part of it, then a reset."""

    part: float = 0.5

    async def respond(self, request: web.Request) -> web.StreamResponse:
        whole = json.dumps(Answer("never to be read").in_form(form_of(request.path))).encode()
        response = web.StreamResponse(headers={"Content-Length": str(len(whole))})
        await response.prepare(request)
        await response.write(whole[: int(len(whole) * self.part)])
        assert request.transport is not None
        request.transport.close()
        raise ConnectionResetError


@dataclass(frozen=True)
class Drip(Fault):
    """A good answer, in so many pieces with a pause of so many seconds after each."""

    answer: Answer
    pieces: int = 10
    pause: float = 0.01

    async def respond(self, request: web.Request) -> web.StreamResponse:
        whole = json.dumps(self.answer.in_form(form_of(request.path))).encode()
        size = -(-len(whole) // self.pieces)
        response = web.StreamResponse()
        await response.prepare(request)
        for start in range(0, len(whole), size):
            await response.write(whole[start : start + size])
            await asyncio.sleep(self.pause)
        await response.write_eof()
        return response


@dataclass(frozen=True)
class Received:
    """One request as it came in; ``headers`` by lower-case name."""

    body: dict[str, Any]
    headers: Mapping[str, str]
    path: str = ""


Behaviour = Callable[[dict[str, Any], int], Answer | Fault]


def echo(body: dict[str, Any], count: int) -> Answer | Fault:
    """The default behaviour: the last message's content comes back."""
    return Answer(body["messages"][-1]["content"])


class FakeEndpoint:
    """The server, listening while its context is open.

    Attributes:
        behave: how it answers; may be replaced at any time.
        requests: what it has received, in order of arrival.
        url: its base URL, to give as ``--base-url``.
        peak: the most requests that were in its hands at once.
    """

    def __init__(self, behave: Behaviour = echo) -> None:
        self.behave = behave
        self.requests: list[Received] = []
        self.url = ""
        self.peak = 0
        self._active = 0
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=2**26)
        for end in ("chat/completions", "responses", "messages"):
            application.router.add_post("/{folder:.*}v1/" + end, self._serve)
        application.router.add_post("/{folder:.*}/models/{model}:{verb}", self._serve)
        self.routes(application.router)
        # A client that has gone, or the end of the test, must end a Hang.
        self._runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.05)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    @classmethod
    @contextmanager
    def in_thread(cls, behave: Behaviour = echo) -> Iterator[Self]:
        """The same server in an event loop and a daemon thread of its own."""
        fake = cls(behave)
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="fake endpoint", daemon=True)
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(fake.__aenter__(), loop).result(10)
            try:
                yield fake
            finally:
                asyncio.run_coroutine_threadsafe(fake.__aexit__(), loop).result(10)
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(10)
            loop.close()

    def routes(self, router: web.UrlDispatcher) -> None:
        """Adds what a subclass serves beside."""

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self._active += 1
        self.peak = max(self.peak, self._active)
        try:
            body = await request.json()
            headers = {name.lower(): value for name, value in request.headers.items()}
            self.requests.append(Received(body, headers, request.path))
            form = form_of(request.path)
            reaction = self.behave(as_chat(form, body), len(self.requests) - 1)
            if isinstance(reaction, Fault):
                return await reaction.respond(request)
            await asyncio.sleep(reaction.delay)
            return web.json_response(reaction.in_form(form))
        finally:
            self._active -= 1


def _reset(request: web.Request) -> None:
    """Drop the connection so that the client gets a reset, not an orderly end."""
    assert request.transport is not None
    connection = request.transport.get_extra_info("socket")
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
