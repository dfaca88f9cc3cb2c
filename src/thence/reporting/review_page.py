"""The page on which a person reviews extracted procedures, and the requests that it makes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from thence.procedures.review import Review
from thence.reporting.local_server import Handler, Page


def handler_of(review: Review) -> Handler:
    """Return the function that answers the requests of the page."""

    def answer(path: str, body: Mapping[str, Any] | None) -> Page | Any:
        if not path and body is None:
            return _page()
        kind, _, number = path.partition("/")
        if kind != "procedure" or not (number.isascii() and number.isdigit()):
            raise LookupError(path)
        return review.show(int(number[:9])) if body is None else review.mend(int(number[:9]), body)

    return answer


def _page() -> Page:
    html, style, script = (_resource(f"review.{kind}") for kind in ("html", "css", "js"))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Page(html.replace("{style}", style).replace("{script}", script), policy)


def _resource(name: str) -> str:
    return files("thence.reporting").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
