"""The page on which people judge items or answer questions, and the requests that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from thence.errors import UsageError
from thence.reporting.local_server import Handler, Page


class Judging(Protocol):
    """Source of the items that the page shows to each person, and keeper of their answers."""

    def rater(self, given: object) -> str:
        """Return the name of a person as it is stored."""
        ...

    def show(self, rater: str, place: int | None = None) -> dict[str, Any]:
        """Return an item as a person sees it; None for the first one without an answer."""
        ...

    def judge(
        self, rater: str, place: int, value: str, note: str = "", seconds: float | None = None
    ) -> dict[str, Any]:
        """Store an answer, and return the next item."""
        ...

    def undo(self, rater: str) -> dict[str, Any]:
        """Go back to the latest answer of a person, and return its item."""
        ...


def handler_of(judging: Judging, title: str, statement: str) -> Handler:
    """Return the function that answers the requests of the page.

    Args:
        judging: the study.
        title: heading of the page.
        statement: what is asked of every item; empty where each says it itself.
    """
    told = {"title": title, "statement": statement}

    def answer(path: str, body: Mapping[str, Any] | None) -> Page | Any:
        if body is None:
            if path:
                raise LookupError(path)
            return Page.packaged("rating")
        does: Callable[..., dict[str, Any]] | None = {
            "show": lambda rater: judging.show(rater, _place(body)),
            "judge": lambda rater: judging.judge(
                rater, _place(body) or 0, _text(body, "value"), _text(body, "note"),
                body.get("seconds"),
            ),
            "undo": judging.undo,
        }.get(path)  # fmt: skip
        if does is None:
            raise LookupError(path)
        return {**told, **does(judging.rater(body.get("rater")))}

    return answer


def _place(body: Mapping[str, Any]) -> int | None:
    place = body.get("place")
    if place is not None and type(place) is not int:
        raise UsageError("a place is a number")
    return place


def _text(body: Mapping[str, Any], name: str) -> str:
    text = body.get(name, "")
    if not isinstance(text, str):
        raise UsageError(f"{name} must be text")
    return text
