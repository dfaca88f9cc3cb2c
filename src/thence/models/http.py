"""The least of HTTP/1.1 that posting JSON takes, at a third of the cost of a whole client.

A run makes one kind of request, thousands of times a second, to one address: connections are kept
and used again, a response is read to its end in one go, and nothing else is offered.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass

from yarl import URL

from thence.models.proxy import Proxy
from thence.models.reading import BrokenError, ProtocolError, Raw, Reader

_IDLE = 15.0  # seconds after which a kept connection may have been closed by the other side
_NAMES = 60.0  # seconds for which a host's addresses are remembered
_WRITE_AT_ONCE = 1 << 16  # bytes of a body that are worth copying behind its head


class ConnectError(Exception):
    """No connection could be made; ``kind`` is ``dns``, ``tls``, ``connection`` or ``timeout``."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class SlowError(Exception):
    """The response did not begin or end in time; ``first`` says which."""

    def __init__(self, *, first: bool) -> None:
        super().__init__("too slow")
        self.first = first


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is waited for, in seconds, and taken, in bytes.

    Attributes:
        whole: from the wait for a connection to the last byte.
        connect: for making a connection.
        first_byte: from the request to the beginning of the response; None for no limit.
        body: bytes of the body of a success.
        failure: bytes of the body of anything else.
    """

    whole: float
    connect: float
    first_byte: float | None
    body: int
    failure: int


class Client:
    """Posts to one address; close it when done.

    Args:
        url: http or https.
        headers: of every request.
        connections: most that are open at once.
        limits: how much is waited for and taken.
        proxy: reaches the address for us: it passes on plain requests, and opens a tunnel for TLS.
    """

    def __init__(
        self,
        url: URL,
        headers: Mapping[str, str],
        connections: int,
        limits: Limits,
        proxy: Proxy | None = None,
    ) -> None:
        self._host = url.raw_host or ""
        self._port = url.port or 80
        self._place = url.host_port_subcomponent or ""
        self._proxy = proxy
        self._secure = url.scheme == "https"
        self._context: ssl.SSLContext | None = None
        self._limits = limits
        self._free = asyncio.Semaphore(connections)
        self._kept: list[_Connection] = []
        self._every: set[_Connection] = set()
        self._addresses: list[str] = []
        self._looked_up = float("-inf")
        passed_on = proxy is not None and not self._secure
        target = f"http://{self._place}{url.raw_path}" if passed_on else url.raw_path
        lines = [f"POST {target} HTTP/1.1", f"Host: {self._place}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if passed_on:
            lines += self._credentials()
        self._head = "\r\n".join([*lines, "Content-Length: "]).encode("latin-1")

    async def post(self, body: bytes) -> Raw:
        """Posts a body and reads the response.

        Raises:
            ConnectError: no connection could be made.
            BrokenError: it ended too early.
            ProtocolError: the response is no HTTP.
            SlowError: it took too long.
        """
        end = time.monotonic() + self._limits.whole
        if self._free.locked():
            try:
                async with asyncio.timeout(self._limits.whole):
                    await self._free.acquire()
            except TimeoutError:
                raise SlowError(first=False) from None
        else:
            await self._free.acquire()
        try:
            connection = self._kept_one() or await self._connect(end)
            head = self._head + b"%d\r\n\r\n" % len(body)
            raw = await connection.exchange(head, body, end, self._limits)
            if connection.reusable:
                connection.used = time.monotonic()
                self._kept.append(connection)
            else:
                connection.abort()
            return raw
        finally:
            self._free.release()

    async def reach(self) -> None:
        """Connects once and hangs up.

        Raises:
            ConnectError: no connection could be made.
            SlowError: not within the whole time.
        """
        (await self._connect(time.monotonic() + self._limits.whole)).abort()

    async def close(self) -> None:
        """Ends all connections."""
        for connection in list(self._every):
            connection.abort()
        self._kept.clear()
        await asyncio.sleep(0)  # lets the transports close

    def _kept_one(self) -> _Connection | None:
        """A connection that was used before, the latest first; None where none is open."""
        oldest = time.monotonic() - _IDLE
        while self._kept:
            connection = self._kept.pop()
            if connection.reusable and connection.used > oldest:
                return connection
            connection.abort()
        return None

    async def _connect(self, end: float) -> _Connection:
        """A new connection.

        Raises:
            ConnectError: none could be made.
            SlowError: the whole time is over before that for connecting.
        """
        left = end - time.monotonic()
        try:
            async with asyncio.timeout(min(self._limits.connect, left)):
                return await self._reach()
        except TimeoutError:
            if left < self._limits.connect:
                raise SlowError(first=False) from None
            seconds = self._limits.connect
            raise ConnectError("timeout", f"none was made within {seconds:g} s") from None
        except socket.gaierror as error:
            raise ConnectError("dns", error.strerror or str(error)) from None
        except ssl.SSLCertVerificationError as error:
            raise ConnectError(
                "tls", f"its certificate cannot be trusted: {error.verify_message}"
            ) from None
        except ssl.SSLError as error:
            raise ConnectError("tls", f"TLS failed: {error.reason or error}") from None
        except (OSError, ValueError) as error:  # the latter: a name that no look-up takes
            raise ConnectError(
                "connection", getattr(error, "strerror", None) or str(error)
            ) from None

    async def _reach(self) -> _Connection:
        """A connection to the first of the host's addresses that takes one."""
        loop = asyncio.get_running_loop()
        tunnel = self._proxy is not None and self._secure
        host, port = self._host, self._port
        if self._proxy is not None:
            host, port = self._proxy.host, self._proxy.port
        now = time.monotonic()
        if now - self._looked_up > _NAMES:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            self._addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
            self._looked_up = now
        if self._secure and self._context is None:
            self._context = ssl.create_default_context()
        secure = self._secure and not tunnel
        failure: OSError = OSError("the host has no address")
        for address in self._addresses:
            try:
                _, connection = await loop.create_connection(
                    lambda: _Connection(self._every),
                    address,
                    port,
                    ssl=self._context if secure else None,
                    server_hostname=self._host if secure else None,
                )
            except ssl.SSLError:
                raise
            except OSError as error:
                failure = error
                continue
            if address != self._addresses[0]:  # the next goes there at once
                self._addresses.remove(address)
                self._addresses.insert(0, address)
            return await self._through(connection) if tunnel else connection
        self._looked_up = float("-inf")
        raise failure

    async def _through(self, connection: _Connection) -> _Connection:
        """A connection with the address through a proxy that one with it is open to.

        Raises:
            ConnectError: the proxy opens none.
        """
        name = f"{self._host}:{self._port}"
        lines = [f"CONNECT {name} HTTP/1.1", f"Host: {name}", *self._credentials(), "", ""]
        end = time.monotonic() + self._limits.connect
        try:
            raw = await connection.exchange(
                "\r\n".join(lines).encode("latin-1"), b"", end, self._limits, tunnel=True
            )
        except (BrokenError, ProtocolError) as error:
            raise ConnectError("connection", f"the proxy opens no tunnel: {error}") from None
        if not 200 <= raw.status < 300:
            connection.abort()
            raise ConnectError("connection", f"the proxy answered {raw.status} to CONNECT")
        assert self._context is not None
        return await connection.secured(self._context, self._host)

    def _credentials(self) -> list[str]:
        said = self._proxy.authorization if self._proxy is not None else None
        return [] if said is None else [f"Proxy-Authorization: {said}"]


