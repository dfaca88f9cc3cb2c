"""``thence audit procbench``: published labels against those recomputed from the prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import held, refused, rows, thence, write_rows

PUBLISHED = Path(__file__).parents[3] / "shared/data/procbench/official_sample.jsonl"

SORT = {
    "prompt": "Sort a given string.\n\n[Question]\nString: itwlw",
    "label": {"final": "iltww", "init": "itwlw", "intermediate": ["ilwtw"]},
    "task_name": "task01",
    "example_name": "0003",
    "problem_name": "task01_0003",
}


@pytest.fixture
def published() -> list[dict[str, Any]]:
    if not PUBLISHED.is_file():
        pytest.skip("the authors' published examples are not beside this repository")
    return rows(PUBLISHED)


def test_all_published_labels_agree(published: list[dict[str, Any]]) -> None:
    done = thence("audit", "procbench", PUBLISHED, "--json")
    assert done.err == ""
    found = done.json()
    assert list(found) == [
        "family", "checked", "agreed", "disagreed", "skipped", "groups", "examples",
    ]  # fmt: skip
    assert found["family"] == "procbench"
    assert found["checked"] == found["agreed"] == len(published)
    assert found["disagreed"] == found["skipped"] == 0
    assert found["examples"] == []
    assert len(found["groups"]) == len({row["task_name"] for row in published})
    assert sum(group["checked"] for group in found["groups"].values()) == len(published)
    plain = thence("audit", "procbench", PUBLISHED)
    number = f"{len(published):,}"
    assert plain.last == f"{number} of {number} published truths agree."


def test_a_tampered_label_is_named(published: list[dict[str, Any]]) -> None:
    row = next(row for row in published if row["task_name"] == "task01")
    row["label"]["final"] += "x"
    other = next(row for row in published if row["task_name"] == "task03")
    other["label"]["intermediate"][0][1] = "999"
    Path("data").mkdir()
    write_rows("data/published.jsonl", published)
    before = held(Path())
    found = thence("audit", "procbench", "data", "--json", status=1).json()
    assert found["disagreed"] == 2
    assert [each["id"] for each in found["examples"]] == [
        each["problem_name"] for each in published if each in (row, other)
    ]
    example = next(each for each in found["examples"] if each["id"] == row["problem_name"])
    assert example["published"]["final"] == row["label"]["final"]
    assert example["computed"]["final"] == row["label"]["final"][:-1]
    assert row["label"]["final"] in example["why"]
    plain = thence("audit", "procbench", "data/published.jsonl", status=1).out
    assert f"procbench/sort {row['problem_name']}: the final state is" in plain
    assert f"procbench/count {other['problem_name']}: state 1 is" in plain
    assert held(Path()) == before


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ({"final": "iltww", "init": "itwlw", "intermediate": ["x"]}, "state 1 is 'ilwtw', not 'x'"),
        (
            {"final": "iltww", "init": "itwlw", "intermediate": []},
            "intermediate states is 1, not 0",
        ),
        ({"final": "x", "init": "itwlw", "intermediate": ["ilwtw"]}, "'iltww', not 'x'"),
        ({"final": "iltww", "init": "x", "intermediate": ["ilwtw"]}, "initial state is 'itwlw'"),
        ({"final": "iltww", "intermediate": None}, "not"),
        ({}, "not None"),
    ],
)
def test_what_may_differ(label: dict[str, Any], why: str) -> None:
    write_rows("x.jsonl", [SORT, SORT | {"label": label, "problem_name": "mine"}])
    found = thence("audit", "procbench", "x.jsonl", "--json", status=1).json()
    assert (found["checked"], found["agreed"], found["disagreed"]) == (2, 1, 1)
    [example] = found["examples"]
    assert example["id"] == "mine"
    assert why in example["why"]


@pytest.mark.parametrize("prompt", ["", "String: abc", "[Question]\nText: abc"])
def test_a_prompt_that_cannot_be_read_is_a_disagreement(prompt: str) -> None:
    write_rows("x.jsonl", [SORT | {"prompt": prompt}])
    [example] = thence("audit", "procbench", "x.jsonl", "--json", status=1).json()["examples"]
    assert "the prompt cannot be read" in example["why"]
    assert example["computed"] is None


def test_bad_input() -> None:
    write_rows("x.jsonl", [SORT])
    thence("audit", "procbench", "x.jsonl")
    refused("audit", "procbnch", "x.jsonl", says=("'procbnch'", "did you mean 'procbench'?"))
    refused("audit", "procbench", "none.jsonl", says=("none.jsonl", "no such file or folder"))
    refused("audit", "procbench", says=("Missing argument 'PATH'", "thence audit --help"))
    for option in ("--titles", "--flow-graphs"):
        says = (option, "procbench", "leave it out")
        refused("audit", "procbench", "x.jsonl", option, "x", says=says)
    refused("audit", "procbench", "x.jsonl", "--dialect", "sound", says=("--dialect", "leave"))
    Path("folder").mkdir()
    refused("audit", "procbench", "folder", says=("folder", "holds no .jsonl files"))
    Path("empty.jsonl").touch()
    refused("audit", "procbench", "empty.jsonl", says=("empty.jsonl", "no published examples"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{torn", ("not JSON",)),
        ("[]", ("must be a JSON object",)),
        ("{}", ("'prompt'",)),
        (json.dumps(SORT | {"label": 5}), ("'label'",)),
        (json.dumps(SORT | {"task_name": "task99"}), ("'task99'", "task01 to task23")),
    ],
)
def test_a_bad_line(line: str, says: tuple[str, ...]) -> None:
    Path("x.jsonl").write_text(json.dumps(SORT) + "\n" + line + "\n")
    refused("audit", "procbench", "x.jsonl", says=("x.jsonl:2: ", *says))
