"""A run through faults and kills, compared with one of the same samples without any.

A server in its own process meets a fifth of all requests with a fault, of 27 kinds, and answers the
others in whole. The command is killed (SIGKILL) at random moments: while it asks, while it starts
and while it scores; each time the same command is started again, until it says that all is done.
Then every (sample, epoch, turn) must have exactly one response, the scores must be those of the
quiet run byte for byte, and no kill may have cost more answers than there are connections.

With ``--honour`` the server keeps answers by their Idempotency-Key, failures too, and gives them
again: then each answer must have been made, and paid, once.

Run: python benchmarks/faults.py [--samples N] [--kills N] [--connections N] [--seed N] [--honour]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from _machine import tell

SHARE = 0.2  # of requests that meet a fault
RARE = 0.1  # as likely as another fault is one that is waited for
EPOCHS, TURNS = 2, 2
SLOWEST = 0.02  # seconds until an answer
FIRST_BYTE, TIMEOUT = 4, 6  # seconds
STARTING = 2.5  # seconds of a start in which some kills come
WHILE_STARTING, WHILE_SCORING = 0.15, 0.05  # of all kills


# The server ------------------------------------------------------------------------------------


def http(status: int, body: bytes = b"", headers: bytes = b"") -> bytes:
    """Return a whole response."""
    return b"HTTP/1.1 %d Said\r\n%sContent-Length: %d\r\n\r\n%s" % (
        status,
        headers,
        len(body),
        body,
    )


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


class Connection(asyncio.Protocol):
    """Server connection, with one request at a time."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer a request once it is whole."""
        self._held += data
        head, end, body = self._held.partition(b"\r\n\r\n")
        if not end:
            return
        lines = (line.partition(b":") for line in head.lower().split(b"\r\n")[1:])
        headers = {name: value.strip() for name, _, value in lines}
        if len(body) < int(headers.get(b"content-length", b"0")):
            return
        self._held = b""
        if head.startswith(b"GET"):
            self._transport.write(http(200, json.dumps(self._answers.counts()).encode()))
            return
        place, answer = self._answers.body(json.loads(body))
        key = headers.get(b"idempotency-key", b"").decode()
        kept = self._answers.kept.get(key)
        if self._answers.honours and kept is not None:
            self._answers.replayed += 1
            self._transport.write(kept)
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
        if self._transport.is_closing():
            return
        chance = self._answers.chance
        form = chance.choice(FORMS)
        self._answers.kept[key] = http(200, body)
        self._transport.write(form(200, body) if form is http else form(body))
        self._answers.note(place, key)
        if chance.random() < 0.02:  # as a server does that has kept it long enough
            self._transport.close()

    def _fail(self, name: str, body: bytes, key: str) -> None:
        if self._transport.is_closing():
            return
        fault = FAULTS[name]
        sent = fault.sent(body) if callable(fault.sent) else fault.sent
        if name in MEANT:
            self._answers.kept[key] = sent
        self._transport.write(sent)
        if fault.end == "closed":
            self._transport.close()
        elif fault.end == "reset":
            one = self._transport.get_extra_info("socket")
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()


async def serve(answers: Answers) -> None:
    """Print the port and serve until the process is killed."""
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(answers), "127.0.0.1", 0, backlog=2048
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def server(samples: Path, seed: int, share: float, *, honours: bool = False) -> Iterator[str]:
    """Yield the base URL of a running server."""
    command = [sys.executable, __file__, "--serve", str(samples), str(seed), str(share)]
    command += ["--honour"] * honours
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.wait()


def counted(url: str) -> dict[str, Any]:
    """Return the counts of a server."""
    with urlopen(url) as response:
        found: dict[str, Any] = json.load(response)
    return found


# The command -----------------------------------------------------------------------------------


