"""Batches of Gemini's generateContent, with requests and results in the batch itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from thence.errors import ProviderError, Rejected
from thence.models.batches import BatchService, BatchState, lost
from thence.models.gemini import GenerateContent
from thence.models.interface import count_of, mapping, objects, text_of
from thence.models.replies import Received, json_of, one_line

_STATUSES = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 14: 503, 16: 401}  # of gRPC's codes
_ENDED = frozenset(("SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "EXPIRED", "CANCELLED"))


class GeminiBatches(BatchService):
    """Batches of Gemini's generateContent."""

    most_requests = 20_000
    most_bytes = 16 << 20  # 20 MB may stand in one request

    def line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request with a name of at most 64 letters, digits, - and _."""
        return {"request": payload, "metadata": {"key": name}}

    def file_line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request in a file that somebody else sends."""
        return {"key": name, "request": payload}

    async def create(self, lines: list[bytes], token: str) -> str:
        """Make a batch of some requests; return the endpoint's name of it.

        Raises:
            ProviderError: it was not made, or nobody knows.
        """
        name = orjson.dumps(token)
        body = b'{"batch":{"displayName":' + name + b',"inputConfig":{"requests":{"requests":['
        body += b",".join(line.strip() for line in lines) + b"]}}}}"
        interface = self.model.interface
        assert isinstance(interface, GenerateContent)
        path = f"{interface.folder(self.model.model)}:batchGenerateContent"
        made = await self.call("POST", path, body, Idempotency_Key=token)
        if (batch := text_of(made.get("name"))) is None:
            raise Rejected("malformed", "the endpoint made a batch without a name")
        return batch

    async def find(self, token: str, since: float, names: Iterable[str]) -> str | None:
        """Return the name of the batch that was made with a token; None where none was made.

        Raises:
            Doubtful: the endpoint cannot tell.
        """
        async for each in self.pages(
            "/batches?pageSize=100", "operations", "pageToken", "nextPageToken"
        ):
            if mapping(each.get("metadata")).get("displayName") == token:
                return text_of(each.get("name"))
        return None

    async def state(self, batch: str) -> BatchState:
        """Return what the endpoint says of a batch."""
        raw = await self.call("GET", f"/{batch}")
        held = mapping(raw.get("metadata"))
        word = (text_of(held.get("state")) or "unknown").removeprefix("JOB_STATE_")
        word = word.removeprefix("BATCH_STATE_")
        counts = mapping(held.get("batchStats"))
        done = sum(_whole(counts.get(f"{name}RequestCount")) for name in ("successful", "failed"))
        fault = None
        if word == "FAILED":
            said = text_of(mapping(raw.get("error")).get("message")) or "without a reason"
            fault = one_line(said, self.model.secrets)
        return BatchState(word, word in _ENDED, done, fault, word == "CANCELLED", raw)

    async def fetch(self, state: BatchState, folder: Path) -> list[Path]:
        """Write the results of a batch that ended to files; return their paths."""
        path = folder / ".results.part"
        await self.model.download(f"/{state.raw.get('name')}", path)
        return [path]

    def rows(self, path: Path) -> Iterable[object]:
        """Yield the results in a file, in no order; what is no JSON is None."""
        held = mapping(json_of(path.read_bytes()))
        for name in ("response", "metadata"):
            place = mapping(held.get(name))
            place = mapping(place.get("output")) or place
            if rows := objects(mapping(place.get("inlinedResponses")).get("inlinedResponses")):
                return rows
        return super().rows(path)

    def read(self, row: Mapping[str, Any]) -> tuple[str, Received | ProviderError]:
        """Return the name of a request, and its response or what became of it."""
        name = text_of(mapping(row.get("metadata")).get("key")) or text_of(row.get("key")) or ""
        if (response := row.get("response")) is not None:
            return name, self.received(200, response)
        error = mapping(row.get("error"))
        code = count_of(error.get("code")) or 13
        if code in (1, 4):  # cancelled, and the deadline of the batch
            return name, lost("cancelled" if code == 1 else "expired", "the batch left it out")
        return name, self.received(_STATUSES.get(code, code if code >= 400 else 500), row)


def _whole(value: object) -> int:
    """Return a count, which may come as text."""
    return int(value) if isinstance(value, str) and value.isdecimal() else count_of(value) or 0