class _Connection(asyncio.Protocol):
    """One connection, with one request under way at most."""

    def __init__(self, every: set[_Connection]) -> None:
        self._every = every
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[Raw] | None = None
        self._reader: Reader | None = None
        self._first: asyncio.TimerHandle | None = None
        self._open = False
        self._ended = False  # the peer will send no more
        self.used = 0.0

    @property
    def reusable(self) -> bool:
        """Whether another request may be sent."""
        return self._open and not self._ended and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._open = True
        self._every.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends; whoever waits for a response has it now or never."""
        self._open = False
        self._every.discard(self)
        self._finish(exc)

    def eof_received(self) -> bool:
        """The peer sends no more."""
        self._ended = True
        self._finish(None)
        return False

    def _finish(self, error: Exception | None) -> None:
        if self._waiting is None or self._waiting.done():
            return
        assert self._reader is not None
        whole = self._reader.end() if error is None else None
        if whole is not None:
            self._waiting.set_result(whole)
        else:
            said = f": {error}" if error is not None and str(error) else ""
            self._waiting.set_exception(BrokenError(f"it was closed too early{said}"))

    def data_received(self, data: bytes) -> None:
        """Takes in what came."""
        if self._waiting is None or self._waiting.done():
            self._ended = True  # nobody asked: whatever follows would not be to the next request
            return
        assert self._reader is not None
        if self._first is not None:
            self._first.cancel()
            self._first = None
        try:
            whole = self._reader.feed(data)
        except ProtocolError as error:
            self._ended = True
            self._waiting.set_exception(error)
            return
        if whole is not None:
            self._ended = self._ended or not self._reader.keeps
            self._waiting.set_result(whole)

    async def secured(self, context: ssl.SSLContext, host: str) -> _Connection:
        """The same connection with TLS inside; this one is not to be used any more."""
        inner = _Connection(self._every)
        self._every.discard(self)
        transport = await self._loop.start_tls(
            self._transport, inner, context, server_hostname=host
        )
        if transport is None:
            raise OSError("it was closed too early")
        inner.connection_made(transport)
        return inner

    async def exchange(
        self, head: bytes, body: bytes, end: float, limits: Limits, *, tunnel: bool = False
    ) -> Raw:
        """One request and its response; the connection is closed unless all went well.

        Args:
            head: up to the body.
            body: of the request.
            end: when the response must be whole, on the monotonic clock.
            limits: how much is waited for and taken.
            tunnel: whether it asks for a tunnel, the opening of which has no body.
        """
        waiting: asyncio.Future[Raw] = self._loop.create_future()
        self._waiting = waiting
        self._reader = Reader(limits.body, limits.failure, tunnel=tunnel)
        left = end - time.monotonic()
        timer = self._loop.call_later(left, self._too_slow, False)  # noqa: FBT003 - a callback
        if limits.first_byte is not None:
            self._first = self._loop.call_later(limits.first_byte, self._too_slow, True)  # noqa: FBT003
        try:
            if len(body) <= _WRITE_AT_ONCE:
                self._transport.write(head + body)
            else:
                self._transport.write(head)
                self._transport.write(body)
            return await waiting
        except BaseException:
            self.abort()
            raise
        finally:
            timer.cancel()
            if self._first is not None:
                self._first.cancel()
                self._first = None
            self._waiting = self._reader = None

    def _too_slow(self, first: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(SlowError(first=first))

    def abort(self) -> None:
        """Closes the connection without ado."""
        self._ended = True
        if self._open:
            self._transport.abort()
