"""The page on which a person reviews extracted procedures, and the requests that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from thence.procedures.review import Review
from thence.reporting.local_server import Handler, Page


def handler_of(review: Review) -> Handler:
    """Return the function that answers the requests of the page, from any thread."""
    lock = Lock()  # a change is read, made and written before the next one

    def answer(path: str, body: Mapping[str, Any] | None) -> Page | Any:
        if not path and body is None:
            return Page.packaged("review")
        kind, _, number = path.partition("/")
        if kind != "procedure" or not (number.isascii() and number.isdigit()):
            raise LookupError(path)
        with lock:
            place = int(number[:9])
            return review.show(place) if body is None else review.mend(place, body)

    return answer
