"""Files of a run and of samples that ask for more than there is: one line, at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, samples, thence, write_rows

MODELS = ("baseline/oracle", "baseline/heuristic", "baseline/random", "baseline/majority")
type Change = Callable[[dict[str, Any]], Any]


def hostile(task: str, change: Change) -> None:
    """Writes a sample of a task, changed, to ``bad.jsonl``."""
    row = rows(samples(task=task, size=1))[0]
    change(row)
    text = json.dumps(row).replace('"1e400"', "1e400")
    Path("bad.jsonl").write_text(f"{text}\n")


def order(value: Any) -> Change:
    return lambda row: row["metadata"]["procedure"].update(order=value)


@pytest.mark.parametrize(
    ("task", "change", "says"),
    [
        (
            "releval/plan_generation", lambda row: row["target"].update(objects=2**63),
            ("target.objects = 9223372036854775808", "at most"),
        ),
        (
            "releval/plan_generation", lambda row: row["target"].update(objects=10**6),
            ("'objects'", "1 to 10,000"),
        ),
        (
            "releval/plan_generation", lambda row: row["target"].update(relations="1e400"),
            ("target.relations = inf",),
        ),
        (
            "releval/plan_generation", lambda row: row["target"].update(objects=100, relations=7),
            ("target", "m="),
        ),
        ("catbench/order", order([["1e400", 2]]), ("metadata.procedure.order[0][0] = inf",)),
        ("catbench/order", order([[10**400, 2]]), ("a number of 1329 bits",)),
        ("catbench/order", order([["x", 2]]), ("must hold 'procedure'",)),
        ("catbench/order", lambda row: row["metadata"].pop("close"), ("not of this task",)),
        (
            "procbench/sort", lambda row: row["metadata"]["parameters"].update(steps=10**9),
            ("metadata.parameters.steps = 1000000000", "at most 1,000,000"),
        ),
    ],
)  # fmt: skip
def test_a_sample_that_asks_for_too_much(task: str, change: Change, says: tuple[str, ...]) -> None:
    hostile(task, change)
    for model in MODELS[:2]:
        refused("run", "bad.jsonl", "--model", model, "-o", "run", says=("bad.jsonl", *says))


def test_a_chain_of_texts_is_no_crash() -> None:
    def change(row: dict[str, Any]) -> None:
        row["metadata"]["witness"] = {"chain": "abc"}

    hostile("catbench/order", change)
    for model in MODELS:
        thence("run", "bad.jsonl", "--model", model, "-o", f"runs/{model}", "-q")
    thence("report", "runs/baseline/oracle", "-o", "page.html")


@pytest.fixture
def run() -> Path:
    """A finished run."""
    samples()
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run", "-q")
    return Path("run")


@pytest.mark.parametrize("epochs", ["1000000000", "1e400", "10001", '"two"', "true", "[1]", "2.0"])
def test_epochs_of_a_run_from_elsewhere(run: Path, epochs: str) -> None:
    text = (run / "run.json").read_text()
    (run / "run.json").write_text(text.replace('"epochs": 1', f'"epochs": {epochs}'))
    for command in (("score", "run"), ("report", "run", "-o", "page.html"), ("errors", "run")):
        refused(*command, says=("run/run.json: request.epochs = ", "1 to 10,000"))


@pytest.mark.parametrize(
    "prices", ["true", '"2"', "[1, 2]", '{"input": 1}', '{"input": -1, "output": 2}']
)
def test_prices_of_a_run_from_elsewhere(run: Path, prices: str) -> None:
    text = (run / "run.json").read_text()
    name = '"usd_per_million_tokens": '
    (run / "run.json").write_text(text.replace(f"{name}null", name + prices))
    for command in (("score", "run"), ("report", "run", "-o", "page.html")):
        refused(*command, says=("run/run.json: ",))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("epoch", 2**70), ("epoch", -1), ("turn", 10**9), ("latency", -1.0),
        ("usage", {"input_tokens": 10**400, "output_tokens": 1}),
        ("usage", {"input_tokens": 1, "output_tokens": -5}),
    ],
)  # fmt: skip
def test_numbers_of_a_response(run: Path, field: str, value: Any) -> None:
    held = rows(run / "responses.jsonl")
    held[2][field] = value
    write_rows(run / "responses.jsonl", held)
    name = {"usage": "_tokens"}.get(field, field)
    refused("score", "run", says=("run/responses.jsonl:3: not a response", name, "from 0 to"))


@pytest.mark.parametrize("part", ["conversations", "versions", "samples", "usage", "request"])
@pytest.mark.parametrize("value", [None, [], "x", {"all": 0.5}, True])
def test_other_parts_of_a_run(run: Path, part: str, value: Any) -> None:
    held = json.loads((run / "run.json").read_text())
    held[part] = value
    (run / "run.json").write_text(json.dumps(held))
    unknown = part in ("conversations", "usage") and not value  # as a run has it that was stopped
    for command in (("score", "run"), ("report", "run", "-o", "page.html")):
        if unknown or (part == "usage" and isinstance(value, dict)):
            thence(*command)
        else:
            refused(*command, says=("run/run.json: damaged", "from a copy", "--overwrite"))


@pytest.mark.parametrize("part", ["versions", "samples", "request"])
def test_parts_that_a_run_lacks(run: Path, part: str) -> None:
    held = json.loads((run / "run.json").read_text())
    inner = held["request"] if part == "request" else held
    del inner["samples" if part == "request" else part]
    (run / "run.json").write_text(json.dumps(held))
    for command in ("score", "status", "errors"):
        refused(command, "run", says=("run/run.json: damaged",))
    refused("merge", "run", "-o", "whole", says=("run/run.json: damaged",))


@pytest.mark.parametrize("value", [True, 5, [1], {"k": 5}, {"k": None}])
def test_parameters_of_a_protocol_from_elsewhere(run: Path, value: Any) -> None:
    held = json.loads((run / "run.json").read_text())
    held["request"]["set_protocol"] = value
    (run / "run.json").write_text(json.dumps(held))
    refused("score", "run", says=("run/run.json: damaged",))
