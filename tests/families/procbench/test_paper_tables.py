"""The paper's tables and figures, against plain computation from the same scores."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from random import Random
from statistics import fmean, median
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
from thence.families.procbench.tables import tables
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.protocol import Protocol
from thence.scoring.judge import Response, Scored, score_sample

FIGURE_4 = "procbench-figure-4"
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


def by_hand() -> list[Table]:
    """Six questions of 2 or 4 steps; PML 2 of 2, 0 of 2, then 4, 2, 1 and 0 of 4.

    The last but one has six states in the reply, so that PA is 1/6; the last has no states.
    """
    rows = []
    for number, (steps, pml, said) in enumerate(
        ((2, 2, 2), (2, 0, 1), (4, 4, 4), (4, 2, 4), (4, 1, 6), (4, 0, None))
    ):
        values = {
            "pa": pml / max(steps, said or 0),
            "sm": float(pml == steps == said),
            "fm": float(pml == steps == said),
            "pml": float(pml),
        }
        sample = Sample(str(number), "procbench", "procbench/sort", "1-0", "", None,
                        {"steps": steps})  # fmt: skip
        answer = None if said is None else {"intermediate": ["a"] * (said - 1), "final": "a"}
        outcome = Outcome.WRONG if answer else Outcome.NO_ANSWER
        rows.append(Scored(sample, 0, 0, Score(outcome, answer, "json", values)))
    return tables([of_rows("m", "here", rows)])


def test_classes_of_pa_are_stacked() -> None:
    made = by_hand()
    short = named(made, "procbench-figure-3")
    assert [(row["length"], row["n"], row["pa"]) for row in short] == [
        ("Short", 6, each) for each in ("PA = 1", "0.5 to 1", "0 to 0.5", "PA = 0")
    ]
    assert [row["share"] for row in short] == [2 / 6, 1 / 6, 1 / 6, 2 / 6]
    found = {(row["N"], row["pa"]): row["share"] for row in named(made, "procbench-figure-10")}
    assert [found[2, each] for each in ("PA = 1", "0.5 to 1", "0 to 0.5", "PA = 0")] == [
        *(0.5, 0, 0, 0.5)
    ]
    assert [found[4, each] for each in ("PA = 1", "0.5 to 1", "0 to 0.5", "PA = 0")] == [
        *[0.25] * 4
    ]
    assert {table.chart.kind for table in made if table.chart and table.name.endswith("10")} == {
        "stack"
    }


def test_shares_that_reach_s_are_of_the_questions_with_s_steps() -> None:
    found = [(row["s"], row["n"], row["share"].value) for row in named(by_hand(), FIGURE_4)]
    assert found == [(1, 6, 4 / 6), (2, 6, 3 / 6), (3, 4, 1 / 4), (4, 4, 1 / 4)]


def test_the_oracle_reaches_every_s(made: list[Table]) -> None:
    found = [row for row in named(made, FIGURE_4) if row["model"] == "oracle"]
    assert [row["s"] for row in found] == [*range(1, 26)]
    assert {row["share"].value for row in found} == {1}


def test_every_reply_is_a_point_and_over_long_ones_are_counted() -> None:
    made = by_hand()
    points = [
        (row["N"], row["states in the reply"], row["replies"])
        for row in named(made, "procbench-figure-13")
    ]
    assert points == [(2, 1, 1), (2, 2, 1), (4, 4, 2), (4, 6, 1)]
    (lengths,) = named(made, "procbench-lengths")
    assert [*lengths.values()][1:] == [5, 0.2, 0.6, 0.2]


def test_the_line_of_a_faultless_model_is_in_pml_alone() -> None:
    ideal = [table.name for table in by_hand() if table.chart and table.chart.ideal]
    assert ideal == ["procbench-figure-2-pml", "procbench-figure-13"]


def test_bars_of_pml_and_the_classes_over_n(
    made: list[Table], runs: dict[str, list[Scored]]
) -> None:
    for number, (how, every) in enumerate(runs.items(), 1):
        for row in named(made, f"procbench-figure-5-{number}"):
            rows = of_length(every, row["N"], row["N"])
            own = [scored for scored in rows if scored.sample.task == f"procbench/{row['task']}"]
            assert row["pml"] == pytest.approx(mean(own, "pml")), how
            assert row["n"] == len(own)
    sums: dict[tuple[str, int], float] = {}
    for row in named(made, "procbench-figure-10"):
        key = row["model"], row["N"]
        sums[key] = sums.get(key, 0) + row["share"]
        if row["pa"] == "PA = 1":
            assert row["share"] == pytest.approx(mean(of_length(runs[key[0]], *key[1:] * 2), "sm"))
    assert len(sums) == 3 * 24
    assert list(sums.values()) == pytest.approx([1] * len(sums))


def test_boxes(made: list[Table], runs: dict[str, list[Scored]]) -> None:
    for number, metrics_of in ((6, ("pa",)), (9, ("sm", "pa", "fm"))):
        found = named(made, f"procbench-figure-{number}")
        held: dict[str, list[float]] = {}
        for row in found:
            own = [r for r in runs[row["model"]] if r.sample.task == f"procbench/{row['task']}"]
            assert row["mean"] == pytest.approx(mean(own, row["metric"].lower()))
            if row["metric"].lower() == metrics_of[0]:
                held.setdefault(row["task"], []).append(row["mean"])
        assert {row["metric"].lower() for row in found} == set(metrics_of)
        medians = [median(values) for values in held.values()]
        assert len(medians) == 3
        assert medians == sorted(medians, reverse=True)


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
    assert len({table.name for table in made}) == len(made) == 16
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
    first.protocol, second.protocol = "direct", "chain_of_thought"
    apart = named(tables([first, second]), "procbench-table-2")
    assert [row["model"] for row in apart[:2]] == ["m (direct)", "m (chain_of_thought)"]
    second.protocol = "direct"
    assert named(tables([first, second]), "procbench-table-2")[0]["model"] == "m"
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
