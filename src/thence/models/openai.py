r"""Model behind an OpenAI-compatible chat completions endpoint.

Nothing that an endpoint sends raises anything but a ``ProviderError``, and no error's text holds
the key. Replies are not touched: JSON may smuggle in NULs and lone surrogates (``"\ud800"``), so
a writer of UTF-8 has to escape them first.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

import orjson

from thence.errors import ParameterError
from thence.models.base import Model, Reply
from thence.models.replies import read_reply
from thence.models.secrets import Secrets, in_body

if TYPE_CHECKING:
    from types import TracebackType

    from thence.models.base import Request, Sampling
    from thence.models.http_client import HttpClient
    from thence.models.providers import Endpoint
    from thence.models.proxy import Proxy


class OpenAIChat(Model):
    """Model behind an OpenAI-compatible ``/chat/completions``.

    Args:
        name: ``PROVIDER/NAME`` as the user gave it.
        model: the name that the endpoint knows it by.
        endpoint: where it is served, and the key.
        sampling: parameters of every request.
        connections: most connections open at once, at least 1; further calls wait for one.
        timeout: seconds that one attempt may take from first to last byte, the wait for a
            connection included.
        connect: seconds of these that connecting may take.
        first_byte: seconds of these until the reply begins; None for no limit of its own.
        proxy: HTTP proxy between, or None.

    Raises:
        UsageError: the extra body asks for a stream.
    """

    def __init__(
        self,
        name: str,
        model: str,
        endpoint: Endpoint,
        sampling: Sampling,
        connections: int,
        timeout: float,
        connect: float = 30.0,
        first_byte: float | None = None,
        proxy: Proxy | None = None,
    ) -> None:
        if sampling.extra_body.get("stream"):
            raise ParameterError(
                "extra_body", "stream", "must not be set, as replies are read whole"
            )
        self.name = name
        self._secrets = endpoint.secrets + Secrets.of(*in_body(sampling.extra_body))
        self.address = endpoint.shown
        self._model = model
        self._endpoint = endpoint
        self._sampling = sampling
        self._limits = (connections, timeout, min(connect, timeout), first_byte, proxy)
        self._client: HttpClient | None = None

    async def __aenter__(self) -> Self:
        from thence.models.http_client import HttpClient

        self._client = HttpClient(self._endpoint, *self._limits, secrets=self._secrets)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def check(self) -> None:
        """Connect once and hang up.

        Raises:
            Unreachable: no server listens there.
        """
        if self._client is None:
            raise RuntimeError("OpenAIChat is checked inside `async with` only")
        await self._client.reach()

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt.

        Raises:
            Unreachable: no connection (kind ``connection``, ``dns``, ``tls`` or ``timeout``).
            Transient: kind ``timeout``, ``connection`` (it broke), ``rate_limit``, ``server`` or
                ``malformed`` (the response is no chat completion).
            Rejected: kind ``auth``, ``quota``, ``not_found``, ``context_length``, ``redirect`` or
                ``bad_request``.
        """
        if self._client is None:
            raise RuntimeError("OpenAIChat completes requests inside `async with` only")
        body = _encode(self._payload(request))
        received = await self._client.post(body, request.idempotency_key)
        return read_reply(received, self._secrets)

    def _payload(self, request: Request) -> dict[str, Any]:
        wanted = self._sampling
        optional = {
            "temperature": wanted.temperature,
            "top_p": wanted.top_p,
            "max_tokens": wanted.max_tokens,
            "seed": None if wanted.seed is None else wanted.seed + request.epoch,
        }
        payload: dict[str, Any] = {"model": self._model, "messages": list(request.messages)}
        payload |= {name: value for name, value in optional.items() if value is not None}
        if wanted.structured and request.schema is not None:
            schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif wanted.structured and request.grammar is not None:
            payload["grammar"] = request.grammar  # the field of llama.cpp
        return payload | dict(wanted.extra_body)


def _encode(payload: dict[str, Any]) -> bytes:
    """Return the JSON text of a request."""
    try:
        return orjson.dumps(payload)
    except TypeError:  # a lone surrogate, or an integer beyond 64 bits
        return json.dumps(payload).encode()
