"""A tally holds of a response what its figures need, and no more."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest

from thence import families
from thence.analysis import summary
from thence.analysis.summary import Overview, overview
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.generation import suite
from thence.generation.plan import Plan
from thence.scoring.judge import Scored
from thence.scoring.results import Results
from thence.scoring.tally import Tally, part_of

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


def figures(view: Overview) -> dict[str, float]:
    (summary,) = view.families.values()
    return {name: each.value for name, each in summary.metrics.items()}


def test_the_figures_are_those_of_the_whole_rows() -> None:
    every = list(rows(4 * len(CATBENCH)))
    own = families.families()["catbench"].figures
    assert own is not None
    whole = own(part_of(every))
    found = figures(overview(Results("x", rows=every)))
    assert {"macro_f1", "tc", "occ"} <= set(found)
    assert found == {name: pytest.approx(each.value) for name, each in whole.items()}


def test_memory_grows_by_little_of_what_a_sample_takes() -> None:
    def taken(count: int) -> int:
        tracemalloc.start()
        tally = Tally(1, rows(count))
        assert sum(len(tally.part([name], ()).outcomes) for name in tally.tasks) == count
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return held

    taken(len(CATBENCH))  # imports
    few, many = 10, 40
    slope = (taken(many * len(CATBENCH)) - taken(few * len(CATBENCH))) / (
        (many - few) * len(CATBENCH)
    )
    assert slope < 100 < sum(map(len, CATBENCH)) / len(CATBENCH)


def test_groups_that_are_told_by_numbers_stand_in_their_order() -> None:
    names = ["[100, 150)", "[50, 100)", "[0, 50)"]
    assert sorted(names, key=summary._by_numbers) == names[::-1]
    assert sorted(["10_62_0", "5_14_3", "5_14_0"], key=summary._by_numbers) == [
        "5_14_0", "5_14_3", "10_62_0",
    ]  # fmt: skip
    mixed = ["relations [9, 10)", "objects [20, 30)"]
    assert sorted(mixed, key=summary._by_numbers) == mixed[::-1]
