"""Batches of requests, which an endpoint answers within a day at half the price.

One vendor's way to make, find and read them is a subclass in a module of its own.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.errors import ProviderError, Rejected, Transient
from thence.models.interface import mapping, text_of
from thence.models.replies import Received, failure, json_of

if TYPE_CHECKING:
    from thence.models.hosted import HostedModel


class Doubtful(Exception):
    """The endpoint cannot tell whether a batch was made; the text says what it does tell."""


@dataclass(frozen=True)
class BatchState:
    """State of a batch at its endpoint.

    Attributes:
        word: its state in the vendor's word.
        ended: whether nothing more will be answered.
        done: how many requests are answered, where that is known.
        fault: why none was answered, where the whole batch was refused.
        cancelled: whether somebody has cancelled it.
        raw: the vendor's own object.
    """

    word: str
    ended: bool
    done: int = 0
    fault: str | None = None
    cancelled: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict)


class BatchService(ABC):
    """Batches of one vendor.

    Args:
        model: the model that answers; its context must be open.

    Attributes:
        most_requests: of a batch.
        most_bytes: of a batch, less than the vendor's own limit.
    """

    most_requests: int
    most_bytes: int

    def __init__(self, model: HostedModel) -> None:
        self.model = model

    @abstractmethod
    def line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request with a name of at most 64 letters, digits, - and _."""

    def file_line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request in a file that somebody else sends."""
        return self.line(name, payload)

    @abstractmethod
    async def create(self, lines: list[bytes], token: str) -> str:
        """Make a batch of some requests; return the endpoint's name of it.

        Raises:
            ProviderError: it was not made, or nobody knows.
        """

    @abstractmethod
    async def find(self, token: str, since: float, names: Iterable[str]) -> str | None:
        """Return the name of the batch that was made with a token; None where none was made.

        Args:
            token: given to `create`.
            since: seconds of the epoch, before which it was not made.
            names: of its requests.

        Raises:
            Doubtful: the endpoint cannot tell.
        """

    @abstractmethod
    async def state(self, batch: str) -> BatchState:
        """Return what the endpoint says of a batch."""

    @abstractmethod
    async def fetch(self, state: BatchState, folder: Path) -> list[Path]:
        """Write the results of a batch that ended to files; return their paths."""

    def rows(self, path: Path) -> Iterable[object]:
        """Yield the results in a file, in no order; what is no JSON is None."""
        with path.open("rb") as file:
            yield from (json_of(line) for line in file if line.strip())

    @abstractmethod
    def read(self, row: Mapping[str, Any]) -> tuple[str, Received | ProviderError]:
        """Return the name of a request, and its response or what became of it."""

    async def call(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> dict[str, Any]:
        """Return the object with which the endpoint answers.

        Raises:
            ProviderError: it answers with an error, or with no object.
        """
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        received = await self.model.call(method, path, body, named)
        data = json_of(received.body)
        if not 200 <= received.status < 300:
            raise failure(received, data, received.status, self.model.secrets)
        if not isinstance(data, dict):
            raise Transient("malformed", f"{received.url} answered with no JSON object")
        return data

    async def pages(self, path: str, names: str, after: str, cursor: str) -> AsyncIterator[Any]:
        """Yield the objects of a list that comes in pages.

        Args:
            path: of the list, with its query.
            names: the field of the objects.
            after: the parameter that asks for the next page.
            cursor: the field that it is given, of the answer.

        Raises:
            Doubtful: the endpoint gives no such list.
        """
        following = ""
        while True:
            try:
                data = await self.call("GET", path + following)
            except Rejected as error:
                raise Doubtful(f"it lists no batches: {error}") from error
            held = data.get(names)
            for each in held if isinstance(held, list) else []:
                yield mapping(each)
            last = text_of(data.get(cursor))
            if last is None or not held or data.get("has_more") is False:
                return
            following = f"&{after}={last}"

    def received(self, status: int, body: object) -> Received:
        """Return a response that came within a batch."""
        return Received(self.model.endpoint.shown, status, {}, json.dumps(body).encode())


def lost(kind: str, message: str) -> ProviderError:
    """Return the error of a request that a batch left without a reply, to be asked again."""
    return Transient(kind, message)
