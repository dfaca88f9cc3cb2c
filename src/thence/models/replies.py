"""Interpretation of an endpoint's response: a reply, or an error classified by its remedy.

Neither an error's text nor a reply holds a key.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from thence.errors import ProviderError, Rejected, Transient
from thence.models.base import Reply
from thence.models.interface import Interface, Unreadable, text_of
from thence.models.secrets import Secrets


@dataclass(frozen=True, slots=True)
class Received:
    """HTTP response, unread.

    Attributes:
        url: the endpoint's base URL, for messages.
        status: the HTTP status.
        headers: by name; case does not matter.
        body: decompressed; that of an HTTP error is cut off.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


def read_reply(received: Received, secrets: Secrets, interface: Interface) -> Reply:
    """Return the reply in a response; nothing in it or in an error's message shows ``secrets``.

    Raises:
        Transient: as ``HostedModel.complete``.
        Rejected: as ``HostedModel.complete``.
    """
    data = json_of(received.body)
    try:
        return _reply(received, data, secrets, interface)
    except ProviderError as error:
        usage = interface.usage(data) if isinstance(data, dict) else None
        error.usage = usage.to_json() if usage else None  # what is malformed may be paid for
        error.final = received.status not in _UNDECIDED
        raise


def _reply(received: Received, data: object, secrets: Secrets, interface: Interface) -> Reply:
    """Return the reply in a response whose body is this JSON value; None for no JSON."""
    if not 200 <= received.status < 300:
        raise failure(received, data, received.status, secrets)
    if not isinstance(data, dict):
        if _is_stream(received):
            raise _malformed(received, "a stream of events, which was not asked for", secrets)
        raise _malformed(received, "no JSON object" if received.body else "no body", secrets)
    if error := interface.fault(data):
        raise failure(received, {"error": error}, _status_within(error), secrets)
    try:
        reply = interface.read(data)
    except Unreadable as error:
        raise _malformed(received, str(error), secrets) from None
    return Reply(
        secrets.hidden_in_reply(reply.text),
        secrets.hidden_in_reply(reply.reasoning),
        secrets.hidden_in_reply(reply.finish_reason),
        reply.usage,
    )


def json_of(body: bytes) -> Any:
    """Return the JSON value of a body; None for bad JSON, deep nesting or endless numbers."""
    try:
        return orjson.loads(body)
    except ValueError:  # the other parser takes lone surrogates, and other encodings
        pass
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _malformed(received: Received, what: str, secrets: Secrets) -> Transient:
    excerpt = one_line(_said(received), secrets)
    message = f"{received.url} answered {received.status} with {what}"
    return Transient("malformed", f"{message}: {excerpt}" if excerpt else message, received.status)


def _is_stream(received: Received) -> bool:
    """Tell whether a response consists of server-sent events."""
    told = _header(received.headers, "content-type").lower().startswith("text/event-stream")
    return told or received.body.lstrip().startswith((b"data:", b"event:"))


def failure(received: Received, data: object, status: int, secrets: Secrets) -> ProviderError:
    """Return the error for a response with this status, its own or one in its body."""
    said = _said(received)
    category, kind = _category(status, said)
    complaint = _complaint(data) or said
    if kind == "redirect":
        complaint = _plain_address(_header(received.headers, "location"))
    message = f"{received.url} answered {status}, {_MEANINGS[kind]}"
    detail = one_line(complaint, secrets)
    return category(
        kind, f"{message}: {detail}" if detail else message, status, _retry_after(received.headers)
    )


def _category(status: int, said: str) -> tuple[type[ProviderError], str]:
    """Return the class and the kind of an error, by its status and the text of its body."""
    if status == 429 and "insufficient_quota" in said:
        return Rejected, "quota"  # no wait will mend it
    if status in _CATEGORIES:
        return _CATEGORIES[status]
    if 300 <= status < 400:
        return Rejected, "redirect"
    if 400 <= status < 500:
        said = said.lower()
        if "api_key_invalid" in said or "api key not valid" in said:  # Gemini's word for 401
            return Rejected, "auth"
        too_long = any(mark in said for mark in _TOO_LONG)
        return Rejected, "context_length" if too_long else "bad_request"
    return Transient, "server"


def _said(received: Received) -> str:
    """Return the start of a body as text."""
    return received.body[:ERROR_BYTES].decode("utf-8", "replace")


def _complaint(data: object) -> str | None:
    """Return the message in an error's body, in any of the shapes that endpoints use."""
    if isinstance(data, list) and data:
        data = data[0]
    for name in ("error", "message", "detail"):
        if isinstance(data, dict) and name in data:
            data = data[name]
    return text_of(data)


def _status_within(error: object) -> int:
    """Return the HTTP status that an error in a body has as its code, or 200."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and len(code) == 3 and code.isascii() and code.isdigit():
        code = int(code)
    if isinstance(code, int) and 400 <= code < 600:
        return code
    return 200


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the endpoint asks to wait, or None."""
    seconds = _number(_header(headers, "retry-after-ms"))
    if seconds is not None:
        return seconds / 1000.0
    said = _header(headers, "retry-after")
    seconds = _number(said)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(said)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _plain_address(url: str) -> str:
    """Return a URL without user name, password, query and fragment, which may hold keys."""
    return re.sub(r"//[^/?#]*@", "//", re.split("[?#]", url, maxsplit=1)[0])


def _header(headers: Mapping[str, str], name: str) -> str:
    """Return the value of a header, empty where there is none; case does not matter."""
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def one_line(text: str, secrets: Secrets) -> str:
    """Return the first 200 characters of a foreign text, printable and without keys."""
    text = secrets.hidden_pieces(text[: 2 * ERROR_BYTES])
    # Printable leaves out line ends, escape sequences, direction marks and lone surrogates.
    plain = "".join(c if c.isprintable() else " " for c in text[:ERROR_BYTES])
    return " ".join(plain.split())[:200]


ERROR_BYTES = 64 * 1024

_CATEGORIES: dict[int, tuple[type[ProviderError], str]] = {
    401: (Rejected, "auth"),
    402: (Rejected, "quota"),
    403: (Rejected, "auth"),
    404: (Rejected, "not_found"),
    408: (Transient, "timeout"),
    409: (Transient, "server"),
    425: (Transient, "server"),
    429: (Transient, "rate_limit"),
}

# The request was not begun, or is under way behind a gateway that gave up on it.
_UNDECIDED = frozenset((408, 409, 425, 429, 502, 503, 504, 529))

_MEANINGS = {
    "auth": "the key was refused, or there was none",
    "bad_request": "the request was refused",
    "context_length": "the prompt exceeds the context length",
    "not_found": "model or path unknown",
    "quota": "the account's credit is used up",
    "rate_limit": "too many requests",
    "redirect": "a redirect, whose target base_url=URL should name",
    "server": "a failure of its own",
    "timeout": "it ran out of time",
}

_TOO_LONG = (
    "context length",
    "context_length",
    "context size",
    "context window",
    "input token count",
    "prompt is too long",
)
"""Phrases of OpenAI, vLLM, llama.cpp, Anthropic and Gemini for a prompt that is too long."""
