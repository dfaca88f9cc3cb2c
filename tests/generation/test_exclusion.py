"""Questions and procedures that were used before do not come again."""

from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused, settle
from tests.cli.command import thence as command
from thence.core.sample import Sample
from thence.errors import ParameterError, UsageError


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)


def shared(first: Sequence[Sample], second: Sequence[Sample]) -> tuple[int, int]:
    """The number of prompts and of procedures that two sets have in common."""
    prompts = {each.input for each in first} & {each.input for each in second}
    return len(prompts), len({each.cluster for each in first} & {each.cluster for each in second})


@pytest.mark.parametrize(
    ("task", "size", "seed", "parameters"),
    [
        ("catbench/order", 300, 1, {}),  # sets of other seeds hardly ever share a recipe
        ("procbench/cumulate", 300, 3, {"steps": 2}),
        ("fable/recipes/intervals", 150, 4, {"source": "cookbook"}),
    ],
)
def test_two_sets_share_no_question_and_no_procedure(
    task: str, size: int, seed: int, parameters: dict[str, Any]
) -> None:
    train = thence.generate(task, seed=1, size=size, workers=1, **parameters)
    other = thence.generate(task, seed=seed, size=size, workers=1, **parameters)
    assert shared(train, other) != (0, 0)
    made = thence.generate(task, seed=seed, size=size, workers=1, exclude=train, **parameters)
    assert len(made) == size
    assert shared(train, made) == (0, 0)


def texts(samples: Sequence[Sample]) -> list[frozenset[str]]:
    """The steps of each procedure of a set, before any were added."""
    held = {
        each.cluster: each.metadata.get("origin", {}).get("texts")
        or [step["text"] for step in each.metadata["procedure"]["steps"]]
        for each in samples
    }
    return [frozenset(text.lower() for text in steps) for steps in held.values()]


def both(first: Sequence[Sample], second: Sequence[Sample]) -> int:
    """The number of procedures of a set all of whose steps are among those of one of another."""
    pairs = [(one, other) for one in texts(first) for other in texts(second)]
    return sum(one <= other or other <= one for one, other in pairs)


def test_procedures_are_known_in_another_family() -> None:
    """CaT-Bench and FABLE ask about the same cookbook, by other names; FABLE adds steps to it."""
    order = thence.generate("catbench", seed=5, size=2400)
    asked: dict[str, Any] = {"tasks": "fable/recipes/live_variables", "size": 200, "seed": 7}
    asked |= {"source": "cookbook", "workers": 1}
    plain, apart = thence.generate(**asked), thence.generate(**asked, exclude=order)
    assert both(order, plain) > 0 == both(order, apart)
    assert len(apart) == 200
    again = thence.generate("catbench", seed=5, size=2400, exclude=plain)
    assert both(plain, order) > 0 == both(plain, again)
    assert len(again) == 2400
    stream = thence.questions("catbench", seed=10**9, size=60, exclude=plain)
    assert not both(plain, list(stream))


def test_workers_keep_away_as_well() -> None:
    asked = {"tasks": ["procbench/cumulate", "procbench/sort"], "size": 300, "steps": 2}
    train = thence.generate(**asked, seed=1, workers=1)
    one, two = (thence.generate(**asked, seed=2, workers=n, exclude=train) for n in (1, 2))
    assert shared(train, one) == (0, 0)
    assert [each.to_json() for each in one] == [each.to_json() for each in two]


def test_the_same_seed_gives_other_questions() -> None:
    first = thence.generate(["procbench/sort", "releval/comparison"], size=24)
    second = thence.generate(["procbench/sort", "releval/comparison"], size=24, exclude=first)
    assert shared(first, second) == (0, 0)
    assert "notes" not in second.manifest


def test_what_cannot_be_made_is_said(caplog: pytest.LogCaptureFixture) -> None:
    plans = thence.generate("releval/plan_generation", size=100)
    with caplog.at_level(logging.WARNING, "thence"):
        made = thence.generate(["releval/plan_generation", "procbench/sort"], exclude=plans)
        assert len(made) == 42 + 240
    assert "releval/plan_generation: 100 of 142 questions are missing" in caplog.text
    assert made.manifest["notes"]["releval/plan_generation"]["excluded"] == 100
    whole = thence.generate("releval/plan_generation")
    with pytest.raises(UsageError, match="every question of these tasks is excluded"):
        len(thence.generate("releval/plan_generation", exclude=whole))


def test_a_procedure_of_ones_own_that_is_excluded_is_named() -> None:
    Path("own.yaml").write_text(
        "goal: tea\nsteps:\n- text: boil water\n  defines: [hot water]\n- text: fetch a cup\n"
        "- text: pour\n  uses: [hot water]\n",
        encoding="utf-8",
    )
    own = thence.generate("catbench", source="own.yaml")
    with pytest.raises(ParameterError, match=r"source=own.yaml: its procedure is excluded"):
        len(thence.generate("catbench", source="own.yaml", exclude=own))


def test_the_command_takes_several_files() -> None:
    for seed in (1, 2):
        command("generate", "catbench", "--size", 30, "--seed", seed, "-o", f"{seed}.jsonl")
    given = ("--exclude", "1.jsonl", "--exclude", "2.jsonl")
    command("generate", "catbench", "--size", 60, "--seed", 3, *given, "-o", "3.jsonl")
    used = [*thence.read("1.jsonl"), *thence.read("2.jsonl")]
    assert shared(used, thence.read("3.jsonl")) == (0, 0)
    request = json.loads(Path("3.jsonl.manifest.json").read_text("utf-8"))["request"]
    assert request["exclude"]["samples"] == 60
    Path("thence.toml").write_text('exclude = ["1.jsonl"]\n', encoding="utf-8")
    run = ("run", "catbench", "--size", 12, "--model", "baseline/oracle", "-o", "run")
    command(*run)
    assert shared(thence.read("1.jsonl"), thence.open_run("run").samples()) == (0, 0)
    command("run", "3.jsonl", "--limit", 3, "--model", "baseline/oracle", "-o", "file")
    refused(*run, "--exclude", "none.jsonl", says=("none.jsonl: no such file",))
    refused(
        "run", "3.jsonl", "--model", "baseline/oracle", "--exclude", "1.jsonl",
        says=("--exclude", "3.jsonl is a file; leave it out"),
    )  # fmt: skip


def test_a_stream_for_training_keeps_away_from_a_test() -> None:
    tasks = ["catbench", "procbench/cumulate"]
    test = thence.generate(tasks, size=600, steps=2)
    train = thence.questions(tasks, seed=10**9, size=400, steps=2)
    assert shared(test, train) != (0, 0)
    apart = thence.questions(tasks, seed=10**9, size=400, steps=2, exclude=test)
    assert shared(test, apart) == (0, 0)
    assert pickle.loads(pickle.dumps(apart))[7] == apart[7] == apart.shard(7, 10)[0]
    assert apart != train
    assert apart.to_json()["exclude"]["samples"] == 1200


def test_rows_and_samples_may_be_given_and_nothing_else() -> None:
    first = thence.generate("procbench/sort", size=3)
    for given in (first[0], first[0].to_json(), [json.dumps(first[0].to_json()), first[1]]):
        made = thence.generate("procbench/sort", size=3, exclude=given)
        assert first[0].id not in {each.id for each in made}
    with pytest.raises(ParameterError, match="exclude=7: must be files, samples or rows"):
        thence.generate("procbench/sort", exclude=7)  # type: ignore[arg-type]
