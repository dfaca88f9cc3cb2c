"""A frame holds of a response what its figures need, and no more."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import polars as pl
import pytest

from thence import families
from thence.analysis import summary
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.core.score_frame import COLUMNS
from thence.errors import UsageError
from thence.generation import suite
from thence.generation.plan import Plan
from thence.prompts.catalog import protocol
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Response, Scored, score_sample

CATBENCH = [
    json.dumps(sample.to_json())
    for sample in suite.generate(Plan(["catbench/order"], seed=3, size=48))
]


def rows(count: int) -> Iterator[Scored]:
    """So many scored responses, each with a sample of its own as it is read from a file."""
    rng = Random(count)
    for place in range(count):
        held = Sample.from_json(json.loads(CATBENCH[place % len(CATBENCH)]))
        again = place // len(CATBENCH)
        held.metadata["pair"] += f" {again}"
        held.metadata["cluster"] = f"{held.cluster} {again}"
        sample = Sample(
            f"{place:032x}",
            held.family,
            held.task,
            held.version,
            held.input,
            held.target,
            held.metadata,
        )
        said = rng.choice(["yes", "no"])
        outcome = Outcome.CORRECT if said == held.target else Outcome.WRONG
        yield Scored(sample, 0, 0, Score(outcome, said, "a rule", {}, "because of " * 50))


def test_a_frame_holds_the_columns_of_every_row() -> None:
    every = list(rows(2 * len(CATBENCH)))
    (held,) = frames(every).values()
    assert set(COLUMNS) | {"split", "relation", "distance"} == set(held.data.columns)
    for row, found in zip(every, held.data.iter_rows(named=True), strict=True):
        assert (found["id"], found["epoch"], found["turn"]) == (row.sample.id, 0, 0)
        assert found["outcome"] == row.score.outcome
        assert found["correct"] == row.score.correct
        assert found["cluster"] == row.sample.cluster
        assert found["pair"] == row.sample.metadata["pair"]
        assert json.loads(found["answer"]) == row.score.answer
        assert (found["answer_hash"] == found["target_hash"]) == row.score.correct
        assert found["split"] == row.sample.metadata["split"]
        assert found["latency"] is None


def test_rows_are_gone_through_once() -> None:
    (held,) = frames(iter(list(rows(3)))).values()
    assert len(held) == 3


def test_a_value_that_is_no_number_is_none() -> None:
    (row,) = rows(1)
    (held,) = frames([row._replace(score=replace(row.score, values={"near": math.nan}))]).values()
    assert held.data["near"].to_list() == [None]


def test_a_long_answer_is_kept_where_it_is_asked_for() -> None:
    (sample,) = suite.generate(Plan(["procbench/sort"], size=1))
    row = Scored(sample, 0, 0, Score(Outcome.CORRECT, sample.target, "json", {"pa": 1.0}))
    (short,) = frames([row]).values()
    (whole,) = frames([row], answers=True).values()
    assert short.data["answer"].to_list() == [None]
    assert json.loads(whole.data["answer"][0]) == sample.target
    assert short.data["answer_hash"].equals(whole.data["answer_hash"])


def test_what_no_utf_8_can_hold_is_written_as_its_escape() -> None:
    (row,) = rows(1)
    odd = Score(Outcome.WRONG, "a\ud800", "a rule")
    (held,) = frames([row._replace(score=odd), row], answers=True).values()
    assert held.data["answer"].to_list()[0] == '"a\\ud800"'


def test_two_values_of_one_name_are_refused() -> None:
    (row,) = rows(1)
    for name in ("id", "split"):
        twice = replace(row.score, values={name: 1.0})
        with pytest.raises(UsageError, match=f"catbench/order: .* are called '{name}'; rename"):
            frames([row._replace(score=twice)])


def test_hashes_are_the_same_in_every_process() -> None:
    program = (
        "from thence.scoring.frame_builder import _hash;"
        "print(_hash(b'x'), _hash(('a', frozenset([('b', 'c'), ('d',)]))))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_a_row_takes_less_than_200_bytes() -> None:
    count = 40 * len(CATBENCH)
    (held,) = frames(rows(count)).values()
    assert held.data.estimated_size() / count < 200 < sum(map(len, CATBENCH)) / len(CATBENCH)


def test_families_agree_on_the_kind_of_every_column() -> None:
    """So that their frames fit end to end."""
    kinds: dict[str, pl.DataType] = {}
    names = ("procbench/sort", "catbench/order", "releval/comparison", "releval/plan_generation")
    for name in (*names, "releval/consistency", "fable/recipes/taint"):
        task = families.task(name)
        for sample in suite.generate(Plan([name], size=2)):
            response = Response(sample.id, response=task.format.write(sample.target))
            made = frames(score_sample(sample, [response], protocol("direct")))
            for column, kind in made[name].data.schema.items():
                assert kinds.setdefault(column, kind) == kind


def test_groups_that_are_told_by_numbers_stand_in_their_order() -> None:
    names = ["[100, 150)", "[50, 100)", "[0, 50)"]
    assert sorted(names, key=summary._by_numbers) == names[::-1]
    assert sorted(["10_62_0", "5_14_3", "5_14_0"], key=summary._by_numbers) == [
        "5_14_0", "5_14_3", "10_62_0",
    ]  # fmt: skip
    mixed = ["relations [9, 10)", "objects [20, 30)"]
    assert sorted(mixed, key=summary._by_numbers) == mixed[::-1]
