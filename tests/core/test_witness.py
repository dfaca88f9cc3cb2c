"""A witness is told in the terms of its question: steps are counted from 1."""

from __future__ import annotations

import re
from typing import Any

import pytest

import thence
from tests.cli.command import thence as command
from thence.core.witness import in_words


@pytest.mark.parametrize(
    ("witness", "words"),
    [
        (None, ""),
        ({"fact": None}, ""),
        ({"chain": [7, 8]}, "Step 8, then Step 9"),
        ({"step": 5, "does": "uses, kills", "fact": "on(a)"}, "Step 6 uses, kills 'on(a)'"),
        ({"step": 8, "facts": ["a", "b"]}, "Step 9: 'a', 'b'"),
        ({"step": 0}, "Step 1"),
        ({"after": None, "before": 4}, "before Step 5"),
        ({"fact": "tank full", "without": 7}, "'tank full'; without Step 8"),
        ({"from": 2, "to": 9}, "from Step 3; to Step 10"),
        ({"steps": [11, 12]}, "Steps 12, 13"),
        ({"sanitizers": [13]}, "Step 14 between"),
        ({"order": [0, 1], "fact": "a"}, "'a'; always Step 1, then Step 2"),
        ({"execution": [1, 0]}, "such as in the order 2, 1"),
        (
            {"chain": [{"from": 1, "fact": "a", "to": 2}, {"from": 2, "fact": "b", "to": 4}]},
            "Step 2, by 'a' to Step 3, by 'b' to Step 5",
        ),
        (["G", "S"], "G, S"),
        ({"odd": {"n": 1}, "step": "two"}, 'odd: {"n":1}; step: two'),
        ("a text", "a text"),
    ],
)
def test_in_words(witness: Any, words: str) -> None:
    assert in_words(witness) == words


@pytest.mark.parametrize("task", ["fable/recipes/*", "catbench", "releval/comparison"])
def test_words_name_steps_that_the_question_has(task: str) -> None:
    for sample in thence.generate(task, seed=0, size=4):
        witness = sample.metadata.get("witness")
        words = in_words(witness)
        assert "{" not in words
        for number in map(int, re.findall(r"Step (\d+)", words)):
            assert f"Step {number}:" in sample.input


def test_show_counts_from_1() -> None:
    shown = command("show", "catbench", "-n", 6).out
    [*found] = re.findall(r"Must Step (\d+) happen (before|after) Step (\d+)\?", shown)
    assert found
    for first in re.findall(r"witness: Step (\d+), then", shown):
        assert first in {number for one, _, other in found for number in (one, other)}
    assert "witness: Step " in shown
