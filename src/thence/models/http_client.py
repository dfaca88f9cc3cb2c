"""HTTP client of one endpoint, which posts a JSON body and returns a whole response or an error.

Importing this module loads aiohttp, which takes a noticeable part of a second.
"""

from __future__ import annotations

import asyncio
import io
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.http_exceptions import ContentLengthError, TransferEncodingError

from thence.errors import ProviderError, Transient, Unreachable
from thence.models.headers import overlaid
from thence.models.replies import ERROR_BYTES, Received, one_line
from thence.system.disk import disk
from thence.system.version import VERSION

if TYPE_CHECKING:
    from thence.models.providers import Endpoint
    from thence.models.proxy import Proxy
    from thence.models.secrets import Secrets

REPLY_BYTES = 64 << 20  # most bytes of a decompressed body
ALL_BYTES = 256 << 20  # most bytes of all bodies that are being read
_WHOLE_WRITE = 1 << 20  # bytes of a request's body above which aiohttp wants a file
_KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 30, "TCP_KEEPCNT": 4}


class HttpClient:
    """Connection pool of one endpoint; made inside the event loop, and closed by `close`.

    Args:
        endpoint: address and key.
        connections: most requests under way at once; further ones wait.
        timeout: seconds of a whole request, with the wait for its turn.
        connect: seconds of these for connecting.
        first_byte: seconds until the response begins, with connecting; None for no limit.
        proxy: HTTP proxy between, or None.
        secrets: keys that no error shows; None for those of the endpoint.
        path: of requests, below the address.
        headers: of every request; None for a bearer token of the endpoint's key.

    Attributes:
        secrets: keys that no error shows; a further one may be added.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        connections: int,
        timeout: float,
        connect: float,
        first_byte: float | None = None,
        proxy: Proxy | None = None,
        secrets: Secrets | None = None,
        path: str = "/chat/completions",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._shown = endpoint.shown
        self.secrets = secrets or endpoint.secrets
        self._base = endpoint.url
        self._url = f"{endpoint.url}{path}"
        self._timeout = timeout
        self._connect = connect
        self._first_byte = first_byte
        self._held = 0  # bytes of bodies that are being read
        self._turns = asyncio.Semaphore(connections)
        # Headers go with each request: aiohttp would send those of a session to the proxy too.
        self._headers = {
            "User-Agent": f"thence/{VERSION}",
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        if headers is None and endpoint.key is not None:
            headers = {"Authorization": f"Bearer {endpoint.key}"}
        self._headers = overlaid(self._headers, headers or {})
        self._proxy = proxy.url if proxy else None
        self._proxy_headers: dict[str, str] = {}
        if proxy and proxy.authorization:
            tunnel = endpoint.url.startswith("https:")
            told = self._proxy_headers if tunnel else self._headers
            told["Proxy-Authorization"] = proxy.authorization
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, socket_factory=keepalive_socket),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, connect=connect),
            request_class=_Request,
        )

    async def post(
        self,
        body: bytes,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Received:
        """Post a JSON body and return the response.

        Args:
            body: is sent as it is.
            idempotency_key: by which the endpoint may know a repeat; None to send none.
            headers: further ones of this request.

        Raises:
            Unreachable: no connection (kind ``connection``, ``dns``, ``tls`` or ``timeout``).
            Transient: no whole response (kind ``connection``, ``timeout`` or ``malformed``).
        """
        try:
            async with (
                asyncio.timeout(self._timeout),
                self._turns,
                await self._begin(body, idempotency_key, headers) as response,
            ):
                content = await self._read(response)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._classified(error) from None
        return Received(self._shown, response.status, response.headers, content)

    async def call(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Received:
        """Return the response to a request at a path below the address.

        Raises:
            ProviderError: as `post`.
        """
        try:
            async with asyncio.timeout(self._timeout), self._turns:
                data = None if body is None else io.BytesIO(body)
                async with await self._send(method, data, headers, path) as response:
                    content = await self._read(response)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._classified(error) from None
        return Received(self._shown, response.status, response.headers, content)

    async def download(self, path: str, file: Path, headers: Mapping[str, str]) -> Received:
        """Write the body at a path below the address to a file; return the response without it.

        Raises:
            ProviderError: as `post`.
            DiskError: the disk would not take it.
        """
        try:
            async with (
                asyncio.timeout(self._timeout),
                self._turns,
                await self._send("GET", None, headers, path) as response,
            ):
                content = b""
                if response.status != 200:
                    content = await self._read(response)
                else:
                    await self._write(response, file)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._classified(error) from None
        return Received(self._shown, response.status, response.headers, content)

    async def reach(self) -> None:
        """Connect without sending anything, and hang up.

        Raises:
            Unreachable: no connection could be made.
        """
        try:
            await self._send("HEAD")
        except _Connected:
            pass
        except (aiohttp.ClientError, OSError, ValueError) as error:
            reason = self._classified(error)
            raise Unreachable(reason.kind, str(reason)) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def _begin(
        self, body: bytes, key: str | None, headers: Mapping[str, str]
    ) -> aiohttp.ClientResponse:
        """Post a body and return the response as soon as its head is there."""
        try:
            async with asyncio.timeout(self._first_byte):
                data = body if len(body) <= _WHOLE_WRITE else io.BytesIO(body)
                named = {} if key is None else {"Idempotency-Key": key}
                return await self._send("POST", data, {**named, **headers})
        except aiohttp.ConnectionTimeoutError:
            raise
        except TimeoutError:
            url = self._shown
            text = f"no reply from {url} began within {self._first_byte:g} s"
            raise Transient("timeout", text) from None

    async def _send(
        self,
        method: str,
        data: bytes | io.BytesIO | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
        path: str | None = None,
    ) -> aiohttp.ClientResponse:
        return await self._session.request(
            method,
            self._url if path is None else f"{self._base}{path}",
            data=data,
            headers={**self._headers, **headers},
            allow_redirects=False,  # a redirect would carry the prompt to a stranger
            proxy=self._proxy,
            proxy_headers=self._proxy_headers,
        )

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        """Return the decompressed body; the body of an HTTP error is cut off after 64 KiB."""
        if response.connection is None:  # the whole body has come, in fewer bytes than any limit
            return response.content.read_nowait()
        body = bytearray()
        success = 200 <= response.status < 300
        try:
            with _failing_when_closed(response.connection, response.content):
                async for piece in response.content.iter_any():
                    body += piece
                    self._held += len(piece)
                    if not success and len(body) > ERROR_BYTES:
                        break
                    self._check_size(len(body))
            return bytes(body)
        finally:
            self._held -= len(body)

    async def _write(self, response: aiohttp.ClientResponse, file: Path) -> None:
        """Write a body to a file."""
        with disk(file):
            held = file.open("wb")
        with held:
            async for piece in response.content.iter_any():
                with disk(file):
                    held.write(piece)

    def _check_size(self, length: int) -> None:
        """Raise an error if a body is too long, or all those that are being read are."""
        if length > REPLY_BYTES:
            most = f"more than {REPLY_BYTES >> 20} MiB"
            raise Transient("malformed", f"{self._shown} answered with {most}")
        if self._held > ALL_BYTES:
            most = f"more than {ALL_BYTES >> 20} MiB at once"
            raise Transient("malformed", f"{self._shown} answers with {most}")

    def _classified(self, error: Exception) -> ProviderError:
        """Return the provider error that stands for an attempt without a whole response."""
        url = self._shown
        if reason := self._unreachable(error):
            kind, detail = reason
            text = f"no connection to {url}, is it the right address? {self._plain(detail)}"
            return Unreachable(kind, text)
        if isinstance(error, TimeoutError):
            return Transient("timeout", f"no whole reply from {url} within {self._timeout:g} s")
        cut_short = (ContentLengthError, TransferEncodingError)
        if isinstance(error, aiohttp.ClientPayloadError):
            malformed = not isinstance(error.__cause__, cut_short)
        else:
            malformed = isinstance(error, aiohttp.ClientResponseError)
        if malformed:
            detail = self._plain(getattr(error, "message", str(error))).rstrip(" ^")
            return Transient("malformed", f"{url} does not answer in HTTP: {detail}")
        detail = "it was closed too early"
        if isinstance(error, OSError) and error.strerror:
            detail += f": {self._plain(error.strerror)}"
        return Transient("connection", f"the connection to {url} broke: {detail}")

    def _unreachable(self, error: Exception) -> tuple[str, str] | None:
        """Return the kind of and the reason for a connection that was not made, or None."""
        reason: tuple[str, str] | None = None
        match error:
            case aiohttp.ConnectionTimeoutError():
                reason = "timeout", f"none was made within {self._connect:g} s"
            case aiohttp.ClientConnectorCertificateError(certificate_error=cause):
                said = getattr(cause, "verify_message", cause)
                reason = "tls", f"its certificate cannot be trusted: {said}"
            case aiohttp.ClientConnectorSSLError(os_error=cause):
                reason = "tls", f"TLS failed: {getattr(cause, 'reason', None) or cause}"
            case aiohttp.ClientConnectorDNSError(os_error=cause):
                reason = "dns", cause.strerror or str(cause)
            case aiohttp.ClientConnectorError(os_error=cause):
                reason = "connection", cause.strerror or str(cause)
            case aiohttp.ClientHttpProxyError(status=status):
                reason = "connection", f"the proxy answered {status} to CONNECT"
            case aiohttp.ClientResponseError(request_info=info) if info.method == "CONNECT":
                reason = "connection", f"the proxy opens no tunnel: {error.message}"
            case ValueError():  # also aiohttp's errors of an address
                reason = "connection", str(error)
        return reason

    def _plain(self, text: str) -> str:
        return one_line(text, self.secrets)


def keepalive_socket(address: tuple[int, int, int, str, object]) -> socket.socket:
    """Return a socket with TCP keep-alive, so that no router forgets a slow reply."""
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return made


class _Connected(Exception):
    """Signal of `HttpClient.reach` that a connection was made."""


class _Request(aiohttp.ClientRequest):
    """Request that is sent only over a connection without unread bytes."""

    async def send(self, conn: aiohttp.connector.Connection) -> aiohttp.ClientResponse:
        """Send the request, unless bytes have come that would be taken for its response.

        Raises:
            ServerDisconnectedError: the peer sent more than one response to an earlier request.
            _Connected: the method is HEAD, by which `HttpClient.reach` only connects.
        """
        if self.method == "HEAD":
            raise _Connected
        if conn.protocol is None or conn.protocol.should_close:
            raise aiohttp.ServerDisconnectedError
        return await super().send(conn)


@contextmanager
def _failing_when_closed(
    connection: aiohttp.connector.Connection, content: aiohttp.StreamReader
) -> Iterator[None]:
    """Context in which the end of the connection ends the reading of a body with an error.

    At a malformed chunk aiohttp closes the connection, but lets the reader wait for ever.
    """

    def fail(_: asyncio.Future[None] | None) -> None:
        if not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError("its body is malformed"))

    protocol = connection.protocol
    closed = None if protocol is None else protocol.closed
    if closed is None:
        fail(None)
        yield
        return
    closed.remove_done_callback(_retrieve)  # so that it is there once, however often this is done
    closed.add_done_callback(_retrieve)
    closed.add_done_callback(fail)
    try:
        yield
    finally:
        closed.remove_done_callback(fail)


def _retrieve(closed: asyncio.Future[None]) -> None:
    """Retrieve the exception of a closed connection; asyncio logs one that nobody retrieves."""
    if not closed.cancelled():
        closed.exception()
