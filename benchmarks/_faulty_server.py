"""Server of `faults.py`: right answers, and a share of faults of 27 kinds in their place."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from _server import Connection, http, serve

RARE = 0.1  # as likely as another fault is one that is waited for
SLOWEST = 0.02  # seconds until an answer


def chunked(body: bytes) -> bytes:
    """Return a whole response in two chunks."""
    cuts = (body[:40], body[40:])
    packed = b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in cuts)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + packed + b"0\r\n\r\n"


def packed(body: bytes) -> bytes:
    """Return a whole response in gzip."""
    return http(200, gzip.compress(body), b"Content-Encoding: gzip\r\n")


def half(data: bytes) -> bytes:
    """Return the first half."""
    return data[: len(data) // 2]


class Fault(NamedTuple):
    """A way to fail: what is sent in place of an answer, and what becomes of the connection."""

    sent: bytes | Callable[[bytes], bytes]  # where it depends on the body
    end: str = "kept"  # or closed, reset, silent
    weight: float = 1.0


FAULTS = {
    "429": Fault(http(429)),
    "429, Retry-After: 0.05": Fault(http(429, b"", b"Retry-After: 0.05\r\n")),
    "429, Retry-After: soon": Fault(http(429, b"", b"Retry-After: soon\r\n")),
    "400": Fault(http(400, b'{"error": {"message": "no"}}')),
    "500": Fault(http(500, b'{"error": {"message": "it broke"}}')),
    "502, HTML": Fault(http(502, b"<html>Bad gateway</html>")),
    "503, no body": Fault(http(503)),
    "529": Fault(http(529, b'{"error": {"message": "overloaded"}}')),
    "redirect": Fault(http(307, b"", b"Location: http://127.0.0.1:9/\r\n")),
    "closed before the head": Fault(b"", "closed"),
    "reset before the head": Fault(b"", "reset"),
    "reset behind the head": Fault(lambda body: http(200, body)[: -len(body)], "reset"),
    "half a body": Fault(lambda body: half(http(200, body)), "closed"),
    "half a chunk": Fault(lambda body: chunked(body)[:-60], "closed"),
    "chunk length that is none": Fault(lambda body: chunked(body).replace(b"28\r\n", b"zz\r\n")),
    "length too short": Fault(lambda body: http(200, body).replace(b": %d" % len(body), b": 30")),
    "gzip that is none": Fault(lambda body: http(200, body, b"Content-Encoding: gzip\r\n")),
    "no HTTP": Fault(b"SSH-2.0-OpenSSH_9.6\r\n", "closed"),
    "header of 100 kB": Fault(lambda body: http(200, body, b"X: " + b"x" * 100_000 + b"\r\n")),
    "garbage in 200": Fault(http(200, b"\x00\xff{{{")),
    "half JSON in 200": Fault(lambda body: http(200, half(body))),
    "nothing in 200": Fault(http(200)),
    "HTML in 200": Fault(http(200, b"<html>Log in</html>")),
    "error in 200": Fault(http(200, b'{"error": {"message": "no", "code": 502}}')),
    "no choice in 200": Fault(http(200, b'{"choices": []}')),
    "head that never comes": Fault(b"", "silent", RARE),
    "body that never ends": Fault(lambda body: half(http(200, body)), "silent", RARE),
}
# Failures of the endpoint itself, which it may keep, and others that are answers: behind either the
# next attempt has another key.
MEANT = frozenset(name for name in FAULTS if name.endswith("in 200") or name in {"400", "500"})
ANSWERED = MEANT | {"length too short", "redirect"}
FORMS = (http, http, http, chunked, packed)  # of good answers


class Answers:
    """Right answers to some samples, the server's chance, and its counts."""

    def __init__(self, samples: Path, seed: int, share: float, *, honours: bool) -> None:
        from thence import families

        rows = [json.loads(line) for line in samples.read_bytes().splitlines()]
        self._right = {
            row["input"]: (number, families.task(row["task"]).format.write(row["target"]))
            for number, row in enumerate(rows)
        }
        self.chance = random.Random(seed)
        self._share = share
        self.honours = honours
        self.kept: dict[str, bytes] = {}
        self.replayed = 0
        self.meant: set[tuple[int, int, int]] = set()
        self.requests = 0
        self.faults: Counter[str] = Counter()
        self._keys: dict[tuple[int, int, int], set[str]] = {}
        self.given: Counter[tuple[int, int, int]] = Counter()

    def fault(self) -> str | None:
        """Return the name of the fault that the next request meets, or None."""
        self.requests += 1
        if self.chance.random() >= self._share:
            return None
        weights = [each.weight for each in FAULTS.values()]
        [name] = self.chance.choices(list(FAULTS), weights)
        self.faults[name] += 1
        return name

    def body(self, request: dict[str, Any]) -> tuple[tuple[int, int, int], bytes]:
        """Return whose turn it is, and its answer: the same whenever it is asked."""
        messages = request["messages"]
        number, text = self._right[messages[0]["content"]]
        place = number, request["seed"], len(messages) // 2
        said = text if sum(place) % 5 else "I cannot tell."
        message = {"role": "assistant", "content": None if number % 11 == 3 else said}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return place, json.dumps({"choices": [choice], "usage": usage}).encode()

    def note(self, place: tuple[int, int, int], key: str) -> None:
        """Count a whole answer."""
        self.given[place] += 1
        self._keys.setdefault(place, set()).add(key)

    def counts(self) -> dict[str, Any]:
        """Return what was counted."""
        again = [place for place, count in self.given.items() if count > 1]
        same = [place for place in again if len(self._keys[place]) == 1]
        return {
            "requests": self.requests,
            "given": self.given.total(),
            "places": len(self.given),
            "again": len(again),
            "same_key": len(same),
            "after_failure": len(({*again} - {*same}) & self.meant),
            "replayed": self.replayed,
            "keys": len(set().union(*self._keys.values())) if self._keys else 0,
            "faults": dict(self.faults),
        }


