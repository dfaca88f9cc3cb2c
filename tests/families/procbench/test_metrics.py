from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence import families
from thence.families.procbench.metrics import METRICS, metrics, prefix_match_length
from thence.generation.plan import Plan
from thence.generation.suite import generate

TASKS = [task for task in families.tasks().values() if task.family == "procbench"]


def by_definition(truth: list[Any], predicted: list[Any]) -> dict[str, float]:
    """The four metrics as the paper words them."""
    n, m = len(truth), len(predicted)
    pml = max(k for k in range(min(n, m) + 1) if truth[:k] == predicted[:k])
    pa = pml / max(n, m)
    sm = 1 if pa == 1 else 0
    fm = 1 if m and truth[n - 1] == predicted[m - 1] else 0
    return {"pa": pa, "sm": sm, "fm": fm, "pml": pml}


states = st.sampled_from(["", "a", "b", "ab"]) | st.lists(st.sampled_from(["a", "b"]), max_size=2)
sequences = st.lists(states, min_size=1, max_size=8)


@given(sequences, st.lists(states, max_size=8))
def test_of_any_two_sequences(truth: list[Any], predicted: list[Any]) -> None:
    assert metrics(truth, predicted) == by_definition(truth, predicted)


@given(sequences, st.integers(0, 8), st.lists(states, max_size=4))
def test_of_sequences_that_begin_alike(truth: list[Any], kept: int, rest: list[Any]) -> None:
    predicted = truth[:kept] + rest
    found = metrics(truth, predicted)
    assert found == by_definition(truth, predicted)
    assert found["pml"] == prefix_match_length(truth, predicted) >= min(kept, len(truth))
    assert (found["sm"] == 1) is (predicted == truth)
    assert all(0 <= found[name] <= 1 for name in ("pa", "sm", "fm"))


@pytest.mark.parametrize(
    ("said", "pa", "sm", "fm", "pml"),
    [
        ("abcd", 1.0, 1, 1, 4),
        ("abc", 0.75, 0, 0, 3),
        ("abcde", 0.8, 0, 0, 4),
        ("abcdd", 0.8, 0, 1, 4),
        ("xbcd", 0.0, 0, 1, 0),
        ("d", 0.0, 0, 1, 0),
        ("", 0.0, 0, 0, 0),
        ("abxd", 0.5, 0, 1, 2),
    ],
)
def test_by_hand(said: str, pa: float, sm: int, fm: int, pml: int) -> None:
    assert metrics(list("abcd"), list(said)) == {"pa": pa, "sm": sm, "fm": fm, "pml": pml}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_grade_holds_all_four_and_is_right_where_sm_is(task: Any) -> None:
    sample = next(iter(generate(Plan([task.full_name], settings={"steps": "4"}, size=1))))
    right = task.format.read(task.format.write(sample.target), task.question(sample))
    assert task.grader.grade(right.value, sample).values == dict.fromkeys(METRICS, 1.0) | {
        "pml": 4.0
    }
    assert task.grader.grade(right.value, sample).correct
    nothing = task.grader.grade(None, sample)
    assert nothing.values == dict.fromkeys(METRICS, 0.0)
    assert not nothing.correct
