"""Per-class and macro figures, TC, OCC and differences, against a second computation."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.families.catbench.corpora import RESPONSES, published
from tests.scoring.imported import published as score_published
from tests.scoring.results import frame
from thence import families
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.errors import FileError
from thence.families.catbench import paper_figures as printed
from thence.families.catbench.metrics import differences, extra_metrics
from thence.families.catbench.published_replies import gather
from thence.families.catbench.questions import question_metadata, truth
from thence.scoring.judge import Scored

HEADER = "title,i,j,rel,split,gold,answer"
FAMILY = families.families()["catbench"]


def row(title: str, i: int, j: int, relation: str, split: str, answer: str | None) -> Scored:
    gold = truth(split)
    outcome = Outcome.NO_ANSWER if answer is None else Outcome.WRONG
    outcome = Outcome.CORRECT if answer == gold else outcome
    name = f"{title} {i} {j} {relation} {split}"
    metadata = question_metadata(title, i, j, relation, split)
    sample = Sample(name, "catbench", "catbench/order", "1-0", "", gold, metadata)
    return Scored(sample, 0, 0, Score(outcome, answer, None if answer is None else "word"))


answers = st.sampled_from(["yes", "no", None])
rows = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from([(0, 1), (0, 5), (2, 4)]),
        st.sampled_from(["before", "after"]),
        st.sampled_from(["DEP", "NONDEP", "NONDEP-S"]),
        answers,
    ),
    max_size=40,
    unique_by=lambda each: each[:4],
).map(lambda held: [row(t, i, j, r, s, a) for t, (i, j), r, s, a in held])


def f1(precision: float, recall: float) -> float:
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


def naive(held: Sequence[Scored], first: str, second: str) -> tuple[float, float, float]:
    """P, R and F1 of a class whose answer is ``first``, from their definitions."""
    asked = [each for each in held if each.sample.metadata["split"] != "NONDEP-S"]
    of_class = [each for each in asked if each.sample.target == first]
    said = [each for each in asked if each.score.answer == first]
    right = [each for each in of_class if each.score.answer == first]
    precision = len(right) / len(said) if said else 0.0
    recall = len(right) / len(of_class)
    return precision, recall, f1(precision, recall)


@settings(max_examples=40)
@given(rows)
def test_every_figure_is_what_its_definition_says(held: list[Scored]) -> None:
    found = extra_metrics(frame(held)) if held else {}
    targets = {each.sample.target for each in held if each.sample.metadata["split"] != "NONDEP-S"}
    if len(targets) == 2:
        dep, nondep = naive(held, "yes", "no"), naive(held, "no", "yes")
        for place, name in enumerate(("precision", "recall", "f1")):
            assert found[f"dep_{name}"].value == pytest.approx(dep[place])
            assert found[f"nondep_{name}"].value == pytest.approx(nondep[place])
            assert found[f"macro_{name}"].value == pytest.approx((dep[place] + nondep[place]) / 2)
    else:
        assert not any(name.startswith("macro") for name in found)
    by = {
        tuple(each.sample.metadata[k] for k in ("pair", "relation", "split")): each.score.answer
        for each in held
    }
    tc = [
        answer == by[pair, "after", split] and answer is not None
        for (pair, relation, split), answer in by.items()
        if relation == "before" and split != "NONDEP-S" and (pair, "after", split) in by
    ]
    occ = [
        answer == by[pair, relation, "NONDEP-S"] and answer is not None
        for (pair, relation, split), answer in by.items()
        if split == "NONDEP" and (pair, relation, "NONDEP-S") in by
    ]
    for name, alike in (("tc", tc), ("occ", occ)):
        assert (name in found) == bool(alike)
        if alike:
            assert found[name].value == pytest.approx(mean(alike))


@settings(max_examples=40)
@given(rows, rows)
def test_differences_are_those_of_the_parts(first: list[Scored], second: list[Scored]) -> None:
    """On questions that both answered, the second's macro F1 less the first's."""
    both = {each.sample.id for each in first} & {each.sample.id for each in second}
    ours, theirs = ([each for each in held if each.sample.id in both] for held in (first, second))
    if not both:
        return
    for name, change in differences(frame(first), frame(second)).items():
        if name == "nondep_recall_distant":
            continue
        parts = []
        for held in (ours, theirs):
            metadata = {"before": "relation", "after": "relation"}
            kept = [
                each
                for each in held
                if (
                    each.sample.metadata["relation"] == name
                    if name in metadata
                    else each.sample.metadata["close"] == (name == "close")
                )
            ]
            parts.append((naive(kept, "yes", "no")[2] + naive(kept, "no", "yes")[2]) / 2)
        assert change.value == pytest.approx(parts[1] - parts[0])


# The row of the paper ----------------------------------------------------------------------------


def write_csv(path: Path, lines: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER.split(","), *lines])
    return path


def gpt_4o(seed: int = 0) -> list[list[Any]]:
    """1,420 questions a class; 205 DEP answered no, 617 NONDEP answered yes: gpt-4o under A+E."""
    lines: list[list[Any]] = []
    for split, gold, wrong in (("DEP", "yes", 205), ("NONDEP", "no", 617)):
        other = "no" if gold == "yes" else "yes"
        for number in range(710):
            for relation in ("before", "after"):
                title, i = f"dish {number % 57}", number // 57
                place = (0 if split == "DEP" else 100) + i
                lines.append([title, place, place + 1 + i % 5, relation, split, gold, gold])
        rng = Random(seed)
        for each in rng.sample([line for line in lines if line[4] == split], wrong):
            each[6] = other
    return lines


def test_the_row_of_the_specification(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "responses_gpt-4o_answer_explain.csv", gpt_4o())
    (held,) = score_published(path, "strict")
    assert held.model == "gpt-4o"
    found = FAMILY.extra_metrics(held.final(["catbench/order"]))  # type: ignore[misc]
    names = [f"{k}_{n}" for k in ("dep", "nondep", "macro") for n in ("precision", "recall", "f1")]
    row = [round(found[name].value, 2) for name in names]
    assert row == [0.66, 0.86, 0.75, 0.80, 0.57, 0.66, 0.73, 0.71, 0.70]
    assert row == list(printed.TABLE_1["gpt-4o"]["A+E"])
    for name in names:
        assert found[name].low < found[name].value < found[name].high
    assert "occ" not in found
    first, third, ways = FAMILY.tables([held])  # type: ignore[misc]
    assert [line[1] for line in first.rows if line[0] == "gpt-4o (paper)"] == ["A", "A+E", "E+A"]
    assert {len(line) for table in (first, third, ways) for line in table.rows} == {12, 5, 8}
    assert len(first.rows) == 1 + 2 * len(printed.TABLE_1) + 2
    assert [each.value for each in first.rows[0][3:]] == [found[name].value for name in names]
    assert third.rows[0][4] is None


def test_chance_has_an_f1_of_a_half(tmp_path: Path) -> None:
    rng = Random(3)
    lines = [[*line[:6], rng.choice(("yes", "no"))] for line in gpt_4o()]
    (held,) = score_published(write_csv(tmp_path / "x.csv", lines), "strict")
    found = extra_metrics(held.final(["catbench/order"]))
    assert found["macro_f1"].value == pytest.approx(0.5, abs=0.03)
    assert found["tc"].value == pytest.approx(0.5, abs=0.05)


def test_where_all_recipes_agree_an_interval_still_says_how_many_there_were() -> None:
    held = [row(title, 0, 1, "before", "DEP", "yes") for title in "abcdef"]
    held += [row(title, 0, 2, "before", "NONDEP", "no") for title in "abcdef"]
    found = extra_metrics(frame(held))["macro_f1"]
    assert found.value == found.high == 1
    assert 0.5 < found.low < 0.7


def test_figures_7_and_8_compare_two_runs(tmp_path: Path) -> None:
    first, second = (
        score_published(write_csv(tmp_path / f"{name}.csv", gpt_4o(seed)), "strict")
        for name, seed in (("one", 0), ("two", 1))
    )
    tables = FAMILY.tables([*first, *second])  # type: ignore[misc]
    assert [table.name for table in tables] == [
        "catbench-table-1", "catbench-table-3", "catbench-tables-6-7", "catbench-figure-7",
        "catbench-figure-8",
    ]  # fmt: skip
    assert [line[:2] for line in tables[3].rows] == [("two", "before"), ("two", "after")]
    assert [line[1] for line in tables[4].rows] == [
        "close", "distant", "distant, recall of NONDEP",
    ]  # fmt: skip
    (same,) = (FAMILY.tables([*first, *first])[3],)  # type: ignore[misc]
    assert {line[2].value for line in same.rows} == {0.0}
    assert {(line[2].low, line[2].high) for line in same.rows} == {(0.0, 0.0)}


# Reading the file --------------------------------------------------------------------------------


def test_what_came_in_place_of_a_reply_is_no_answer(tmp_path: Path) -> None:
    lines = [
        ["soup", 0, 1, "before", "DEP", "yes", "[ERROR] 504 Deadline Exceeded"],
        ["soup", 0, 1, "after", "DEP", "yes", "I cannot tell."],
        ["soup", 0, 2, "before", "NONDEP", "no", "Step 1 does not need to happen before Step 3."],
        ["soup", 0, 2, "after", "NONDEP", "no", ""],
    ]
    (held,) = score_published(write_csv(tmp_path / "x.csv", lines), "strict")
    outcomes = [each.score.outcome.value for each in held.rows]
    assert outcomes == ["provider_error", "no_answer", "correct", "no_answer"]
    assert (held.errors, held.finished) == (1, False)
    assert held.notes == [
        "1 rows hold [ERROR] in place of a reply: provider errors, which leave n."
    ]
    found = extra_metrics(held.final(["catbench/order"]))
    assert (found["dep_recall"].value, found["nondep_recall"].value) == (0, 0.5)
    assert found["nondep_precision"].value == 1
    assert found["tc"].value == 0  # the pair that was answered, and not alike


def test_rows_that_are_no_reply_are_left_out_and_said(tmp_path: Path) -> None:
    lines: list[list[Any]] = [
        ["soup", 0, 1, "before", "DEP", "yes", "yes"],
        ["soup", 1, 1, "before", "DEP", "yes", "yes"],
        ["soup", "x", 1, "before", "DEP", "yes", "yes"],
        ["soup", 0, 1, "during", "DEP", "yes", "yes"],
        ["soup", 0, 1, "before", "dep", "yes", "yes"],
        ["soup", 0, 1, "before", "DEP", "no", "yes"],
        ["", 0, 1, "before", "DEP", "yes", "yes"],
        ["soup", 0, 1, "before", "DEP", "yes", "no"],
        ["soup", 0],
    ]
    path = write_csv(tmp_path / "x.csv", lines)
    (held,) = gather(path, "strict")
    assert len(held.replies) == 1
    assert [line.removeprefix(f"{path}:") for line in held.skipped] == [
        "3: i = 1, j = 1: must be 0-based with i < j",
        "4: i = 'x', j = '1': must be numbers of steps",
        "5: rel = 'during': must be before or after",
        "6: split = 'dep': must be one of DEP, NONDEP, NONDEP-S",
        "7: gold = 'no': questions of DEP have the answer yes",
        "8: the title is missing",
        "9: a second reply to the same question",
        "10: i = '0', j = '': must be numbers of steps",
    ]


def test_other_files_are_not_of_this_form(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("id,response\n1,yes\n")
    assert gather(other, "strict") is None
    assert gather(tmp_path, "strict") is None
    assert gather(tmp_path / "none.csv", "strict") is None
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert gather(empty, "strict") is None
    latin = tmp_path / "latin.csv"
    latin.write_bytes(HEADER.encode() + b"\ncaf\xe9,0,1,before,DEP,yes,yes\n")
    with pytest.raises(FileError, match=r"latin\.csv:\d+: not UTF-8 text"):
        gather(latin, "strict")
    with pytest.raises(FileError, match="holds no replies"):
        gather(write_csv(tmp_path / "none.csv", []), "strict")


def test_the_published_replies() -> None:
    published()
    (held,) = score_published(RESPONSES, "strict")
    assert (held.model, len(held.rows), held.skipped) == ("gpt-4-0613", 1596, [])
    found = extra_metrics(held.final(["catbench/order"]))
    assert found["dep_recall"].value == pytest.approx((348 + 238) / 696)
    assert found["nondep_recall"].value == pytest.approx((74 + 373) / 900)
    assert found["dep_precision"].value == pytest.approx(586 / (586 + 376 + 77))
    assert found["macro_f1_before"].value < found["macro_f1_after"].value


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4-0613", None),
        ("meta/Llama-3-8B-Instruct", "llama3-8b"),
        ("anthropic/claude-3-5-sonnet-20240620", "claude-3.5-sonnet"),
        ("gemini/gemini-1.5-pro-latest", "gemini-1.5-pro"),
        ("baseline/random", None),
        ("", None),
    ],
)
def test_models_are_known_by_the_name_that_the_paper_uses(model: str, name: str | None) -> None:
    assert printed.known_as(model) == name


def test_printed_rows_agree_with_themselves() -> None:
    """F1 follows from P and R within rounding, but for the one misprint; macro is the mean."""
    misprints = []
    for model, protocols in printed.TABLE_1.items():
        for protocol, row in protocols.items():
            for place in (0, 3):
                low = f1(row[place] - 0.005, row[place + 1] - 0.005)
                high = f1(row[place] + 0.005, row[place + 1] + 0.005)
                if not low - 0.006 <= row[place + 2] <= high + 0.006:
                    misprints.append((model, protocol, place))
            for place in range(3):
                assert row[6 + place] == pytest.approx((row[place] + row[3 + place]) / 2, abs=0.06)
    assert misprints == [("gpt-4o-mini", "A", 0)]


def test_results_without_rows_have_no_tables() -> None:
    assert FAMILY.tables([Results()]) == []  # type: ignore[misc]