def start(url: str, samples: Path, folder: Path, connections: int) -> subprocess.Popen[str]:
    """Start the command."""
    given = {
        "--model": "x/m",
        "--base-url": f"{url}/v1",
        "--protocol": "are_you_sure",
        "--epochs": EPOCHS,
        "--seed-model": 0,  # tells the server the epoch
        "--max-connections": connections,
        "--first-byte-timeout": FIRST_BYTE,
        "--timeout": TIMEOUT,
        "--max-retries": 9,
        "-o": folder,
    }
    words = [str(word) for pair in given.items() for word in pair]
    return subprocess.Popen(
        [sys.executable, "-m", "thence", "run", str(samples), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def good_lines(folder: Path) -> Counter[tuple[str, int, int]]:
    """Return how many good responses are on disk of each (sample, epoch, turn)."""
    found: Counter[tuple[str, int, int]] = Counter()
    with suppress(FileNotFoundError), (folder / "responses.jsonl").open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                row = json.loads(line)
                found[row["id"], row["epoch"], row["turn"]] += row["error"] is None
    return found


def size(path: Path) -> int:
    """Return the bytes of a file; 0 where there is none."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


class Kill(NamedTuple):
    """A moment for a kill: so many bytes of responses or seconds after the start or scoring."""

    when: str
    mark: float

    def wait(self, process: subprocess.Popen[str], folder: Path) -> bool:
        """Wait for the moment; return whether the command still runs then."""
        begun = time.monotonic()
        scoring = 0.0
        while process.poll() is None:
            now = time.monotonic()
            if self.when == "asking" and size(folder / "responses.jsonl") >= self.mark:
                return True
            if self.when == "starting" and now - begun >= self.mark:
                return True
            if self.when == "scoring":
                if not scoring and list(folder.glob(".scores.jsonl.*.part")):
                    scoring = now
                if scoring and now - scoring >= self.mark:
                    return True
            time.sleep(0.003)
        return False


def moments(kills: int, whole: int, seconds: float, draw: random.Random) -> list[Kill]:
    """Return moments for kills: those while asking and starting in one row, then the others.

    Args:
        kills: how many.
        whole: bytes of all responses.
        seconds: that scoring takes.
        draw: the chance.
    """
    starting, scoring = round(kills * WHILE_STARTING), round(kills * WHILE_SCORING)
    asking = kills - starting - scoring
    marks = iter(sorted(draw.uniform(0, 0.97 * whole) for _ in range(asking)))
    order = ["asking"] * asking + ["starting"] * starting
    draw.shuffle(order)
    first = [
        Kill("asking", next(marks)) if each == "asking" else Kill(each, draw.uniform(0, STARTING))
        for each in order
    ]
    return first + [Kill("scoring", draw.uniform(0, seconds)) for _ in range(scoring)]


class Outcome(NamedTuple):
    """What became of a run with kills."""

    kills: Counter[str]
    most: int  # answers that one kill cost
    starts: Counter[str]  # that ended by themselves, by their end


def through(url: str, samples: Path, folder: Path, connections: int, plan: list[Kill]) -> Outcome:
    """Run the command to its end, through all kills."""
    kills, starts = Counter[str](), Counter[str]()
    most = cost = 0
    left = list(plan)
    while True:
        process = start(url, samples, folder, connections)
        if left and left[0].wait(process, folder):
            process.kill()
            process.communicate()
            kills[left.pop(0).when] += 1
            lost = counted(url)["given"] - good_lines(folder).total()
            most, cost = max(most, lost - cost), lost
            continue
        _, said = process.communicate()
        ends = {0: "done", 1: "unfinished", 2: "refused by the first request"}
        name = ends.get(process.returncode, f"status {process.returncode}")
        starts[name] += 1
        if name.startswith("status"):
            sys.exit(f"the command ended with {name}: {said}")
        if name == "done" and not left:
            return Outcome(kills, most, starts)
        if starts.total() > 40 + len(plan):
            sys.exit(f"it never ends: {starts}: {said}")


# The comparison --------------------------------------------------------------------------------


def generate(path: Path, count: int) -> None:
    """Write samples of several tasks."""
    command = [sys.executable, "-m", "thence", "generate", "procbench/sort", "procbench/rhythm"]
    words = ["--size", str(count // 2), "--set", "steps=2-6", "-o", str(path)]
    subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL)


def compare(folder: Path, given: argparse.Namespace) -> list[str]:
    """Print the table; return what does not hold."""
    samples, draw = folder / "samples.jsonl", random.Random(given.seed)
    generate(samples, given.samples)
    quiet, wild = folder / "quiet", folder / "wild"
    begun = time.monotonic()
    with server(samples, given.seed, 0.0) as url:
        process = start(url, samples, quiet, given.connections)
        Kill("scoring", 0).wait(process, quiet)
        scoring = time.monotonic()
        _, said = process.communicate()
        if process.returncode:
            sys.exit(f"the quiet run failed: {said}")
    ended = time.monotonic()
    plan = moments(given.kills, size(quiet / "responses.jsonl"), ended - scoring, draw)
    with server(samples, given.seed, SHARE, honours=given.honour) as url:
        found = through(url, samples, wild, given.connections, plan)
        counts = counted(url)
    seconds = time.monotonic() - ended
    kept = good_lines(wild)
    once = sum(count == 1 for count in kept.values())
    wanted = given.samples * EPOCHS * TURNS
    again = counts["given"] - counts["places"]
    faults = sum(counts["faults"].values())
    equal = (quiet / "scores.jsonl").read_bytes() == (wild / "scores.jsonl").read_bytes()
    rows = {
        "samples, epochs, turns": f"{given.samples:,} x {EPOCHS} x {TURNS}",
        "requests": f"{counts['requests']:,}",
        f"faults, of {len(counts['faults'])} kinds": f"{faults:,}",
        "kills": ", ".join(f"{count} while {when}" for when, count in found.kills.items()),
        "starts that ended by themselves": ", ".join(
            f"{count} {end}" for end, count in found.starts.items()
        ),
        "(sample, epoch, turn) with one response": f"{once:,} of {wanted:,}",
        "answers given twice": f"{again:,}, at most {found.most} a kill "
        f"(of {given.connections} connections)",
        "of these with one Idempotency-Key": f"{counts['same_key']}; behind a failure that was "
        f"answered: {counts['after_failure']}",
        "given again by their keys": f"{counts['replayed']:,}" if given.honour else "not tried",
        "scores": "those of the quiet run" if equal else "others than those of the quiet run",
        "seconds": f"{seconds:,.0f} (quiet: {ended - begun:,.0f})",
    }
    print("\n| faults and kills | |\n|---|---|")
    print("\n".join(f"| {name} | {value} |" for name, value in rows.items()))
    print("\n| fault | met |\n|---|---|")
    for name, count in sorted(counts["faults"].items(), key=lambda pair: -pair[1]):
        print(f"| {name} | {count:,} |")
    claims = {
        "each (sample, epoch, turn) stands once": once == wanted == len(kept),
        "no kill cost more than what was in flight": found.most <= given.connections,
        "what was given twice was lost by a kill": again <= given.kills * given.connections,
        "repeats have one key but behind a failure": counts["same_key"] + counts["after_failure"]
        == counts["again"],
        "who honours keys is paid once": not given.honour or not again,
        "no two requests share a key": counts["keys"] >= counts["places"],
        "the scores are equal": equal,
        "all kills came": found.kills.total() == given.kills,
    }
    return [claim for claim, holds in claims.items() if not holds]


def main() -> None:
    """Print the table; end with 1 where anything does not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--honour", action="store_true")
    parser.add_argument("--serve", nargs=3, metavar=("SAMPLES", "SEED", "SHARE"))
    given = parser.parse_args()
    if given.serve:
        path, seed, share = given.serve
        answers = Answers(Path(path), int(seed), float(share), honours=given.honour)
        asyncio.run(serve(answers))
        return
    os.environ["NO_PROXY"] = "127.0.0.1"
    tell()
    with tempfile.TemporaryDirectory() as folder:
        broken = compare(Path(folder), given)
    if broken:
        sys.exit("does not hold: " + "; ".join(broken))


if __name__ == "__main__":
    main()