class FaultyConnection(Connection):
    """Connection that answers, or fails."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def counts(self) -> dict[str, Any]:
        """Return the counts of the server."""
        return self._answers.counts()

    def answer(self, headers: dict[bytes, bytes], body: bytes) -> None:
        """Answer a request in a moment, or meet it with a fault."""
        place, answer = self._answers.body(json.loads(body))
        key = headers.get(b"idempotency-key", b"").decode()
        kept = self._answers.kept.get(key)
        if self._answers.honours and kept is not None:
            self._answers.replayed += 1
            self.transport.write(kept)
            return
        fault = self._answers.fault()
        seconds = self._answers.chance.uniform(0, SLOWEST)
        loop = asyncio.get_running_loop()
        if fault is None:
            loop.call_later(seconds, self._answer, place, answer, key)
        else:
            if fault in ANSWERED:
                self._answers.meant.add(place)
            loop.call_later(seconds, self._fail, fault, answer, key)

    def _answer(self, place: tuple[int, int, int], body: bytes, key: str) -> None:
        if self.transport.is_closing():
            return
        chance = self._answers.chance
        form = chance.choice(FORMS)
        self._answers.kept[key] = http(200, body)
        self.transport.write(form(200, body) if form is http else form(body))
        self._answers.note(place, key)
        if chance.random() < 0.02:  # as a server does that has kept it long enough
            self.transport.close()

    def _fail(self, name: str, body: bytes, key: str) -> None:
        if self.transport.is_closing():
            return
        fault = FAULTS[name]
        sent = fault.sent(body) if callable(fault.sent) else fault.sent
        if name in MEANT:
            self._answers.kept[key] = sent
        self.transport.write(sent)
        if fault.end == "closed":
            self.transport.close()
        elif fault.end == "reset":
            one = self.transport.get_extra_info("socket")
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()


if __name__ == "__main__":
    _, held, seed, share, honours = sys.argv
    answers = Answers(Path(held), int(seed), float(share), honours=honours == "honour")
    asyncio.run(serve(lambda: FaultyConnection(answers)))
