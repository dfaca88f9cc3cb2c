r"""Model behind an endpoint, asked by any interface.

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
from thence.models.openai import ChatCompletions
from thence.models.replies import read_reply
from thence.models.secrets import Secrets, in_body

if TYPE_CHECKING:
    from types import TracebackType

    from thence.models.base import Request, Sampling
    from thence.models.http_client import HttpClient
    from thence.models.interface import Interface
    from thence.models.providers import Endpoint
    from thence.models.proxy import Proxy
    from thence.models.replies import Received
    from thence.models.token_command import TokenCommand


class HostedModel(Model):
    """Model behind an endpoint.

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
        interface: the format of requests and replies; None for chat completions.
        tokens: source of tokens that sign requests in place of a key, or None.

    Raises:
        ParameterError: a parameter that the interface would ignore, or an extra body that asks for
            a stream.
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
        interface: Interface | None = None,
        tokens: TokenCommand | None = None,
    ) -> None:
        if sampling.extra_body.get("stream"):
            raise ParameterError(
                "extra_body", "stream", "must not be set, as replies are read whole"
            )
        self.interface = interface or ChatCompletions()
        self.interface.check(sampling)
        self.name = name
        self.model = model
        self.endpoint = endpoint
        self.sampling = sampling
        self.address = endpoint.shown
        self.speaks = self.interface.title
        self._secrets = endpoint.secrets + Secrets.of(*in_body(sampling.extra_body))
        self._limits = (connections, timeout, min(connect, timeout), first_byte, proxy)
        self._tokens = tokens
        self._client: HttpClient | None = None

    async def __aenter__(self) -> Self:
        from thence.models.http_client import HttpClient

        self._client = HttpClient(
            self.endpoint,
            *self._limits,
            secrets=self._secrets,
            path=self.interface.path(self.model),
            headers=self.interface.headers(None if self._tokens else self.endpoint.key),
        )
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
        """Connect once and hang up; have a token made where requests are signed by one.

        Raises:
            Unreachable: no server listens there.
            ParameterError: no token can be had.
        """
        await self.client.reach()
        if self._tokens is not None:
            await self._tokens.token()

    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt.

        Raises:
            Unreachable: no connection (kind ``connection``, ``dns``, ``tls`` or ``timeout``).
            Transient: kind ``timeout``, ``connection`` (it broke), ``rate_limit``, ``server`` or
                ``malformed`` (the response is none of the interface).
            Rejected: kind ``auth``, ``quota``, ``not_found``, ``context_length``, ``redirect`` or
                ``bad_request``.
        """
        body = encode(self.interface.payload(self.model, request, self.sampling))
        received = await self._post(body, request.idempotency_key)
        return read_reply(received, self._secrets, self.interface)

    @property
    def client(self) -> HttpClient:
        """The connections to the endpoint.

        Raises:
            RuntimeError: the context of the model is not open.
        """
        if self._client is None:
            raise RuntimeError("a hosted model is asked inside `async with` only")
        return self._client

    async def _post(self, body: bytes, key: str | None) -> Received:
        """Post a body; once more, with a new token, where a token is refused."""
        client = self.client
        if self._tokens is None:
            return await client.post(body, key)
        token = await self._tokens.token()
        received = await client.post(body, key, self._signed(token))
        if received.status == 401:
            token = await self._tokens.token(refused=token)
            received = await client.post(body, key, self._signed(token))
        return received

    def _signed(self, token: str) -> dict[str, str]:
        """Return the header with a token, which no error or reply shows from now on."""
        if token not in self._secrets.values:
            self._secrets += Secrets.of(token)
            self.client.secrets = self._secrets
        return {"Authorization": f"Bearer {token}"}


def encode(payload: dict[str, Any]) -> bytes:
    """Return the JSON text of a request."""
    try:
        return orjson.dumps(payload)
    except TypeError:  # a lone surrogate, or an integer beyond 64 bits
        return json.dumps(payload).encode()
