"""Samples of every task, dialect, framing, notation, labels and knobs that change them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from tests.golden.command import thence
from tests.golden.store import Case, digest, rows

SEED = 7
PLANS = ("fast_downward",)
ROUTES = ("valhalla", "osmium")
CORPUS = ("catbench/flow_graph_corpus", "catbench/title_map.json")
SIMPLE = ["procbench/*", "releval/*", "catbench/*"]
FABLE_KINDS = ("hanoi", "gripper", "ferry", "driverlog")


def collect(*options: object, size: int = 6, first: bool = False) -> dict[str, Any]:
    """Generates samples; gives for each task its ids, and hashes of its lines and their parts.

    Args:
        options: tasks, and options of ``thence generate``.
        size: of each task.
        first: whether to keep the first sample of each task in full.
    """
    given = ("--seed", SEED, "--size", size, "--workers", 1)
    thence("generate", *options, *given, "-o", "samples.jsonl")
    by_task: dict[str, list[tuple[bytes, dict[str, Any]]]] = {}
    lines = Path("samples.jsonl").read_bytes().splitlines(keepends=True)
    for line, row in zip(lines, rows("samples.jsonl"), strict=True):
        by_task.setdefault(row["task"], []).append((line, row))
    entry: dict[str, Any] = {"file": digest(b"".join(lines))}
    for task, held in by_task.items():
        found = [row for _, row in held]
        entry[task] = {
            "ids": " ".join(row["id"][:10] for row in found),
            "lines": digest(b"".join(line for line, _ in held)),
            **{key: digest([row[key] for row in found]) for key in ("input", "target", "metadata")},
        }
        if first:
            entry[task]["first"] = found[0]
    return entry


def settings(**values: object) -> list[str]:
    """The options that set parameters of tasks."""
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


CORPUS_SETTINGS = settings(
    flow_graphs="shared/catbench/flow_graph_corpus", titles="shared/catbench/title_map.json"
)


def _reviewed() -> dict[str, Any]:
    """Questions anew, without two that were flagged."""
    thence("generate", "fable/recipes/*", "--size", 3, "--seed", SEED, "-o", "seen.jsonl")
    flagged = [row["id"] for row in rows("seen.jsonl")[::5]]
    Path("flagged.txt").write_text("".join(f"{each}\n" for each in flagged), encoding="utf-8")
    return collect("fable/recipes/*", *settings(review="flagged.txt"), size=3)


def _cases() -> dict[str, Case]:
    def case(*options: object, needs: tuple[str, ...] = (), **how: Any) -> Case:
        return Case(partial(collect, *options, **how), needs)

    found = {
        "procbench": case("procbench/*", first=True),
        "procbench steps=1": case("procbench/*", *settings(steps=1), size=1),
        "procbench steps=30-40": case("procbench/*", *settings(steps="30-40"), size=2),
        "procbench limit": case("procbench/*", "--limit", 3, size=48),
        "releval": case("releval/*", first=True),
        "releval limit": case("releval/*", "--limit", 3, size=60),
        "releval/comparison n, m, z": case("releval/comparison", *settings(n=12, m=18, z=3)),
        "releval/comparison unknown": case("releval/comparison", *settings(n=12, m=18, z=0)),
        "releval/consistency n, m, z": case("releval/consistency", *settings(n=12, m=18, z=4)),
        "releval/consistency consistent": case("releval/consistency", *settings(n=12, m=18, z=0)),
        "releval/consistency cap": case("releval/consistency", *settings(cap=2)),
        "releval/plan_generation n, m": case(
            "releval/plan_generation", *settings(n=8, m=12), size=1
        ),
        "releval/plan_generation names": case("releval/plan_generation", *settings(names="given")),
        "releval/plan_generation own names": case(
            "releval/plan_generation", *settings(n=3, m=2, names="Ann,Bob,Cleo"), size=2
        ),
        "catbench": case("catbench/*", first=True),
        "catbench held_out": case("catbench/order", *settings(part="held_out")),
        "catbench plans": case("catbench/order", *settings(source="plans"), needs=PLANS),
        "catbench routes": case("catbench/order", *settings(source="routes"), needs=ROUTES),
        "catbench own": case("catbench/order", *settings(source="procedure.yaml")),
    }
    for framing in ("software", "finance"):
        found[f"releval {framing}"] = case("releval/*", *settings(framing=framing), size=3)
    related = ("releval/comparison", "releval/consistency")
    found["releval aligned"] = case(*related, *settings(notation="aligned"), size=3)
    for framing in ("software", "finance"):
        how = settings(notation="aligned", framing=framing)
        found[f"releval {framing} aligned"] = case(*related, *how, size=3)
    for labels in ("letters", "strings", "words", "names"):
        found[f"releval labels={labels}"] = case(*related, *settings(labels=labels), size=3)
    for task, relations in zip(related, (3, 4), strict=True):
        own = settings(n=4, m=relations, z=3, labels="ox,hen,cat,dog")
        found[f"{task} own labels"] = case(task, *own, size=2)
    for part in ("test", "held_out"):
        found[f"catbench corpus {part}"] = Case(
            partial(collect, "catbench/order", *CORPUS_SETTINGS, *settings(part=part)), data=CORPUS
        )
    return found | _fable(case)


def _fable(case: Any) -> dict[str, Case]:
    found = {}
    for dialect in ("sound", "published"):
        rules = ("--dialect", dialect)
        how: dict[str, Any] = {"first": dialect == "sound"}
        found[f"fable/plans {dialect}"] = case("fable/plans/*", *rules, needs=PLANS, **how)
        found[f"fable/routes {dialect}"] = case("fable/routes/*", *rules, needs=ROUTES, **how)
        found[f"fable/recipes {dialect}"] = case("fable/recipes/*", *rules, **how)
        english = settings(text="english", plan_steps="4-9")
        found[f"fable/plans {dialect} english"] = case(
            "fable/plans/*", *rules, *english, needs=PLANS, size=2
        )
        own = settings(domain="tea.pddl", problem="cups.pddl")
        found[f"fable/plans {dialect} own"] = case(
            "fable/plans/concurrency", "fable/plans/intervals", *rules, *own, needs=PLANS, size=1
        )
        small = settings(map=3, nodes=3000, steps="6-20")
        found[f"fable/routes {dialect} map"] = case(
            "fable/routes/*", *rules, *small, needs=ROUTES, size=2
        )
        for source in ("generator", "cookbook"):
            found[f"fable/recipes {dialect} {source}"] = case(
                "fable/recipes/*", *rules, *settings(source=source), size=2
            )
        found[f"fable/recipes {dialect} own"] = case(
            "fable/recipes/*", *rules, *settings(recipes="recipes.txt"), size=1
        )
    found["fable/plans sizes"] = case(
        "fable/plans/reaching_definitions",
        *settings(disks=3, balls="2-3", cars=2, drivers=1, packages=2),
        needs=PLANS,
        size=4,
    )
    found["fable/recipes reviewed"] = Case(_reviewed)
    return found


CASES = _cases()
