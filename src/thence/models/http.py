"""The least of HTTP/1.1 that posting JSON takes, at a third of the cost of a whole client.

A run makes one kind of request, thousands of times a second, to one address: connections are kept
and used again, a response is read to its end in one go, and nothing else is offered. What the
peer sends is taken for hostile: every length is bounded.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from yarl import URL

_HEAD_BYTES = 65_536  # more than any honest head takes
_LINE_BYTES = 256  # of the length of a chunk, with its extensions
_IDLE = 15.0  # seconds after which a kept connection may have been closed by the other side
_NAMES = 60.0  # seconds for which a host's addresses are remembered
_WRITE_AT_ONCE = 1 << 16  # bytes of a body that are worth copying behind its head


class ConnectError(Exception):
    """No connection could be made; ``kind`` is ``dns``, ``tls``, ``connection`` or ``timeout``."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class BrokenError(Exception):
    """The connection ended before the response did."""


class ProtocolError(Exception):
    """What came is no HTTP."""


class SlowError(Exception):
    """The response did not begin or end in time; ``first`` says which."""

    def __init__(self, *, first: bool) -> None:
        super().__init__("too slow")
        self.first = first


@dataclass(frozen=True, slots=True)
class Raw:
    """A response.

    Attributes:
        status: the HTTP status.
        headers: by lower-case name; of several the last.
        body: decompressed, and cut off at the limit.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


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
    """

    def __init__(
        self, url: URL, headers: Mapping[str, str], connections: int, limits: Limits
    ) -> None:
        self._host = url.raw_host or ""
        self._port = url.port or 80
        self._secure = url.scheme == "https"
        self._context: ssl.SSLContext | None = None
        self._limits = limits
        self._free = asyncio.Semaphore(connections)
        self._kept: list[_Connection] = []
        self._every: set[_Connection] = set()
        self._addresses: list[str] = []
        self._looked_up = float("-inf")
        lines = [f"POST {url.raw_path} HTTP/1.1", f"Host: {url.host_port_subcomponent}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
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
        now = time.monotonic()
        if now - self._looked_up > _NAMES:
            found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
            self._addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
            self._looked_up = now
        if self._secure and self._context is None:
            self._context = ssl.create_default_context()
        failure: OSError = OSError("the host has no address")
        for address in self._addresses:
            try:
                _, connection = await loop.create_connection(
                    lambda: _Connection(self._every),
                    address,
                    self._port,
                    ssl=self._context,
                    server_hostname=self._host if self._secure else None,
                )
            except ssl.SSLError:
                raise
            except OSError as error:
                failure = error
                continue
            if address != self._addresses[0]:  # the next goes there at once
                self._addresses.remove(address)
                self._addresses.insert(0, address)
            return connection
        self._looked_up = float("-inf")
        raise failure


class _Connection(asyncio.Protocol):
    """One connection, with one request under way at most."""

    def __init__(self, every: set[_Connection]) -> None:
        self._every = every
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[Raw] | None = None
        self._reader: _Reader | None = None
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
        except (ProtocolError, BrokenError) as error:
            self._ended = True
            self._waiting.set_exception(error)
            return
        if whole is not None:
            self._ended = self._ended or not self._reader.keeps
            self._waiting.set_result(whole)

    async def exchange(self, head: bytes, body: bytes, end: float, limits: Limits) -> Raw:
        """One request and its response; the connection is closed unless all went well."""
        waiting: asyncio.Future[Raw] = self._loop.create_future()
        self._waiting = waiting
        self._reader = _Reader(limits.body, limits.failure)
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


class _Reader:
    """Reads one response out of the pieces in which it comes.

    Attributes:
        keeps: whether the connection may be used again after it.
    """

    def __init__(self, most: int, most_of_failure: int) -> None:
        self.keeps = False
        self._most = most
        self._most_of_failure = most_of_failure
        self._held = bytearray()
        self._body = bytearray()
        self._status = 0
        self._headers: dict[str, str] = {}
        self._left: int | None = None  # bytes of the body, or of its chunk, that are to come
        self._chunked = False
        self._trailing = False  # the last chunk was read

    def feed(self, data: bytes) -> Raw | None:
        """Takes in a piece; the response once it is whole.

        Raises:
            ProtocolError: it is no HTTP.
            BrokenError: it is not packed as it says.
        """
        self._held += data
        while not self._status:
            end = self._held.find(b"\r\n\r\n")
            if end < 0:
                if len(self._held) > _HEAD_BYTES or not _may_be_http(self._held):
                    raise ProtocolError(f"it begins with {bytes(self._held[:40])!r}")
                return None
            self._begin(bytes(self._held[:end]))
            del self._held[: end + 4]
        if self._chunked:
            return self._feed_chunks()
        self._body += self._held
        self._held.clear()
        return self._made(self._left is not None and len(self._body) >= self._left)

    def end(self) -> Raw | None:
        """The response where the end of the connection is its end too."""
        whole = bool(self._status) and self._left is None and not self._chunked
        return self._made(whole) if whole else None

    def _made(self, whole: bool) -> Raw | None:
        most = self._most if 200 <= self._status < 300 else self._most_of_failure
        if not whole and len(self._body) <= most:
            return None
        if len(self._body) > most or (self._left is not None and len(self._body) > self._left):
            self.keeps = False
        if self._left is not None and not self._chunked:
            del self._body[self._left :]
        body = bytes(self._body[:most])
        packing = self._headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", ""):
            body = _unpacked(body, packing, most)
        return Raw(self._status, self._headers, body)

    def _begin(self, head: bytes) -> None:
        """Reads a head; that of an interim response is passed over."""
        first, *lines = head.decode("latin-1").split("\r\n")
        version, _, rest = first.partition(" ")
        code = rest[:3]
        if version not in ("HTTP/1.1", "HTTP/1.0") or not (code.isascii() and code.isdigit()):
            raise ProtocolError(f"it begins with {first[:40]!r}")
        headers: dict[str, str] = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon:
                raise ProtocolError(f"a header is {line[:40]!r}")
            headers[name.strip().lower()] = value.strip()
        status = int(code)
        if 100 <= status < 200:
            return
        self._status, self._headers = status, headers
        wish = headers.get("connection", "").lower()
        self.keeps = "keep-alive" in wish if version == "HTTP/1.0" else "close" not in wish
        self._chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        length = headers.get("content-length")
        if self._chunked or status in (204, 304):
            self._left = 0
        elif length is not None:
            if not (length.isascii() and length.isdigit() and len(length) < 20):
                raise ProtocolError(f"its length is {length[:40]!r}")
            self._left = int(length)
        else:
            self.keeps = False

    def _feed_chunks(self) -> Raw | None:
        assert self._left is not None
        while True:
            if self._trailing:
                return self._feed_trailers()
            if self._left:
                taken = self._held[: self._left]
                del self._held[: len(taken)]
                self._body += taken
                self._left -= len(taken)
                if self._left:
                    return self._made(whole=False)
                self._left = -2  # the line end behind a chunk
            if self._left == -2:
                if len(self._held) < 2:
                    return self._made(whole=False)
                del self._held[:2]
                self._left = 0
            end = self._held.find(b"\r\n")
            if end < 0:
                if len(self._held) > _LINE_BYTES:
                    raise ProtocolError("a chunk has no length")
                return self._made(whole=False)
            size = bytes(self._held[:end]).partition(b";")[0].strip()
            try:
                self._left = int(size, 16)
            except ValueError:
                raise ProtocolError(f"the length of a chunk is {size[:40]!r}") from None
            if self._left < 0 or len(size) > 16:
                raise ProtocolError(f"the length of a chunk is {size[:40]!r}")
            del self._held[: end + 2]
            self._trailing = self._left == 0

    def _feed_trailers(self) -> Raw | None:
        """Passes over what may stand between the last chunk and the end."""
        while True:
            end = self._held.find(b"\r\n")
            if end < 0:
                if len(self._held) > _HEAD_BYTES:
                    raise ProtocolError("it does not end")
                return None
            del self._held[: end + 2]
            if end == 0:
                self.keeps = self.keeps and not self._held
                return self._made(whole=True)


def _may_be_http(held: bytearray) -> bool:
    """Whether what has come so far may be the beginning of a status line."""
    return held[:7] == b"HTTP/1."[: len(held[:7])]


def _unpacked(body: bytes, packing: str, most: int) -> bytes:
    """A body decompressed, up to so many bytes.

    Raises:
        BrokenError: it is not packed as it says.
    """
    if packing not in ("gzip", "x-gzip", "deflate"):
        raise BrokenError(f"its body is packed by {packing[:40]!r}, which was not asked for")
    for form in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):  # some send deflate without its head
        try:
            return zlib.decompressobj(form).decompress(body, most)
        except zlib.error:
            continue
    raise BrokenError(f"its body is not packed by {packing}")
