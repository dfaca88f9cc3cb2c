"""Run directories of the baselines, and what is printed and written about them."""

from __future__ import annotations

import csv
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from tests.golden import sets
from tests.golden.command import thence
from tests.golden.samples import PLANS, ROUTES
from tests.golden.scores import summary
from tests.golden.store import Case, brief, digest, rounded, rows

BASELINES = ("random", "majority", "heuristic", "oracle")
# Runs of baselines by another way than one plain question a sample.
OTHERS: dict[str, tuple[str, list[str]]] = {
    "random are_you_sure": ("random", ["--protocol", "are_you_sure"]),
    "oracle answer_then_explain": ("oracle", ["--protocol", "answer_then_explain"]),
    "oracle explain_then_answer text": (
        "oracle",
        ["--protocol", "explain_then_answer", "--set-protocol", "form=text"],
    ),
    "oracle chain_of_thought": ("oracle", ["--protocol", "chain_of_thought"]),
    "random epochs": ("random", ["--epochs", "3"]),
    "random majority of epochs": ("random", ["--epochs", "3", "--reduce", "majority"]),
}
LEFT_OUT = ("latency", "key", "usage")  # of responses: they differ from run to run or by version
ALL = ["procbench", "releval", "catbench", "fable/plans sound", "fable/routes sound",
       "fable/recipes sound"]  # fmt: skip


def collect(name: str, model: str, options: list[str]) -> dict[str, Any]:
    """Hashes of the lines of each file of a run by task, and its outcomes."""
    folder = sets.run(sets.samples(name), f"baseline/{model}", *options)
    samples = rows(folder / "samples.jsonl")
    tasks = {row["id"]: row["task"] for row in samples}
    given = Path(sets.samples(name)).read_bytes()
    same = (folder / "samples.jsonl").read_bytes() == given
    found: dict[str, dict[str, list[Any]]] = {}
    for file in ("responses", "scores"):
        for row in rows(folder / f"{file}.jsonl"):
            held = found.setdefault(tasks[row["id"]], {"responses": [], "scores": []})
            held[file].append({key: row[key] for key in row if key not in LEFT_OUT})
    entry: dict[str, Any] = {"samples": "as given" if same else digest(samples)}
    for task, files in found.items():
        entry[task] = {
            "responses": [brief(row["response"]) for row in files["responses"]],
            "outcomes": " ".join(row["outcome"] for row in files["scores"]),
            "response lines": digest(files["responses"]),
            "score lines": digest(rounded(files["scores"])),
        }
    return entry | {"summary": summary(thence("score", folder, "--json"))}


def tables(name: str) -> dict[str, Any]:
    """The text of ``score`` and ``compare``, and the figures of ``compare --json``."""
    for model in ("heuristic", "random"):
        sets.run(sets.samples(name), f"baseline/{model}", folder=model)
    return {
        "score": _lines(thence("score", "heuristic", "random", "--full")),
        "compare": _lines(thence("compare", "heuristic", "random")),
        "compare --json": rounded(json.loads(thence("compare", "heuristic", "random", "--json"))),
    }


def report() -> dict[str, Any]:
    """Hashes of the tables that ``report --figures`` writes about two runs of every family."""
    samples = Path("all.jsonl")
    samples.write_bytes(b"".join(sets.samples(name, folder=name).read_bytes() for name in ALL))
    for model in ("heuristic", "random"):
        sets.run(samples, f"baseline/{model}", folder=model)
    thence("report", "heuristic", "random", "--figures", "figures", "-o", "page.html")
    files = sorted(path for path in Path("figures").rglob("*") if path.is_file())
    return {
        "files": " ".join(path.name for path in files),
        **{path.name: digest(_rounded(path)) for path in files if path.suffix == ".csv"},
    }


def _rounded(path: Path) -> str:
    """The text of a table without times, its numbers with nine significant digits."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.reader(file))
    kept = [at for at, name in enumerate(table[0]) if name not in {"seconds", "slowdown"}]
    text = "\n".join(",".join(row[at] for at in kept) for row in table)
    return re.sub(r"\d+\.\d{9,}(e-\d+)?", lambda found: f"{float(found[0]):.9g}", text)


def _lines(text: str) -> list[str]:
    """Lines of printed tables, without the widths of columns and the times of our runs."""
    found = []
    for table in text.split("\n\n"):
        for line in table.splitlines():
            words = (
                " ".join(line.split()).removesuffix(" seconds slowdown").removesuffix(" seconds")
            )
            if table.lstrip().startswith("Seconds") and words.startswith("baseline/"):
                words = re.sub(r"( (\d+\.\d+|-))+$", " (times)", words)
            found.append(words)
    return [line for line in found if line and not line.startswith("summary: ")]


def _cases() -> dict[str, Case]:
    kinds = {model: (model, list[str]()) for model in BASELINES} | OTHERS
    found = {
        f"{name} {kind}": Case(
            partial(collect, name, model, options),
            sets.needs(name),
            long=sets.published(name) and kind in OTHERS,
        )
        for name in sets.SETS
        for kind, (model, options) in kinds.items()
    }
    for name in sets.SETS:
        found[f"{name} tables"] = Case(partial(tables, name), sets.needs(name))
    return found | {"report": Case(report, (*PLANS, *ROUTES, "vl_convert"))}


CASES = _cases()
