"""The figures of plans and cycles against numbers worked out by hand, and what is never paired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.families.releval.test_figures import named
from tests.families.releval.test_figures import results as of_consistency
from tests.scoring import results as made_of
from thence import families
from thence.analysis import summary
from thence.analysis.comparison import compare
from thence.core.sample import Sample
from thence.families.releval.false_cycles import cause, marks
from thence.families.releval.tables import tables
from thence.prompts.protocol import Protocol
from thence.reporting.charts import drawn
from thence.reporting.palette import Styles
from thence.scoring.judge import Response, Scored, judge

EDGES = {("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("a", "d")}


@pytest.mark.parametrize(
    ("cycle", "why"),
    [
        ("abc", None),
        ("bca", None),
        ("acb", "reversed"),
        ("abz", "unknown"),
        ("abab", "repeats"),
        ("a", "repeats"),
        ("abcd", "open"),  # all but d > a is stated, and a > d is the other way round
        ("bcd", "open"),
        ("adc", "turned"),
        ("dbc", "invented"),
        ("bad", "invented"),
    ],
)
def test_a_false_cycle_has_the_first_cause_that_applies(cycle: str, why: str | None) -> None:
    assert cause(list(cycle), EDGES, set("abcd")) == why


def test_marks_of_doubt_are_counted_as_words() -> None:
    found = marks(
        "Wait, is that so? A waiter? wait: no DAG; DAGs, a Directed Acyclic Graph. DAGGER"
    )
    assert found == {"waits": 2, "question_marks": 2, "dags": 3}


def judged(task: str, target: Any, metadata: dict[str, Any], reply: str, **more: Any) -> Scored:
    found = families.task(f"releval/{task}")
    name = f"{reply}{metadata}"
    sample = Sample(name, "releval", found.full_name, found.version, "", target, metadata)
    return Scored(
        sample, 0, 0, judge(Response(name, response=reply, **more), sample, found, DIRECT)
    )


DIRECT = Protocol()


def plan(n: int, m: int, *relations: str) -> Scored:
    listed = ", ".join(f'"{each}"' for each in relations)
    reply = f'<RESPONSE>{{"relationships": [{listed}]}}</RESPONSE>'
    target = {"objects": n, "relations": m, "names": None}
    return judged("plan_generation", target, {"group": f"{n}_{m}", "question": target}, reply)


def plans() -> list[Scored]:
    """Right, right, too few, twice the same, and a contradiction."""
    return [
        plan(2, 1, "a < b"),
        plan(10, 5, *(f"{x} < {x}{x}" for x in "abcde")),
        plan(11, 50, "a < b"),
        plan(3, 3, "a < b", "b > a", "b < c"),
        plan(3, 3, "a < b", "b < c", "c < a"),
    ]


def test_figure_1b_is_joint_and_bins_hold_their_right_edge() -> None:
    rows = named(tables([made_of.results("x/y", "here", plans())]), "releval-figure-1b")
    assert [(row["objects"], row["relations"], row["n"], row["accuracy"]) for row in rows] == [
        ("(0, 10]", "(0, 50]", 4, 0.5),
        ("(10, 20]", "(0, 50]", 1, 0.0),
    ]


def test_figure_6_tells_duplicates_by_model_and_group() -> None:
    made = tables([made_of.results("x/y", "here", plans())])
    (whole,) = named(made, "releval-figure-6")
    assert whole["with duplicates"].value == 0.2
    groups = {(row["objects"], row["relations"]): row for row in
              named(made, "releval-figure-6-groups")}  # fmt: skip
    assert {key: row["with duplicates"] for key, row in groups.items()} == {
        (2, 1): 0, (3, 3): 0.5, (10, 5): 0, (11, 50): 0,
    }  # fmt: skip
    cells = {(row["objects"], row["relations"]): row["accuracy"] for row in
             named(made, "releval-figures-9-12")}  # fmt: skip
    assert cells == {(2, 1): 1, (3, 3): 0, (10, 5): 1, (11, 50): 0}


def test_labels_of_a_wide_heat_map_stand_upright() -> None:
    rows = [plan(10, m, "a < b") for m in range(5, 145, 5)]
    made = tables([made_of.results("x/y", "here", rows)])
    shown = drawn(next(each for each in made if each.name == "releval-figures-9-12"), Styles())
    assert shown.count("rotate(-90") == len(rows)


@pytest.mark.parametrize("task", ["consistency", "comparison"])
def test_figure_3_is_drawn(task: str) -> None:
    held = of_consistency({"symbolic": [(1, 0.5), (0, 0)]})
    made = [each for each in tables([held]) if each.name == f"releval-figure-3-{task}"]
    assert all("<svg" in drawn(each, Styles()) for each in made)
    assert bool(made) is (task == "consistency")


def replied(text: str, **more: Any) -> Scored:
    metadata = {
        "group": "4_5_3",
        "question": {"framing": "symbolic", "facts": [[a, b, 0] for a, b in sorted(EDGES)]},
    }
    target = {"consistent": False, "cycles": [["a", "b", "c"]]}
    return judged("consistency", target, metadata, text, **more)


def test_false_cycles_and_thinking_are_told_in_tables() -> None:
    rows = [
        replied("OUTPUT:\nYes\n1. Cycle: <a, b, c, a>\n2. Cycle: <a, b, c, d, a>"),
        replied("OUTPUT:\nYes\n1. Cycle: <a, c, b, a>", reasoning="Wait. Is it? Wait."),
        replied("<think>wait?</think>OUTPUT:\nNo"),
    ]
    made = tables([made_of.results("x/y", "here", rows)])
    (told,) = named(made, "releval-false-cycles")
    assert (told["listed"], told["true"], told["open"], told["reversed"]) == (3, 1, 1, 1)
    (thought,) = named(made, "releval-thinking")
    assert (thought["n"], thought["cycles there"]) == (2, "some")
    assert (thought["waits"].value, thought["question_marks"].value) == (1.5, 1)
    (overall,) = named(made, "releval-figure-2a")
    assert overall["exact"].value == 0
    assert overall["yes_no"].value == pytest.approx(2 / 3)
    assert overall["f1"].value == pytest.approx(2 / 9)  # 1/2 and 1 make 2/3, then 0 and 0


# What is never paired ---------------------------------------------------------------------------


def test_framings_asked_by_different_protocols_are_not_paired() -> None:
    plain = of_consistency({"symbolic": [(1, 1), (0, 0)]})
    other = of_consistency({"finance": [(1, 1), (1, 1)]})
    plain = replace(plain, protocol="direct")
    for protocol, pairs in (("direct", 2), ("are_you_sure", 2), ("chain_of_thought", 0)):
        made = tables([plain, replace(other, protocol=protocol)])
        (twin,) = named(made, "releval-table-1")
        assert twin["pairs"] == pairs
        assert (twin["change"] is None) is (pairs == 0)
        models = {row["model"] for row in named(made, "releval-figure-2a")}
        assert models == ({"x/y"} if pairs else {"x/y (direct)", "x/y (chain_of_thought)"})


def test_compare_says_where_two_runs_were_asked_differently() -> None:
    one = of_consistency({"symbolic": [(1, 1), (0, 0)]})
    direct, turns = replace(one, protocol="direct", turns=1), replace(one, protocol="are_you_sure")
    notes = compare(direct, turns).notes
    assert any("are_you_sure (turn 2 of 2)" in note for note in notes)
    assert not any("Asked differently" in note for note in compare(turns, turns).notes)


def test_no_accuracy_is_averaged_over_the_tasks() -> None:
    both = made_of.results("x/y", "here", [*plans(), replied("OUTPUT:\nNo")])
    found = summary.to_json([summary.overview(both)])
    assert found["overall"]["releval"]["accuracy"] is None
    assert found["groups"]["releval/plan_generation"]["accuracy"] == 0.4
    compared = compare(both, both)
    assert not compared.overall
    assert set(compared.tasks) == {"releval/plan_generation", "releval/consistency"}
    assert sum("RELEVAL, " in sentence for sentence in compared.words) == 2
