"""Server of `peers.py`: one answer to everything after a fixed time, and a fault now and then."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter

from _server import Connection, http, serve

ANSWER = '{"intermediate": [], "final": ""}'
BUSY = b'{"error": {"message": "too many requests", "type": "rate_limit", "code": "rate_limit"}}'
BROKEN = b'{"error": {"message": "it broke", "type": "server_error", "code": "server_error"}}'


class Counts:
    """Counts of requests and of what they were answered.

    Attributes:
        latency: seconds until an answer.
        every: a request of so many gets a fault, 500 and 429 by turns; 0 for none.
    """

    def __init__(self, latency: float, every: int) -> None:
        self.latency = latency
        self.every = every
        self.requests = 0
        self.answered: Counter[int] = Counter()
        self.first = 0.0
        self.last = 0.0

    def fault(self) -> bytes | None:
        """Count a request; return the fault that it meets, or None."""
        self.requests += 1
        self.first = self.first or time.perf_counter()
        if not self.every or self.requests % self.every:
            return None
        odd = self.requests // self.every % 2
        return http(500, BROKEN) if odd else http(429, BUSY)


class CountingConnection(Connection):
    """Connection that answers each prompt alike and counts how often it was answered."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def counts(self) -> dict[str, float]:
        """Return the counts so far."""
        held = self._counts
        return {
            "requests": held.requests,
            "answered": held.answered.total(),
            "questions": len(held.answered),
            "seconds": held.last - held.first,
        }

    def answer(self, headers: dict[bytes, bytes], body: bytes) -> None:
        """Answer in a while."""
        prompt = hash(json.dumps(json.loads(body)["messages"]))
        fault = self._counts.fault()
        asyncio.get_running_loop().call_later(self._counts.latency, self._send, prompt, fault)

    def _send(self, prompt: int, fault: bytes | None) -> None:
        if self.transport.is_closing():
            return
        json_type = b"Content-Type: application/json\r\n"
        if fault is None:
            self._counts.answered[prompt] += 1
            message = {"role": "assistant", "content": ANSWER}
            reply = {
                "id": "r",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
            fault = http(200, json.dumps(reply).encode(), json_type)
        self._counts.last = time.perf_counter()
        self.transport.write(fault)


if __name__ == "__main__":
    counts = Counts(float(sys.argv[1]), int(sys.argv[2]))
    asyncio.run(serve(lambda: CountingConnection(counts)))
