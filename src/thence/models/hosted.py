r"""Model behind an endpoint, asked by any interface.

Nothing that an endpoint sends raises anything but a ``ProviderError``, and no error's text holds
the key. Replies are not touched: JSON may smuggle in NULs and lone surrogates (``"\ud800"``), so
a writer of UTF-8 has to escape them first.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import orjson

from thence.errors import ParameterError
from thence.models.base import Model, Reply
from thence.models.headers import overlaid, secrets_of
from thence.models.openai import ChatCompletions
from thence.models.replies import failure, read_reply
from thence.models.secrets import Secrets, in_body

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path
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
        headers: further ones of every request, in place of the interface's of the same name.

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
        headers: Mapping[str, str] = MappingProxyType({}),
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
        self.secrets = (
            endpoint.secrets + Secrets.of(*in_body(sampling.extra_body)) + secrets_of(headers)
        )
        self._limits = (connections, timeout, min(connect, timeout), first_byte, proxy)
        self._tokens = tokens
        self._headers = headers
        self._client: HttpClient | None = None

    async def __aenter__(self) -> Self:
        from thence.models.http_client import HttpClient

        self._client = HttpClient(
            self.endpoint,
            *self._limits,
            secrets=self.secrets,
            path=self.interface.path(self.model),
            headers=overlaid(
                self.interface.headers(None if self._tokens else self.endpoint.key), self._headers
            ),
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
        received = await self._post(encode(self.payload(request)), request.idempotency_key)
        return self.read(received)

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the JSON object of a request."""
        return self.interface.payload(self.model, request, self.sampling)

    def read(self, received: Received) -> Reply:
        """Return the reply in a response.

        Raises:
            ProviderError: as `complete`.
        """
        return read_reply(received, self.secrets, self.interface)

    async def call(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Received:
        """Return the response to a request of another kind than replies, below the address.

        Raises:
            ProviderError: no whole response came.
        """
        return await self._signing(lambda more: self.client.call(method, path, body, more), headers)

    async def download(self, path: str, file: Path) -> None:
        """Write what lies at a path, below the address, to a file.

        Raises:
            ProviderError: it did not come whole.
        """
        received = await self._signing(lambda more: self.client.download(path, file, more), {})
        if received.status != 200:  # nothing was written
            raise failure(received, None, received.status, self.secrets)

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
        client = self.client
        return await self._signing(lambda more: client.post(body, key, more), {})

    async def _signing(
        self,
        send: Callable[[Mapping[str, str]], Awaitable[Received]],
        headers: Mapping[str, str],
    ) -> Received:
        """Send a request; once more, with a new token, where a token is refused."""
        if self._tokens is None:
            return await send(headers)
        token = await self._tokens.token()
        received = await send({**headers, **self._signed(token)})
        if received.status == 401:
            token = await self._tokens.token(refused=token)
            received = await send({**headers, **self._signed(token)})
        return received

    def _signed(self, token: str) -> dict[str, str]:
        """Return the header with a token, which no error or reply shows from now on."""
        if token not in self.secrets.values:
            self.secrets += Secrets.of(token)
            self.client.secrets = self.secrets
        return {"Authorization": f"Bearer {token}"}


def encode(payload: dict[str, Any]) -> bytes:
    """Return the JSON text of a request."""
    try:
        return orjson.dumps(payload)
    except TypeError:  # a lone surrogate, or an integer beyond 64 bits
        return json.dumps(payload).encode()
