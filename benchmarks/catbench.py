"""Speed of CaT-Bench's corpus and questions: all truths at once, or one search per pair.

Run: python benchmarks/catbench.py [DIR [TITLES]]

DIR holds r-100 and r-200 of the English Recipe Flow Graph Corpus. Without it a random corpus of the
same size is made: 300 recipes of 6 to 15 steps of 13 words. Every pair of steps of every recipe is
asked about in both directions, and the independent pairs once more with their texts switched.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from _machine import tell
from thence.core.graph import Graph
from thence.families.catbench import sources
from thence.families.catbench.questions import AFTER, BEFORE, DEP, NONDEP, SWITCHED, Pair, draft
from thence.families.catbench.sources import Subject
from thence.families.catbench.tasks.order import Chosen
from thence.generation.making import make
from thence.generation.plan import SampleSlot
from thence.prompts import template_loader

GOAL = 3.0  # seconds for the 300 recipes and all their questions
RECIPES, WORDS = 300, 13


def drawn(folder: Path) -> None:
    """Write a random corpus of the same size as the published one."""
    rng = Random(1)
    (folder / "r-200").mkdir()
    for number in range(RECIPES):
        steps = rng.randint(6, 15)
        nodes = [f"{step // 3 + 1} {step % 3 + 1}" for step in range(steps)]
        words = [
            f"{node} {5 * place + 1} word{rng.randrange(900)} NN1 O"
            for node in nodes
            for place in range(WORDS)
        ]
        flow = [
            f"{nodes[a]} {5 * rng.randrange(WORDS) + 1} t {nodes[b]} 1"
            for b in range(steps)
            for a in rng.choices(range(b + 1), k=4)
        ]
        path = folder / "r-200" / f"recipe-{number:05d}"
        path.with_suffix(".list").write_text("\n".join(words) + "\n")
        path.with_suffix(".flow").write_text("\n".join(flow) + "\n")


def read(folder: Path, titles: str) -> tuple[list[Subject], float]:
    """Return the recipes and the seconds to read them."""
    begun = time.perf_counter()
    sources.corpus.cache_clear()
    held = sources.corpus(str(folder), titles)
    return list(held.all), time.perf_counter() - begun


def questions(subjects: list[Subject]) -> tuple[int, float]:
    """Return the number of questions with truth and witness, and their seconds."""
    begun, count = time.perf_counter(), 0
    for subject in subjects:
        for dependent, splits in ((True, (DEP,)), (False, (NONDEP, SWITCHED))):
            for i, j in subject.pairs[dependent]:
                for split in splits:
                    for relation in (BEFORE, AFTER):
                        draft(Pair(subject, i, j), relation, split, {})
                        count += 1
    return count, time.perf_counter() - begun


def truths_at_once(subjects: list[Subject]) -> float:
    """Return the seconds for truth and chain of all pairs, from each step's reachable set."""
    begun = time.perf_counter()
    for subject in subjects:
        fresh = Subject("", "", subject.steps, Graph(len(subject.steps), subject.graph.edges))
        for i, j in fresh.pairs[True]:
            fresh.chain(i, j)
    return time.perf_counter() - begun


def truths_by_searching(subjects: list[Subject]) -> float:
    """Return the seconds for the same with one graph search per pair."""
    begun = time.perf_counter()
    for subject in subjects:
        graph = Graph(len(subject.steps), subject.graph.edges)
        for i in range(graph.n):
            for j in range(i + 1, graph.n):
                graph.shortest_chain(i, j)
    return time.perf_counter() - begun


def samples(subjects: list[Subject]) -> tuple[int, float]:
    """Return the number of full samples for a tenth of the pairs, and their seconds."""
    templates = template_loader.templates()
    cells = []
    for subject in subjects:
        for dependent, split in ((True, DEP), (False, NONDEP)):
            for i, j in subject.pairs[dependent][::10]:
                parameters = {
                    "source": "corpus",
                    "i": i,
                    "j": j,
                    "relation": BEFORE,
                    "split": split,
                }
                cells.append(Chosen(split, parameters, 1, pair=Pair(subject, i, j)))
    make(SampleSlot("catbench/order", cells[0], 0), 0, templates)  # compiles the templates
    begun = time.perf_counter()
    for cell in cells:
        make(SampleSlot("catbench/order", cell, 0), 0, templates)
    return len(cells), time.perf_counter() - begun


def main() -> None:
    """Print the figures of both methods."""
    tell()
    with TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary)
        if len(sys.argv) < 2:
            drawn(folder)
        titles = sys.argv[2] if len(sys.argv) > 2 else ""
        reading, asking = [], []
        for _ in range(3):
            subjects, seconds = read(folder, titles)
            reading.append(seconds)
            count, seconds = questions(subjects)
            asking.append(seconds)
        once = min(truths_at_once(subjects) for _ in range(3))
        each = min(truths_by_searching(subjects) for _ in range(3))
        made, taken = samples(subjects)
    total = min(reading) + min(asking)
    print(f"read                       {len(subjects):6,} recipes   {min(reading):6.2f} s")
    print(f"questions with their truth {count:6,} questions {min(asking):6.2f} s")
    print(f"read and ask: {total:.2f} s; the goal is under {GOAL:.0f} s: {total < GOAL}")
    print(f"truths and chains, one search a step {once:6.2f} s; one a pair {each:6.2f} s")
    print(f"whole samples with prompts {made:6,} questions {made / taken:8,.0f} samples/s")


if __name__ == "__main__":
    main()
