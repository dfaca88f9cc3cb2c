"""``thence check-submission``: each rule has a run that breaks it, and a line that says so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused, rows
from tests.cli.command import thence as command
from thence import families
from thence.core.digest import compact_json
from thence.engine import submission
from thence.engine.submission import RULES
from thence.generation.frozen_sets import FrozenFile, FrozenSet
from thence.models.base import Reply, Usage
from thence.system.disk import file_hash


def answer(messages: Any) -> Reply:
    return Reply("yes", usage=Usage(100, 1))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    thence.run(thence.generate("catbench", size=12, seed=5), answer, name="m", out="run")
    return Path("run")


def change(run: Path, name: str, how: Callable[[list[dict[str, Any]]], object]) -> None:
    """Changes the lines of a file of a run."""
    held = rows(run / name)
    how(held)
    (run / name).write_text("".join(f"{compact_json(each)}\n" for each in held))


def tell(run: Path, **values: Any) -> None:
    """Changes what run.json says."""
    held = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**held, **values}))


def faults(run: Path) -> dict[str, list[str]]:
    found = command("check-submission", run, "--json", status=1).json()
    assert not found["passed"]
    lines = command("check-submission", run, status=1).out.splitlines()
    assert len(lines) == sum(map(len, found["faults"].values()))
    return {name: texts for name, texts in found["faults"].items() if texts}


def test_the_page_tells_every_rule() -> None:
    (page,) = (Path(__file__).parents[2] / "docs").rglob("leaderboard.md")
    rules = [f"| `{rule.name}` | {rule.sentence} |" for rule in RULES]
    assert [line for line in page.read_text().splitlines() if line in rules] == rules


def test_a_run_that_keeps_the_rules(run: Path) -> None:
    done = command("check-submission", run)
    assert done.out == f"run: all {len(RULES)} rules are kept\n"
    thence.run("run/samples.jsonl", "baseline/oracle", out="file")
    assert set(faults(Path("file"))) == {"set"}


def test_a_frozen_set_is_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    thence.generate("releval/comparison", size=4, seed=9).write("part.jsonl")
    thence.run("part.jsonl", "baseline/oracle", out="run")
    assert set(faults(Path("run"))) == {"set"}
    version = families.task("releval/comparison").version
    file = FrozenFile(4, {"releval/comparison": version}, 4, file_hash(Path("part.jsonl")))
    held = FrozenSet("mine", "0.1.0", 9, {"part.jsonl": file})
    monkeypatch.setattr(submission, "names", lambda: ["mine"])
    monkeypatch.setattr(submission, "frozen_set", lambda name: held)
    command("check-submission", "run")


def test_a_question_left_out_and_one_changed(run: Path) -> None:
    change(run, "samples.jsonl", lambda held: held[2].update(input="Is it so?"))
    found = faults(run)
    assert "1 line not what seed 5 gives, the first is line 3" in found["questions"][0]
    assert "SHA-256" in found["questions"][1]
    assert "1 reply was given to other messages" in found["messages"][0]
    change(run, "responses.jsonl", lambda held: held.pop())
    found = faults(run)
    assert "1 conversation without a reply" in found["whole"][0]
    assert any("holds 11 responses, and run.json counts 12" in text for text in found["replies"])


def test_a_reply_that_was_edited_or_chosen_of_two(run: Path) -> None:
    kept = Path(shutil.copytree(run, "kept"))
    change(run, "responses.jsonl", lambda held: held[0].update(response="no"))
    found = faults(run)
    assert "changed after the run" in found["replies"][0]
    assert "1 line not what scoring the replies again gives" in found["scores"][0]
    change(kept, "responses.jsonl", lambda held: held.append({**held[0], "response": "x" * 999}))
    texts = "\n".join(faults(kept)["replies"])
    assert "1 question answered more than once" in texts
    assert "1 reply longer than the tokens" in texts
    assert "tokens do not add up" in texts


def test_another_protocol_version_or_request(run: Path) -> None:
    held = json.loads((run / "run.json").read_text())
    tell(run, versions={"catbench/order": "0-X"}, comparable=False)
    found = faults(run)
    assert "was asked in version 0-X" in found["versions"][0]
    assert found["protocol"] == ["the model was given tools"]
    request = {**held["request"], "samples": {**held["request"]["samples"], "seed": 6}}
    tell(run, **{**held, "request": request})
    found = faults(run)
    assert "12 lines not what seed 6 gives" in found["questions"][0]
    assert "what was asked for was changed" in found["messages"][0]
    part = thence.generate("catbench", size=12, limit=4)
    thence.run(part, answer, name="m", protocol="are_you_sure", out="part")
    found = faults(Path("part"))
    assert found["set"] == ["a part of the set was asked (limit); run it without"]
    assert found["protocol"] == ["asked by protocol are_you_sure, not direct"]
    assert (
        "protocol"
        not in json.loads(
            command(
                "check-submission", "part", "--protocol", "are_you_sure", "--json", status=1
            ).out
        )["faults"]["protocol"]
    )


def test_damaged_runs_have_a_line_a_fault(run: Path) -> None:
    (run / "samples.jsonl").write_text("{}\n")
    assert all("cannot be checked" in text for text in faults(run)["whole"])
    refused("check-submission", "none", says=["none: no such run directory"])
    refused("check-submission", run, "--protocol", "odd", says=["--protocol odd: unknown protocol"])
