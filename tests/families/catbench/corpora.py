"""Corpora in the published form: a small one of our own, and the published one where it lies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pytest

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "catbench"
QUESTIONS = PUBLISHED / "official_questions.csv"
RESPONSES = PUBLISHED / "responses_gpt-4-0613_answer_only.csv"

Edge = tuple[int, int]


def published() -> Path:
    """The folder of published data; skips the test where there is none."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published corpus is not beside this repository")
    return PUBLISHED


def write_recipe(
    folder: Path, name: str, steps: Sequence[str], edges: Iterable[Edge], paragraph: int = 3
) -> Path:
    """Writes a recipe; sentences are counted anew every few steps, as in the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    nodes, lines = [], []
    for place, step in enumerate(steps):
        sentence = f"{place // paragraph + 1} {place % paragraph + 1}"
        nodes.append(f"{sentence} 1")
        offset = 1
        for word in step.split(" "):
            lines.append(f"{sentence} {offset} {word} NN O")
            offset += len(word) + 1
    flow = [f"{nodes[a]} t {nodes[b]}" for a, b in edges]
    file = folder / f"{name}.list"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    file.with_suffix(".flow").write_text("\n".join(flow) + "\n", encoding="utf-8", newline="\n")
    return file


WORDS = [
    "chop",
    "onions",
    ".",
    "boil",
    "water",
    ".",
    "mix",
    "flour",
    ";",
    "heat",
    "oil",
    "!",
    "rest",
    ",",
    "then",
    "serve",
    ".",
]


def random_recipe(rng: Random, steps: int) -> tuple[list[str], list[Edge]]:
    """Texts, and edges most of which lead onwards."""
    texts = [
        f"Do thing {place} with {rng.choice(WORDS)} {rng.choice(WORDS)}" for place in range(steps)
    ]
    edges = [
        (a, b)
        for a in range(steps)
        for b in range(steps)
        if a != b and rng.random() < (1.2 / steps if a < b else 0.01)
    ]
    return texts, edges


def small_corpus(folder: Path, recipes: int = 12, seed: int = 1) -> tuple[Path, Path]:
    """A corpus of so many recipes, and a map that gives titles to the first two thirds."""
    rng = Random(seed)
    titles = {}
    for number in range(recipes):
        texts, edges = random_recipe(rng, rng.randint(5, 10))
        file = write_recipe(folder / "corpus" / "r-200", f"recipe-{number:05d}", texts, edges)
        if number < recipes * 2 // 3:
            titles[f"dish {number}"] = str(file.relative_to(folder))
    path = folder / "titles.json"
    path.write_text(json.dumps(titles))
    return folder / "corpus", path
