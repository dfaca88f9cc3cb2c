"""Time of `thence view` with 12 runs of 50,000 samples: to open, to answer a filter, to compare.

Run: python benchmarks/view.py [--runs N] [--samples N] [--kept] [FOLDER]

One run is generated and answered by ``baseline/random``; the others are it with the replies of a
share of their samples, other for each run, put right or empty, and of another model by name. The
view is asked over HTTP as its page asks. It is opened twice: without indexes, which are then made,
and with them; with --kept only with those that are there. The other side is the minimum of any
view: to read the files of all runs once as bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from _machine import tell

TASKS = ("procbench", "catbench", "releval/consistency", "releval/comparison")
RUNS, SAMPLES = 12, 50_000
WANTED_OPEN, WANTED_FILTER = 3.0, 0.3
AGAIN = 3  # times that a filter is asked, each of another text or task; the slowest counts


def made(folder: Path, runs: int, samples: int) -> list[Path]:
    """Return folders of runs; those that are there already are taken as they are."""
    paths = [folder / f"run-{number:02}" for number in range(runs)]
    if not (paths[0] / "scores.jsonl").exists():
        asked = folder / "questions.jsonl"
        _thence("generate", *TASKS, "--total", samples, "-o", asked)
        _thence("run", asked, "--model", "baseline/random", "-o", paths[0], "-q")
    for number, path in enumerate(paths[1:], 1):
        if not (path / "run.json").exists():
            _vary(paths[0], path, number)
    return paths


# As installed: modules are compiled at the first start only.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _thence(*arguments: object) -> None:
    command = [sys.executable, "-m", "thence", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def _vary(source: Path, path: Path, number: int) -> None:
    """Write a run like another one, with some replies right and some empty."""
    from thence.core.sample import Sample
    from thence.families import task

    path.mkdir()
    copyfile(source / "samples.jsonl", path / "samples.jsonl")
    draw, right = random.Random(number), {}
    with (source / "samples.jsonl").open("rb") as file:
        for line in file:
            chance = draw.random()
            if chance < number / 14:
                sample = Sample.from_json(json.loads(line))
                right[sample.id] = task(sample.task).format.write(sample.target)
            elif chance > 0.98:
                right[json.loads(line)["id"]] = ""
    with (
        (source / "responses.jsonl").open("rb") as old,
        (path / "responses.jsonl").open("w") as new,
    ):
        for line in old:
            row = json.loads(line)
            row["response"] = right.get(row["id"], row["response"])
            new.write(json.dumps(row) + "\n")
    held = json.loads((source / "run.json").read_bytes())
    held["request"]["model"] = f"made/model-{number}"
    held["identity"] = f"made-{number}"
    (path / "run.json").write_text(json.dumps(held))


@contextmanager
def opened(folder: Path) -> Iterator[tuple[str, float, int]]:
    """Start the view; give its address, the time of its start and its process."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "thence", "view", str(folder), "--no-browser"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT
    )
    assert process.stdout is not None
    found = re.search(r"http\S+", process.stdout.readline())
    try:
        assert found, "no address was printed"
        yield found.group(), begun, process.pid
    finally:
        process.terminate()
        process.wait()


def spent(process: int) -> float:
    """Return the CPU seconds of a process and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def ask(address: str, path: str, body: Any = None) -> tuple[Any, float]:
    """Return an answer and the seconds that it took."""
    data = None if body is None else json.dumps(body).encode()
    begun = time.perf_counter()
    with urlopen(Request(address + path, data)) as reply:
        text = reply.read()
    taken = time.perf_counter() - begun
    return json.loads(text) if path else text, taken


def ready(address: str) -> dict[str, Any]:
    """Wait until all runs are read, as the page does."""
    while True:
        held, _ = ask(address, "state")
        if not held["reading"]:
            return dict(held)
        time.sleep(0.05)


def filters(runs: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield what is asked for in words, with several ways to ask."""
    every = list(range(runs))
    yield "by task", [{"task": name} for name in ("procbench/sort", "catbench", "procbench/search")]
    yield "by outcome", [{"outcome": name} for name in ("correct", "wrong", "no_answer")]
    yield "by length", [{"least": low, "most": low + 3} for low in (3, 8, 12)]
    yield "by a rare text", [{"text": name} for name in ("zzzy", "qqqa", "no such words")]
    yield "by a common text", [{"text": name} for name in ("step", "string", "answer")]
    names = ("procbench", "procbench/sort", "")
    yield "sorted by first wrong step", [{"sort": "first", "task": name} for name in names]
    if runs > 1:
        last = runs - 1
        yield "where two runs differ", [{"differ": "right", "pair": [0, last]},
                                        {"differ": "first", "pair": [last, 1 % runs]},
                                        {"differ": "answers", "pair": [0, runs // 2]}]  # fmt: skip
    yield (
        "a page further on",
        [{"runs": every[:1], "start": start} for start in (100, 20_000, 40_000)],
    )


def main(folder: Path, runs: int, samples: int, *, kept: bool = False) -> None:
    """Print the figures."""
    paths = made(folder, runs, samples)
    for path in () if kept else paths:
        rmtree(path / ".index", ignore_errors=True)
    begun, size = time.perf_counter(), 0
    for path in paths:
        size += sum(
            len((path / name).read_bytes()) for name in ("samples.jsonl", "responses.jsonl")
        )
    print(f"{runs} runs of {samples:,} samples, {size / 1e6:,.0f} MB; read as bytes in "
          f"{time.perf_counter() - begun:.2f} s")  # fmt: skip
    for words in ("without indexes", "with indexes")[kept:]:
        with opened(folder) as (address, start, process):
            ask(address, "")
            page = time.perf_counter() - start
            held = ready(address)
            _, _ = ask(address, "choices")
            first, _ = ask(address, "rows", {"runs": list(range(runs)), "start": 0, "count": 100})
            taken = time.perf_counter() - start
            used = spent(process)
            assert [each["state"] for each in held["runs"]] == ["ready"] * runs, held
            print(
                f"{words}: page after {page:.2f} s, first rows of all {first['count']:,} after "
                f"{taken:.2f} s, {used:.2f} s of CPU (wanted of the latter: {WANTED_OPEN:.0f} s)"
            )
            if words == "with indexes":
                asked_all(address, runs)
    held = sum(each.stat().st_size for path in paths for each in (path / ".index").iterdir())
    print(f"the indexes take {held / 1e6:,.0f} MB")


def asked_all(address: str, runs: int) -> None:
    """Print the time of the filters, of a sample and of a comparison."""
    for words, several in filters(runs):
        taken = []
        for each in several[:AGAIN]:
            body = {"runs": list(range(runs)), "start": 0, "count": 100, **each}
            found, seconds = ask(address, "rows", body)
            taken.append((seconds, found["count"]))
        most = max(taken)
        print(f"  {words:<28} {1e3 * most[0]:6.0f} ms at most ({most[1]:,} found; wanted: "
              f"{1e3 * WANTED_FILTER:.0f} ms)")  # fmt: skip
    print(f"  a sample                     {1e3 * ask(address, 'reply/0/7/0/0')[1]:6.0f} ms")
    print(f"  state of the runs            {1e3 * ask(address, 'state')[1]:6.0f} ms")
    if runs > 1:
        _, seconds = ask(address, "compare", {"first": 0, "second": 1})
        print(f"  two runs compared            {seconds:6.1f} s")


if __name__ == "__main__":
    tell()
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args()
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
        main(given.folder, given.runs, given.samples, kept=given.kept)
    else:
        with TemporaryDirectory() as temporary:
            main(Path(temporary), given.runs, given.samples)
