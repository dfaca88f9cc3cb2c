"""Small sets of samples that other golden files are made from, and what models answer to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.fake_endpoint import Answer, FakeEndpoint
from tests.golden.command import cache_folder, thence
from tests.golden.samples import PLANS, ROUTES, settings
from tests.golden.store import digest, rows

SIZE = 3
SEED = 5
NEEDS = {"plans": PLANS, "routes": ROUTES, "recipes": ()}
FABLE = [
    f"fable/{domain} {dialect}" for domain in NEEDS for dialect in ("sound", "published")
]  # fmt: skip
SETS = ["procbench", "releval", "catbench", *FABLE]
_SETTINGS = {"procbench": settings(steps="3-5"), "releval": []}


def needs(name: str) -> tuple[str, ...]:
    """Modules of extras that making a set needs."""
    return NEEDS[name.split(maxsplit=1)[0].split("/")[1]] if name.startswith("fable") else ()


def published(name: str) -> bool:
    """Whether a set is by the published rules; only a long test asks all its questions again."""
    return name.endswith(" published")


@cache
def _made(name: str) -> Path:
    kind, _, dialect = name.partition(" ")
    path = cache_folder() / f"{digest(name)}.jsonl"
    rules = ["--dialect", dialect] if dialect else _SETTINGS.get(kind, [])
    thence(
        "generate", f"{kind}/*", *rules, "--size", SIZE, "--seed", SEED, "--workers", 1, "-o", path
    )
    return path


def samples(name: str, each: int = SIZE, folder: str = ".") -> Path:
    """The file of a set, or of the first few samples of each task, in the working folder."""
    path = Path(folder) / f"first-{each}.jsonl"
    if not path.exists():
        seen: Counter[str] = Counter()
        lines = []
        for line in _made(name).read_bytes().splitlines(keepends=True):
            task = json.loads(line)["task"]
            seen[task] += 1
            if seen[task] <= each:
                lines.append(line)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(lines))
    return path


def run(path: Path, model: str, *options: object, folder: str = "run") -> Path:
    """A run directory: a model's answers to a file of samples, scored."""
    given = ("--workers", 1, "-q", "--overwrite", "-o", folder)
    thence("run", path, "--model", model, *options, *given)
    return Path(folder)


def ask(
    path: Path, answer: Callable[[dict[str, Any]], Answer], *options: object, folder: str = "run"
) -> Path:
    """A run directory of samples that were put to an endpoint which answers like this."""
    with FakeEndpoint.in_thread(lambda body, count: answer(body)) as fake:
        return run(path, "any/model", "--base-url", fake.url, *options, folder=folder)


def requests(path: Path, *options: object) -> dict[tuple[str, int], dict[str, Any]]:
    """The body of each request that a run of samples sends, by id and turn."""
    bodies: dict[str, dict[str, Any]] = {}

    def answer(body: dict[str, Any]) -> Answer:
        text = digest(body["messages"])
        bodies[text] = body
        return Answer(text)

    folder = ask(path, answer, *options, folder="asked")
    return {
        (row["id"], row["turn"]): bodies[row["response"]]
        for row in rows(folder / "responses.jsonl")
    }


def by_task(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Samples by task."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(path):
        found.setdefault(row["task"], []).append(row)
    return found
