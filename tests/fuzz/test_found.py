"""What fuzzing found once, made small."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import settle
from tests.fuzz import mutations
from tests.fuzz.readers import REFUSED, read, samples

FOUND = [
    ("procedure", b"goal: Shakshuka for two\ns"),
    ("PDDL", ("cups.pddl", b"\x1b[2J(define (problem cups) (:domain tea))")),
    ("recipes", b"\0Bean Soup\n1. Soak 300 g of beans.\n2. Drain them.\n"),
    ("template", b"{% include 'Yes\n1. Cycle: procbench/answer.jinja' %}"),
]


@pytest.mark.parametrize(("name", "mutant"), FOUND, ids=[name for name, _ in FOUND])
def test_a_file(name: str, mutant: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)
    monkeypatch.setenv("THENCE_TRACEBACK", "1")
    assert read(name, mutant) == REFUSED


@pytest.mark.parametrize(
    ("task", "change"),
    [
        ("procbench/rhythm", lambda row: row.update(task="\x1b[2J")),
        ("procbench/sort", lambda row: row["metadata"].pop("init")),
        ("procbench/sort", lambda row: row["metadata"].update(init=None)),
        ("fable/routes/concurrency", lambda row: row["metadata"].update(procedure={"steps": [0]})),
        ("fable/routes/concurrency", lambda row: row["metadata"].update(procedure=None)),
        ("fable/plans/intervals", lambda row: row["metadata"]["question"].update(i=[1])),
        ("fable/recipes/intervals", lambda row: row["target"].update(unit=None)),
        ("fable/recipes/intervals", lambda row: row["target"].update(low=None)),
        ("releval/comparison", lambda row: row["metadata"].update(names=5)),
        ("releval/comparison", lambda row: row["metadata"]["parameters"].update(n=7, m=15, z=6)),
        ("releval/plan_generation", lambda row: row["target"].update(names=[1, 2])),
        ("catbench/order", lambda row: row["metadata"].update(step_pair="ab")),
    ],
)
def test_a_sample(
    task: str,
    change: Callable[[dict[str, Any]], Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle(monkeypatch, tmp_path)
    monkeypatch.setenv("THENCE_TRACEBACK", "1")
    row = copy.deepcopy(next(row for row in samples() if row["task"] == task))
    change(row)
    read("samples", mutations.dumped(row) + b"\n")
