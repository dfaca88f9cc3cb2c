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
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from _machine import tell
from _server import counted, running

SHARE = 0.2  # of requests that meet a fault
EPOCHS, TURNS = 2, 2
FIRST_BYTE, TIMEOUT = 4, 6  # seconds
STARTING = 2.5  # seconds of a start in which some kills come
WHILE_STARTING, WHILE_SCORING = 0.15, 0.05  # of all kills


@contextmanager
def server(samples: Path, seed: int, share: float, *, honours: bool = False) -> Iterator[str]:
    """Yield the base URL of a running server."""
    program = Path(__file__).with_name("_faulty_server.py")
    words = (str(program), str(samples), str(seed), str(share), "honour" if honours else "forget")
    with running(*words) as url:
        yield url


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
    """Counts of a run with kills."""

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
    given = parser.parse_args()
    os.environ["NO_PROXY"] = "127.0.0.1"
    tell()
    with tempfile.TemporaryDirectory() as folder:
        broken = compare(Path(folder), given)
    if broken:
        sys.exit("does not hold: " + "; ".join(broken))


if __name__ == "__main__":
    main()
