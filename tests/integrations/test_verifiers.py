"""Thence as an environment of verifiers, run by its own programs against a local endpoint."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import rows
from tests.fake_endpoint import Answer, FakeEndpoint, Status

vf = pytest.importorskip("verifiers.v1")
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


def program(name: str, *arguments: str, folder: Path, status: int = 0) -> str:
    """What a program of verifiers printed, without any key or login."""
    path = Path(sys.executable).parent / name
    hidden = {name: value for name, value in os.environ.items() if not name.startswith("PRIME_")}
    done = subprocess.run(
        [path, *arguments], cwd=folder, text=True, capture_output=True, check=False,
        env={**hidden, "FAKE_KEY": "none", "HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def truths(tasks: list[str], number: int, **settings: Any) -> dict[str, str]:
    """Right answers by prompt."""
    made = thence.questions(tasks, seed=settings.pop("seed", 0), **settings)[:number]
    return {sample.input: thence.answer(sample) for sample in made}


def evaluated(answer: Any, folder: Path, *arguments: str) -> list[dict[str, Any]]:
    with FakeEndpoint.in_thread(answer) as endpoint:
        program(
            "vf-eval", "thence-verifiers", "-m", "fake", "--client.base-url", endpoint.url,
            "--client.api-key-var", "FAKE_KEY", "--no-push", "--rich", "None", *arguments,
            folder=folder,
        )  # fmt: skip
        assert all("tools" not in each.body for each in endpoint.requests)
    (path,) = folder.rglob("traces.jsonl")
    return [trace for episode in rows(path) for trace in episode.get("traces", [episode])]


def test_rewards_are_those_of_the_replies_without_shell_or_sandbox(tmp_path: Path) -> None:
    right = truths(["procbench"], 20, steps=(2, 4))

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer("Hm." if count % 5 == 0 else right[body["messages"][0]["content"]])

    traces = evaluated(
        answer, tmp_path, "--env.taskset.tasks", '["procbench"]', "--env.taskset.set",
        '{"steps": "2-4"}', "-n", "20", "-r", "2",
    )  # fmt: skip
    assert len(traces) == 40
    assert sum(each["rewards"]["correct"]["score"] for each in traces) == 32
    assert sum(each["metrics"]["no_answer"] for each in traces) == 8
    assert all(0 <= each["metrics"]["pa"] <= 1 for each in traces)
    for each in traces:
        assert each["agent"]["config"]["runtime"]["type"] == "subprocess"
        assert each["agent"]["config"]["harness"]["id"] == "thence-verifiers"
        assert "thence:" in each["task"]["data"]["sample"]  # the canary
        assert each["task"]["key"] == each["task"]["data"]["id"]


def test_a_protocol_takes_its_turns_and_a_cut_off_reply_says_so(tmp_path: Path) -> None:
    right = truths(["catbench"], 6, seed=10**9 + 3)

    def answer(body: dict[str, Any], count: int) -> Answer:
        said = right[body["messages"][0]["content"]]
        if len(body["messages"]) == 1:
            return Answer("yes" if said == "no" else "no")
        return Answer(said, finish_reason="stop")

    traces = evaluated(
        answer, tmp_path, "--env.taskset.tasks", '["catbench"]', "--env.taskset.protocol",
        "are_you_sure", "--env.taskset.train", "--env.taskset.seed", "3", "-n", "6",
    )  # fmt: skip
    assert [each["rewards"]["correct"]["score"] for each in traces] == [1] * 6
    assert {len(each["calls"]) for each in traces} == {2}


def test_a_cut_off_reply_and_a_refused_request_are_told_apart(tmp_path: Path) -> None:
    def answer(body: dict[str, Any], count: int) -> Answer | Status:
        return Answer("Let me", finish_reason="length") if count else Status(400, body="no")

    traces = evaluated(
        answer, tmp_path, "--env.taskset.tasks", '["catbench"]', "-n", "2", "-c", "1"
    )
    failed = [each for each in traces if each["errors"]]
    (cut,) = [each for each in traces if not each["errors"]]
    assert len(failed) == 1
    assert cut["metrics"]["truncated"] == 1
    assert cut["rewards"]["correct"]["score"] == 0


def test_its_own_validation_finds_every_truth(tmp_path: Path) -> None:
    program(
        "vf-validate", "thence-verifiers", "--taskset.tasks", '["releval","procbench/sort"]', "-n",
        "8", "--runtime.type", "subprocess", folder=tmp_path,
    )  # fmt: skip
    (path,) = tmp_path.rglob("results.jsonl")
    assert [row["reason"] for row in rows(path)] == ["valid"] * 8


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"tasks": ["srot"]}, "unknown task"),
        ({"set": {"stepz": 3}}, "did you mean 'steps'"),
        ({"protocol": "no"}, "unknown protocol"),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"sede": 3}, "Extra inputs are not permitted"),
    ],
)
def test_a_wrong_setting_is_refused(settings: dict[str, Any], says: str) -> None:
    from pydantic import ValidationError

    from thence.integrations import for_verifiers

    with pytest.raises(ValidationError, match=says):
        for_verifiers.ThenceConfig(**settings)


def test_what_is_wrong_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    arguments = ("--env.taskset.set", '{"stepz": 3}', "-n", "1")
    shown = program("vf-eval", "thence-verifiers", *arguments, folder=tmp_path, status=1)
    assert "did you mean 'steps'" in " ".join(shown.replace("│", "").split())
    assert "Traceback" not in shown


def test_a_changed_row_is_no_question_of_ours() -> None:
    from thence.integrations import for_verifiers

    made = for_verifiers.ThenceTaskset(for_verifiers.ThenceConfig(tasks=["catbench"]))
    (task,) = itertools.islice(made.load(), 1)
    row = json.loads(task.data.sample)
    row["target"] = "yes" if row["target"] == "no" else "no"
    changed = task.with_data(sample=json.dumps(row))
    with pytest.raises(thence.ThenceError, match="was changed on the way"):
        changed._score(vf.Trace.model_construct(root_reply="yes"))
