"""Servers of the programs: a process of their own, on a free port of this machine."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen


class Connection(asyncio.Protocol, ABC):
    """Server connection, with one request at a time."""

    transport: asyncio.Transport
    _held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer a request once it is whole."""
        self._held += data
        head, end, body = self._held.partition(b"\r\n\r\n")
        if not end:
            return
        lines = (line.partition(b":") for line in head.lower().split(b"\r\n")[1:])
        headers = {name: value.strip() for name, _, value in lines}
        if len(body) < int(headers.get(b"content-length", b"0")):
            return
        self._held = b""
        if head.startswith(b"GET"):
            self.transport.write(http(200, json.dumps(self.counts()).encode()))
        else:
            self.answer(headers, body)

    @abstractmethod
    def counts(self) -> Any:
        """Return what a GET is answered with."""

    @abstractmethod
    def answer(self, headers: dict[bytes, bytes], body: bytes) -> None:
        """Answer a POST, now or later."""


def http(status: int, body: bytes = b"", headers: bytes = b"") -> bytes:
    """Return a whole response."""
    return b"HTTP/1.1 %d Said\r\n%sContent-Length: %d\r\n\r\n%s" % (
        status,
        headers,
        len(body),
        body,
    )


async def serve(connection: Callable[[], Connection]) -> None:
    """Print the port and serve until the process is killed."""
    server = await asyncio.get_running_loop().create_server(
        connection, "127.0.0.1", 0, backlog=2048
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def running(*command: str) -> Iterator[str]:
    """Yield the base URL of a server, which a Python program with some arguments is."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.wait()


def counted(url: str) -> Any:
    """Return the counts of a server."""
    with urlopen(url) as response:
        return json.load(response)
