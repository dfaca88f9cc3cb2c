"""Reading one HTTP/1.1 response out of the pieces in which it comes.

What the peer sends is taken for hostile: every length is bounded.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

_HEAD_BYTES = 65_536  # more than any honest head takes
_LINE_BYTES = 256  # of the length of a chunk, with its extensions


class BrokenError(Exception):
    """The connection ended before the response did."""


class ProtocolError(Exception):
    """What came is no HTTP."""


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


class Reader:
    """Reads one response out of the pieces in which it comes.

    Attributes:
        keeps: whether the connection may be used again after it.
    """

    def __init__(self, most: int, most_of_failure: int, *, tunnel: bool = False) -> None:
        self._tunnel = tunnel
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
            ProtocolError: it is no HTTP, or not packed as it says.
        """
        self._held += data
        while not self._status:
            end, gap = self._held.find(b"\r\n\r\n"), 4
            if end < 0:
                end, gap = self._held.find(b"\n\n"), 2  # some servers end lines so
            if end < 0:
                if len(self._held) > _HEAD_BYTES or not _may_be_http(self._held):
                    raise ProtocolError(f"it begins with {bytes(self._held[:40])!r}")
                return None
            self._begin(bytes(self._held[:end]))
            del self._held[: end + gap]
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
        first, *lines = head.decode("latin-1").replace("\r\n", "\n").split("\n")
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
        if self._tunnel and 200 <= status < 300:  # whatever its head says, no body follows
            self._chunked, self._left = False, 0
        elif self._chunked or status in (204, 304):
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
        ProtocolError: it is not packed as it says, or in a way that we did not ask for.
    """
    if packing not in ("gzip", "x-gzip", "deflate"):
        raise ProtocolError(f"its body is packed by {packing[:40]!r}, which was not asked for")
    for form in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):  # some send deflate without its head
        try:
            return zlib.decompressobj(form).decompress(body, most)
        except zlib.error:
            continue
    raise ProtocolError(f"its body is not packed by {packing}")
