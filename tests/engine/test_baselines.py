"""The baselines go the way of any model: prompt, reply, reader, score."""

from __future__ import annotations

from pathlib import Path

import pytest

import thence as library
from tests.cli.command import rows, samples, thence
from tests.extra import offered
from thence import families
from thence.engine.baseline_scores import baselines

EVERY = tuple(dict.fromkeys(families.task(name).family for name in offered()))


def test_the_oracle_is_right_on_every_task_that_there_is() -> None:
    thence("run", *EVERY, "--size", "6", "--model", "baseline/oracle", "-o", "run")
    found = thence("score", "run", "--json").json()
    assert list(found["groups"]) == offered()
    for name, group in found["groups"].items():
        assert (group["n"], group["accuracy"]) == (6, 1), name
        assert group["outcomes"]["correct"] == 6
    assert list(found["overall"]) == list(EVERY)
    averaged = [name for name in EVERY if families.families()[name].averaged]
    assert {found["overall"][name]["accuracy"] for name in averaged} == {1}
    assert {row["finish_reason"] for row in rows("run/responses.jsonl")} == {"stop"}


@pytest.mark.parametrize("name", ["random", "majority", "heuristic"])
def test_the_others_know_nothing(name: str) -> None:
    done = thence("run", "procbench", "--size", "6", "--model", f"baseline/{name}", "-o", "run")
    found = thence("score", "run", "--json").json()
    assert len(found["groups"]) == sum(
        each.family == "procbench" for each in families.tasks().values()
    )
    overall = found["overall"]["procbench"]
    assert overall["n"] == 6 * len(found["groups"])
    assert overall["accuracy"] < 0.03
    assert overall["outcomes"]["provider_error"] == 0
    answered = overall["n"] - overall["outcomes"]["no_answer"]
    assert answered == overall["n"] if name != "heuristic" else answered > overall["n"] / 2
    without = [
        task for task, group in found["groups"].items() if group["outcomes"]["no_answer"] == 6
    ]
    if without:
        assert done.err == f"thence: no surface heuristic for {', '.join(without)}: no_answer\n"
    else:
        assert done.err == ""


def test_chance_is_the_same_for_the_same_seed_and_differs_by_epoch() -> None:
    samples(size=3)
    command = ("run", "samples.jsonl", "--model", "baseline/random", "--epochs", "2", "-o")
    thence(*command, "one")
    thence(*command, "two", "--max-connections", "1")
    thence(*command, "three", "--seed-model", "5")
    said = {
        name: {
            (row["id"], row["epoch"]): row["response"] for row in rows(f"{name}/responses.jsonl")
        }
        for name in ("one", "two", "three")
    }
    assert said["one"] == said["two"]
    assert not set(said["one"].values()) & set(said["three"].values())
    assert len(set(said["one"].values())) == 6


def test_majority_says_one_thing_to_all_and_has_learnt_it_elsewhere() -> None:
    samples(size=6, task="procbench/sort")
    thence("run", "samples.jsonl", "--model", "baseline/majority", "-o", "run")
    [reply] = {row["response"] for row in rows("run/responses.jsonl")}
    assert reply not in {
        families.task("procbench/sort").format.write(r["target"]) for r in rows("samples.jsonl")
    }


def test_a_missing_heuristic_is_said_of_files_too() -> None:
    samples(task="procbench/count")
    done = thence("run", "samples.jsonl", "--model", "baseline/heuristic", "-o", "run")
    assert "procbench/count" in done.err


def test_a_baseline_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thence.models.http_client.HttpClient.post", None)
    thence("run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run")
    assert Path("run/scores.jsonl").is_file()


def test_what_changes_nothing_of_a_baseline_is_said() -> None:
    samples(size=1)
    run = ("run", "samples.jsonl", "--model", "baseline/random", "-o", "run")
    given = (
        "--temperature",
        "0",
        "--max-tokens",
        "9",
        "--structured",
        "--price",
        "1,2",
    )  # it bounds the cost, with --max-cost
    nobody = ("--base-url", "http://127.0.0.1:9/v1", "--auth-command", "false")
    says = "--temperature, --max-tokens, --structured, --base-url, --auth-command"
    assert (
        thence(*run, *given, *nobody).err == f"thence: without effect on baseline/random: {says}\n"
    )
    assert thence(*run, "--seed-model", "3", "--overwrite").err == ""


def test_a_truth_that_comes_once_makes_no_constant() -> None:
    """Chosen for one question, it would be right by that alone, whatever is asked."""
    asked = [*library.generate("procbench/sort", size=3), *library.generate("catbench", size=10)]
    (constant,) = (each for each in baselines(asked) if each.model == "baseline/constant")
    assert set(constant.frames) == {"catbench/order"}
