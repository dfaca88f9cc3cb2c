"""``thence compare`` on runs of the baselines."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import refused, thence


def runs(*names: str) -> None:
    thence("generate", "procbench/sort", "procbench/count", "--size", "12", "-o", "q.jsonl")
    for name in names:
        thence("run", "q.jsonl", "--model", f"baseline/{name}", "-o", name)


def test_the_difference_in_figures_and_in_words() -> None:
    runs("random", "oracle")
    found = thence("compare", "random", "oracle", "--json").json()
    each = found["overall"]["procbench"]
    assert (each["n"], each["first"], each["second"]) == (24, 0.0, 1.0)
    assert each["difference_ci"][0] > 0.5
    assert set(found["groups"]) == {"procbench/sort", "procbench/count"}
    assert "baseline/oracle is better by 100.0 points" in found["conclusions"][0]
    printed = thence("compare", "random", "oracle").out
    assert found["conclusions"][0] in printed


def test_what_cannot_be_compared() -> None:
    runs("oracle")
    thence("run", "procbench/sort", "--size", "2", "--seed", "9", "--model", "baseline/oracle",
           "-o", "other")  # fmt: skip
    Path("empty").mkdir()
    refused("compare", "oracle", "other", says=("oracle and other share no question", "twins"))
    refused("compare", "oracle", "nothing", says=("nothing", "no such run directory"))
    refused("compare", "oracle", "empty", says=("empty", "not a run directory"))
    refused("compare", "oracle", says=("DIR",))
