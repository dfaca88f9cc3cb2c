"""Accuracies for a model's page on the Hub."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.command import refused, settle, thence

EXPORT = ("export", "hf-results", "run", "--dataset", "me/thence", "-o", "thence.yaml")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)
    thence("run", "catbench", "--size", "12", "--model", "baseline/random", "-o", "run")


def test_accuracies_are_those_of_the_run() -> None:
    thence(*EXPORT)
    (row,) = yaml.safe_load(Path("thence.yaml").read_text("utf-8"))
    overall = json.loads(thence("score", "run", "--json").out)["overall"]["catbench"]
    assert row["dataset"] == {"id": "me/thence", "task_id": "catbench"}
    assert row["value"] == overall["accuracy"]
    assert f"interval {overall['accuracy_ci'][0]:.3f} to" in row["notes"]


def test_the_hub_reads_it() -> None:
    hub = pytest.importorskip("huggingface_hub")
    thence(*EXPORT)
    rows = yaml.safe_load(Path("thence.yaml").read_text("utf-8"))
    (entry,) = hub.parse_eval_result_entries(rows)
    assert (entry.dataset_id, entry.task_id) == ("me/thence", "catbench")
    assert entry.value == rows[0]["value"]


def test_what_is_wrong_is_refused() -> None:
    refused(*EXPORT[:4], "thence", *EXPORT[5:], says=("--dataset thence: must be ORG/NAME",))
    refused(*EXPORT[:-1], "no/a.yaml", says=("-o no/a.yaml: name a file in a folder",))
    refused(*EXPORT[:-1], "x.txt", says=("-o x.txt: must end in .yaml",))
    refused("export", "hf-results", "no", *EXPORT[3:], says=("no such run directory",))
    thence(*EXPORT)
    refused(*EXPORT, says=("-o thence.yaml: exists; --overwrite replaces it",))
