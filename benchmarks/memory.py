"""Memory for scoring and summarising a run, by family, as a slope over the number of samples.

Run: python benchmarks/memory.py [--sizes 5000 20000] [--turns] [FAMILY ...]

``baseline/random`` answers every family's samples, so that no endpoint is needed, and ``thence
score`` scores them once more. Each command runs in its own process; the output is the peak of its
resident memory at both sizes and the bytes per additional sample. FABLE's questions take long to
generate, so some hundreds of samples of each family are made and repeated under other names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _machine import tell

SIZES = {"procbench": 40, "catbench": 1000, "releval": 142, "fable": 40}
"""Samples a task that are made; the others repeat them under other names."""
_NAMED = ("cluster", "pair")


def made(family: str, folder: Path) -> list[dict[str, Any]]:
    """Return some samples of every task of a family."""
    file = folder / f"{family}.jsonl"
    command = [sys.executable, "-m", "thence", "generate", family, "-o", str(file)]
    command += ["--size", str(SIZES[family])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in file.read_text().splitlines()]


def repeated(samples: list[dict[str, Any]], number: int) -> Iterator[str]:
    """Yield the given number of samples, with new names in each repetition."""
    for place in range(number):
        turn, at = divmod(place, len(samples))
        sample = samples[at]
        # As different as the hashes that ids are: their last digits count the time round.
        name = f"{sample['id'][:-6]}{turn:06x}"
        held = sample["metadata"]
        new = {key: f"{held[key]}-{turn}" for key in _NAMED if held.get(key) is not None}
        yield json.dumps({**sample, "id": name, "metadata": {**held, **new}})


def peak(command: list[str]) -> tuple[float, float]:
    """Run a command; return its peak resident memory in bytes, and its seconds."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return used.ru_maxrss * 1024.0, time.perf_counter() - begun


def main() -> None:
    """Print one line per family and command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", default=list(SIZES), metavar="FAMILY")
    parser.add_argument("--sizes", type=int, nargs=2, default=(5000, 20000))
    parser.add_argument("--turns", action="store_true", help="are_you_sure, so two turns each")
    given = parser.parse_args()
    tell()
    few, many = given.sizes
    more = ["--protocol", "are_you_sure"] if given.turns else []
    print(f"peak of resident memory at {few:,} and {many:,} samples, bytes for each further one")
    for family in given.families:
        found: dict[str, list[tuple[float, float]]] = {"run": [], "score": []}
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            samples = made(family, folder)
            for number in (few, many):
                file, target = folder / f"{number}.jsonl", str(folder / f"run-{number}")
                with file.open("w") as lines:  # memory of this process would count as theirs
                    lines.writelines(f"{line}\n" for line in repeated(samples, number))
                thence = [sys.executable, "-m", "thence"]
                run = [*thence, "run", str(file), "--model", "baseline/random", "-q", *more]
                found["run"].append(peak([*run, "-o", target]))
                found["score"].append(peak([*thence, "score", target]))
        for name, ((low, _), (high, seconds)) in found.items():
            slope = (high - low) / (many - few)
            print(
                f"  {family:9} {name:5} {low / 2**20:6.0f} MB {high / 2**20:6.0f} MB, "
                f"{slope:7,.0f} bytes a sample, {seconds:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
