"""Twins answered alike within a run, and over the runs of one model."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from random import Random
from statistics import mean

import pytest

from tests.scoring.results import frame, results
from thence.analysis import consistency
from thence.analysis.summary import overview
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.core.statistics import Estimate
from thence.generation import suite
from thence.generation.plan import Plan
from thence.scoring.judge import Scored

SIZE = 6


def question(name: str, pair: str | None, target: str) -> Sample:
    metadata = {"pair": pair, "cluster": f"c{pair}", "group": "taint", "question": {}}
    return Sample(name, "fable", "fable/plans/taint", "1-0", "", target, metadata)


def scored(sample: Sample, epoch: int, said: str | None) -> Scored:
    outcome = Outcome.CORRECT if said == sample.target else Outcome.WRONG
    if said is None:
        outcome = Outcome.NO_ANSWER
    return Scored(sample, epoch, 0, Score(outcome, said, said and "verdict", {}))


def naive(rows: list[Scored]) -> float | None:
    """Every two questions of a pair with one truth, in each epoch, counted by hand."""
    held: dict[object, list[bool]] = defaultdict(list)
    for one, other in combinations(rows, 2):
        a, b = one.sample, other.sample
        pair = a.metadata["pair"]
        if pair is None or pair != b.metadata["pair"] or one.epoch != other.epoch:
            continue
        if a.id != b.id and a.target == b.target and one.score.counts and other.score.counts:
            said = one.score.answer
            held[pair].append(said is not None and said == other.score.answer)
    return mean(mean(each) for each in held.values()) if held else None


@pytest.mark.parametrize("seed", range(30))
def test_the_share_is_what_its_definition_says(seed: int) -> None:
    rng = Random(seed)
    rows = []
    for place in range(rng.randint(1, 20)):
        pair = rng.choice([None, "a", "b", "c", "d"])
        sample = question(f"q{place}", pair, rng.choice(["Yes", "No"]))
        for epoch in range(rng.randint(1, 3)):
            rows.append(scored(sample, epoch, rng.choice(["Yes", "No", None])))
            if rng.random() < 0.1:
                rows[-1] = Scored(sample, epoch, 0, Score(Outcome.PROVIDER_ERROR))
    found, wanted = consistency.occ(frame(rows)), naive(rows)
    assert (found is None) == (wanted is None)
    if found is not None and wanted is not None:
        assert found.value == pytest.approx(wanted)


def test_a_run_whose_samples_are_twins_tells_how_many_it_answers_alike() -> None:
    rows = [
        scored(question(f"{pair}{k}", str(pair), "Yes"), 0, "Yes" if k or pair else "No")
        for pair in range(4)
        for k in range(2)
    ]
    held = results("x/m", "here", rows)
    (summary,) = overview(held).tasks.values()
    assert summary.metrics["occ"].value == 0.75
    told = summary.to_json()
    assert told["occ_n"] == 4
    assert told["occ_ci"] is not None


def test_two_framings_of_the_same_graphs_are_told_together() -> None:
    runs = []
    for framing in ("symbolic", "finance"):
        plan = Plan(["releval/consistency"], 0, SIZE, settings={"framing": framing})
        rows = [
            scored_as(sample, right=framing == "symbolic" or place > 0)
            for place, sample in enumerate(suite.generate(plan))
        ]
        runs.append(results("x/m", framing, rows))
    assert consistency.tables(runs[:1]) == []
    (table,) = consistency.tables(runs)
    ((model, task, pairs, share),) = table.rows
    assert (model, task, pairs) == ("x/m", "releval/consistency", SIZE)
    assert isinstance(share, Estimate)
    assert share.value == pytest.approx((SIZE - 1) / SIZE)


def scored_as(sample: Sample, *, right: bool) -> Scored:
    if right:
        return Scored(sample, 0, 0, Score(Outcome.CORRECT, sample.target, "output", {}))
    wrong = {"consistent": not sample.target["consistent"], "cycles": []}
    return Scored(sample, 0, 0, Score(Outcome.WRONG, wrong, "output", {}))


def test_twins_that_were_asked_by_different_protocols_are_not_told_together() -> None:
    yes, other = (scored(question(name, "a", "Yes"), 0, "Yes") for name in ("q", "r"))
    direct, sure = results("m", "here", [yes]), results("m", "there", [other])
    direct.protocol = sure.protocol = "direct"
    (table,) = consistency.tables([direct, sure])
    assert [row[:3] for row in table.rows] == [("m", "fable/plans/taint", 1)]
    sure.protocol = "are_you_sure"
    assert consistency.tables([direct, sure]) == []
