from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fake_endpoint import FakeEndpoint
from thence.errors import Transient, Unreachable, UsageError
from thence.models.base import Request, Sampling
from thence.models.hosted import HostedModel
from thence.models.providers import Endpoint
from thence.models.proxy import Proxy, proxy_for

HTTP, HTTPS = "http://model.example:8000/v1", "https://api.model.example/v1"
SECURE = "https://model.example/v1"
ASK = Request(({"role": "user", "content": "Hello"},))


@pytest.mark.parametrize(
    ("url", "environ", "found"),
    [
        (HTTP, {}, None),
        (HTTP, {"HTTP_PROXY": " "}, None),
        (HTTP, {"HTTP_PROXY": "http://p:3128"}, "http://p:3128"),
        (HTTP, {"http_proxy": "http://q:1", "HTTP_PROXY": "http://p:2"}, "http://q:1"),
        (HTTP, {"HTTPS_PROXY": "http://p:3128"}, None),
        (HTTPS, {"HTTPS_PROXY": "http://p:3128/"}, "http://p:3128"),
        (HTTPS, {"HTTPS_PROXY": "p:3128"}, "http://p:3128"),
        (HTTPS, {"HTTPS_PROXY": "http://p"}, "http://p:80"),
        (HTTPS, {"ALL_PROXY": "http://p:9", "HTTP_PROXY": "http://q:9"}, "http://p:9"),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "NO_PROXY": "other, model.example"}, None),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "NO_PROXY": ".model.example"}, None),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "NO_PROXY": "*.MODEL.example"}, None),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "no_proxy": "*"}, None),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "NO_PROXY": "del.example"}, "http://p:9"),
        (HTTP, {"HTTP_PROXY": "http://p:9", "NO_PROXY": "model.example:8000"}, None),
        (HTTP, {"HTTP_PROXY": "http://p:9", "NO_PROXY": "model.example:80"}, "http://p:9"),
        (HTTPS, {"HTTPS_PROXY": "http://p:9", "NO_PROXY": "model.example:443"}, None),
        ("http://localhost:8000/v1", {"HTTP_PROXY": "http://p:9"}, None),
        ("http://127.0.0.2:8000/v1", {"HTTP_PROXY": "http://p:9"}, None),
        ("http://[::1]:8000/v1", {"HTTP_PROXY": "http://p:9"}, None),
        ("http://10.0.0.7/v1", {"HTTP_PROXY": "http://p:9"}, "http://p:9"),
        ("http://10.9.0.7/v1", {"HTTP_PROXY": "http://p:9", "NO_PROXY": "10.0.0.0/8"}, None),
        ("http://11.9.0.7/v1", {"HTTP_PROXY": "p:9", "NO_PROXY": "10.0.0.0/8"}, "http://p:9"),
        ("http://[fd00::7]/v1", {"HTTP_PROXY": "http://p:9", "NO_PROXY": "x/y, fd00::/8"}, None),
        ("http://[fd00::7]/v1", {"HTTP_PROXY": "http://[fd00::8]:9"}, "http://[fd00::8]:9"),
    ],
)
def test_the_environment_names_the_proxy(
    url: str, environ: Mapping[str, str], found: str | None
) -> None:
    proxy = proxy_for(url, environ)
    assert (proxy and proxy.url) == found


@pytest.mark.parametrize("text", ["socks5://p:1", "https://p:1", "http://", "http://p:x"])
def test_what_is_no_http_proxy_is_refused_without_its_password(text: str) -> None:
    text = text.replace("p:", "me:PASSWORD@p:")
    with pytest.raises(UsageError, match=r"HTTPS_PROXY .* set NO_PROXY=api.model.example") as e:
        proxy_for(HTTPS, {"HTTPS_PROXY": text})
    assert "PASSWORD" not in str(e.value)


def test_a_password_is_sent_and_not_shown() -> None:
    proxy = proxy_for(HTTP, {"HTTP_PROXY": "http://me:s%40cret@p:1"})
    assert proxy is not None
    assert proxy.authorization == "Basic bWU6c0BjcmV0"
    assert "bWU6" not in repr(proxy)


class Middle:
    """A proxy that passes everything on to one port, and notes what it was asked."""

    def __init__(self, port: int, status: str = "200 Connection established") -> None:
        self.port = port
        self.status = status
        self.heads: list[str] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head.decode())
        if head.startswith(b"CONNECT "):
            writer.write(f"HTTP/1.1 {self.status}\r\nContent-Length: 5\r\n\r\n".encode())
            head = b""
        if self.status.startswith("200"):
            await joined(reader, writer, self.port, head)
        else:
            writer.write(b"sorry")


