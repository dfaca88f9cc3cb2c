"""Answers that a power cut costs: a run on a file system that is cut off at random moments.

The run lies on an ext4 file system in a file. Each cut stops the command, has the file system write
nothing more, not even its journal (EXT4_IOC_SHUTDOWN), ends the command, and mounts the file system
anew; then the same command goes on. Needs Linux and mkfs.ext4.

Run, as root: python benchmarks/power.py [--cuts N] [--samples N] [--seconds S]
"""

from __future__ import annotations

import argparse
import fcntl
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from _machine import tell
from _server import counted
from faults import EPOCHS, TURNS, generate, good_lines, server, start

_SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
_NOTHING_MORE = 2  # EXT4_GOING_FLAGS_NOLOGFLUSH
CONNECTIONS = 32


@contextmanager
def mounted(image: Path, place: Path) -> Iterator[None]:
    """Mount a file system within."""
    subprocess.run(["mount", "-o", "loop", image, place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def cut(place: Path) -> None:
    """Have a file system write nothing more."""
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, _SHUTDOWN, struct.pack("I", _NOTHING_MORE))
    finally:
        os.close(handle)


def main() -> None:
    """Print what each cut cost; end with 1 where the run does not go on."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=12)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=6.0, help="most from answer to cut")
    given = parser.parse_args()
    tell()
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as held:
        image, place, samples = (Path(held) / name for name in ("image", "mounted", "s.jsonl"))
        place.mkdir()
        generate(samples, given.samples)
        subprocess.run(["truncate", "-s", "256M", image], check=True)
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        folder, gone = place / "run", 0
        with server(samples, 0, 0.0) as url:
            for _ in range(given.cuts):
                with mounted(image, place):
                    before = counted(url)["given"]
                    process = start(url, samples, folder, CONNECTIONS)
                    while counted(url)["given"] == before and process.poll() is None:
                        time.sleep(0.01)
                    seconds = draw.uniform(0, given.seconds)
                    time.sleep(seconds)
                    if process.poll() is not None:
                        sys.exit(f"it ended: {process.communicate()[1]}")
                    process.send_signal(signal.SIGSTOP)
                    cut(place)
                    process.kill()
                    process.communicate()
                answers = counted(url)["given"]
                with mounted(image, place):
                    kept = good_lines(folder).total()
                lost, gone = answers - kept - gone, answers - kept
                rate = (answers - before) / max(seconds, 1e-9)
                print(
                    f"cut {seconds:4.1f} s after the first answer, at {rate:5,.0f} answers/s: "
                    f"{lost:5,} lost, {lost / rate:.1f} s of them; {kept:7,} kept",
                    flush=True,
                )
            with mounted(image, place):
                process = start(url, samples, folder, CONNECTIONS)
                _, said = process.communicate()
                cut(place)
            with mounted(image, place):
                left = good_lines(folder)
    if process.returncode or not len(left) == left.total() == given.samples * EPOCHS * TURNS:
        sys.exit(f"the run does not go on: {said}")
    print(
        "the same command went on after each; a cut at its end lost nothing, and no answer is twice"
    )


if __name__ == "__main__":
    main()
