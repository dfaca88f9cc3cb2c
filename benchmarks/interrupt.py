"""Time from Ctrl-C to the end of a command, at random moments of the slow commands.

The time is from the press, which reaches every process of the terminal, until the command and its
child processes are gone; the moment is counted from the start of the command's signal handling.

Run: python benchmarks/interrupt.py [PRESSES [COMMAND...]]
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from _machine import tell
from engine import server

WANTED = 2.0
MADE = ("made", "thence-demo", "page.html", "errors.csv", "replies.jsonl.extractions.jsonl")
COMMANDS = {  # with the seconds in which to press
    "generate": (("generate", "fable", "--size", "50", "--workers", "2", "-o", "s.jsonl"), 8.0),
    "run": (("run", "fable", "--size", "50", "--model", "baseline/random", "-o", "made"), 8.0),
    "demo": (("demo",), 8.0),
    "report": (("report", "run", "-o", "page.html"), 1.5),
    "score": (("score", "run"), 1.5),
    "validate": (("validate", "fable", "--size", "20"), 8.0),
    "audit": (("audit", "procbench", "published.jsonl"), 8.0),
    "analyze": (("analyze", "long.yaml"), 2.0),
    "errors": (("errors", "other", "-o", "errors.csv"), 1.5),
    "compare": (("compare", "run", "other"), 1.5),
    "extract": (
        ("score", "replies.jsonl", "--samples", "run/samples.jsonl", "--extractor", "x/m"),
        8.0,
    ),
}


def prepare() -> None:
    """Write what the commands read."""
    thence = (sys.executable, "-m", "thence")
    task = ("run", "procbench/sort", "--size", "8000")
    for model, folder in (("oracle", "run"), ("random", "other")):
        words = (*thence, *task, "--model", f"baseline/{model}", "-o", folder)
        subprocess.run(words, check=True, capture_output=True)
    row = {
        "task_name": "task01",
        "prompt": "Sort.\n\n[Question]\nString: ba",
        "label": {"init": "ba", "intermediate": [], "final": "ab"},
    }
    Path("published.jsonl").write_text((json.dumps(row) + "\n") * 400_000, encoding="utf-8")
    steps = "".join(
        f"  - {{name: s{n}, text: Make part {n}, uses: [part {n - 1}], defines: [part {n}]}}\n"
        for n in range(1, 10_000)
    )
    text = f"goal: Make all parts\nstart: [part 0]\nsteps:\n{steps}"
    Path("long.yaml").write_text(text, encoding="utf-8")
    with Path("run/samples.jsonl").open("rb") as lines, Path("replies.jsonl").open("w") as file:
        for line in lines:
            print(json.dumps({"id": json.loads(line)["id"], "response": "I think so."}), file=file)


def left(mark: str) -> bool:
    """Return whether a process with a mark in its environment is still running."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                return True
        except OSError:  # it has just ended, or is another user's
            continue
    return False


def handles(process: subprocess.Popen[bytes]) -> bool:
    """Return whether the command handles signals already."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    caught = int(status.split("SigCgt:")[1].split()[0], 16)
    return bool(caught >> (signal.SIGHUP - 1) & 1)


def measure(arguments: tuple[str, ...], moment: float) -> float | None:
    """Return the seconds from a press to the end; None if the command had ended before."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-m", "thence", *arguments],
        env={**os.environ, "INTERRUPTED_COMMAND": mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not handles(process):
        time.sleep(0.001)
    time.sleep(moment)
    if process.poll() is not None:
        return None
    begun = time.perf_counter()
    os.killpg(process.pid, signal.SIGINT)
    process.wait()
    while left(mark):
        time.sleep(0.005)
    return time.perf_counter() - begun


def main() -> None:
    """Print the shortest, median and longest time of each command."""
    presses = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    tell()
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder, server() as url:
        os.chdir(folder)
        os.environ["THENCE_BASE_URL"] = f"{url}/v1"
        prepare()
        for name in sys.argv[2:] or COMMANDS:
            arguments, seconds = COMMANDS[name]
            times = []
            for _ in range(presses):
                subprocess.run(["rm", "-rf", *MADE], check=True)
                taken = measure(arguments, draw.uniform(0, seconds))
                if taken is not None:
                    times.append(taken)
            if not times:
                sys.exit(f"{name}: ended before every press")
            print(
                f"{name:9} {len(times)} presses: {min(times):.2f} s at least, "
                f"{statistics.median(times):.2f} s median, {max(times):.2f} s at most "
                f"(wanted: {WANTED:g})",
                flush=True,
            )
        os.chdir("/")


if __name__ == "__main__":
    main()
