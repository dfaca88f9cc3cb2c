"""Batches of Anthropic's Messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from thence.errors import ProviderError, Rejected
from thence.models.batches import BatchService, BatchState, Doubtful, lost
from thence.models.interface import count_of, mapping, text_of
from thence.models.replies import Received

_BEFORE = 3600.0  # seconds that two clocks may differ
_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches(BatchService):
    """Batches of Anthropic's Messages; they carry no mark of ours but the names of requests."""

    most_requests = 100_000
    most_bytes = 64 << 20

    def line(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a request with a name of at most 64 letters, digits, - and _."""
        return {"custom_id": name, "params": payload}

    async def create(self, lines: list[bytes], token: str) -> str:
        """Make a batch of some requests; return the endpoint's name of it.

        Raises:
            ProviderError: it was not made, or nobody knows.
        """
        body = b'{"requests":[' + b",".join(line.strip() for line in lines) + b"]}"
        made = await self.call("POST", "/messages/batches", body, Idempotency_Key=token)
        if (batch := text_of(made.get("id"))) is None:
            raise Rejected("malformed", "the endpoint made a batch without a name")
        return batch

    async def find(self, token: str, since: float, names: Iterable[str]) -> str | None:
        """Return the name of the batch that was made with a token; None where none was made.

        Of a batch that ended the names of its requests tell whether it is ours.

        Raises:
            Doubtful: the endpoint cannot tell.
        """
        wanted = set(names)
        async for each in self.pages("/messages/batches?limit=100", "data", "after_id", "last_id"):
            made = _seconds(each.get("created_at"))
            if made is not None and made < since - _BEFORE:
                return None  # they come in order, the newest first
            batch = text_of(each.get("id"))
            if batch is None or _total(each) != len(wanted):
                continue
            if each.get("processing_status") != "ended":
                raise Doubtful(
                    f"batch {batch} of {len(wanted):,} requests is under way there and may be this "
                    "one; once it has ended, the same command knows"
                )
            if await self._is_ours(each, wanted):
                return batch
        return None

    async def _is_ours(self, batch: Mapping[str, Any], wanted: set[str]) -> bool:
        """Return whether the results of a batch that ended are for some requests."""
        from tempfile import TemporaryDirectory

        state = BatchState("ended", ended=True, raw=batch)
        with TemporaryDirectory() as folder:
            for path in await self.fetch(state, Path(folder)):
                for row in self.rows(path):
                    return mapping(row).get("custom_id") in wanted
        raise Doubtful(f"batch {batch.get('id')} is there, but its results are gone")

    async def state(self, batch: str) -> BatchState:
        """Return what the endpoint says of a batch."""
        raw = await self.call("GET", f"/messages/batches/{batch}")
        word = text_of(raw.get("processing_status")) or "unknown"
        counts = mapping(raw.get("request_counts"))
        done = sum(count_of(counts.get(name)) or 0 for name in _COUNTS[1:])
        cancelled = raw.get("cancel_initiated_at") is not None
        return BatchState(word, word == "ended", done, None, cancelled, raw)

    async def fetch(self, state: BatchState, folder: Path) -> list[Path]:
        """Write the results of a batch that ended to files; return their paths."""
        if state.raw.get("results_url") is None:
            return []
        path = folder / ".results.part"
        await self.model.download(f"/messages/batches/{state.raw.get('id')}/results", path)
        return [path]

    def read(self, row: Mapping[str, Any]) -> tuple[str, Received | ProviderError]:
        """Return the name of a request, and its response or what became of it."""
        name, result = text_of(row.get("custom_id")) or "", mapping(row.get("result"))
        kind = text_of(result.get("type"))
        if kind == "succeeded":
            return name, self.received(200, result.get("message"))
        if kind == "errored":
            error = mapping(result.get("error"))
            inner = text_of(mapping(error.get("error")).get("type"))
            return name, self.received(_STATUSES.get(inner or "", 500), error)
        kind = {"canceled": "cancelled", "expired": "expired"}.get(kind or "", "server")
        return name, lost(kind, f"the batch left it out: {kind}")


def _total(batch: Mapping[str, Any]) -> int:
    counts = mapping(batch.get("request_counts"))
    return sum(count_of(counts.get(name)) or 0 for name in _COUNTS)


def _seconds(moment: object) -> float | None:
    """Return a moment in seconds of the epoch, or None."""
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except ValueError:
        return None
