"""The schemas of docs/schemas hold for what commands write, and for nothing with other fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.documents import DOCS, formats
from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence import cli


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((DOCS / "schemas" / f"{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def check(name: str, held: Any) -> None:
    assert [error.message for error in validator(name).iter_errors(held)] == []


def test_the_schemas_are_those_of_the_program() -> None:
    held = {path.stem: json.loads(path.read_text("utf-8")) for path in formats.FOLDER.iterdir()}
    assert held == formats.schemas(), "run python docs/formats.py"


def test_what_a_run_writes_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def answer(body: dict[str, Any], count: int) -> Answer | Status:
        thought = {"reasoning_content": "Hm."}
        return Status(400) if count == 1 else Answer("yes, as b needs a", message=thought)

    with FakeEndpoint.in_thread(answer) as endpoint:
        monkeypatch.setenv("THENCE_BASE_URL", endpoint.url)
        options = ["--model", "any/model", "--max-connections", "1", "--price", "1,2"]
        cli.run(["run", "catbench", "releval/comparison", "--size", "3", *options, "-o", "run"])
    for command in (
        "run procbench/sort --size 4 --model baseline/random --shard 1/2 -o half",
        "run procbench/sort --size 4 --model baseline/random --shard 2/2 -o rest",
        "merge half rest -o merged",
        "generate procbench/sort procbench/cumulate --seed 1 --size 6 -o first.jsonl",
        "generate procbench/cumulate --set steps=2 --size 9 --exclude first.jsonl -o few.jsonl",
        "run first.jsonl --model baseline/random --protocol are_you_sure --epochs 2 -o sure",
        "run catbench --size 3 --model baseline/oracle --protocol answer_then_explain -o told",
    ):
        assert cli.run(command.split()) == 0
    assert cli.run(["score", "merged"]) == 0
    for folder in ("run", "sure", "told", "merged"):
        check("run", json.loads(Path(folder, "run.json").read_text("utf-8")))
        for name in ("sample", "response", "score"):
            lines = Path(folder, f"{name}s.jsonl").read_text("utf-8").splitlines()
            assert lines
            for line in lines:
                check(name, json.loads(line))
    for name in ("first", "few"):
        manifest = json.loads(Path(f"{name}.jsonl.manifest.json").read_text("utf-8"))
        check("manifest", manifest)


@pytest.mark.parametrize("name", formats.FILES)
def test_a_field_that_is_not_told_of_is_refused(name: str) -> None:
    found = validator(name).iter_errors({"surely_new": 1})
    assert any("surely_new" in error.message for error in found)
