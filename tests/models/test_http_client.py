"""Responses as they come over a connection: whole, in pieces, late, and malformed."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import socket
import struct
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

import pytest

from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence.errors import ProviderError, Transient
from thence.models import http_client
from thence.models.base import Request, Sampling
from thence.models.hosted import HostedModel
from thence.models.providers import Endpoint

ASK = Request(({"role": "user", "content": "Hello"},))
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n"


class Script:
    """A server that answers each request by the next pieces, with a pause after each."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closes = self.resets = False
        self.connections = 0
        self.requests = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
                await reader.readexactly(int(length))
                self.requests += 1
                if self.resets:
                    one = writer.get_extra_info("socket")
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    writer.transport.abort()
                    return
                for piece in self.pieces:
                    writer.write(piece)
                    for _ in range(4):  # the client reads it before the next is written
                        await asyncio.sleep(0)
                if self.closes:
                    writer.close()


@asynccontextmanager
async def serving(script: Script, whole: float = 5.0) -> AsyncIterator[HostedModel]:
    """A model behind a server that follows the script."""
    handlers: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        handlers.add(task)
        try:
            with suppress(asyncio.CancelledError):
                await script(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    endpoint = Endpoint(url, "sk-key")
    try:
        async with HostedModel("x/m", "m", endpoint, Sampling(), 4, whole) as model:
            yield model
    finally:
        server.close()
        for task in handlers:
            task.cancel()
        await asyncio.gather(*handlers)
        await asyncio.sleep(0.01)  # the transports close


def completion(text: str) -> bytes:
    return json.dumps(Answer(text).to_json()).encode()


def by_length(body: bytes, headers: bytes = b"") -> bytes:
    return OK + headers + b"Content-Length: %d\r\n\r\n" % len(body) + body


def chunks(body: bytes, extension: bytes = b"", end: bytes = b"\r\n") -> bytes:
    cuts = [body[:1], body[1:40], body[40:]]
    packed = [b"%x%s\r\n%s\r\n" % (len(each), extension, each) for each in cuts]
    return b"".join(packed) + b"0" + extension + b"\r\n" + end


def deflated(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


TRAILERS = b"X-Time: 7\r\nX-Sum: abc\r\n\r\n"
GZIP = b"Content-Encoding: gzip\r\n"
FORMS: dict[str, Callable[[bytes], bytes]] = {
    "length": by_length,
    "chunked": lambda body: CHUNKED + b"\r\n" + chunks(body),
    "extensions": lambda body: CHUNKED + b"\r\n" + chunks(body, b';a=1;b="2"'),
    "trailers": lambda body: CHUNKED + b"Trailer: X-Time\r\n\r\n" + chunks(body, end=TRAILERS),
    "gzip": lambda body: by_length(gzip.compress(body), GZIP),
    "gzip chunked": lambda body: CHUNKED + GZIP + b"\r\n" + chunks(gzip.compress(body)),
    "deflate": lambda body: by_length(deflated(body), b"Content-Encoding: deflate\r\n"),
    "interim": lambda body: (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
        + by_length(body)
    ),
    "line feeds": lambda body: by_length(body).replace(b"\r\n", b"\n"),
    "HTTP/1.0": lambda body: by_length(body, b"Connection: keep-alive\r\n").replace(b"1.1", b"1.0"),
    "until the end": lambda body: OK + b"\r\n" + body,
}


@pytest.mark.parametrize("form", FORMS)
async def test_a_response_cut_anywhere_is_read(form: str) -> None:
    script = Script()
    script.closes = form == "until the end"
    async with serving(script) as model:
        whole = FORMS[form](completion("reply 000"))
        for cut in range(len(whole) + 1):
            text = f"reply {cut:03}"
            whole = FORMS[form](completion(text))
            script.pieces = [whole[:cut], whole[cut:]]
            assert (await model.complete(ASK)).text == text
        script.pieces = [bytes([byte]) for byte in whole]
        assert (await model.complete(ASK)).text == text
        assert script.connections == (script.requests if script.closes else 1)


MALFORMED = {
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "bytes": b"\x00\x00\x12\x04\x00\x00\x00",
    "version": b"HTTP/7.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "status": b"HTTP/1.1 two OK\r\nContent-Length: 0\r\n\r\n",
    "header": OK + b"Content-Length\r\n\r\n",
    "length": OK + b"Content-Length: -2\r\n\r\nab",
    "lengths": OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
    "length and chunks": CHUNKED + b"Content-Length: 2\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    "chunk's length": CHUNKED + b"\r\nzz\r\nab\r\n0\r\n\r\n",
    "second chunk's length": CHUNKED + b"\r\n2\r\nab\r\n-1\r\nab\r\n0\r\n\r\n",
    "chunk's end": CHUNKED + b"\r\n2\r\nabcd\r\n0\r\n\r\n",
    "huge chunk": CHUNKED + b"\r\nffffffffffffffffffff\r\nab",
    "trailer": CHUNKED + b"\r\n2\r\nab\r\n0\r\nno trailer\r\n\r\n",
    "long header": OK + b"X: " + b"x" * 100_000 + b"\r\n\r\n",
    "gzip": OK + GZIP + b"Content-Length: 4\r\n\r\nabcd",
    "deflate": OK + b"Content-Encoding: deflate\r\nContent-Length: 4\r\n\r\n\xff\xff\xff\xff",
    "no upgrade asked for": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "not the length": by_length(completion("x"))[:-9],
}


@pytest.mark.parametrize("form", MALFORMED)
async def test_a_malformed_response_is_an_error_wherever_it_is_cut(form: str) -> None:
    script, whole = Script(), MALFORMED[form]
    script.closes = form == "not the length"
    async with serving(script) as model:
        for cut in range(0, len(whole) + 1, 1 + len(whole) // 200):
            script.pieces = [whole[:cut], whole[cut:]]
            with pytest.raises(Transient) as caught:
                await model.complete(ASK)
            assert caught.value.kind in ("malformed", "connection", "server"), cut
        script.pieces, script.closes = [by_length(completion("well"))], False
        assert (await model.complete(ASK)).text == "well"


@pytest.mark.parametrize("form", ["length", "chunked", "trailers", "gzip chunked"])
async def test_a_response_that_ends_early_anywhere_is_an_error(form: str) -> None:
    script, whole = Script(), FORMS[form](completion("Yes"))
    script.closes = True
    async with serving(script) as model:
        for cut in range(len(whole)):
            script.pieces = [whole[:cut]]
            with pytest.raises(Transient) as caught:
                await model.complete(ASK)
            assert caught.value.kind == "connection", cut


@pytest.mark.parametrize("junk", [by_length(completion("stale")), b"junk"])
async def test_a_response_that_nobody_asked_for_answers_no_later_request(junk: bytes) -> None:
    script = Script()
    async with serving(script) as model:
        for pieces in ([by_length(completion("one")) + junk], [by_length(completion("one")), junk]):
            script.pieces = pieces
            with suppress(Transient):
                assert (await model.complete(ASK)).text == "one"
            await asyncio.sleep(0.02)
            script.pieces = [by_length(completion("two"))]
            with suppress(Transient):
                assert (await model.complete(ASK)).text == "two"
            assert (await model.complete(ASK)).text == "two"


async def test_a_connection_that_is_reset_later_is_nothing_to_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    script, whole = Script(), by_length(completion("Yes"))
    async with serving(script) as model:
        script.pieces = [whole[:-5], whole[-5:]]
        assert (await model.complete(ASK)).text == "Yes"
        script.resets = True
        with pytest.raises(Transient):
            await model.complete(ASK)
    gc.collect()
    assert not caplog.records


async def test_a_long_reply_in_many_pieces_is_read() -> None:
    script, text = Script(), "step \u2192 " * 300_000
    body = completion(text)
    packed = gzip.compress(body)
    for whole, closes in (
        (by_length(body), False),
        (by_length(packed, GZIP), False),
        (CHUNKED + GZIP + b"\r\n" + chunks(packed), False),
        (OK + b"\r\n" + body, True),
        (OK + GZIP + b"\r\n" + packed, True),
    ):
        script.closes = closes
        script.pieces = [whole[at : at + 50_000] for at in range(0, len(whole), 50_000)]
        async with serving(script) as model:
            assert (await model.complete(ASK)).text == text


async def test_a_body_that_unpacks_beyond_the_limit_is_refused() -> None:
    script, bomb = Script(), gzip.compress(bytes(200 << 20))
    script.pieces = [by_length(bomb, GZIP)]
    async with serving(script, whole=60.0) as model:
        with pytest.raises(Transient, match="more than 64 MiB") as caught:
            await model.complete(ASK)
        assert caught.value.kind == "malformed"
        script.pieces = [by_length(bomb, GZIP).replace(b"200 OK", b"500 No")]
        with pytest.raises(ProviderError, match="answered 500"):
            await model.complete(ASK)


async def test_a_first_byte_that_is_late_is_told_from_a_whole_reply_that_is() -> None:
    script = Script()
    async with serving(script) as model:
        endpoint = Endpoint(str(model.address))
        late = HostedModel("x/m", "m", endpoint, Sampling(), 4, 60.0, first_byte=0.1)
        slow = HostedModel("x/m", "m", endpoint, Sampling(), 4, 0.4, first_byte=60.0)
        async with late, slow:
            with pytest.raises(Transient, match=r"no reply from .* began within 0.1 s"):
                await late.complete(ASK)
            script.pieces = [OK + b"Content-Length: 9\r\n\r\n{"]
            with pytest.raises(Transient, match=r"no whole reply from .* within 0.4 s"):
                await slow.complete(ASK)


async def test_sockets_ask_for_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []
    make = http_client.keepalive_socket

    def watched(address: Any) -> socket.socket:
        made.append(make(address))
        return made[-1]

    monkeypatch.setattr(http_client, "keepalive_socket", watched)
    script = Script()
    script.pieces = [by_length(completion("Yes"))]
    async with serving(script) as model:
        await model.complete(ASK)
        [one] = made
        assert one.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_KEEPIDLE"):
            assert one.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60


async def test_an_address_that_does_not_answer_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = Script()
    script.pieces = [by_length(completion("Yes"))]
    async with serving(script) as reached:
        port = int(str(reached.address).rpartition(":")[2].removesuffix("/v1"))
        with socket.socket() as dead, ExitStack() as waiting:
            dead.bind(("127.0.0.2", port))
            dead.listen(0)
            for _ in range(4):  # the queue is full: no further connection is made, or refused
                one = waiting.enter_context(socket.socket())
                one.settimeout(0)
                one.connect_ex(dead.getsockname())

            async def both(*args: object, **options: object) -> list[Any]:
                kind = socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, ""
                return [(*kind, (address, port)) for address in ("127.0.0.2", "127.0.0.1")]

            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both)
            endpoint = Endpoint(f"http://two.invalid:{port}/v1")
            async with HostedModel("x/m", "m", endpoint, Sampling(), 1, 60.0) as model:
                assert (await model.complete(ASK)).text == "Yes"


def test_a_model_that_asks_nothing_yet_loads_no_client() -> None:
    program = (
        "import sys; from thence.models.base import Sampling\n"
        "from thence.models.select import Connection, open_model\n"
        "open_model('vllm/m', Sampling(), Connection())\n"
        "assert 'thence.models.hosted' in sys.modules; assert 'aiohttp' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


async def test_bodies_that_come_together_are_bounded_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thence.models.http_client.ALL_BYTES", 3 << 20)
    large = Status(200, body="x" * (2 << 20))
    async with FakeEndpoint(lambda body, count: large) as fake:
        endpoint = Endpoint(fake.url)
        async with HostedModel("x/y", "y", endpoint, Sampling(), 8, 60.0) as model:
            request = Request(({"role": "user", "content": "?"},))
            for several in (1, 8, 1):
                done = await asyncio.gather(
                    *(model.complete(request) for _ in range(several)), return_exceptions=True
                )
                assert all(isinstance(each, Transient) for each in done)
                refused = [each for each in done if "at once" in str(each)]
                assert len(refused) < several  # those that are left are read to their end
