"""The paper's tables and figures, against plain computation from the same scores."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from random import Random
from statistics import fmean, median, quantiles
from typing import Any

import pytest

from tests.scoring.results import RowResults
from tests.scoring.results import results as of_rows
from thence import families
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.core.statistics import Estimate
from thence.core.table import Table
from thence.families.procbench.metrics import metrics
from thence.families.procbench.paper_figures import TABLE_2
from thence.families.procbench.tables import five_numbers, tables
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.protocol import Protocol
from thence.scoring.judge import Response, Scored, score_sample

TASKS = ["procbench/sort", "procbench/count", "procbench/compare"]


def samples(steps: str = "2-25", size: int = 48) -> list[Sample]:
    plan = Plan(TASKS, settings={"steps": steps}, size=size)
    return list(generate(plan))


def answered(sample: Sample, how: str) -> str:
    task = families.task(sample.task)
    if how == "silent" or (how == "mixed" and sample.metadata["steps"] % 5 == 0):
        return "I do not know."
    right = how == "oracle" or (how == "mixed" and sample.metadata["steps"] % 3 == 0)
    target = sample.target if right else task.checks.perturb(sample, Random(sample.id))
    return task.format.write(target)


def results(asked: list[Sample], how: str, model: str) -> RowResults:
    rows = [
        row
        for sample in asked
        for row in score_sample(sample, [Response(sample.id, response=answered(sample, how))],
                                Protocol())
    ]  # fmt: skip
    return of_rows(model, "here", rows)


def named(made: list[Table], name: str) -> list[dict[str, Any]]:
    (table,) = [each for each in made if each.name == name]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.fixture(scope="module")
def runs() -> dict[str, list[Scored]]:
    asked = samples()
    made = {how: results(asked, how, how) for how in ("oracle", "wrong", "mixed")}
    return {how: list(held.rows) for how, held in made.items()}


@pytest.fixture(scope="module")
def made(runs: dict[str, list[Scored]]) -> list[Table]:
    return tables([of_rows(how, "here", rows) for how, rows in runs.items()])


def mean(rows: list[Scored], metric: str) -> float:
    return fmean(row.score.values[metric] for row in rows)


def of_length(rows: list[Scored], first: int, last: int) -> list[Scored]:
    return [row for row in rows if first <= row.sample.metadata["steps"] <= last]


def test_table_2_is_ours_and_then_the_seven_printed_rows(
    made: list[Table], runs: dict[str, list[Scored]]
) -> None:
    found = named(made, "procbench-table-2")
    bins = {"Short": (2, 6), "Medium": (7, 16), "Long": (17, 25), "Overall": (2, 25)}
    for row, (how, rows) in zip(found, runs.items(), strict=False):
        assert row["model"] == how
        for name, ends in bins.items():
            for metric in ("pa", "sm"):
                cell = row[f"{metric.upper()} {name}"]
                assert isinstance(cell, Estimate)
                assert cell.value == pytest.approx(mean(of_length(rows, *ends), metric))
                assert cell.n == len(of_length(rows, *ends))
                assert cell.low <= cell.value <= cell.high
    assert {found[0][f"SM {name}"].value for name in bins} == {1}
    assert {found[1][f"SM {name}"].value for name in bins} == {0}
    assert [row["model"] for row in found[3:]] == [f"{name} (paper)" for name in TABLE_2]
    assert list(found[-1].values())[1:] == [0.799, 0.656, 0.736, 0.563, 0.599, 0.333, 0.698, 0.496]


@pytest.mark.parametrize("model", TABLE_2)
def test_the_printed_overall_follows_from_the_bins(model: str) -> None:
    *bins, overall = TABLE_2[model]
    for place in (0, 1):
        short, medium, long = (pair[place] for pair in bins)
        follows = (5 * short + 10 * medium + 9 * long) / 24
        assert follows == pytest.approx(overall[place], abs=0.0011)


def test_lines_over_n(made: list[Table], runs: dict[str, list[Scored]]) -> None:
    for metric in ("pa", "sm", "fm", "pml"):
        found = named(made, f"procbench-figure-2-{metric}")
        assert [row["N"] for row in found] == [*range(2, 26)] * 3
        for row in found:
            rows = of_length(runs[row["model"]], row["N"], row["N"])
            assert row[metric].value == pytest.approx(mean(rows, metric))
            assert row["n"] == len(rows) == row[metric].n


def test_shares_that_reach_s(made: list[Table], runs: dict[str, list[Scored]]) -> None:
    found = named(made, "procbench-figure-4")
    assert [row["s"] for row in found] == [*range(1, 26)] * 3
    for row in found:
        rows = runs[row["model"]]
        share = fmean(scored.score.values["pml"] >= row["s"] for scored in rows)
        assert row["share"].value == pytest.approx(share)
        if row["model"] == "oracle":
            assert row["share"].value == row["at most"]


def test_the_map_and_the_histogram_over_n(made: list[Table], runs: dict[str, list[Scored]]) -> None:
    for row in named(made, "procbench-figure-5"):
        rows = of_length(runs[row["model"]], row["N"], row["N"])
        own = [scored for scored in rows if scored.sample.task == f"procbench/{row['task']}"]
        assert row["pml"] == pytest.approx(mean(own, "pml"))
    sums: dict[tuple[str, int], float] = {}
    for row in named(made, "procbench-figure-10"):
        key = row["model"], row["N"]
        sums[key] = sums.get(key, 0) + row["share"]
        if row["pa"] == "1":
            assert row["share"] == pytest.approx(mean(of_length(runs[key[0]], *key[1:] * 2), "sm"))
    assert len(sums) == 3 * 24
    assert list(sums.values()) == pytest.approx([1] * len(sums))


def test_boxes(made: list[Table], runs: dict[str, list[Scored]]) -> None:
    for number, metric in ((6, "pa"), (9, "sm")):
        found = named(made, f"procbench-figure-{number}")
        held: dict[str, list[float]] = {}
        for row in found:
            own = [r for r in runs[row["model"]] if r.sample.task == f"procbench/{row['task']}"]
            assert row[metric] == pytest.approx(mean(own, metric))
            held.setdefault(row["task"], []).append(row[metric])
        medians = [median(values) for values in held.values()]
        assert len(medians) == 3
        assert medians == sorted(medians, reverse=True)
    short = [row for row in named(made, "procbench-figure-3") if row["length"] == "Short"]
    values = [row.score.values["pa"] for row in of_length(runs["wrong"], 2, 6)]
    shown = {row["of the questions"]: row["pa"] for row in short if row["model"] == "wrong"}
    assert shown["median"] == median(values)
    assert (shown["least"], shown["most"]) == (min(values), max(values))


def test_tables_of_many_rows_hold_no_second_copy_of_them() -> None:
    def held(count: int) -> Iterator[Scored]:
        score = Score(Outcome.WRONG, None, None, metrics(["a", "b"], []))
        for number in range(count):
            told = {"steps": 2 + number % 24, "length": "Short"}
            yield Scored(Sample(f"{number:032x}", "procbench", TASKS[0], "1", "", "", told),
                         0, 0, score)  # fmt: skip

    count = 20_000
    made = of_rows("openai/m", "here", held(count))
    tables([made])  # what is made once
    tracemalloc.start()
    (zero,) = (each for each in tables([made]) if each.name == "procbench-zero")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert zero.rows[0][1] == count
    assert f"{0:032x}" in zero.note and f"and {count - 20} more" in zero.note
    assert most < 120 * count


def test_quartiles_are_those_of_the_standard_library() -> None:
    draw = Random(5)
    for size in range(2, 40):
        values = [draw.random() for _ in range(size)]
        inner = quantiles(values, n=4, method="inclusive")
        assert five_numbers(values) == [min(values), *inner, max(values)]


def test_five_numbers_by_hand() -> None:
    assert five_numbers([0.25]) == [0.25] * 5
    assert five_numbers([4, 1, 3, 2, 5]) == [1, 2, 3, 4, 5]
    assert five_numbers(five_numbers([7, 1, 9, 4])) == five_numbers([7, 1, 9, 4])


def test_predicted_lengths_are_of_the_replies_that_were_read(
    made: list[Table], runs: dict[str, list[Scored]]
) -> None:
    found = named(made, "procbench-figure-13")
    assert all(row["predicted"] == row["N"] for row in found if row["model"] == "oracle")
    for row in found:
        rows = of_length(runs[row["model"]], row["N"], row["N"])
        read = [scored.score.answer for scored in rows if scored.score.answer is not None]
        assert row["n"] == len(read)
        assert row["predicted"] == fmean(len(answer["intermediate"]) + 1 for answer in read)
    assert not any(row["N"] % 5 == 0 for row in found if row["model"] == "mixed")


def test_questions_that_nobody_begins_rightly() -> None:
    asked = samples("2-9", 16)
    silent, wrong = results(asked, "silent", "a/b"), results(asked, "wrong", "c/d")
    zero = [row.sample for row in wrong.rows if row.score.values["pa"] == 0]
    assert 0 < len(zero) < len(asked)
    oracle = results(asked, "oracle", "baseline/oracle")
    made = tables([silent, wrong, oracle])
    *by_task, ours, printed = named(made, "procbench-zero")
    assert (ours["PA = 0"], ours["asked of all"]) == (len(zero), len(asked))
    assert sum(row["PA = 0"] for row in by_task) == len(zero)
    assert (printed["PA = 0"], printed["asked of all"]) == (91, 5520)
    (table,) = [each for each in made if each.name == "procbench-zero"]
    assert "of 2 models" in table.title
    assert [each.id in table.note for each in zero[:20]] == [True] * len(zero[:20])

    (table,) = [t for t in tables([results(asked, "silent", "a/b")]) if t.name == "procbench-zero"]
    assert table.note.count(",") >= 19
    assert f"and {len(asked) - 20} more" in table.note
    assert asked[19].id in table.note
    assert asked[20].id not in table.note


def test_one_right_start_among_repeats_clears_a_question() -> None:
    asked = samples("3", 1)
    rows = []
    for epoch, how in enumerate(("silent", "oracle", "silent")):
        for sample in asked:
            response = Response(sample.id, epoch, response=answered(sample, how))
            rows += score_sample(sample, [response], Protocol())
    made = tables([of_rows("a/b", "here", rows)])
    assert named(made, "procbench-zero")[0]["PA = 0"] == 0


def test_provider_errors_and_earlier_turns_stay_out() -> None:
    asked = samples("2-4", 3)
    rows = []
    for place, sample in enumerate(asked):
        error = {"kind": "server", "message": "", "status": 500} if place == 0 else None
        text = answered(sample, "oracle")
        replies = [
            Response(sample.id, turn=0, response="nothing"),
            Response(sample.id, turn=1, response=text, error=error),
        ]
        rows += score_sample(sample, replies, Protocol())
    made = tables([of_rows("a/b", "here", rows, turns=2)])
    overall = named(made, "procbench-table-2")[0]["SM Overall"]
    assert (overall.value, overall.n) == (1, len(asked) - 1)


def test_long_problems_are_taken_together_and_told_apart() -> None:
    asked = samples("20-80", 61)
    made = tables([results(asked, "oracle", "a/b")])
    found = named(made, "procbench-figure-2-pml")
    assert len(found) == 25
    assert sum(row["n"] for row in found) == len(asked)
    first = named(made, "procbench-table-2")[0]
    assert first["PA Short"] is None
    assert first["SM Other"].n == sum(sample.metadata["steps"] > 25 for sample in asked)
    assert first["SM Overall"].n == sum(sample.metadata["steps"] <= 25 for sample in asked)
    assert len(named(made, "procbench-figure-5")) <= 3 * 25


def test_nothing_is_shown_of_other_families() -> None:
    assert tables([of_rows("a/b", "here", [])]) == []


def test_every_chart_names_columns_that_its_table_has(made: list[Table]) -> None:
    assert len({table.name for table in made}) == len(made) == 13
    for table in made:
        assert {len(row) for row in table.rows} == {len(table.columns)}
        if table.chart is not None:
            chart = table.chart
            used = [chart.x, chart.y, chart.series, chart.value]
            assert all(name in table.columns for name in used if name)


def test_errors_alone_make_no_table() -> None:
    asked = samples(size=3)
    rows = [
        row
        for sample in asked
        for row in score_sample(sample, [Response(sample.id, error={"kind": "server"})], Protocol())
    ]
    assert tables([of_rows("x/m", "here", rows)]) == []


def test_runs_of_one_model_are_taken_together_and_stay_what_they_are() -> None:
    asked = samples(size=24)
    first, second = results(asked[:40], "mixed", "m"), results(asked[40:], "wrong", "m")
    both = tables([first, second])
    whole = tables([results(asked[:40], "mixed", "m")])
    [row] = [row for row in named(both, "procbench-zero") if row["task"] == "all"]
    assert row["asked of all"] == len(asked)
    assert str(tables([first])) == str(whole)  # NaN is not equal to itself


def test_questions_are_named_whatever_their_ids_are() -> None:
    asked = [
        Sample(name, each.family, each.task, each.version, each.input, each.target, each.metadata)
        for name, each in zip(("AB" * 16, "ab" * 16, "mine \ud800"), samples(size=1), strict=True)
    ]
    [table] = [
        each for each in tables([results(asked, "silent", "m")]) if each.name == "procbench-zero"
    ]
    for sample in asked:
        assert sample.id.encode("utf-8", "backslashreplace").decode() in table.note
