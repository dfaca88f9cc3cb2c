"""``thence power``, and what ``--dry-run`` and ``compare`` say about differences."""

from __future__ import annotations

import math

import pytest

import thence as library
from tests.cli.command import refused, thence
from thence.core.power import Assumptions, detectable, half_width, needed


def test_tasks_and_groups_by_stated_assumptions() -> None:
    given = ("--difference", "0.1", "--discordance", "0.2")
    found = thence("power", "releval/comparison", "procbench/sort", *given, "--json").json()
    rows = {(row["name"], row["group"]): row for row in found["rows"]}
    whole, group = rows["releval/comparison", ""], rows["releval/comparison", "10_15_0"]
    assert (whole["n"], group["n"], rows["procbench/sort", "25"]["n"]) == (460, 20, 10)
    assert whole["needed"] == needed(0.1, 0.2) == 175
    assert whole["half_width"] == pytest.approx(half_width(0.5, 460))
    assert whole["detectable"] == pytest.approx(detectable(460, Assumptions(discordance=0.2)))
    assert found["assumed"]["discordance"] == 0.2
    printed = thence("power", "releval/comparison", *given).out
    assert "23 groups" in printed
    assert "175" in printed
    assert "0.2" in printed


def test_questions_about_one_procedure_count_for_less() -> None:
    alone, few, many = (
        thence("power", "catbench", "--size", 600, *more, "--json").json()["rows"][0]
        for more in (("--cluster-size", 1), (), ("--cluster-size", 600))
    )
    assert alone["effect"] == 1.0 < few["effect"] < many["effect"] == pytest.approx(36.94)
    assert alone["needed"] < few["needed"] < many["needed"]


def test_size_is_for_each_task_and_families_stand_above_their_tasks() -> None:
    found = thence("power", "procbench/sort", "procbench/count", "--size", 50, "--json").json()
    held = {row["name"]: row["n"] for row in found["rows"] if not row["group"]}
    assert held == {"procbench": 100, "procbench/sort": 50, "procbench/count": 50}
    assert found["rows"][0]["name"] == "procbench"
    names = [row["name"] for row in thence("power", "releval", "--json").json()["rows"]]
    assert "releval" not in names, "a plan, cycles and a word do not compare"


def test_runs_tell_accuracy_and_how_often_two_models_part() -> None:
    thence("generate", "catbench", "--size", 60, "-o", "q.jsonl")
    for name in ("random", "oracle", "heuristic"):
        thence("run", "q.jsonl", "--model", f"baseline/{name}", "-o", name)
    right = library.open_run("random").scores().summary()["accuracy"][0]
    one = thence("power", "--run", "random", "--json").json()
    whole = one["rows"][0]
    assert (whole["name"], whole["n"], whole["accuracy"]) == ("catbench/order", 60, right)
    assert one["measured"] == ["accuracy", "cluster_size", "icc"]
    two = library.power(runs=["random", "oracle"], difference=0.1)
    apart = (round(60 * (1 - right)) + 1) / 62
    assert two.rows[0].discordant == pytest.approx(apart)
    assert two.rows[0].needed == needed(0.1, apart, effect=two.rows[0].effect)
    larger = library.power("catbench", runs=["random", "oracle"], size=500)
    assert [row.n for row in larger.rows] == [500, 167, 167, 167]
    assert "discordance" in thence("power", "--run", "random", "--run", "oracle").out
    frame = library.power(runs=["random", "oracle", "heuristic"]).frame
    assert {"name", "group", "n", "half_width", "detectable", "needed"} <= set(frame.columns)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((), "at least one family"),
        (("procbench/sort", "--difference", "0"), "--difference 0"),
        (("procbench/sort", "--accuracy", "1.5"), "--accuracy 1.5: must be from 0 to 1"),
        (("procbench/sort", "--discordance", "0.01"), "--discordance 0.01: must be at least"),
        (("procbench/sort", "--correlation", "0", "--discordance", "0.1"), "--correlation 0"),
        (("procbench/sort", "--power", "1"), "--power 1"),
        (("procbench/sort", "--size", "0"), "--size 0"),
        (("nothing",), "nothing"),
        (("--run", "absent"), "absent"),
    ],
)
def test_what_is_refused(given: tuple[str, ...], says: str) -> None:
    refused("power", *given, says=(says,))


def test_what_a_run_measures_is_not_assumed() -> None:
    thence("run", "procbench/sort", "--size", 2, "--model", "baseline/oracle", "-o", "run")
    refused("power", "--run", "run", "--accuracy", 0.5, says=("--accuracy", "measured"))
    assert not math.isnan(library.power(runs="run", correlation=0.1).rows[0].half_width)


def test_runs_settle_their_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    thence("run", "procbench/sort", "--size", 2, "--model", "baseline/oracle", "-o", "run")
    for given in (("--seed", 3), ("--set", "steps=3")):
        refused("power", "--run", "run", *given, says=(given[0], "those of the runs; leave it out"))
    monkeypatch.setenv("THENCE_SEED", "3")  # of what is generated
    thence("power", "--run", "run")


def test_a_dry_run_and_a_comparison_say_what_difference_could_be_seen() -> None:
    run = ("run", "procbench/sort", "releval", "--size", 24, "--model")
    dry = thence(*run, "baseline/random", "--dry-run").out
    least = 100 * detectable(24, Assumptions())
    assert f"procbench (24) differences from {least:.1f} points" in dry
    assert f"releval/comparison (24) differences from {least:.1f} points" in dry
    thence("generate", "releval/comparison", "--size", 40, "-o", "q.jsonl")
    for name in ("random", "majority"):
        thence("run", "q.jsonl", "--model", f"baseline/{name}", "-o", name)
    found = thence("compare", "random", "majority", "--json").json()
    each = found["groups"]["releval/comparison"]
    apart = (each["only_first_right"] + each["only_second_right"] + 1) / 42
    assert each["detectable"] == pytest.approx(detectable(40, Assumptions(discordance=apart)))
    assert f"detects differences of {100 * each['detectable']:.1f} points or more" in str(found)
