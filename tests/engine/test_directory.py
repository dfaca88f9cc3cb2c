"""What a run leaves behind, field by field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.cli.command import Solver, held, rows, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status
from thence import __version__, families

FIELDS = [
    "id", "epoch", "turn", "response", "reasoning", "finish_reason", "usage", "latency", "error",
    "key",
]  # fmt: skip


def run(fake: FakeEndpoint, *more: object, status: int = 0) -> None:
    arguments = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
    thence(*arguments, *more, status=status)


def test_its_files() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run(fake)
    names = {"run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"}
    assert {name for name in held(Path("run")) if not name.startswith(".")} == names
    assert Path("run/samples.jsonl").read_bytes() == Path("samples.jsonl").read_bytes()


def test_responses() -> None:
    samples(size=3)
    solver = Solver("samples.jsonl")
    broken, thinking = solver.nth(1), solver.nth(2)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        if solver.prompt(body) in broken:
            return Status(500, body={"error": {"message": "overloaded"}})
        thoughts = {"reasoning_content": "hm"} if solver.prompt(body) in thinking else {}
        usage = None if thoughts else (7, 5)
        return Answer(solver.reply(body), message=thoughts, usage=usage, delay=0.02)

    with FakeEndpoint.in_thread(answer) as fake:
        run(fake, "--max-retries", "0", status=1)
    kept = {row["id"]: row for row in rows("run/responses.jsonl")}
    made = rows("samples.jsonl")
    good, bad, thought = (kept[row["id"]] for row in made)
    for row in kept.values():
        assert list(row) == FIELDS
        assert (row["epoch"], row["turn"]) == (0, 0)
        assert re.fullmatch("[0-9a-f]{32}", row["key"])
    assert good["response"] == solver.right[made[0]["input"]]
    assert good["reasoning"] is None
    assert good["finish_reason"] == "stop"
    assert good["usage"] == {"input_tokens": 7, "output_tokens": 5}
    assert 0.02 <= good["latency"] < 60
    assert good["error"] is None
    assert (thought["reasoning"], thought["usage"]) == ("hm", None)
    nothing = ("response", "reasoning", "finish_reason", "usage", "latency")
    assert [bad[name] for name in nothing] == [None] * 5
    assert list(bad["error"]) == ["kind", "message", "status", "repeat"]
    assert (bad["error"]["kind"], bad["error"]["status"]) == ("server", 500)
    assert bad["error"]["repeat"] == 1
    assert "overloaded" in bad["error"]["message"]


def test_scores() -> None:
    samples(size=2)
    solver = Solver("samples.jsonl")
    solver.right[next(iter(solver.right))] = "no answer here"
    with FakeEndpoint.in_thread(solver) as fake:
        run(fake)
    first, second = rows("run/scores.jsonl")
    names = ["id", "epoch", "turn", "outcome", "correct", "rule", "answer", "values"]
    assert list(first) == list(second) == names
    assert [row["id"] for row in (first, second)] == [row["id"] for row in rows("samples.jsonl")]
    assert (first["outcome"], first["correct"], first["rule"]) == ("no_answer", False, None)
    assert first["values"] == {"pa": 0, "sm": 0, "fm": 0, "pml": 0}
    assert (second["outcome"], second["correct"], second["rule"]) == ("correct", True, "json")
    assert second["answer"] == rows("samples.jsonl")[1]["target"]
    assert second["values"]["pml"] == rows("samples.jsonl")[1]["metadata"]["steps"]


def test_information() -> None:
    samples(size=3)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run(fake, "--epochs", "2", "--temperature", "0.5", "--price", "1,10")
        url = fake.url
    found = json.loads(Path("run/run.json").read_text())
    assert found["thence"] == __version__
    assert found["versions"] == {"procbench/sort": families.task("procbench/sort").version}
    assert found["address"] == url
    asked = found["request"]
    assert asked["model"] == "x/m"
    assert asked["protocol"] == "direct"
    assert asked["set_protocol"] == {}
    assert asked["epochs"] == 2
    assert asked["generation"]["temperature"] == 0.5
    assert asked["samples"]["limit"] is None
    assert len(asked["samples"]["files"]) == 1
    assert found["samples"] == 3
    assert found["conversations"] == {"all": 6, "done": 6}
    assert found["responses"] == 6
    assert found["usage"] == {"input_tokens": 72, "output_tokens": 18}
    assert found["usd_per_million_tokens"] == {"input": 1, "output": 10}
    assert found["cost_usd"] == (72 + 180) / 1e6
    assert found["accept_errors"] is False
    assert found["reduce"] == "mean"


def test_totals_are_of_all_sittings() -> None:
    samples(size=4)
    solver = Solver("samples.jsonl")
    broken = solver.nth(3)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Status(500) if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        run(fake, "--max-retries", "0", status=1)
        found = json.loads(Path("run/run.json").read_text())
        assert found["conversations"] == {"all": 4, "done": 3}
        broken.clear()
        run(fake, "--max-retries", "0")
    found = json.loads(Path("run/run.json").read_text())
    assert found["responses"] == 5
    assert found["conversations"] == {"all": 4, "done": 4}
    assert found["usage"] == {"input_tokens": 48, "output_tokens": 12}


def test_a_run_with_tools_says_so() -> None:
    samples(size=1)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run(fake)
        assert json.loads(Path("run/run.json").read_text())["comparable"] is True
        run(fake, "--extra-body", '{"tools": []}', "--overwrite")
    assert json.loads(Path("run/run.json").read_text())["comparable"] is False
    assert "Run with tools: not comparable" in thence("score", "run").out


def test_the_address_enters_no_key() -> None:
    samples(size=2)
    with (
        FakeEndpoint.in_thread(Solver("samples.jsonl")) as one,
        FakeEndpoint.in_thread(Solver("samples.jsonl")) as two,
    ):
        run(one)
        keys = {row["key"] for row in rows("run/responses.jsonl")}
        run(two, "--overwrite")
        assert len(two.requests) == 2
    assert {row["key"] for row in rows("run/responses.jsonl")} == keys


def test_every_parameter_enters_the_key() -> None:
    samples(size=1)
    keys = []
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        for more in (
            (),
            ("--temperature", "0"),
            ("--top-p", "0.5"),
            ("--max-tokens", "9"),
            ("--seed-model", "1"),
            ("--extra-body", '{"a": 1}'),
            ("--structured",),
            ("--model", "x/n"),
            ("--model", "y/m"),
        ):
            run(fake, *more, "--overwrite")
            keys += [row["key"] for row in rows("run/responses.jsonl")]
    assert len(set(keys)) == len(keys) == 9
