"""Format of the requests and replies of one kind of endpoint; each vendor's is a module of its own.

What an interface would ignore it refuses, so that no setting of a run is dropped in silence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thence.errors import ParameterError
from thence.models.base import Message, Reply, Request, Sampling, Usage


class Unreadable(Exception):
    """A response that is JSON, but not of the interface; its text says what there is instead."""


class Interface(ABC):
    """Format of the requests and replies of one kind of endpoint.

    Attributes:
        title: the interface in words, for errors.
    """

    title: str

    @abstractmethod
    def path(self, model: str) -> str:
        """Return the path of requests, below the base URL."""

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of requests beside those of every request."""
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def check(self, sampling: Sampling) -> None:  # noqa: B027 - most ignore nothing
        """Refuse what the interface would ignore.

        Raises:
            ParameterError: naming the parameter.
        """

    @abstractmethod
    def payload(self, model: str, request: Request, sampling: Sampling) -> dict[str, Any]:
        """Return the JSON object of a request."""

    @abstractmethod
    def read(self, data: Mapping[str, Any]) -> Reply:
        """Return the reply in the JSON object of a success.

        Raises:
            Unreadable: it is no object of this interface.
        """

    @abstractmethod
    def usage(self, data: Mapping[str, Any]) -> Usage | None:
        """Return the tokens that a JSON object tells of, also one that is no reply."""

    def fault(self, data: Mapping[str, Any]) -> object:
        """Return the error in the JSON object of a success; nothing true where there is none."""
        return data.get("error")


def refuse(name: str, value: object, title: str, mend: str = "leave it out") -> None:
    """Refuse a parameter that an interface would ignore, where it is given.

    Raises:
        ParameterError: naming it.
    """
    if value not in (None, False):
        shown = None if value is True else value
        raise ParameterError(name, shown, f"{title} would ignore it; {mend}")


def without_system(messages: Sequence[Message]) -> tuple[str | None, Sequence[Message]]:
    """Return the system message's text, or None, and the other messages."""
    if messages and messages[0]["role"] == "system":
        return messages[0]["content"], messages[1:]
    return None, messages


def merged(payload: dict[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload with further fields in it, those of objects within it too."""
    found = dict(payload)
    for name, value in further.items():
        held = found.get(name)
        both = isinstance(held, dict) and isinstance(value, Mapping)
        found[name] = merged(held, value) if both and isinstance(held, dict) else value
    return found


def given(**values: object) -> dict[str, Any]:
    """Return the values that are set."""
    return {name: value for name, value in values.items() if value is not None}


def text_of(value: object) -> str | None:
    """Return a value that is a non-empty text, else None."""
    return value if isinstance(value, str) and value else None


def joined(parts: Iterable[str | None]) -> str | None:
    """Return texts as one; None where there is none."""
    found = [part for part in parts if part is not None]
    return "".join(found) if found else None


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list; an empty list where the value is none."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """Return a value that is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def count_of(value: object) -> int | None:
    """Return a count of tokens, or None where the value cannot be one."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # The bound keeps sums within what JSON readers elsewhere hold exactly.
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53:
        return value
    return None
