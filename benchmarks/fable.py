"""Time to generate all of FABLE from nothing, and time to score 7,200 replies in two ways.

Run: python benchmarks/fable.py [RESULTS]

RESULTS is the folder of the published replies. Without it, as many replies are written here: to our
own questions, in the published form, a third of them with 6,000 characters of reasoning. The other
way of scoring is the shortest possible: search for the lower-cased truth in the reply.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from _machine import tell
from thence import families
from thence.core import csv_files
from thence.core.sample import Sample
from thence.families.fable.shared.published_replies import files
from thence.generation import suite
from thence.generation.plan import Plan
from thence.scoring.imported import published

MODELS = ("first", "second", "thinking")
WANTED_MAKING, WANTED_SCORING, WANTED_REPLIES = 60.0, 10.0, 7200
NAMES = {
    "live_variables": "live_variable_analysis",
    "intervals": "interval_analysis",
    "type_state": "type_state_analysis",
    "taint": "taint_analysis",
    "concurrency": "concurrency_analysis",
}
FOLDERS = {"plans": "plans", "routes": "new_travel_routes", "recipes": "recipe"}
COLUMNS = ("prompt", "ground_truth", "response")


def written(samples: list[Sample], folder: Path) -> Path:
    """Write replies of three models to some questions in the authors' folder layout."""
    rng = Random(0)
    thoughts = " ".join(rng.choice(("step", "no", "know", "uses", "fact")) for _ in range(1300))
    cells: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for sample in samples:
        _, domain, analysis = sample.task.split("/")
        task = families.task(sample.task)
        right = task.format.write(sample.target)
        for model in MODELS:
            said = rng.choice((right, task.format.write(task.checks.perturb(sample, rng))))
            said = f"<think>{thoughts}</think>\n\n{said}" if model == "thinking" else said
            name = f"result_{model}_{NAMES.get(analysis, analysis)}.csv"
            key = (FOLDERS[domain], name)
            cells.setdefault(key, []).append((sample.input, right, said))
    for (domain, name), rows in cells.items():
        (folder / domain).mkdir(exist_ok=True)
        with (folder / domain / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])
    return folder


def naive(folder: Path) -> tuple[int, int]:
    """Return the number of replies that contain the lower-cased truth, and of all replies."""
    right = total = 0
    for each in files(folder) or ():
        for _, (_, truth, reply) in csv_files.read_columns(each.path, COLUMNS):
            right += truth.lower() in reply.lower()
            total += 1
    return right, total


def score(folder: Path) -> None:
    """Print the figures of both ways of scoring."""
    begun = time.perf_counter()
    counts = {}
    for scorer in ("strict", "official"):
        found = published(folder, scorer) or ()
        counts[scorer] = sum(row.score.correct for held in found for row in held.rows(scorer))
    taken = time.perf_counter() - begun
    begun = time.perf_counter()
    right, total = naive(folder)
    plain = time.perf_counter() - begun
    print(f"{total:,} replies scored by both scorers  {taken:6.1f} s   {counts}")
    print(f"the shortest scorer one might write   {plain:6.1f} s   {right:,} right")
    print(f"wanted for {WANTED_REPLIES:,}                       {WANTED_SCORING:6.1f} s")


def main() -> None:
    """Generate all of FABLE, then score."""
    tell()
    names = [task.full_name for task in families.select(["fable"])]
    begun = time.perf_counter()
    samples = list(suite.generate(Plan(names), workers=2))
    taken = time.perf_counter() - begun
    print(f"{len(samples):,} questions of {len(names)} cells, cold   {taken:6.1f} s on two cores")
    print(f"wanted                                {WANTED_MAKING:6.1f} s")
    if len(sys.argv) > 1:
        score(Path(sys.argv[1]))
        return
    with TemporaryDirectory() as folder:
        score(written(samples, Path(folder)))


if __name__ == "__main__":
    main()
