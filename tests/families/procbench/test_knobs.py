"""Difficulty beside the length: every knob of every task, its truth computed twice."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import thence as library
from tests.cli.command import refused, rows, settle, thence
from tests.families.procbench.reference import SOLVERS
from thence import families
from thence.core.sample import Sample
from thence.errors import ParameterError
from thence.families.procbench.knobs import NAMES
from thence.families.procbench.procedure import ProcedureQuestions

TASKS = {task.name: task for task in families.select(["procbench"])}


def procedure(task: str) -> Any:
    generator = TASKS[task].generator
    assert isinstance(generator, ProcedureQuestions)
    return generator.procedure


KNOBS = [(task, knob) for task in TASKS for knob, _ in procedure(task).knobs]


def made(task: str, steps: int, **knobs: Any) -> list[Sample]:
    return list(library.generate(f"procbench/{task}", size=3, steps=steps, workers=1, **knobs))


def by_reference(sample: Sample) -> str:
    """The truth from the text of the prompt, by the other implementation."""
    name = sample.task.removeprefix("procbench/")
    return json.dumps(SOLVERS[name](sample.input))


def values(task: str, knob: str, steps: int) -> list[int]:
    """Some values of a knob: small ones, and one that is not."""
    low, high = procedure(task).bounds(knob, steps)
    return sorted({min(high, low + 2), min(high, low + 7), min(high, 90)})


@pytest.mark.parametrize(("task", "knob"), KNOBS)
def test_the_truth_is_computed_twice_for_every_knob(task: str, knob: str) -> None:
    for steps in (2, 13, 30):
        for value in values(task, knob, steps):
            for sample in made(task, steps, **{knob: value}):
                assert by_reference(sample) == json.dumps(sample.target), sample.input
                assert sample.metadata["parameters"] == {"steps": steps, knob: value}
                assert len(sample.target["intermediate"]) + 1 == steps


WORDS = {"fill_word", "delete_word"}
SIZES: dict[tuple[str, str], Callable[[dict[str, Any]], int]] = {
    ("gather", "items"): lambda q: len(q["strings"]),
    ("gather", "piece"): lambda q: q["picks"][-1][2],
    ("gather", "alphabet"): lambda q: len(set("".join(q["strings"]))),
    ("count", "piece"): lambda q: len(q["strings"][0]),
    ("search", "items"): lambda q: len(q["strings"]),
    ("search", "alphabet"): lambda q: len(set("".join(q["strings"] + q["substrings"]))),
    ("copy", "items"): lambda q: len(q["strings"]),
    ("copy", "piece"): lambda q: len(q["strings"][-1]),
    ("substitute", "rules"): lambda q: len(q["pairs"]),
    ("encode", "piece"): lambda q: max(map(len, q["string"].replace("01", "0 1")
                                           .replace("10", "1 0").split())),
    ("decode", "piece"): lambda q: max(int(each[2:]) for each in q["pieces"]),
    ("compose", "state"): lambda q: len(q["letters"]),
    ("compose", "rules"): lambda q: len(q["rules"]),
    ("decompose", "rules"): lambda q: len(q["rules"]),
    ("rhythm", "items"): lambda q: len(q["numbers"]),
    ("rhythm", "alphabet"): lambda q: len(set(q["letters"])),
    ("compare", "state"): lambda q: len(q["target"]),
    ("compare", "alphabet"): lambda q: len(set("".join(q["candidates"]))),
    ("fill_word", "state"): lambda q: len(q["sentence"].split()),
    ("delete_word", "state"): lambda q: len(q["sentence"].split()),
    ("move_cyclic", "state"): lambda q: len(q["array"]),
}  # fmt: skip


@pytest.mark.parametrize(("task", "knob"), KNOBS)
def test_a_knob_sets_the_size_that_it_names(task: str, knob: str) -> None:
    exact = (task, knob) not in {("encode", "piece"), ("decode", "piece")} and knob != "alphabet"
    size = SIZES.get((task, knob), lambda q: len(q["string"]) if exact else len(set(q["string"])))
    for steps in (9, 20):
        for value in values(task, knob, steps):
            for sample in made(task, steps, **{knob: value}):
                found = size(sample.metadata["question"])
                assert found == value if exact else 1 <= found <= value, sample.input


def test_length_and_output_are_told_apart() -> None:
    """Twice the steps with half of the piece: another length, about the same final state."""
    few, many = made("copy", 10, piece=20), made("copy", 20, piece=10)
    assert {len(each.target["final"]) for each in [*few, *many]} == {200}


def test_two_knobs_go_together() -> None:
    for sample in made("sort", 12, state=40, alphabet=6):
        string = sample.metadata["question"]["string"]
        assert (len(string), len(set(string)) <= 6) == (40, True)
        assert by_reference(sample) == json.dumps(sample.target)


def test_a_knob_that_a_length_does_not_allow_leaves_it_out_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        found = library.generate("procbench/delete_char", steps=(2, 25), state=12, workers=1)
        assert {sample.metadata["steps"] for sample in found} == set(range(2, 12))
    assert "procbench/delete_char: 14 lengths are left out" in caplog.text
    with pytest.raises(ParameterError, match="state=3: procbench/delete_char takes 26 to 2000"):
        library.generate("procbench/delete_char", steps=25, state=3)


def test_answers_that_no_model_could_write_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch, tmp_path)
    asked = ("generate", "procbench/fill_word", "--size", 1, "-o", "x.jsonl")
    line = refused(
        *asked, "--set", "steps=1000", says=("--set steps=1000", "1000 steps takes about")
    )
    tokens = int(line.split("takes about ")[1].split(" tokens")[0].replace(",", ""))
    assert 500_000 < tokens < 2_000_000
    thence(*asked, "--set", "steps=1000", "--set", "force=yes")
    (row,) = rows("x.jsonl")
    assert abs(len(json.dumps(row["target"])) / 4 / tokens - 1) < 0.1
    thence("generate", "procbench/cumulate", "--set", "steps=1000", "--size", 1, "-o", "y.jsonl")


def test_one_step_leaves_out_what_cannot_be_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch, tmp_path)
    done = thence("generate", "procbench", "--set", "steps=1", "--size", 3, "-o", "x.jsonl")
    counts = dict.fromkeys(TASKS, 0)
    for row in rows("x.jsonl"):
        counts[row["task"].removeprefix("procbench/")] += 1
    assert counts.pop("count") == 1
    assert set(counts.values()) == {3}
    assert "procbench/count: 2 of 3 questions of N = 1 are left out" in done.err


def test_knobs_are_dimensions_of_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch, tmp_path)
    thence("run", "procbench/copy", "--set", "piece=3", "--size", 4, "--model", "baseline/oracle",
           "-o", "run")  # fmt: skip
    assert set(NAMES) <= set(families.families()["procbench"].dimensions)
    frame = library.open_run("run").scores().frame
    assert frame["piece"].cast(str).to_list() == ["3"] * 4
    (by,) = (each["by"] for each in thence("score", "run", "--json").json()["groups"].values())
    assert by["piece"]["3"]["n"] == 4
    thence("run", "procbench/copy", "--size", 4, "--model", "baseline/random", "-o", "plain")
    (by,) = (each["by"] for each in thence("score", "plain", "--json").json()["groups"].values())
    assert list(by) == ["length", "steps"]


def changes(task: str) -> list[bool]:
    """Whether each step of the default set changes the state."""
    found = []
    for sample in library.generate(f"procbench/{task}", limit=120, workers=1):
        target = sample.target
        states = [sample.metadata["init"], *target["intermediate"], target["final"]]
        found += [before != after for before, after in pairwise(states)]
    return found


def test_most_steps_of_search_change_a_total() -> None:
    changed = changes("search")
    assert 0.8 < sum(changed) / len(changed) < 0.97


def test_decompose_starts_again_for_letters_that_a_step_put_in() -> None:
    again = steps = 0
    for sample in library.generate("procbench/decompose", limit=120, workers=1):
        question = sample.metadata["question"]
        given = sum(question["string"].count(key) for key, _ in question["rules"])
        again += sample.metadata["steps"] - given
        steps += sample.metadata["steps"]
        assert sample.metadata["steps"] == 1 or len(question["rules"]) > 1 or given > 0
        assert by_reference(sample) == json.dumps(sample.target)
    assert 0.25 < again / steps < 0.6


def test_versions_tell_what_changed() -> None:
    changed = {name for name, task in TASKS.items() if task.version != "1-0"}
    assert changed == {"search", "decompose"}
