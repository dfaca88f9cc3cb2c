"""The rows of a frame chosen and told apart, whatever some of them lack."""

from __future__ import annotations

import pickle

import numpy as np
import polars as pl

from thence.core.score_frame import COLUMNS, COUNTS, ScoreFrame, joined

ROWS = [
    {"id": "a", "turn": 0, "outcome": "correct", "correct": True, "pa": 1.0, "group": "x"},
    {"id": "a", "turn": 1, "outcome": "provider_error", "correct": False},
    {"id": "b", "turn": 0, "outcome": "wrong", "correct": False, "cluster": "a", "group": "y"},
    {"id": "b", "turn": 1, "outcome": "correct", "correct": True, "pa": 0.5, "group": "y"},
]


def made(task: str = "t/one", rows: list[dict[str, object]] = ROWS) -> ScoreFrame:
    whole = [{"task": task, "epoch": 0, **row} for row in rows]
    return ScoreFrame(
        pl.DataFrame(whole, {**COLUMNS, "group": pl.Categorical, "pa": pl.Float64}), ("pa",)
    )


def test_rows_are_chosen_and_a_null_meets_no_condition() -> None:
    assert len(made().where(pl.col("pa") > 0)) == 2
    assert len(made().where(COUNTS)) == 3
    assert made().where(COUNTS | ~COUNTS).data.equals(made().data)


def test_groups_come_in_the_order_of_the_rows_and_none_is_empty() -> None:
    assert [(name, len(rows)) for name, rows in made().groups("group")] == [("x", 1), ("y", 2)]
    assert list(made().groups("no such dimension")) == []


def test_a_value_that_a_row_lacks_is_no_number_or_0() -> None:
    np.testing.assert_equal(made().numbers("pa"), [1, np.nan, np.nan, 0.5])
    assert made().metric("pa").tolist() == [1, 0, 0, 0.5]
    assert np.isnan(made().numbers("no such column")).all()


def test_texts_have_places_and_others_none() -> None:
    assert made().places("group", ["y", "x"]).tolist() == [1, -1, 0, 0]


def test_a_sample_without_a_cluster_is_its_own() -> None:
    first, second, third, fourth = made().clusters().tolist()
    assert first == second == third != fourth


def test_a_conversation_has_a_first_and_a_last_turn_that_count() -> None:
    first, last = made().conversations(2)
    assert first.data["id"].to_list() == last.data["id"].to_list() == ["b"]
    assert (first.data["turn"].to_list(), last.data["turn"].to_list()) == ([0], [1])


def test_frames_are_put_end_to_end_and_pickled() -> None:
    both = joined([made(), made("t/two")])
    assert both.tasks == ["t/one", "t/two"]
    again = pickle.loads(pickle.dumps(both))
    assert again.data.equals(both.data)
    assert again.clusters().tolist() == both.clusters().tolist()
    assert sum(both.outcomes().values()) == 2 * len(ROWS)
