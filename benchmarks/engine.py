"""Speed of a run compared with a bare aiohttp loop: same requests, same server, same machine.

Run: python benchmarks/engine.py [--rounds N] [--requests N] [--memory N] [--million]

A server in its own process answers every request after 0.2 s. The bare loop posts prompts from
memory and keeps nothing; ``thence run`` reads a generated file, writes every response before it
counts, and scores. The two sides alternate, because other load on the machine slows both; figures
are medians, with the CPU time of each side beside its wall time. Both sides find their modules
compiled to bytecode, as an installed program does after its first start. The server measures
throughput from its first request to its last, so that start and scoring do not count there; they
count in the wall time of the whole command.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from _machine import tell
from _server import Connection, counted, http, running, serve

LATENCY = 0.2  # seconds
WANTED = {128: 0.85, 512: 0.75}  # of the bare loop's throughput, by connections
WALL = 1.4  # times the bare loop's wall time
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
MEMORY = 500.0  # MB that a million samples may take


# The server ------------------------------------------------------------------------------------

_TEXT = 'It is done.\n```json\n{"intermediate": ["ab"], "final": "abc"}\n```'
_ANSWER = json.dumps(
    {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": _TEXT,
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 250, "completion_tokens": 20},
    }
).encode()


@dataclass
class Counts:
    """Numbers of the server since the last query."""

    requests: int = 0
    first: float = 0.0
    last: float = 0.0
    latency: float = LATENCY


class DelayedConnection(Connection):
    """Server connection: delayed answers to POST, counts to GET."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def counts(self) -> tuple[int, float]:
        """Return the number of requests since the last call, and their seconds."""
        held = self._counts
        requests, held.requests = held.requests, 0
        return requests, held.last - held.first

    def answer(self, headers: dict[bytes, bytes], body: bytes) -> None:
        """Answer a request after the latency."""
        self._counts.requests += 1
        if self._counts.requests == 1:
            self._counts.first = time.perf_counter()
        asyncio.get_running_loop().call_later(self._counts.latency, self._answer)

    def _answer(self) -> None:
        self._counts.last = time.perf_counter()
        self.transport.write(http(200, _ANSWER, b"Content-Type: application/json\r\n"))


@contextmanager
def server(latency: float = LATENCY) -> Iterator[str]:
    """Yield the base URL of a running server."""
    with running(__file__, "--serve", str(latency)) as url:
        yield url


# The two sides ---------------------------------------------------------------------------------


async def bare(url: str, prompts: list[str], connections: int) -> None:
    """Run the minimal client: post every prompt, parse every reply and drop it."""
    import aiohttp

    waiting = iter(prompts)

    async def work() -> None:
        for prompt in waiting:
            body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
            async with session.post(f"{url}/v1/chat/completions", json=body) as response:
                assert (await response.json())["choices"]

    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(work())


@dataclass
class Side:
    """Figures of one side, one per round."""

    rates: list[float] = field(default_factory=list)
    walls: list[float] = field(default_factory=list)
    works: list[float] = field(default_factory=list)

    def add(self, url: str, command: list[str], wanted: int) -> None:
        """Run a command to its end in its own process and record its figures."""
        counted(url)
        begun, worked = time.perf_counter(), _children()
        subprocess.run(command, check=True, capture_output=True, env=_compiled())
        self.walls.append(time.perf_counter() - begun)
        self.works.append(_children() - worked)
        requests, seconds = counted(url)
        assert requests == wanted, f"{requests} requests, not {wanted}"
        self.rates.append(requests / seconds)


