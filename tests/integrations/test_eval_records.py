"""Records of Every Eval Ever: the figures of the run, in the form of its schema."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused, rows, settle
from tests.cli.command import thence as command
from thence.integrations.eval_records import model_id, write_records

RUNS = {
    "mixed": ("procbench/sort", "releval", "--size", "6", "--model", "baseline/random"),
    "turns": ("catbench", "--size", "12", "--model", "baseline/heuristic",
              "--protocol", "are_you_sure", "--epochs", "2"),
    "shots": ("catbench", "--size", "6", "--model", "baseline/oracle", "--protocol", "few_shot"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)


def exported(name: str) -> tuple[dict[str, Any], list[dict[str, Any]], Any]:
    """The record of a run, its rows, and the figures that the run prints."""
    command("run", *RUNS[name], "-o", name)
    path = command("export", "eee", name, "-o", "out").last.removeprefix("record: ")
    told = command("score", name, "--json").json()
    replies = rows(path.replace(".json", "_samples.jsonl"))
    return json.loads(Path(path).read_text("utf-8")), replies, told


def test_figures_intervals_and_replies_are_those_of_the_run() -> None:
    record, replies, told = exported("mixed")
    wanted = {**told["groups"], "releval": told["overall"]["releval"]}
    held = {each["evaluation_result_id"]: each for each in record["evaluation_results"]}
    assert {name.partition(":")[0] for name in held} == set(wanted)
    for name, each in held.items():
        task, _, figure = name.partition(":")
        assert each["score_details"]["score"] == wanted[task][figure]
        ends = each["score_details"]["uncertainty"].get("confidence_interval")
        assert (ends and [ends["lower"], ends["upper"]]) == wanted[task][f"{figure}_ci"]
        assert each["metric_config"]["max_score"] == ("Infinity" if figure == "pml" else 1)
    assert "procbench/sort:pml" in held
    for task, figures in told["groups"].items():
        own = [row for row in replies if row["evaluation_name"] == f"thence/{task}"]
        assert sum(row["evaluation"]["score"] for row in own) == figures["correct"]
        assert len(own) == figures["n"]
    detail = record["detailed_evaluation_results"]
    assert detail["total_rows"] == len(replies)
    assert detail["file_path"].startswith("data/thence/baseline/random/")
    assert all("thence:" in row["metadata"]["canary"] for row in replies)
    assert {row["interaction_type"] for row in replies} == {"single_turn"}


def test_a_conversation_of_two_turns_is_told_whole() -> None:
    _, replies, told = exported("turns")
    assert len(replies) == 24
    assert {row["metadata"]["epoch"] for row in replies} == {"0", "1"}
    for row in replies:
        chat = row["messages"]
        assert [each["role"] for each in chat] == ["user", "assistant"] * 2
        assert chat[0]["content"] == row["input"]["raw"]
        (answer,) = row["answer_attribution"]
        assert answer["source"] == "messages[3].content"
        right = answer["extracted_value"] == row["input"]["reference"][0]
        assert right == row["evaluation"]["is_correct"]
    right = sum(row["evaluation"]["score"] for row in replies)
    assert right / 24 == pytest.approx(told["overall"]["catbench"]["accuracy"])
    _, shots, _ = exported("shots")
    assert all(len(json.loads(row["input"]["formatted"])) > 2 for row in shots)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("openai/gpt-5", "openai/gpt-5"),
        ("vllm/Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("function", "function/model"),
        ("nano", "thence/nano"),
        ("gguf//home/me/a:b.gguf", "gguf/a_b.gguf"),
    ],
)
def test_a_model_has_a_developer_and_a_name_that_any_disk_takes(name: str, wanted: str) -> None:
    assert model_id(name) == wanted


def test_what_is_wrong_is_refused() -> None:
    command("run", *RUNS["shots"], "-o", "run")
    export = ("export", "eee", "run", "-o", "out")
    refused("export", "eee", "no", "-o", "out", says=("no such run directory",))
    refused("export", "eee", "run", "-o", "run/run.json", says=("-o run/run.json: is a file",))
    refused(*export, "--relationship", "friend", says=("--relationship friend: must be one of",))
    command(*export)
    refused(*export, says=("-o out/data/thence/baseline/oracle/", "--overwrite replaces it"))
    command(*export, "--overwrite", "--organization", "Us", "--relationship", "third_party")


def test_an_unfinished_run_is_refused_and_an_accepted_error_has_no_row() -> None:
    asked = thence.generate("catbench", size=6)

    def model(messages: list[dict[str, str]]) -> str:
        if messages[0]["content"] == asked[0].input:
            raise thence.ProviderError("overloaded", "come back tomorrow")
        return "yes"

    thence.run(asked, model, name="mine", out="run")
    for tool in (("export", "eee", "run", "-o", "out"), ("log", "run", "--to", "tensorboard")):
        refused(*tool, says=("run: is not finished; run its command again",))
    path = Path("run", "run.json")
    path.write_text(
        path.read_text("utf-8").replace('"accept_errors": false', '"accept_errors": true')
    )
    (record,) = write_records(["run"], "out")
    held = json.loads(record.read_text("utf-8"))
    assert held["evaluation_results"][0]["score_details"]["details"]["provider_error"] == "1"
    assert held["detailed_evaluation_results"]["total_rows"] == 5


@pytest.mark.long
def test_its_own_validator_takes_the_records() -> None:
    pytest.importorskip("every_eval_ever")
    for name in RUNS:
        exported(name)
    files = [str(path.relative_to("out")) for path in Path("out").rglob("*.json*")]
    assert len(files) == 6
    program = [sys.executable, "-m", "every_eval_ever", "validate", *files]
    done = subprocess.run(program, cwd="out", capture_output=True, text=True, check=False)
    assert "6 passed, 0 warning-only, 0 failed" in done.stdout, done.stdout
