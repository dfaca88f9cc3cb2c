"""Time, memory and size of a report page over many scored samples, and its speed in a browser.

Run: python benchmarks/report.py [--full] [FOLDER]

The page covers 5,000 samples, which take some minutes to generate and to answer; with ``--full``
also 50,000, the number in the goal, which take more than half an hour. The suites of all four
families are generated and answered by ``baseline/random`` once; files already in FOLDER are used
again. Then ``thence report`` runs in its own process. The other side is the minimum of any report:
read the samples and responses of the same run as JSON. With an installed Chromium, the page is
opened, filtered and read there.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from _machine import tell

SUITES = {
    "procbench": (("procbench",), 1_085),
    "catbench": (("catbench",), 12_780),
    "releval": (("releval/consistency", "releval/comparison"), 5_600),
    "recipes": (("fable/recipes/*",), 60),
    "routes": (("fable/routes/*",), 40),
    "plans": (("fable/plans/*",), 40),
}
SMALL, FULL = 5_000, 50_000
WANTED_SECONDS, WANTED_BYTES, WANTED_MEMORY = 15.0, 10e6, 1e9
MODEL = "baseline/random"
LOOK = 0.5  # seconds between two looks at the memory, for each of which the process stands still


def thence(*arguments: object) -> tuple[float, float, int]:
    """Run a command; return wall and CPU seconds, and peak memory in bytes."""
    command = [sys.executable, "-m", "thence", *map(str, arguments)]
    # As installed: modules are compiled at the first start only.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    most, ended, looked = 0, 0, begun
    while not ended:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if time.perf_counter() > looked + LOOK:
            most, looked = max(most, held_by(child.pid)), time.perf_counter()
        time.sleep(0.02)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
    wall = time.perf_counter() - begun
    return wall, usage.ru_utime + usage.ru_stime, most


def held_by(process: int) -> int:
    """Return the bytes of memory of a process and its children; shared pages count once."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
        threads = Path(f"/proc/{process}/task").glob("*/children")
        begun = [child for thread in threads for child in thread.read_text().split()]
    except OSError:
        return 0
    share = next((line.split()[1] for line in told.splitlines() if line.startswith("Pss:")), "0")
    return int(share) * 1024 + sum(held_by(int(each)) for each in begun)


def suites(folder: Path, number: int) -> Iterator[bytes]:
    """Yield the lines of all suites, tasks in alternation, so that each part has all tasks."""
    held = []
    for name, (tasks, size) in SUITES.items():
        path = folder / f"{name}-{number}.jsonl"
        if not path.exists():
            few = max(1, size * number // FULL)
            thence("generate", *tasks, "--size", few, "--workers", 2, "-o", path)
        by_task: dict[str, list[bytes]] = {}
        for line in path.read_bytes().splitlines(keepends=True):
            by_task.setdefault(json.loads(line)["task"], []).append(line)
        held += list(by_task.values())
    for place in range(max(map(len, held))):
        yield from (lines[place] for lines in held if place < len(lines))


def a_run(folder: Path, number: int) -> Path:
    """Return the directory of a finished run over the given number of samples."""
    made = folder / f"run-{number}"
    if not (made / "scores.jsonl").exists():
        questions = folder / f"{number}.jsonl"
        with questions.open("wb") as file:
            for place, line in enumerate(suites(folder, number)):
                if place < number:
                    file.write(line)
        thence("run", questions, "--model", MODEL, "-o", made, "-q")
    return made


def least(run: Path) -> float:
    """Return the CPU seconds to read a run as JSON."""
    begun = time.process_time()
    for name in ("samples.jsonl", "responses.jsonl"):
        with (run / name).open("rb") as file:
            for line in file:
                json.loads(line)
    return time.process_time() - begun


def looked_at(page: Path) -> None:
    """Print the time of the reading view in a browser."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if chromium is None:
        print("  chromium is not installed: the page is not looked at")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        held = browser.new_page(viewport={"width": 1280, "height": 900})
        begun = time.perf_counter()
        held.goto(page.resolve().as_uri())
        held.wait_for_selector("body[data-ready=true]", timeout=120_000)
        print(f"  ready to be read after      {time.perf_counter() - begun:6.2f} s")
        for words, action in (
            ("filtered by task in", "pick('f-task', 1)"),
            ("filtered by outcome in", "pick('f-outcome', 1)"),
            ("searched in every text in", "type('f-text', 'no such words')"),
            ("words taken away in", "type('f-text', '')"),
            ("all tasks shown again in", "pick('f-outcome', 0); pick('f-task', 0)"),
            ("another sample opened in", "document.querySelectorAll('.row')[5].click()"),
        ):
            print(f"  {words:<27} {_milliseconds(held, action):6.0f} ms")
        browser.close()


def _milliseconds(held: Any, action: str) -> float:
    """Return the milliseconds of an action and its redraw in the page."""
    taken: float = held.evaluate(
        """async (action) => {
          const set = (id, value, event) => {
            const node = document.getElementById(id);
            node.value = value;
            node.dispatchEvent(new Event(event));
          };
          const at = (id) => document.getElementById(id);
          const pick = (id, place) => set(id, at(id).options[place].value, 'change');
          const type = (id, words) => set(id, words, 'input');
          const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          const before = performance.now();
          eval(action);
          if (action.startsWith('type')) await new Promise((done) => setTimeout(done, 210));
          await drawn();
          return performance.now() - before;
        }""",
        action,
    )
    return taken


def main(folder: Path, sizes: Sequence[int]) -> None:
    """Print the figures of both sides for every size."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in sizes:
        run, page = a_run(folder, number), folder / f"{number}.html"
        wall, cpu, memory = thence("report", run, "-o", page, "--overwrite")
        size = page.stat().st_size
        print(f"{number:,} scored samples")
        print(f"  thence report               {wall:6.1f} s wall, {cpu:.1f} s CPU, ", end="")
        print(f"{memory / 1e6:,.0f} MB of memory, a page of {size / 1e6:.1f} MB")
        print(f"  only to read it as JSON     {least(run):6.1f} s CPU")
        looked_at(page)
    print(
        f"wanted of {FULL:,}: {WANTED_SECONDS:.0f} s, {WANTED_MEMORY / 1e6:,.0f} MB of",
        end="",
    )
    print(f" memory, a page of {WANTED_BYTES / 1e6:.0f} MB")
    print(
        f"memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"
    )


if __name__ == "__main__":
    tell()
    given = [each for each in sys.argv[1:] if each != "--full"]
    chosen = [SMALL, FULL] if "--full" in sys.argv else [SMALL]
    if given:
        main(Path(given[0]), chosen)
    else:
        with TemporaryDirectory() as temporary:
            main(Path(temporary), chosen)
