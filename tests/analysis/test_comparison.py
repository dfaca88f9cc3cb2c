"""Two runs compared: by hand, against scipy, and on runs whose difference is known."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest
import scipy.stats

from tests.scoring.results import results
from thence import families
from thence.analysis.comparison import (
    FLIPS,
    MCNEMAR,
    Comparison,
    Difference,
    _agreeing,
    _sentence,
    compare,
    conclusions,
)
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.core.statistics import Estimate, holm, mcnemar, sign_flips
from thence.errors import UsageError
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, Scored, score_sample

DIRECT = protocol("direct")
NAMES = ("family", "task", "version", "input", "target")
SAMPLES = list(generate(Plan(["procbench/sort", "procbench/count"], size=40), 1))


def run(name: str, right, samples=SAMPLES, epochs: int = 1) -> Results:
    """A run whose answer to a sample and epoch is right where ``right(sample, epoch)`` says so."""
    rows = []
    for sample in samples:
        for epoch in range(epochs):
            correct = right(sample, epoch)
            answer = sample.target if correct else {"intermediate": [], "final": name}
            outcome = Outcome.CORRECT if correct else Outcome.WRONG
            rows.append(Scored(sample, epoch, 0, Score(outcome, answer, "json")))
    return results(name, name, rows)


def clustered(samples, size: int) -> list[Sample]:
    return [
        Sample(
            each.id, each.family, each.task, each.version, "", each.target,
            {**each.metadata, "cluster": f"{each.task}{place // size}"},
        )
        for place, each in enumerate(samples)
    ]  # fmt: skip


@pytest.mark.parametrize(("lost", "gained"), [(0, 0), (3, 3), (1, 9), (20, 5), (0, 12), (400, 300)])
def test_mcnemar_is_scipys_binomial_test(lost, gained):
    expected = 1.0 if lost + gained == 0 else scipy.stats.binomtest(lost, lost + gained).pvalue
    assert mcnemar(lost, gained) == pytest.approx(expected, rel=1e-9)


def test_sign_flips_come_near_the_exact_share():
    totals = [3.0, -1.0, 2.0, 2.0, 1.0]
    signs = [[1 if mask >> place & 1 else -1 for place in range(5)] for mask in range(32)]
    sums = [abs(sum(s * t for s, t in zip(each, totals, strict=True))) for each in signs]
    exact = sum(each >= 7 for each in sums) / 32
    changes = [1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 2.0, 1.0]
    assert sign_flips(changes, "aaabccde") == pytest.approx(exact, abs=0.02)
    assert sign_flips([0.0, 0.0], "ab") == 1.0


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_a_run_against_itself_and_against_a_better_one():
    rng = Random(1)
    weak = {sample.id for sample in SAMPLES if rng.random() < 0.4}
    first = run("weak", lambda sample, _: sample.id in weak)
    same = compare(first, first)
    assert same.overall["procbench"].change.value == 0
    assert "right on the same questions" in conclusions(same)[0]
    second = run("strong", lambda sample, _: True)
    found = compare(first, second)
    each = found.overall["procbench"]
    assert (each.n, each.lost, each.gained) == (80, 0, 80 - len(weak))
    assert each.change.value == pytest.approx(1 - len(weak) / 80)
    assert each.change.low < each.change.value < each.change.high
    assert each.test == MCNEMAR
    assert each.p == pytest.approx(scipy.stats.binomtest(0, 80 - len(weak)).pvalue)
    assert "strong is better by" in conclusions(found)[0]
    assert each.alike == pytest.approx(len(weak) / 80)
    assert sum(group.n for group in found.groups.values()) == 80
    back = compare(second, first).overall["procbench"]
    assert back.change.value == -each.change.value
    assert back.p == each.p


def test_shared_procedures_widen_what_can_be_said():
    rng = Random(2)
    samples = clustered(SAMPLES, 10)
    good = {sample.cluster for sample in samples if rng.random() < 0.5}
    first = run("first", lambda sample, _: sample.cluster not in good, samples)
    second = run("second", lambda sample, _: True, samples)
    found = compare(first, second).overall["procbench"]
    assert found.test == FLIPS
    alone = compare(
        run("first", lambda sample, _: sample.cluster not in good and sample, samples),
        run("second", lambda sample, _: True, samples),
    )
    assert found.p > mcnemar(found.lost, found.gained)
    assert alone.overall["procbench"].p == found.p


@pytest.mark.parametrize(("size", "some"), [(16, False), (12, True)])
def test_so_few_procedures_that_no_difference_is_significant_are_said(size, some):
    """Five signs flipped have p of 1/16 at least; seven may be significant."""
    held = clustered([each for each in SAMPLES if each.task == "procbench/sort"] * 2, size)
    held = [
        Sample(f"{each.id}{place}", *(getattr(each, name) for name in NAMES), each.metadata)
        for place, each in enumerate(held)
    ]
    none, every = run("none", lambda *_: False, held), run("all", lambda *_: True, held)
    (found,) = compare(none, every).overall.values()
    assert (found.test, found.p < 0.05, math.isnan(found.detectable)) == (FLIPS, some, not some)
    said = "so many questions about so few procedures the test can detect none at all"
    assert (said in conclusions(compare(none, every))[0]) == (not some)


def test_epochs_are_shares_of_one_question():
    first = run("first", lambda sample, epoch: epoch < 2, epochs=4)
    second = run("second", lambda sample, epoch: True, epochs=4)
    found = compare(first, second).overall["procbench"]
    assert found.n == 80
    assert found.change.value == pytest.approx(0.5)
    assert found.test == FLIPS


def test_chance_alone_is_seldom_called_a_difference():
    said = 0
    for seed in range(60):
        rng = Random(seed)
        first, second = (
            run(name, lambda sample, _, rng=rng: rng.random() < 0.5) for name in ("first", "second")
        )
        said += compare(first, second).overall["procbench"].p < 0.05
    assert said <= 8


def test_twins_are_joined_by_their_pair():
    def twins(kind: str) -> list[Sample]:
        return [
            Sample(
                f"{kind}{place}", each.family, each.task, each.version, "", each.target,
                {**each.metadata, "pair": f"graph {place}"},
            )
            for place, each in enumerate(SAMPLES)
        ]  # fmt: skip

    first = run("symbols", lambda sample, _: True, twins("a"))
    second = run("words", lambda sample, _: False, twins("b"))
    found = compare(first, second)
    assert found.overall["procbench"].n == 80
    assert found.overall["procbench"].lost == 80
    assert found.unpaired == 0


def framed(task: str, size: int = 12) -> dict[str, list[Sample]]:
    return {
        framing: list(generate(Plan([task], size=size, settings={"framing": framing}), 1))
        for framing in ("symbolic", "software", "finance")
    }


def other(sample: Sample):
    return families.task(sample.task).checks.perturb(sample, Random(1))


def said(name: str, answers) -> Results:
    """A run that gave these answers."""
    rows = []
    for sample, answer in answers:
        outcome = Outcome.CORRECT if answer == sample.target else Outcome.WRONG
        rule = "output" if answer is not None else None
        rows.append(Scored(sample, 0, 0, Score(outcome, answer, rule)))
    return results(name, name, rows)


@pytest.mark.parametrize("task", ["releval/comparison", "releval/consistency"])
def test_framings_of_a_graph_are_twins_that_are_answered_alike_or_not(task):
    twins = framed(task)
    first = said("signs", ((each, each.target) for each in twins["symbolic"]))
    answers = [
        (each, None if place == 0 else other(each) if place < 4 else each.target)
        for place, each in enumerate(twins["finance"])
    ]
    second = said("words", answers)
    found = compare(first, second)
    assert found.twins["releval"].value == pytest.approx(8 / 12)
    assert found.twins["releval"].n == 12
    assert any("66.7% alike (OCC)" in each for each in conclusions(found))
    assert found.to_json()["twins"]["releval"]["occ"] == pytest.approx(8 / 12)
    assert compare(first, first).twins == {}


def test_twins_within_each_of_two_runs_give_both_their_occ():
    twins = framed("releval/comparison")
    every = [each for held in twins.values() for each in held]
    first = said("steady", ((each, each.target) for each in every))
    astray = {each.id for each in twins["software"][:6]}
    second = said(
        "wavering", ((each, other(each) if each.id in astray else each.target) for each in every)
    )
    found = compare(first, second).metrics["releval"]["occ"]
    assert found.first.value == 1.0
    # Of six graphs one of three is astray: one of its three pairs is alike.
    assert found.second.value == pytest.approx((6 + 6 / 3) / 12)
    assert found.change.value == pytest.approx(-1 / 3)
    assert found.change.low < found.change.value < found.change.high


def test_twins_whose_truths_differ_are_not_said_to_be_answered_alike_or_not():
    """Who is right about both answers them differently."""
    held = sorted(generate(Plan(["fable/recipes/taint"], size=8), 1), key=lambda each: each.target)
    held = [
        replace(each, metadata={**each.metadata, "pair": place % 4})
        for place, each in enumerate(held)  # four are No, then four are Yes
    ]
    right = said("right", ((each, each.target) for each in held))
    pairs = {each.sample.metadata["pair"] for each in right.rows}
    assert len(pairs) < len(right.rows)
    assert "occ" not in compare(right, right).metrics["fable"]


def test_a_plan_in_actions_and_in_sentences_is_asked_as_twins():
    if "fable/plans/taint" not in offered_plans():
        pytest.skip("needs the extra plans")
    first, second = (
        list(generate(Plan(["fable/plans/taint"], size=4, settings={"text": text}), 1))
        for text in ("grounded", "english")
    )
    assert [each.id for each in first] != [each.id for each in second]
    assert [each.metadata["pair"] for each in first] == [each.metadata["pair"] for each in second]
    assert len({each.metadata["pair"] for each in first}) == 4
    found = compare(
        said("a", ((each, each.target) for each in first)),
        said("b", ((each, each.target) for each in second)),
    )
    assert found.twins["fable"].value == 1.0


def offered_plans() -> list[str]:
    every = families.tasks().items()
    return [
        name for name, task in every if not task.generator.unavailable(task.generator.configure({}))
    ]


def test_what_only_one_answered_is_said_and_nothing_shared_is_refused():
    half = run("half", lambda sample, _: True, SAMPLES[:30])
    whole = run("whole", lambda sample, _: True)
    found = compare(half, whole)
    assert found.unpaired == 50
    assert any("50 questions" in note for note in found.notes)
    with pytest.raises(UsageError, match="share no question"):
        compare(half, run("other", lambda sample, _: True, SAMPLES[30:]))
    assert math.isfinite(found.overall["procbench"].change.low)
    assert set(found.tasks) <= set(families.tasks())


def answered(name: str, samples, said) -> Results:
    """A run that says what ``said(sample)`` is, read and scored."""
    rows = []
    for sample in samples:
        reply = families.task(sample.task).format.write(said(sample))
        rows += score_sample(sample, [Response(sample.id, response=reply)], DIRECT)
    return results(name, name, rows)


def test_metrics_beside_the_accuracy_have_paired_intervals():
    def some(share: float):
        chance = Random(1)
        halved = {each.id for each in SAMPLES if chance.random() < share}

        def said(sample):
            states = sample.target["intermediate"]
            kept = states[: len(states) // 2] if sample.id in halved else states
            return {"intermediate": kept, "final": sample.target["final"]}

        return said

    first, second = answered("a", SAMPLES, some(0.7)), answered("b", SAMPLES, some(0.3))
    metrics = compare(first, second).metrics["procbench"]
    assert metrics.keys() == {"pa", "fm", "pml"}  # sm is the accuracy
    for name in ("pa", "pml"):
        each = metrics[name]
        assert each.change.value == pytest.approx(each.second.value - each.first.value)
        assert 0 < each.change.low < each.change.value < each.change.high
        assert each.to_json()["difference_ci"] == [each.change.low, each.change.high]
    assert metrics["fm"].change.value == 0
    assert metrics["fm"].to_json()["difference_ci"] is None  # no resample differs


def test_macro_f1_and_consistency_have_the_interval_of_a_paired_bootstrap():
    samples = list(generate(Plan(["catbench/order"], size=240), 1))
    chance = Random(1)
    wrong = {sample.id for sample in samples if chance.random() < 0.3}

    def some(share: float):
        other = {"yes": "no", "no": "yes"}
        return lambda each: (
            other[each.target] if each.id in wrong and chance.random() < share else each.target
        )

    first, second = answered("a", samples, some(1.0)), answered("b", samples, some(0.5))
    metrics = compare(first, second).metrics["catbench"]
    for name in ("macro_f1", "tc", "occ", "dep_recall", "macro_f1_close"):
        each = metrics[name]
        assert each.change.value == pytest.approx(each.second.value - each.first.value)
        assert each.change.low < each.change.value < each.change.high
    # What both runs get wrong cancels out: the paired interval is the narrower one.
    macro = metrics["macro_f1"]
    apart = macro.second.high - macro.first.low - (macro.second.low - macro.first.high)
    assert macro.change.high - macro.change.low < apart
    # Another way: recipes drawn again one by one, and the figures worked out from their rows.
    held = [{}, {}]
    for place, run in enumerate((first, second)):
        for row in run.rows:
            held[place].setdefault(row.sample.cluster, []).append(row)
    found = []
    for _ in range(300):
        drawn = chance.choices(list(held[0]), k=len(held[0]))
        f1 = [macro_f1([row for cluster in drawn for row in side[cluster]]) for side in held]
        found.append(f1[1] - f1[0])
    found.sort()
    assert found[7] == pytest.approx(macro.change.low, abs=0.02)
    assert found[-8] == pytest.approx(macro.change.high, abs=0.02)


def macro_f1(rows) -> float:
    """From its definition, over the questions whose texts are not switched."""
    shares = []
    asked = [row for row in rows if row.sample.metadata["split"] != "NONDEP-S"]
    for answer in ("yes", "no"):
        right = sum(row.score.answer == row.sample.target == answer for row in asked)
        said = sum(row.score.answer == answer for row in asked)
        true = sum(row.sample.target == answer for row in asked)
        shares.append(2 * right / (said + true))
    return sum(shares) / 2


def test_interval_and_verdict_agree_in_sign_and_in_significance() -> None:
    raw = Estimate(0.4, 0.17, 0.58, 20)
    held = _agreeing(raw, 0.126)
    assert (held.low, held.high) == (0.0, 0.58)
    assert _agreeing(Estimate(-0.2, -0.4, 0.01, 20), 0.03).high == 0.0
    worse = Difference(40, 0.7, 0.5, Estimate(-0.2, -0.3, -0.1, 40), 9, 1, 0.02, "t", 0.5)
    names = Comparison("a", "b", {}, {}, {}, {}, {}, 0)
    assert "a is better by 20.0 points ([+10.0, +30.0]" in _sentence(names, "procbench", worse)
    unsure = replace(worse, change=Estimate(0.12, 0.0, 0.23, 40), p=0.06)
    told = _sentence(names, "procbench", unsure)
    assert "no significant difference" in told
    assert "b ahead by up to 23.0 points" in told
    assert "a ahead" not in told