def _children() -> float:
    """Return the CPU seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compiled() -> dict[str, str]:
    """Return an environment in which Python keeps the bytecode of imported modules."""
    place = str(Path(tempfile.gettempdir()) / "thence-benchmark-bytecode")
    held = {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}
    return {**held, "PYTHONPYCACHEPREFIX": place}


def run_command(url: str, file: Path, folder: Path, connections: int) -> list[str]:
    """Return the command line of ``thence run``."""
    place = ["--base-url", f"{url}/v1", "--max-connections", str(connections), "-o", str(folder)]
    return [sys.executable, "-m", "thence", "run", str(file), "--model", "x/m", *place]


def compare(folder: Path, file: Path, requests: int, rounds: int) -> None:
    """Print the figures of both sides at 128 and 512 connections."""
    for connections, wanted in WANTED.items():
        ours, theirs = Side(), Side()
        with server() as url:
            small = folder / "warm.jsonl"
            with file.open("rb") as lines:
                small.write_bytes(b"".join(line for _, line in zip(range(8), lines, strict=False)))
            warm = [sys.executable, __file__, "--bare", url, str(small), "8"]
            Side().add(url, warm, 8)  # compiles the common imports
            Side().add(url, run_command(url, small, folder / f"warm-{connections}", 8), 8)
            for place in range(rounds):
                loop = [sys.executable, __file__, "--bare", url, str(file), str(connections)]
                theirs.add(url, loop, requests)
                target = folder / f"run-{connections}-{place}"
                ours.add(url, run_command(url, file, target, connections), requests)
        rate, bare_rate = statistics.median(ours.rates), statistics.median(theirs.rates)
        wall, bare_wall = statistics.median(ours.walls), statistics.median(theirs.walls)
        print(f"{connections} connections, {requests:,} requests, median of {rounds}:")
        work, bare_work = statistics.median(ours.works), statistics.median(theirs.works)
        print(
            f"  bare aiohttp loop {bare_rate:8,.0f} requests/s, {bare_wall:6.1f} s in all, "
            f"{bare_work:.1f} s of processor time"
        )
        print(
            f"  thence run        {rate:8,.0f} requests/s, {wall:6.1f} s in all, scores printed, "
            f"{work:.1f} s of processor time"
        )
        pairs = zip(ours.rates, theirs.rates, strict=True)
        ratio = statistics.median(one / other for one, other in pairs)
        print(f"  throughput {ratio:.1%} of the bare loop's (wanted {wanted:.0%})", end="")
        times = zip(ours.walls, theirs.walls, strict=True)
        longer = statistics.median(one / other for one, other in times)
        limit = f" (wanted at most {WALL})" if connections == 128 else ""
        print(f", wall time {longer:.2f} times{limit}", flush=True)


# Memory ----------------------------------------------------------------------------------------


def resident(process: int) -> tuple[float, float]:
    """Return the resident memory of a process now and at its peak, in MB."""
    text = Path(f"/proc/{process}/status").read_text()
    found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", text, re.MULTILINE))
    return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024


def memory(folder: Path, file: Path, samples: int) -> None:
    """Print the resident memory of one long run, and its slope."""
    points: list[tuple[int, float]] = []
    peak = 0.0
    target = folder / f"memory-{samples}"
    with server(0.0) as url:
        begun = time.perf_counter()
        command = run_command(url, file, target, 512)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(0.5)
            try:
                now, peak = resident(process.pid)
            except (OSError, KeyError):  # it has just ended
                break
            done = _lines(target / "responses.jsonl")
            points.append((done, now))
        assert process.wait() == 0
        spent = time.perf_counter() - begun
    asking = [(done, now) for done, now in points if 0.25 * samples <= done <= 0.95 * samples]
    print(f"{samples:,} samples in {spent:,.0f} s: peak {peak:.0f} MB, scoring included")
    if len(asking) > 1:
        slope = statistics.linear_regression(*zip(*asking, strict=True)).slope
        first, last = asking[0], asking[-1]
        print(
            f"  {first[1]:.0f} MB at {first[0]:,} responses, {last[1]:.0f} MB at {last[0]:,}: "
            f"slope {slope * 1024 * 1024:,.0f} bytes a sample"
        )
    if samples >= 1_000_000:
        print(f"  wanted: under {MEMORY:.0f} MB")


def _lines(path: Path) -> int:
    """Estimate the number of lines of a file from the length of its first line."""
    try:
        with path.open("rb") as file:
            return path.stat().st_size // max(1, len(file.readline()))
    except OSError:
        return 0


def generate(path: Path, samples: int) -> Path:
    """Write a file of samples of every task, or of one task that has enough questions."""
    size = -(-samples // 23)
    tasks = ["procbench"]
    command = [sys.executable, "-m", "thence", "generate", *tasks, "--set", "steps=8-15"]
    part = path.with_name("all.jsonl")
    subprocess.run(
        [*command, "--size", str(size), "--overwrite", "-o", str(part)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with part.open("rb") as source, path.open("wb") as target:
        for _, line in zip(range(samples), source, strict=False):
            target.write(line)
    part.unlink()
    return path


def main() -> None:
    """Print the figures of both sides, then the memory figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--memory", type=int, default=100_000)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--serve", type=float)
    parser.add_argument("--bare", nargs=3, metavar=("URL", "FILE", "CONNECTIONS"))
    given = parser.parse_args()
    if given.serve is not None:
        counts = Counts(latency=given.serve)
        asyncio.run(serve(lambda: DelayedConnection(counts)))
        return
    if given.bare:
        url, file, connections = given.bare
        with open(file, "rb") as lines:  # noqa: PTH123
            prompts = [json.loads(line)["input"] for line in lines]
        asyncio.run(bare(url, prompts, int(connections)))
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        tell()
        print(f"latency {LATENCY} s, {os.cpu_count()} cores, the server's process on them too")
        if given.rounds:
            file = generate(folder / "samples.jsonl", given.requests)
            compare(folder, file, given.requests, given.rounds)
        for samples in ([given.memory] if given.memory else []) + [1_000_000] * given.million:
            memory(folder, generate(folder / f"{samples}.jsonl", samples), samples)


if __name__ == "__main__":
    main()
