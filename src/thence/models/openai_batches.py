"""Batches in OpenAI's format, which several vendors speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import orjson

from thence.errors import ProviderError, Rejected
from thence.models.batches import BatchService, BatchState, Doubtful, lost
from thence.models.interface import count_of, mapping, objects, text_of
from thence.models.replies import Received, one_line

_ENDED = frozenset(("completed", "failed", "expired", "cancelled"))
_BEFORE = 3600.0  # seconds that two clocks may differ


class OpenAIBatches(BatchService):
    """Batches in OpenAI's format: a file of requests, a batch, and files of results and errors."""

    most_requests = 50_000
    most_bytes = 64 << 20

    def line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request with a name of at most 64 letters, digits, - and _."""
        url = "/v1" + self.model.interface.path(self.model.model)
        return {"custom_id": name, "method": "POST", "url": url, "body": payload}

    async def create(self, lines: list[bytes], token: str) -> str:
        """Make a batch of some requests; return the endpoint's name of it.

        Raises:
            ProviderError: it was not made, or nobody knows.
        """
        boundary = token_hex(16)
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; '
            f'filename="{token}.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n'
        )
        body = b"".join((head.encode(), *lines, f"\r\n--{boundary}--\r\n".encode()))
        kind = f"multipart/form-data; boundary={boundary}"
        file = text_of((await self.call("POST", "/files", body, Content_Type=kind)).get("id"))
        wanted = {
            "input_file_id": file,
            "endpoint": "/v1" + self.model.interface.path(self.model.model),
            "completion_window": "24h",
            "metadata": {"thence": token},
        }
        made = await self.call("POST", "/batches", orjson.dumps(wanted), Idempotency_Key=token)
        if (batch := text_of(made.get("id"))) is None:
            raise Rejected("malformed", "the endpoint made a batch without a name")
        return batch

    async def find(self, token: str, since: float, names: Iterable[str]) -> str | None:
        """Return the name of the batch that was made with a token; None where none was made.

        Raises:
            Doubtful: the endpoint cannot tell.
        """
        async for each in self.pages("/batches?limit=100", "data", "after", "last_id"):
            made = each.get("created_at")
            if isinstance(made, int | float) and made < since - _BEFORE:
                return None  # they come in order, the newest first
            if "metadata" not in each:
                raise Doubtful("its list does not tell what a batch was made for")
            if mapping(each.get("metadata")).get("thence") == token:
                return text_of(each.get("id"))
        return None

    async def state(self, batch: str) -> BatchState:
        """Return what the endpoint says of a batch."""
        raw = await self.call("GET", f"/batches/{batch}")
        word = text_of(raw.get("status")) or "unknown"
        counts = mapping(raw.get("request_counts"))
        done = sum(count_of(counts.get(name)) or 0 for name in ("completed", "failed"))
        fault = None
        if word == "failed":
            said = [text_of(each.get("message")) for each in objects(_errors(raw))]
            fault = one_line("; ".join(each for each in said if each), self.model.secrets)
            fault = fault or "without a reason"
        return BatchState(word, word in _ENDED, done, fault, word == "cancelled", raw)

    async def fetch(self, state: BatchState, folder: Path) -> list[Path]:
        """Write the results of a batch that ended to files; return their paths."""
        found = []
        for name in ("output_file_id", "error_file_id"):  # one that expired has both
            if file := text_of(state.raw.get(name)):
                path = folder / f".{name}.part"
                await self.model.download(f"/files/{file}/content", path)
                found.append(path)
        return found

    def read(self, row: Mapping[str, Any]) -> tuple[str, Received | ProviderError]:
        """Return the name of a request, and its response or what became of it."""
        name = text_of(row.get("custom_id")) or ""
        response, error = mapping(row.get("response")), mapping(row.get("error"))
        body = response.get("body")
        status = count_of(response.get("status_code"))
        if body is not None:
            good = isinstance(body, dict) and not body.get("error")
            return name, self.received(status or (200 if good else 500), body)
        kind = text_of(error.get("code")) or "server"
        said = one_line(text_of(error.get("message")) or "no reply", self.model.secrets)
        kind = {"batch_expired": "expired", "batch_cancelled": "cancelled"}.get(kind, "server")
        return name, lost(kind, f"the batch left it out: {said}")


def _errors(raw: Mapping[str, Any]) -> object:
    return mapping(raw.get("errors")).get("data")