async def joined(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, said: bytes = b""
) -> None:
    """Passes everything on between a connection and a port."""
    onward, back = await asyncio.open_connection("127.0.0.1", port)
    back.write(said)
    await asyncio.gather(pump(reader, back), pump(onward, writer))


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()


def port_of(fake: FakeEndpoint) -> int:
    return urlsplit(fake.url).port or 0


type Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(serve: Serve, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of a server; all of its connections are closed in the end."""
    every: set[asyncio.Task[None]] = set()

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        every.add(task)
        with suppress(asyncio.CancelledError, OSError, asyncio.IncompleteReadError):
            try:
                await serve(reader, writer)
            finally:
                writer.close()

    server = await asyncio.start_server(one, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in every:
            task.cancel()
        await asyncio.gather(*every)
        await asyncio.sleep(0.05)  # the transports close


@asynccontextmanager
async def listening(middle: Middle) -> AsyncIterator[Proxy]:
    async with serving(middle) as port:
        yield Proxy(f"http://127.0.0.1:{port}", "Basic eDp5")


def chat(url: str, proxy: Proxy, key: str | None = None) -> HostedModel:
    return HostedModel("x/m", "m", Endpoint(url, key), Sampling(), 2, 20.0, proxy=proxy)


async def test_plain_requests_are_passed_on() -> None:
    async with FakeEndpoint() as fake:
        middle = Middle(port_of(fake))
        async with listening(middle) as proxy, chat("http://model.example/v1", proxy) as it:
            replies = [await it.complete(ASK) for _ in range(2)]
    assert [reply.text for reply in replies] == ["Hello"] * 2
    [head] = middle.heads  # the connection was kept
    assert head.startswith("POST http://model.example/v1/chat/completions HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic eDp5\r\n" in head


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of model.example with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", path, "-out", path.with_name("cert.pem"), "-days", "2",
         "-subj", "/CN=model.example", "-addext", "subjectAltName=DNS:model.example"],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + path.with_name("cert.pem").read_bytes())
    return path


@asynccontextmanager
async def tls_endpoint(certificate: Path) -> AsyncIterator[int]:
    """The port of an endpoint behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with FakeEndpoint() as fake:
        inner = port_of(fake)

        async with serving(lambda *both: joined(*both, inner), context) as port:
            yield port


async def test_tls_goes_through_a_tunnel_that_learns_nothing(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate.with_name("cert.pem")))
    monkeypatch.setattr("aiohttp.connector._SSL_CONTEXT_VERIFIED", trusting)
    async with tls_endpoint(certificate) as port:
        middle = Middle(port)
        async with listening(middle) as proxy, chat(SECURE, proxy, "KEY") as it:
            await it.check()
            replies = [await it.complete(ASK) for _ in range(2)]
    assert [reply.text for reply in replies] == ["Hello"] * 2
    assert [head.split("\r\n")[0] for head in middle.heads] == [
        "CONNECT model.example:443 HTTP/1.1"
    ] * 2
    assert all("Proxy-Authorization: Basic eDp5\r\n" in head for head in middle.heads)
    assert "KEY" not in "".join(middle.heads)


async def test_a_certificate_that_nobody_trusts_is_refused(certificate: Path) -> None:
    async with (
        tls_endpoint(certificate) as port,
        listening(Middle(port)) as proxy,
        chat(SECURE, proxy) as it,
    ):
        with pytest.raises(Unreachable, match="certificate cannot be trusted") as caught:
            await it.complete(ASK)
    assert caught.value.kind == "tls"


async def test_a_proxy_that_opens_no_tunnel_is_named() -> None:
    async with FakeEndpoint() as fake:
        middle = Middle(port_of(fake), "407 Proxy Authentication Required")
        async with listening(middle) as proxy, chat(SECURE, proxy) as it:
            with pytest.raises(Unreachable, match="the proxy answered 407 to CONNECT"):
                await it.complete(ASK)
            with pytest.raises(Unreachable, match="the proxy answered 407 to CONNECT"):
                await it.check()


async def test_a_proxy_that_hangs_up_makes_the_endpoint_unreachable() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")

    async with serving(hang_up) as port, chat(SECURE, Proxy(f"http://127.0.0.1:{port}")) as it:
        with pytest.raises(Unreachable, match="closed too early"):
            await it.check()
        with pytest.raises(Transient, match="closed too early"):
            await it.complete(ASK)
