"""Questions about the order of a procedure of the user's own."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.cli.command import refused, rows, thence

PANCAKES = """
goal: Make pancakes
start: [flour, eggs, pan]
results: [pancakes]
steps:
  - {name: sift, text: Sift the flour, uses: [flour], defines: [sifted flour]}
  - {name: beat, text: Beat the eggs, uses: [eggs], defines: [beaten eggs]}
  - {name: whisk, text: Whisk both together, uses: [sifted flour, beaten eggs], defines: [batter]}
  - {name: heat, text: Heat the pan, uses: [pan], defines: [hot pan]}
  - {name: fry, text: Fry the pancakes, uses: [batter, hot pan], defines: [pancakes]}
"""
AFTER = {0: {2, 4}, 1: {2, 4}, 2: {4}, 3: {4}, 4: set[int]()}  # read off the text, by hand


def test_questions_of_a_file_have_the_answers_that_its_order_gives() -> None:
    Path("pancakes.yaml").write_text(PANCAKES, encoding="utf-8")
    thence("generate", "catbench", "--set", "source=pancakes.yaml", "-o", "order.jsonl")
    held = rows("order.jsonl")
    asked = {(tuple(row["metadata"]["step_pair"]), row["metadata"]["split"]) for row in held}
    for row in held:
        metadata = row["metadata"]
        assert metadata["origin"] == {"source": "file"}
        steps = [step["text"] for step in metadata["procedure"]["steps"]]
        assert all(text in row["input"] for text in steps)
        if metadata["split"] != "NONDEP-S":
            i, j = metadata["step_pair"]
            assert row["target"] == ("yes" if j in AFTER[i] else "no")
    free = {(i, j) for i, j in combinations(range(5), 2) if j not in AFTER[i]}
    free -= {(0, 1)}  # "Whisk both together" stays behind step 2, and needs step 1
    assert {pair for pair, split in asked if split == "NONDEP"} == free
    assert len({pair for pair, split in asked if split == "DEP"}) == len(free) == 3
    assert len(held) == 3 * 2 * len(free)


BROKEN = """
goal: Create accounts
results: [accounts]
steps:
  - {name: create, text: Create the accounts, uses: [signed contract], defines: [accounts]}
  - {name: print, text: Print the contract, defines: [contract]}
  - {name: desk, text: Prepare a desk, defines: [desk]}
  - {name: sign, text: Sign the contract, uses: [contract], defines: [signed contract]}
"""


def test_a_procedure_that_can_fail_asks_no_question() -> None:
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    told = thence(
        "generate", "catbench", "--set", "source=broken.yaml", "-o", "x.jsonl", status=2
    ).err
    assert told.count("\n") == 1
    assert "broken.yaml: " in told and "signed contract" in told and "thence analyze" in told
    assert not Path("x.jsonl").exists()


def test_warnings_about_a_procedure_are_said() -> None:
    text = PANCAKES.replace("eggs, pan]", "eggs, pan, saffron]")
    Path("pancakes.yaml").write_text(text, encoding="utf-8")
    done = thence("generate", "catbench", "--set", "source=pancakes.yaml", "-o", "order.jsonl")
    assert "saffron" in done.err


def test_where_the_file_lies_makes_no_difference() -> None:
    Path("here.yaml").write_text(PANCAKES, encoding="utf-8")
    Path("folder").mkdir()
    Path("folder/there.yml").write_text(PANCAKES, encoding="utf-8")
    for name, path in (("a", "here.yaml"), ("b", "folder/there.yml")):
        thence("generate", "catbench", "--set", f"source={path}", "-o", f"{name}.jsonl")
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "own.yaml: no such file; give that of a procedure"),
        ("goal: g\nsteps: [a, a2]\norder: [[a, b]]", "own.yaml:3:13: unknown step 'b'"),
        ("goal: g\nsteps: [a, b, c]\norder: text", "no step could change places with another"),
        ("goal: g\nsteps: [a, b, c]", "no step waits for another"),
        ("goal: g\nchoices: {c: [x]}\nsteps: [a, {text: b, when: {c: x}}, c]", "depend on choices"),
        ("goal: g\nsteps: [a, b, c]\norder: [[b, a]]", "step 2 comes before step 1"),
    ],
)
def test_a_file_that_gives_no_questions_says_why(text: str | None, says: str) -> None:
    if text is not None:
        Path("own.yaml").write_text(text, encoding="utf-8")
    refused("generate", "catbench", "--set", "source=own.yaml", "-o", "x.jsonl",
            says=["own.yaml", says])  # fmt: skip


def test_one_procedure_has_no_held_out_part() -> None:
    Path("own.yaml").write_text(PANCAKES, encoding="utf-8")
    refused("generate", "catbench", "--set", "source=own.yaml", "--set", "part=held_out",
            "-o", "x.jsonl", says=["part=held_out", "own.yaml is one procedure"])  # fmt: skip
