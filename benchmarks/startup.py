"""Time of ``thence --help``, compared with an interpreter that does nothing.

Run: python benchmarks/startup.py
"""

from __future__ import annotations

import subprocess
import sys
import time

from _machine import tell

RUNS = 11
WANTED = 0.3


def median(command: list[str]) -> float:
    """Return the median seconds of a command."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begun)
    return sorted(times)[RUNS // 2]


def main() -> None:
    """Print all figures."""
    tell()
    python = sys.executable
    everything = "import aiohttp, numpy, jinja2, rich.progress, thence.cli.commands.run"
    nothing = median([python, "-c", "pass"])
    ours = median([python, "-m", "thence", "--help"])
    print(f"python -c pass          {nothing:.3f} s")
    print(f"thence --help           {ours:.3f} s (wanted: {WANTED})")
    print(f"importing all we use    {median([python, '-c', everything]):.3f} s")


if __name__ == "__main__":
    main()
