"""The paper's figures from our scores, and what a second turn changes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.cli.command import thence
from tests.scoring import results as made_of
from thence.analysis.comparison import compare
from thence.core.results import Results
from thence.core.score import Grade, Outcome, Score
from thence.core.table import Table
from thence.families.releval.paper_figures import PrintedCell, published
from thence.families.releval.tables import tables
from thence.generation import suite
from thence.generation.plan import Plan
from thence.scoring import turns
from thence.scoring.judge import Scored


def results(worths: dict[str, list[tuple[float, float]]], model: str = "x/y") -> Results:
    """Two turns of every sample of both framings, with the F1 or correctness given for each."""
    rows = []
    for framing, every in worths.items():
        plan = Plan(["releval/consistency"], 0, len(every), settings={"framing": framing})
        for sample, worth in zip(suite.generate(plan), every, strict=True):
            for turn, f1 in enumerate(worth):
                grade = Grade(f1 == 1, {"precision": f1, "recall": f1, "f1": f1})
                outcome = Outcome.CORRECT if grade.correct else Outcome.WRONG
                rows.append(
                    Scored(sample, 0, turn, Score(outcome, sample.target, "output", grade.values))
                )
    return made_of.results(model, "here", rows, turns=2)


def named(made: list[Table], name: str) -> list[dict[str, Any]]:
    (table,) = [each for each in made if each.name == name]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_self_correction_and_framing_are_told_in_pairs() -> None:
    held = results(
        {
            "symbolic": [(1, 0.5), (0.5, 1), (0, 0), (1, 1)],
            "finance": [(0, 0.5), (0, 0), (0, 0), (1, 1)],
        }
    )
    made = tables([held])
    (symbolic, finance) = named(made, "releval-figure-3-consistency")
    assert (symbolic["n"], symbolic["before"].value, symbolic["after"].value) == (4, 0.625, 0.625)
    assert [symbolic[each].value for each in ("rose", "fell", "stayed")] == [0.25, 0.25, 0.5]
    assert [finance[each].value for each in ("rose", "fell", "stayed")] == [0.25, 0, 0.75]
    (twin,) = named(made, "releval-table-1")
    assert (twin["pairs"], twin["symbolic"].value, twin["with framing"].value) == (4, 0.625, 0.25)
    assert twin["change"].value == pytest.approx(-0.375)
    assert (
        "First turns of conversations." in next(t for t in made if t.name == "releval-table-1").note
    )
    overall = named(made, "releval-figure-2a")
    assert [row["framing"] for row in overall] == ["symbolic", "finance"]
    assert overall[0]["f1"].value == 0.625


def test_changes_are_told_for_any_task() -> None:
    held = results({"symbolic": [(1, 0.5), (0.5, 1), (0, 0), (1, 1)]})
    found = turns.by_task(held)["releval/consistency"]
    assert (found.kept, found.lost, found.gained, found.never) == (1, 1, 1, 1)
    assert found.change.value == 0
    assert found.answers == {("correct", "wrong"): 1, ("wrong", "correct"): 1}
    assert turns.tables(Results()) == []


@pytest.mark.parametrize(
    ("model", "value"),
    [
        ("openai/o3-mini", 75.8),
        ("openai/o3-mini-2025-01-31", 75.8),
        ("openrouter/deepseek/deepseek-r1", 38.8),
        ("openai/o1-mini", None),
        ("openai/gpt-4o-mini", None),
        ("ollama/deepseek-r1-distill-qwen-7b", None),
        ("baseline/oracle", None),
    ],
)
def test_a_published_figure_stands_beside_the_same_model_only(
    model: str, value: float | None
) -> None:
    assert published(PrintedCell("consistency", "f1"), model) == value
    held = results({"symbolic": [(1, 1), (0, 0)]}, model)
    (row,) = named(tables([held]), "releval-figure-2a")
    assert row["published"] == (None if value is None else f"{value / 100:.3f}")


def test_the_oracle_is_right_in_every_framing_and_turn() -> None:
    for framing in ("symbolic", "software", "finance"):
        settings = ("--set", f"framing={framing}", "--protocol", "are_you_sure")
        run = ("run", "releval", "--size", "23", "--model", "baseline/oracle", *settings)
        thence(*run, "-o", framing)
        document = thence("score", framing, "--json").json()
        for name, group in document["groups"].items():
            assert [turn["accuracy"] for turn in group["turns"]] == [1, 1], name
            assert group.get("f1", 1) == 1
            assert group["changes"]["right_to_right"] == 23
    assert not math.isnan(document["overall"]["releval"]["f1"])
    assert "\nreleval/comparison " in thence("score", "finance").out


def test_published_changes_stand_beside_the_plain_second_turn_alone() -> None:
    worths = {"symbolic": [(1, 0.5), (0.5, 1), (0, 0), (1, 1)]}
    plain, careful, other = (results(worths, "google/gemini-2.0-pro-exp") for _ in range(3))
    plain.settings = {"words": "plain"}
    for each in (plain, careful, other):
        each.protocol = "are_you_sure"
    other.protocol, other.settings = "few_shot+are_you_sure", {"words": "plain", "k": "3"}
    rows = named(tables([plain, careful, other]), "releval-figure-3-consistency")
    assert [(row["words"], row["published change"]) for row in rows] == [
        ("plain", "-0.038"),
        ("careful", None),
        ("plain, after few_shot, k=3", None),
    ]
    assert len({row["model"] for row in rows}) == 3  # one bar each
    assert [row["n"] for row in rows] == [4, 4, 4]


def test_runs_asked_with_other_settings_are_compared_aloud() -> None:
    first, second = (results({"symbolic": [(1, 0.5), (0, 1)]}) for _ in range(2))
    for each in (first, second):
        each.protocol, each.settings = "are_you_sure", {"words": "plain"}
    assert not any("Asked differently" in note for note in compare(first, second).notes)
    second.settings = {}
    (note,) = [note for note in compare(first, second).notes if "Asked differently" in note]
    assert "here by are_you_sure (words=plain) (turn 2 of 2)" in note


def test_each_framing_has_a_line_of_its_own() -> None:
    held = results({"symbolic": [(1, 1)] * 20, "finance": [(0, 0)] * 20})
    rows = named(tables([held]), "releval-figure-2b")
    points = [(row["group"], row["model"]) for row in rows]
    assert len(points) == len(set(points)) == 40
    alone = named(tables([results({"symbolic": [(1, 1)] * 20})]), "releval-figure-2b")
    assert {row["model"] for row in alone} == {"x/y"}
