"""A small server of pages for one person: on loopback alone, with a token in the address.

A handler gets the path behind the token and the JSON object of a POST, and returns what is sent.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from thence.engine.event_loop import run_blocking
from thence.errors import ParameterError, UsageError
from thence.system.disk import parse_json

if TYPE_CHECKING:
    from aiohttp import web

HOST = "127.0.0.1"
_MOST_BYTES = 1 << 20  # of a request's body
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True)
class Page:
    """A page of HTML with its policy, which allows its own script and style alone.

    Attributes:
        html: the page.
        policy: its Content-Security-Policy.
    """

    html: str
    policy: str

    @classmethod
    def packaged(cls, name: str) -> Page:
        """Return the page of ``NAME.html``, ``NAME.css`` and ``NAME.js`` in this package."""
        folder = files("thence.reporting")
        html, style, script = (
            folder.joinpath(f"{name}.{kind}").read_text(encoding="utf-8")
            for kind in ("html", "css", "js")
        )
        policy = (
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return cls(html.replace("{style}", style).replace("{script}", script), policy)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


type Handler = Callable[[str, Mapping[str, Any] | None], Page | Any]
"""From a path behind the token, and the object of a POST or None, to a page or a JSON value.

It raises `LookupError` where there is nothing, and `UsageError` for what cannot be done.
"""


def serve_here(
    handler: Handler, ready: Callable[[str], None], port: int = 0, *, ends: bool = True
) -> None:
    """Serve as `serve` does, also until Ctrl-C, which is the ordinary end."""
    with suppress(KeyboardInterrupt):
        run_blocking(serve(handler, ready, port, ends=ends))


async def serve(
    handler: Handler, ready: Callable[[str], None], port: int = 0, *, ends: bool = True
) -> None:
    """Serve until this is cancelled, or a POST to ``end`` comes.

    Args:
        handler: answers requests; it is called in a thread.
        ready: called with the address once requests are answered.
        port: of this machine; 0 for any that is free.
        ends: whether a POST may end it; False where several people use it.

    Raises:
        ParameterError: the port is taken.
    """
    from aiohttp import web

    token, over = secrets.token_urlsafe(24), asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        return await _answer(request, handler, token, over if ends else None)

    application = web.Application(client_max_size=_MOST_BYTES)
    application.router.add_route("*", "/{token}/{path:.*}", answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, port)
        try:
            await site.start()
        except OSError as error:
            raise ParameterError("port", port, f"{error.strerror}; name another, or 0") from error
        ready(f"http://{HOST}:{runner.addresses[0][1]}/{token}/")
        await over.wait()
    finally:
        await runner.cleanup()


async def _answer(
    request: web.Request, handler: Handler, token: str, over: asyncio.Event | None
) -> web.StreamResponse:
    """Return the response to a request; one without the token learns nothing."""
    from aiohttp import web

    own = f"{HOST}:{request.url.port}"
    given = request.match_info["token"]
    if not secrets.compare_digest(given.encode(), token.encode()) or request.host != own:
        raise web.HTTPNotFound
    origin = request.headers.get("Origin")
    if request.method not in ("GET", "POST") or origin not in (None, f"http://{own}"):
        raise web.HTTPForbidden
    path = request.match_info["path"]
    body: Mapping[str, Any] | None = None
    if request.method == "POST":
        body = await _object(request)
        if path == "end" and over is not None:
            over.set()
            return _json({})
    try:
        made = await asyncio.to_thread(handler, path, body)
    except LookupError:
        raise web.HTTPNotFound from None
    except UsageError as error:
        return _json({"error": str(error)}, status=409)
    if isinstance(made, Page):
        headers = {**_HEADERS, "Content-Security-Policy": made.policy}
        return web.Response(text=made.html, content_type="text/html", headers=headers)
    return _json(made)


async def _object(request: web.Request) -> Mapping[str, Any]:
    from aiohttp import web

    try:
        held = parse_json(await request.read())
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict):
        raise web.HTTPBadRequest(text="a JSON object is needed")
    return held


def _json(value: Any, status: int = 200) -> web.Response:
    from aiohttp import web

    text = json.dumps(value, ensure_ascii=True)
    return web.Response(text=text, status=status, content_type="application/json", headers=_HEADERS)
